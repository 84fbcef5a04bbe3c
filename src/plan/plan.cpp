// The decisions that depend on the sizes of the graphs and on R.
#include "repsc/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraint/shared.hpp"
#include "eigensolver/backends.hpp"
#include "graph/host_arrays.hpp"
#include "graph/scale.hpp"
#include "plan/options.hpp"
#include "plan/precision.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

/// Up to this size eigenvectors are computed to full precision; above, that takes longer than all
/// other steps together.
constexpr Index precise_nodes = 2000;

/// Up to this size R may be decomposed densely without a request.
constexpr Index decomposed_nodes = 2000;

/// From this size on a search may take no more than a few times as long as plain clustering.
constexpr Index large_for_search = 1000;

void check_sizes(const ClusterInput& input, int K) {
  const Index N = input.similarity.num_nodes();
  const auto same_size = [&](Index other, const char* what) {
    require(other == N, "the similarity graph has ", N, " nodes, the ", what, " ", other);
  };
  require_finite_total(input.similarity);
  if (input.representation) same_size(input.representation->num_nodes(), "representation graph");
  if (input.groups) same_size(static_cast<Index>(input.groups->size()), "groups");
  require_option(K >= 2 && K <= N, "num_clusters", K, "it must be from 2 to the number of nodes, ",
                 N);
}

InputKinds kinds(const ClusterInput& input) {
  return {.representation = input.representation.has_value(), .groups = input.groups.has_value()};
}

std::vector<std::string> ignored_options(Method method, const InputKinds& given,
                                         const ClusterOptions& options) {
  std::vector<std::string> ignored;
  const bool finds_groups = is_fair_to_groups(method) && !given.groups;
  if (options.num_groups && !finds_groups) ignored.emplace_back("num_groups");
  if (given.groups && given.representation && !is_fair_to_groups(method)) {
    ignored.emplace_back("groups");
  }
  if (options.rank && !is_representation_aware(method)) ignored.emplace_back("rank");
  return ignored;
}

class Planner {
 public:
  Planner(const ClusterInput& input, int num_clusters, const ClusterOptions& options)
      : input_(input), given_(kinds(input)), N_(input.similarity.num_nodes()) {
    check_sizes(input, num_clusters);
    plan_.num_clusters = num_clusters;
    plan_.options = options;
  }

