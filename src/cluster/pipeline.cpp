// Carries out plans; runs on the same graphs share Laplacians, decompositions and penalties.
#include <algorithm>
#include <cmath>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "cluster/candidates.hpp"
#include "cluster/methods.hpp"
#include "cluster/steps.hpp"
#include "cluster/warnings.hpp"
#include "core/text.hpp"
#include "graph/host_arrays.hpp"
#include "graph/scale.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

/// R itself, by the shared decomposition if one is needed.
Constraint exact_constraint_of(RepresentationWork& R, const Plan& plan, const Vector& scale) {
  const SpectrumOptions how = spectrum_options(plan);
  const Representation& all = R.representation();
  if (!takes_whole_spectrum(all)) return exact_constraint(all, plan.num_clusters, scale, how);
  return exact_constraint(all.graph(), *R.spectrum(all.num_nodes(), how), plan.num_clusters, scale);
}

/// A task on a thread of its own, which is asked to stop if nobody waits for its end.
class Background {
 public:
  explicit Background(const Pipeline::Meanwhile& task)
      : thread_([this, &task](const std::stop_token& stop) {
          try {
            task(stop);
          } catch (...) {
            failure_ = std::current_exception();
          }
        }) {}

  void finish() {
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it ends before the other member does
};

/// D^-1/2 and its squares must be numbers.
void require_computable_degrees(const Graph& G, Method method) {
  constexpr double smallest_ratio = 1e-280;
  if (!is_normalized(method) || !G.weighted()) return;
  const Vector degrees = G.degrees();
  const double largest = degrees.maxCoeff();
  for (Index i = 0; i < G.num_nodes(); ++i) {
    if (G.num_neighbors(i) == 0 || degrees[i] >= smallest_ratio * largest) continue;
    throw InvalidInput(Fault{.what = joined("the weights at node ", in_quotes(G.names()[i]),
                                            " of G are more than ", 1 / smallest_ratio,
                                            " times smaller than the largest ones, too small "
                                            "for a normalized method"),
                             .remedies = {advice("remove the edges of such weights"),
                                          advice("use an unnormalized method")}});
  }
}

}  // namespace

Pipeline::Pipeline(ClusterInput input)
    : input_(std::make_shared<const ClusterInput>(std::move(input))) {
  scale_similarity();
}

Pipeline::Pipeline(const ClusterInput* input) : input_(std::shared_ptr<void>(), input) {
  scale_similarity();
}

Pipeline::Pipeline(const Graph& similarity, std::shared_ptr<RepresentationWork> representation)
    : input_(std::make_shared<const ClusterInput>(
          cluster_input(similarity, representation->representation()))),
      representation_(std::move(representation)) {
  scale_similarity();
}

void Pipeline::scale_similarity() {
  ScaledGraph scaled = well_scaled(input_->similarity);
  similarity_ = std::move(scaled.graph);
  exponent_ = scaled.exponent;
}

double Pipeline::in_given_unit(double value) const { return std::ldexp(value, exponent_); }

RepresentationWork& Pipeline::representation() {
  require(has_representation(), "neither a representation graph nor groups were given");
  if (representation_ == nullptr) {
    representation_ = std::make_shared<RepresentationWork>(
        input_->representation ? Representation(*input_->representation)
                               : Representation(*input_->groups));
  }
  return *representation_;
}

const Laplacian& Pipeline::laplacian(const Plan& plan) {
  const LaplacianKey key{normalization_of(plan.method), plan.regularization};
  const auto found = laplacians_.find(key);
  if (found != laplacians_.end()) return found->second;
  if (plan.regularization == 0) require_computable_degrees(similarity_, plan.method);
  const double regularization = std::ldexp(plan.regularization, -exponent_);
  require_option(std::isfinite(regularization), "regularization", plan.regularization,
                 "it is too large for weights of this size");
  return laplacians_.emplace(key, Laplacian(similarity_, key.first, regularization)).first->second;
}

Laplacian Pipeline::penalized_laplacian(const Plan& plan, double strength) {
  constexpr std::int64_t blocks = 3;   // the scaled vectors and two products with R
  constexpr std::int64_t vectors = 2;  // sums of the rows of R, and their inverses
  const Laplacian& L = laplacian(plan);
  const std::int64_t width = std::max(4, (plan.num_clusters + 2) / 4 * 4);
  require_memory((blocks * width + vectors) * L.num_nodes() * std::int64_t{sizeof(double)},
                 plan.options.memory_limit,
                 joined("the soft constraint on ", L.num_nodes(), " nodes"),
                 {{Remedy::Action::use, "groups"}});
  const LaplacianKey key{L.normalization(), plan.regularization};
  auto found = soft_constraints_.find(key);
  if (found == soft_constraints_.end()) {
    found =
        soft_constraints_.emplace(key, soft_constraint(L, representation().representation())).first;
  }
  return L.penalized(found->second, strength);
}

Constraint Pipeline::constraint(const Plan& plan) {
  const Vector& scale = laplacian(plan).scale();
  switch (plan.constraint.source) {
    case ConstraintSource::given_groups:
      return group_constraint(*input_->groups, scale);
    case ConstraintSource::found_groups:
      return group_constraint(representation().groups(plan.constraint.num_groups, plan), scale);
    case ConstraintSource::exact:
      return exact_constraint_of(representation(), plan, scale);
    case ConstraintSource::low_rank:
      require_rank_memory(representation().representation(), plan.constraint.rank, plan);
      return rank_constraint(
          representation().spectrum(plan.constraint.rank, spectrum_options(plan)),
          plan.constraint.rank, scale);
    case ConstraintSource::none:
    case ConstraintSource::soft:
      break;
  }
  return no_constraint(similarity().num_nodes());
}

