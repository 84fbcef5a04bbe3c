// A path over ranks and strengths: URepSC or NRepSC at several points for little more than the cost
// of one.
//
//   V  the leading eigenvectors of R, decomposed once for the largest rank
//   M  L + strength C, whose C is shared
//   X  the K lowest eigenvectors at one point, the start of the next. Constraints of rising rank
//   are nested, so an eigenvector that satisfies the next constraint stays among the lowest.
#include <algorithm>
#include <cmath>

#include "cluster/device_fallback.hpp"
#include "cluster/steps.hpp"
#include "cluster/warm_solver.hpp"
#include "graph/host_arrays.hpp"
#include "refine/settle.hpp"

namespace repsc {
namespace {

template <typename Value>
std::vector<Value> ascending(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Sorted, without duplicates. Checked first, so that the value in a message is one that was given.
std::vector<Index> checked_ranks(std::vector<Index> given, Index N, int K) {
  std::vector<Index> ranks = ascending(std::move(given));
  if (ranks.empty()) return ranks;
  const Index wrong = ranks.front() < 1 ? ranks.front() : ranks.back();
  require_option(wrong >= 1 && wrong <= N - K, "ranks", wrong,
                 "they must be from 1 to N - K = ", N - K, " so that ", K, " dimensions are left");
  return ranks;
}

std::vector<double> checked_numbers(const char* option, std::vector<double> given) {
  for (const double value : given) {
    require_option(value >= 0 && std::isfinite(value), option, value,
                   "they must be finite numbers of at least 0");
  }
  return ascending(std::move(given));
}

/// The plan of a path, with the constraint that its steps have in common.
Plan step_plan(const Pipeline& pipeline, int K, ClusterOptions options, ConstraintSource source) {
  options.method = choose_path_method(options);
  // Any rank or strength: it only keeps plan() from choosing.
  options.rank.reset();
  options.strength.reset();
  if (source == ConstraintSource::soft) {
    options.strength = 1;
  } else {
    options.rank = Rank::of(1);
  }
  options.constraint.reset();
  options.refine.reset();
  options.refinement.reset();
  options.num_groups.reset();
  return with_constraint(plan(pipeline.input(), K, options), {.source = source});
}

/// Whether the deadline leaves the next step out. The first is made in any case.
bool ended(RankPath& result, const ClusterOptions& options) {
  if (result.steps.empty() || !options.deadline.passed()) return false;
  result.out_of_time = true;
  return true;
}

/// Adds a step, unless the deadline ended it early and there are others.
void add_step(PathStep step, const ClusterOptions& options, std::int64_t planned,
              RankPath& result) {
  const bool early = step.clustering.out_of_time;
  result.out_of_time = result.out_of_time || early;
  if (early && !result.steps.empty()) return;
  result.steps.push_back(std::move(step));
  if (options.progress) {
    options.progress({"path", static_cast<std::int64_t>(result.steps.size()), planned, 0});
  }
}

/// G on the device, if there is one, as all steps multiply with it.
std::optional<DeviceUpload> sent_graph(const Pipeline& pipeline, const Plan& plan) {
  if (plan.device == nullptr) return std::nullopt;
  return std::optional<DeviceUpload>(std::in_place, plan.device, host_arrays(pipeline.similarity()),
                                     plan.device_room);
}

void add_ranks(Pipeline& pipeline, const Plan& plan, const std::vector<Index>& ranks,
               std::int64_t planned, RankPath& result) {
  const Stopwatch decomposition;
  const Laplacian& L = pipeline.laplacian(plan);
  const Index largest = ranks.back();
  require_rank_memory(pipeline.representation().representation(), largest, plan);
  const std::optional<DeviceUpload> upload = sent_graph(pipeline, plan);
  const RankConstraints constraints(
      pipeline.representation().spectrum(largest, spectrum_options(plan)), largest, L.scale());
  result.decomposition_seconds = decomposition.seconds();
  WarmSolver solver(plan);
  for (const Index rank : ranks) {
    if (ended(result, plan.options)) return;
    const Stopwatch watch;
    const Constraint constraint = constraints.at(rank);
    const double seconds = watch.seconds();
    Clustering found = solver.step(L, constraint);
    found.seconds.constraint = seconds;
    add_step({rank, std::move(found)}, plan.options, planned, result);
  }
}

void add_strengths(Pipeline& pipeline, const Plan& plan, const std::vector<double>& strengths,
                   std::int64_t planned, RankPath& result) {
  const Constraint none = no_constraint(pipeline.similarity().num_nodes());
  const std::optional<DeviceUpload> upload = sent_graph(pipeline, plan);
  WarmSolver solver(plan);
  for (const double strength : strengths) {
    if (ended(result, plan.options)) return;
    const Stopwatch watch;
    const Laplacian M = pipeline.penalized_laplacian(plan, strength);
    const double seconds = watch.seconds();
    Clustering found = solver.step(M, none);
    found.seconds.constraint = seconds;
    add_step({0, std::move(found)}, plan.options, planned, result);
  }
}

/// Every step once more for each mu, its labels refined.
void refine_steps(Pipeline& pipeline, const ClusterOptions& options, const std::vector<double>& mus,
                  std::int64_t planned, RankPath& result) {
  const std::size_t num_steps = result.steps.size();
  for (std::size_t i = 0; i < num_steps; ++i) {
    for (const double mu : mus) {
      if (ended(result, options)) return;
      PathStep step = result.steps[i];
      RefineOptions how = options.refinement.value_or(RefineOptions{});
      how.mu = mu;
      how.maximize_ratio = false;
      how.cut = cut_of(step.clustering.method);
      how.seed = options.seed;
      how.progress = options.progress;
      how.deadline = options.deadline;
      step.mu = mu;
      step.clustering.seconds = {};  // those of the point itself are counted there
      refine_clustering(pipeline, how, step.clustering);
      add_step(std::move(step), options, planned, result);
    }
  }
}

RankPath computed_path(Pipeline& pipeline, int K, PathPoints points,
                       const ClusterOptions& options) {
  const Index N = pipeline.similarity().num_nodes();
  const auto plan_for = [&](ConstraintSource source) {
    return step_plan(pipeline, K, options, source);
  };
  const Plan of_ranks = plan_for(ConstraintSource::low_rank);
  const std::vector<Index> ranks = checked_ranks(std::move(points.ranks), N, K);
  const std::vector<double> strengths = checked_numbers("strengths", std::move(points.strengths));
  const std::vector<double> mus = checked_numbers("mus", std::move(points.mus));
  require<InvalidOptions>(!ranks.empty() || !strengths.empty(),
                          "a path needs ranks or strengths, but none were given");
  if (!mus.empty() && options.refinement) {
    check_min_cluster_size(options.refinement->min_cluster_size, K, N);
  }
  const auto planned =
      static_cast<std::int64_t>((ranks.size() + strengths.size()) * (1 + mus.size()));
  RankPath result;
  if (!ranks.empty()) add_ranks(pipeline, of_ranks, ranks, planned, result);
  if (!strengths.empty()) {
    add_strengths(pipeline, plan_for(ConstraintSource::soft), strengths, planned, result);
  }
  refine_steps(pipeline, options, mus, planned, result);
  for (PathStep& step : result.steps) pipeline.finish(step.clustering);
  return result;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the callers move what they give
RankPath path(Pipeline& pipeline, int K, PathPoints points, const ClusterOptions& options) {
  const auto run = [&](const ClusterOptions& how) {
    return computed_path(pipeline, K, points, how);
  };
  const auto warn = [](RankPath& found, const Warning& warning) {
    for (PathStep& step : found.steps) step.clustering.warnings.push_back(warning);
  };
  try {
    return falling_back_to_cpu(options, run, warn);
  } catch (const NumericalFailure& failure) {
    throw with_weights(failure, pipeline.input());
  }
}

RankPath path(const Graph& similarity, const Representation& representation, int num_clusters,
              PathPoints points, const ClusterOptions& options) {
  Pipeline pipeline(cluster_input(similarity, representation));
  return path(pipeline, num_clusters, std::move(points), options);
}

RankPath path(const Graph& similarity, const Representation& representation, int num_clusters,
              std::vector<Index> ranks, const ClusterOptions& options) {
  return path(similarity, representation, num_clusters, PathPoints{.ranks = std::move(ranks)},
              options);
}

}  // namespace repsc