  Plan run() {
    choose_method();
    searches(given_, options()) ? choose_search() : choose_constraint();
    choose_rows();
    choose_precision();
    choose_solver();
    choose_device();
    choose_start();
    choose_refinement();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const ClusterOptions& options() const { return plan_.options; }

  void decide(std::string what, std::string choice, std::string reason) {
    plan_.decisions.push_back({std::move(what), std::move(choice), std::move(reason)});
  }

  void choose_method() {
    plan_.method = repsc::choose_method(given_, options());
    plan_.cut = cut_of(plan_.method);
    plan_.ignored = ignored_options(plan_.method, given_, options());
    const bool either = searches(given_, options());
    decide("method", either ? "nsc or nrepsc, as the search finds" : name(plan_.method),
           method_choice(given_, options()).reason);
  }

  void constrain(const ConstraintPlan& constraint, const std::string& choice,
                 const std::string& reason) {
    plan_.constraint = constraint;
    decide("constraint", choice, reason);
  }

  void choose_constraint() {
    if (is_plain(plan_.method)) {
      return constrain({}, "none", name(plan_.method) + " is plain spectral clustering");
    }
    is_fair_to_groups(plan_.method) ? choose_groups() : choose_representation();
  }

  [[nodiscard]] SearchPlan goal() const {
    if (options().keep_structure) {
      return {.goal = Goal::structure, .level = *options().keep_structure, .strengths = {}};
    }
    if (options().fairness) {
      return {.goal = Goal::fairness, .level = *options().fairness, .strengths = {}};
    }
    const auto& given = options().refinement;
    const bool mu = given && (given->mu || given->maximize_ratio);
    return {.goal = mu ? Goal::objective : Goal::bargain, .strengths = {}};
  }

  [[nodiscard]] std::string in_words(const SearchPlan& search) const {
    switch (search.goal) {
      case Goal::structure:
        return fmt::format("the fairest that keeps {:g} of the structure", search.level);
      case Goal::fairness:
        return fmt::format("the most structure at fairness {:g}", search.level);
      case Goal::objective:
        return options().refinement->maximize_ratio ? "the largest average balance / cut"
                                                    : "the lowest objective at the mu given";
      case Goal::bargain:
        break;
    }
    return "the fair bargain";
  }

  /// Strong constraints take long on large graphs, and weak ones find clusters there that strong
  /// ones do not (docs/beyond.md, "The default").
  void choose_search() {
    SearchPlan search = goal();
    const bool cliques = !input_.representation || !clique_groups(*input_.representation).empty();
    const bool small = N_ < large_for_search;
    search.exact = cliques || small;
    if (small) search.strengths = {0.01, 0.1, 1, 10};
    // R is decomposed already, to see whether it can be satisfied exactly.
    if (small && !cliques) search.ranks = {automatic_rank(N_, plan_.num_clusters)};
    if (!small && !cliques) search.strengths = {0.01};
    search.equal_shares = options().refine.value_or(true);
    search.regularization = 0.3 * input_.similarity.degrees().mean();
    std::string strengths;
    for (const double strength : search.strengths) {
      strengths += fmt::format("{}{:g}", strengths.empty() ? "" : ", ", strength);
    }
    decide("search", in_words(search),
           fmt::format("among plain clustering{}{}{}{}",
                       search.exact ? ", the exact constraint if R leaves room for it" : "",
                       search.ranks.empty() ? "" : fmt::format(", rank {}", search.ranks.front()),
                       strengths.empty() ? "" : ", soft constraints of strength " + strengths,
                       search.equal_shares ? ", and clusters with equal shares" : ""));
    plan_.constraint = {.source = ConstraintSource::soft, .strength = 1};
    plan_.search = std::move(search);
  }

  void choose_groups() {
    if (input_.groups) {
      return constrain({.source = ConstraintSource::given_groups}, "the groups that were given",
                       name(plan_.method) + " is fair to groups");
    }
    const int P = options().num_groups.value_or(plan_.num_clusters);
    require_option(P >= 2 && P <= N_, "num_groups", P, "it must be from 2 to the number of nodes, ",
                   N_);
    constrain({.source = ConstraintSource::found_groups, .num_groups = P},
              fmt::format("{} groups found in R by plain spectral clustering", P),
              options().num_groups ? "requested" : "as many as clusters");
  }

  [[nodiscard]] ConstraintPlan soft() const {
    return {.source = ConstraintSource::soft, .strength = options().strength.value_or(1)};
  }
  [[nodiscard]] std::string soft_in_words() const {
    return fmt::format("soft, strength {:g}", options().strength.value_or(1));
  }

  void choose_representation() {
    if (asks_for_soft(options())) return constrain(soft(), soft_in_words(), "requested");
    if (!options().rank) return choose_part_of_R();
    if (!options().rank->value) {
      return constrain({.source = ConstraintSource::exact}, "R exactly", "requested");
    }
    const Index r = *options().rank->value;
    const Index most = N_ - plan_.num_clusters;
    require_option(r >= 1 && r <= most, "rank", r, "it must be from 1 to N - K = ", most,
                   " so that ", plan_.num_clusters, " dimensions are left");
    constrain({.source = ConstraintSource::low_rank, .rank = r},
              fmt::format("R approximated at rank {}", r), "requested");
  }

  /// R exactly if that is cheap; else soft, or of low rank if a hard constraint was requested.
  void choose_part_of_R() {
    const bool hard = options().constraint == ConstraintKind::hard;
    ConstraintPlan exact = soft();  // the strength of its alternative
    exact.source = ConstraintSource::exact;
    ConstraintPlan other = hard ? ConstraintPlan{.source = ConstraintSource::low_rank} : soft();
    if (hard) other.rank = automatic_rank(N_, plan_.num_clusters);
    const std::string in_words =
        hard ? fmt::format("R approximated at rank {}", other.rank) : soft_in_words();
    const bool by_groups = !input_.representation;
    const Labels cliques = by_groups ? *input_.groups : clique_groups(*input_.representation);
    const Index removed = cliques.empty() ? 0 : *std::max_element(cliques.begin(), cliques.end());
    if (!cliques.empty() && N_ - removed >= plan_.num_clusters) {
      return constrain(
          exact, "R exactly",
          by_groups ? fmt::format("R is that of {} groups, which is cheap", removed + 1)
                    : fmt::format("R is a union of {} cliques, which is cheap", removed + 1));
    }
    if (by_groups) return constrain(other, in_words, "the groups leave too few dimensions");
    if (N_ > decomposed_nodes) {
      return constrain(
          other, in_words,
          fmt::format("decomposing R of more than {} nodes is expensive", decomposed_nodes));
    }
    exact.otherwise = other.source;
    exact.rank = other.rank;
    constrain(exact, "R exactly, otherwise " + in_words,
              fmt::format("only the decomposition of R shows whether R leaves {} dimensions",
                          plan_.num_clusters));
  }

  void choose_rows() {
    plan_.better_rows =
        !options().embedding_rows && !options().method && (plan_.search || is_plain(plan_.method));
    const ConstraintPlan constraint = plan_.constraint;
    plan_ = with_constraint(std::move(plan_), constraint);
    if (plan_.better_rows) {
      decide("embedding rows", "as they are and scaled to length 1",
             plan_.search ? "both are candidates" : "whichever gives the lower normalized cut");
    } else {
      describe_rows();
    }
    choose_regularization();
  }

  void describe_rows() {
    const std::string which = options().embedding_rows      ? "requested"
                              : plan_.method == Method::nsc ? "as in Algorithm 3"
                              : plan_.constraint.source == ConstraintSource::soft
                                  ? "default with a soft constraint"
                              : plan_.constraint.otherwise == ConstraintSource::soft
                                  ? "default; scaled to length 1 if the constraint becomes soft"
                                  : "default";
    decide("embedding rows",
           plan_.embedding_rows == EmbeddingRows::unit ? "scaled to length 1" : "as they are",
           which);
  }

  void choose_regularization() {
    const auto& given = options().regularization;
    const double average = given || N_ == 0 ? 0 : input_.similarity.degrees().mean();
    plan_.regularization = given.value_or(average);
    check_regularization(plan_.regularization, is_normalized(plan_.method)
                                                   ? Normalization::symmetric
                                                   : Normalization::none);
    if (plan_.regularization == 0) return;
    decide("regularization", fmt::format("{:.4g}", plan_.regularization),
           options().regularization ? "requested" : "the average degree");
  }

  void choose_precision() {
    plan_.tolerance = tolerance_for(N_, options());
    plan_.until_labels_settle = until_labels_settle(N_, options());
    decide("precision",
           plan_.until_labels_settle
               ? fmt::format("until the labels have settled, or residual {:g}", plan_.tolerance)
               : fmt::format("residual {:g}", plan_.tolerance),
           options().tolerance
               ? "requested"
               : fmt::format("{} than {} nodes", plan_.until_labels_settle ? "more" : "not more",
                             precise_nodes));
  }

  void choose_solver() {
    if (options().solver) return decide("solver", name(*options().solver), "requested");
    const SolverChoice choice = repsc::choose_solver(N_, plan_.num_clusters);
    const bool exact = plan_.constraint.source == ConstraintSource::exact;
    decide("solver", name(choice.solver),
           choice.reason + (exact && !std::holds_alternative<solver::Lapack>(choice.solver)
                                ? "; lapack if the constraint leaves few dimensions"
                                : ""));
  }

  /// Whether R is decomposed as a dense matrix, and large.
  [[nodiscard]] bool decomposes_large_matrix() const {
    constexpr Index large = 3000;  // docs/gpu.md
    if (N_ < large || !input_.representation) return false;
    const ConstraintPlan& constraint = plan_.constraint;
    if (constraint.source == ConstraintSource::low_rank)
      return decompose_densely(N_, constraint.rank);
    return constraint.source == ConstraintSource::exact &&
           takes_whole_spectrum(*input_.representation);
  }

  /// Whether there may be products with R as a graph.
  [[nodiscard]] bool may_be_soft() const {
    return input_.representation &&
           (plan_.search || plan_.constraint.source == ConstraintSource::soft);
  }

  /// About what is in the memory of a device beside the graphs.
  [[nodiscard]] double device_bytes_beside_graphs() const {
    constexpr double matrices = 4;  // N x N, of a decomposition
    double bytes = iteration_bytes(N_, plan_.num_clusters);
    if (decomposes_large_matrix()) bytes += matrices * 8 * std::pow(N_, 2);
    if (plan_.constraint.source == ConstraintSource::low_rank)
      bytes += 2 * 8.0 * N_ * plan_.constraint.rank;  // vectors, and the basis that is removed
    return bytes;
  }

  /// Why Lanczos cannot compute so many eigenvectors on a device; empty if it can. Other solvers
  /// are not on devices at all.
  [[nodiscard]] std::string too_wide_for_devices() const {
    const int K = plan_.num_clusters;
    const Solver first = options().solver ? *options().solver : repsc::choose_solver(N_, K).solver;
    const auto* const lanczos = std::get_if<solver::Lanczos>(&first);
    const Index columns = lanczos == nullptr ? 0 : basis_on_device(N_, K, *lanczos);
    if (columns <= REPSC_CUDA_MOST_COLUMNS) return "";
    return fmt::format("{} clusters need a basis of {} vectors, and devices take up to {}", K,
                       columns, REPSC_CUDA_MOST_COLUMNS);
  }

  void use_device(std::shared_ptr<CudaDevice> device, std::string reason) {
    plan_.device = std::move(device);
    const Graph& G = input_.similarity;
    const double graph_bytes = device_bytes(G);
    plan_.device_room =
        share_of_room(room_for_graph(*plan_.device, device_bytes_beside_graphs()), graph_bytes,
                      may_be_soft() ? device_bytes(*input_.representation) : 0);
    if (graph_bytes > static_cast<double>(plan_.device_room))
      reason += fmt::format("; {:.1f} of {:.1f} GB fit, the others are copied for each product",
                            static_cast<double>(plan_.device_room) / 1e9, graph_bytes / 1e9);
    decide("device", name(plan_.device), std::move(reason));
  }

  /// A device is looked for where it saves more time than opening it takes.
  void choose_device() {
    constexpr Offset worth_a_device = 50'000'000;  // entries, docs/gpu.md
    if (const auto& given = options().device) {
      if (given->kind == DeviceChoice::Kind::cuda) {
        std::shared_ptr<CudaDevice> asked = open_cuda_device(given->number);
        if (std::string reason = too_wide_for_devices(); !reason.empty()) {
          throw InvalidInput(Fault{.what = std::move(reason),
                                   .option = "device",
                                   .value = "cuda",
                                   .remedies = {{Remedy::Action::use, "device", "cpu"},
                                                {Remedy::Action::lower, "num_clusters"}}});
        }
        return use_device(std::move(asked), "requested");
      }
      return decide("device", name(plan_.device), "requested");
    }
    // Packed rows are for lack of memory, which a device would need them unpacked in.
    if (input_.similarity.packed()) return;
    const bool dense = decomposes_large_matrix();
    if (!dense && input_.similarity.num_entries() < worth_a_device) return;
    std::shared_ptr<CudaDevice> found = cuda_device_if_any(0);
    if (found == nullptr) return;  // most machines have none
    if (std::string reason = too_wide_for_devices(); !reason.empty())
      return decide("device", "cpu", std::move(reason));
    const double needed = device_bytes_beside_graphs();
    if (room_for_graph(*found, needed) == 0) {
      return decide("device", "cpu",
                    fmt::format("{} has no room for about {:.1f} GB beside the graph", name(found),
                                needed / 1e9));
    }
    use_device(std::move(found),
               dense ? "R is decomposed as a dense matrix"
                     : fmt::format("a graph of at least {} entries", worth_a_device));
  }

  void choose_start() {
    const ConstraintSource source = plan_.constraint.source;
    const bool easy = source == ConstraintSource::none || source == ConstraintSource::given_groups;
    if (plan_.search || !easy || !is_normalized(plan_.method) || !plan_.until_labels_settle) return;
    if (options().solver || plan_.device != nullptr) return;
    plan_.sampled_start = automatic_sample(N_, input_.similarity.num_entries());
    if (plan_.sampled_start == 0) return;
    decide("start", fmt::format("eigenvectors of one edge in {}", plan_.sampled_start),
           "a large graph with many neighbours per node, whose products are expensive");
  }

  void choose_refinement() {
    plan_.refine = options().refinement.value_or(RefineOptions{});
    plan_.refine.cut = plan_.cut;
    plan_.refine.seed = options().seed;
    plan_.refine.progress = options().progress;
    plan_.refine.deadline = options().deadline;
    const std::string how = plan_.refine.maximize_ratio
                                ? "for the largest average balance / cut"
                                : fmt::format("at mu {:g}", plan_.refine.mu.value_or(default_mu));
    plan_.refines = options().refine.value_or(plan_.search.has_value());
    plan_.lowers_cut = plan_.better_rows && !plan_.search && options().refine.value_or(true);
    if (plan_.lowers_cut) {
      return decide("refinement", "moves that lower the normalized cut",
                    "k-means minimizes distances in the embedding, not the cut");
    }
    if (!plan_.refines) {
      return decide("refinement", "none", options().refine ? "requested" : "not requested");
    }
    const bool open = plan_.search && plan_.search->goal != Goal::objective;
    decide("refinement", open ? "of every candidate, at the mu that suits the goal" : how,
           open ? "few moves give most of the balance" : "requested");
  }

  const ClusterInput& input_;
  InputKinds given_;
  Index N_;
  Plan plan_;
};

}  // namespace