/// The plan after the decision whether the exact constraint is possible.
Plan Pipeline::decided(const Plan& plan) {
  const ConstraintPlan& constraint = plan.constraint;
  if (!constraint.otherwise || plan.search) return plan;
  const Index N = similarity().num_nodes();
  const auto spectrum = representation().spectrum(N, spectrum_options(plan));
  ConstraintPlan settled = constraint;
  settled.otherwise.reset();
  if (N - spectrum->constraint_rank() < plan.num_clusters) settled.source = *constraint.otherwise;
  return with_constraint(plan, settled);
}

Clustering Pipeline::run_method(const Plan& plan) {
  const Stopwatch watch;
  Clustering found = run_planned_method(*this, plan);
  found.method = plan.method;
  if (plan.better_rows) {
    BetterRows better = better_rows(std::move(found), similarity_, plan);
    found = std::move(better.clustering);
    const bool plain =
        plan.method == Method::nsc && plan.constraint.source == ConstraintSource::none;
    if (plain && !found.out_of_time) plain_cut_ = PlainCut{plan, better.kmeans_cut};
  }
  // Everything else: the Laplacian and the constraint.
  const StageSeconds& seconds = found.seconds;
  found.seconds.constraint = watch.seconds() - seconds.eigen - seconds.kmeans - seconds.refine;
  return found;
}

std::optional<double> Pipeline::known_plain_cut(const Plan& plan) const {
  const auto same = [&](const Plan& other) {
    const ClusterOptions& a = plan.options;
    const ClusterOptions& b = other.options;
    return plan.num_clusters == other.num_clusters && plan.method == other.method &&
           plan.constraint.source == other.constraint.source &&
           plan.embedding_rows == other.embedding_rows &&
           plan.settling_rows == other.settling_rows && plan.better_rows == other.better_rows &&
           plan.tolerance == other.tolerance &&
           plan.until_labels_settle == other.until_labels_settle &&
           plan.sampled_start == other.sampled_start &&
           plan.regularization == other.regularization && plan.device == other.device &&
           a.solver == b.solver && a.max_iterations == b.max_iterations &&
           a.kmeans_restarts == b.kmeans_restarts && a.seed == b.seed;
  };
  return plain_cut_ && same(plain_cut_->plan) ? std::optional(plain_cut_->cut) : std::nullopt;
}

void Pipeline::finish(Clustering& found) {
  if (exponent_ != 0 && !is_normalized(found.method)) {
    for (double& value : found.eigenvalues) value = in_given_unit(value);
    if (found.eigengap) found.eigengap = in_given_unit(*found.eigengap);
  }
  if (!num_components_) num_components_ = found.num_components;
  if (!num_components_) {
    const Labels component = connected_components(similarity());
    num_components_ = 1 + *std::max_element(component.begin(), component.end());
  }
  append(component_warnings(*num_components_, found.num_clusters, found.method), found.warnings);
  append(size_warnings(cluster_sizes(found.labels, found.num_clusters), found.method),
         found.warnings);
}

Clustering Pipeline::run(const Plan& plan, const Meanwhile& meanwhile) {
  try {
    return carry_out(plan, meanwhile);
  } catch (const NumericalFailure& failure) {
    throw with_weights(failure, *input_);
  } catch (const DeviceFailure& failure) {
    // Memory that others use, or a graph that needs more than was estimated.
    if (plan.options.device) throw;  // requested
    Plan here = plan;
    here.device = nullptr;
    here.options.device = DeviceChoice{};  // also for what is planned on the way, such as groups
    Clustering found = run(here);
    found.warnings.push_back(device_failed(failure.fault().what));
    return found;
  }
}

Clustering Pipeline::carry_out(const Plan& given, const Meanwhile& meanwhile) {
  const Stopwatch watch;
  std::optional<DeviceUpload> upload;  // goes on while constraints are made
  if (given.device != nullptr)
    upload.emplace(given.device, host_arrays(similarity_), given.device_room);
  const Plan plan = decided(given);
  const double decision_seconds = watch.seconds();
  Clustering found = plan.search ? search_candidates(*this, plan) : run_method(plan);
  if (plan.refines && !plan.search) refine(plan, meanwhile, found);
  found.seconds.constraint += decision_seconds;
  finish(found);
  return found;
}

void Pipeline::refine(const Plan& plan, const Meanwhile& meanwhile, Clustering& found) {
  (void)representation();  // made here, so that both threads only read it
  std::optional<Background> background;
  try {
    if (meanwhile && found.device != "cpu") background.emplace(meanwhile);
  } catch (const std::system_error&) {
    // The system has no other thread: what meanwhile would do is left to the caller.
  }
  refine_clustering(*this, plan.refine, found);
  if (background) background->finish();
}

ClusterInput cluster_input(const Graph& similarity, const Representation& representation) {
  if (representation.by_groups()) return {similarity, std::nullopt, representation.groups()};
  return {similarity, representation.graph()};
}

Clustering cluster(const ClusterInput& input, int num_clusters, const ClusterOptions& options) {
  const Plan chosen = plan(input, num_clusters, options);
  return Pipeline(&input).run(chosen);
}

Clustering cluster(const Graph& similarity, int num_clusters, const ClusterOptions& options) {
  return cluster(ClusterInput{similarity}, num_clusters, options);
}

Clustering cluster(const Graph& similarity, const Graph& representation, int num_clusters,
                   const ClusterOptions& options) {
  return cluster(ClusterInput{similarity, representation}, num_clusters, options);
}

Clustering cluster(const Graph& similarity, const Labels& groups, int num_clusters,
                   const ClusterOptions& options) {
  return cluster(ClusterInput{similarity, std::nullopt, groups}, num_clusters, options);
}

}  // namespace repsc