Plan plan(const ClusterInput& input, int num_clusters, const ClusterOptions& options) {
  return Planner(input, num_clusters, options).run();
}

Plan with_constraint(Plan plan, const ConstraintPlan& constraint) {
  plan.constraint = constraint;
  const bool unit = plan.method == Method::nsc || constraint.source == ConstraintSource::soft;
  plan.settling_rows =
      plan.options.embedding_rows.value_or(unit ? EmbeddingRows::unit : EmbeddingRows::plain);
  // Rows of length 1 can be made from rows as they are.
  plan.embedding_rows = plan.better_rows ? EmbeddingRows::plain : plan.settling_rows;
  return plan;
}

std::string describe(const Plan& plan) {
  std::size_t what = 0;
  std::size_t choice = 0;
  for (const Decision& decision : plan.decisions) {
    what = std::max(what, decision.what.size());
    choice = std::max(choice, decision.choice.size());
  }
  std::string text;
  for (const Decision& decision : plan.decisions) {
    text += fmt::format("{:<{}}  {:<{}}  {}\n", decision.what, what, decision.choice, choice,
                        decision.reason);
  }
  return text;
}

int automatic_sample(Index num_nodes, Offset num_entries) {
  constexpr Index large_nodes = Index{1} << 22U;
  constexpr Offset neighbors_per_node = 32;  // four of them are left
  constexpr int one_in = 8;
  const bool pays =
      num_nodes >= large_nodes && num_entries >= neighbors_per_node * Offset{num_nodes};
  return pays ? one_in : 0;
}

bool until_labels_settle(Index num_nodes, const ClusterOptions& options) {
  return !options.tolerance && num_nodes > precise_nodes;
}

double tolerance_for(Index num_nodes, const ClusterOptions& options) {
  return options.tolerance.value_or(num_nodes <= precise_nodes ? 1e-8 : 1e-6);
}

Index automatic_rank(Index num_nodes, int num_clusters) {
  const Index tenth = std::max<Index>(1, num_nodes / 10);
  const Index affordable = num_nodes > 5000 ? std::min<Index>(tenth, 128) : tenth;
  return std::max<Index>(1, std::min<Index>(affordable, num_nodes - num_clusters));
}

}  // namespace repsc
