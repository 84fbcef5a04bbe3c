// Rank 0 alone: the pipeline of one process, and what the others are told of its result.
#include "distributed/root_alone.hpp"

#include <limits>

namespace repsc {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::optional<double> optional_of(double value) {
  return value == value ? std::optional(value) : std::nullopt;
}

/// A clustering without what has no fixed size.
struct Facts {
  Method method = Method::nsc;
  double inertia = 0;
  double residual = 0;
  double constraint_residual = 0;
  double strength = none;
  double eigengap = none;
  StageSeconds seconds = {};
  Index constraint_rank = 0;
  int iterations = 0;
  bool converged = false;
  bool settled = false;
  bool clusters_visible = true;
  bool rank_unique = true;
  bool refined = false;
  char solver[16] = {};
};
static_assert(std::is_trivially_copyable_v<Facts>);

Facts facts_of(const Clustering& found) {
  Facts facts{.method = found.method,
              .inertia = found.inertia,
              .residual = found.residual,
              .constraint_residual = found.constraint_residual,
              .strength = found.strength.value_or(none),
              .eigengap = found.eigengap.value_or(none),
              .seconds = found.seconds,
              .constraint_rank = found.constraint_rank,
              .iterations = found.iterations,
              .converged = found.converged,
              .settled = found.settled,
              .clusters_visible = found.clusters_visible,
              .rank_unique = found.rank_unique,
              .refined = found.refinement.has_value()};
  found.solver.copy(facts.solver, sizeof(facts.solver) - 1);
  return facts;
}

void set_facts(const Facts& facts, Clustering& found) {
  found.method = facts.method;
  found.inertia = facts.inertia;
  found.residual = facts.residual;
  found.constraint_residual = facts.constraint_residual;
  found.strength = optional_of(facts.strength);
  found.eigengap = optional_of(facts.eigengap);
  found.seconds = facts.seconds;
  found.constraint_rank = facts.constraint_rank;
  found.iterations = facts.iterations;
  found.converged = facts.converged;
  found.settled = facts.settled;
  found.clusters_visible = facts.clusters_visible;
  found.rank_unique = facts.rank_unique;
  found.solver = facts.solver;
}

/// The numbers of a refinement, whose labels are those of the clustering.
struct RefinementNumbers {
  double mu = 0;
  double cut = 0;
  double average_balance = 0;
  double objective = 0;
  double start_objective = 0;
  Offset moves = 0;
  int rounds = 0;
  bool local_optimum = false;
};
static_assert(std::is_trivially_copyable_v<RefinementNumbers>);

void share_refinement(const SpreadRows& rows, Clustering& found) {
  RefinementNumbers numbers;
  if (found.refinement) {
    const Refinement& of = *found.refinement;
    numbers = {of.mu,    of.cut,    of.average_balance, of.objective, of.start_objective,
               of.moves, of.rounds, of.local_optimum};
  }
  rows.ranks().broadcast(&numbers, sizeof(numbers));
  found.refinement = Refinement{.labels = found.labels,
                                .mu = numbers.mu,
                                .cut = numbers.cut,
                                .average_balance = numbers.average_balance,
                                .objective = numbers.objective,
                                .start_objective = numbers.start_objective,
                                .moves = numbers.moves,
                                .rounds = numbers.rounds,
                                .local_optimum = numbers.local_optimum};
  found.before_refinement = scatter(rows, found.before_refinement);
}

}  // namespace

bool is_for_root_alone(const Communicator& ranks, const ClusterInput& input,
                       const DistributedOptions& options) {
  char alone = 0;
  if (ranks.is_root() && !options.solver && !options.exchange) {
    const Offset of_R = input.representation ? input.representation->num_entries() : 0;
    alone = input.similarity.num_entries() + of_R <= options.alone_up_to ? 1 : 0;
  }
  ranks.broadcast(&alone, 1);
  return alone != 0;
}

Clustering clustered_by_root(const SpreadRows& rows, Pipeline* whole, int num_clusters,
                             const ClusterOptions& options) {
  const Communicator& ranks = rows.ranks();
  Clustering found;
  on_root(ranks, [&] {
    found = whole->run(plan(whole->input(), num_clusters, options));
    found.embedding = {};
  });
  Facts facts = facts_of(found);
  ranks.broadcast(&facts, sizeof(facts));
  set_facts(facts, found);
  std::vector<double> values(found.eigenvalues.begin(), found.eigenvalues.end());
  ranks.broadcast(values);
  found.eigenvalues = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  found.num_clusters = num_clusters;
  found.labels = scatter(rows, found.labels);
  if (facts.refined) share_refinement(rows, found);
  return found;
}

std::optional<Baselines> baselines_of_root(const Communicator& ranks, Pipeline* whole,
                                           int num_clusters, const ClusterOptions& options) {
  std::optional<Baselines> found;
  static_assert(std::is_trivially_copyable_v<decltype(found)>);
  on_root(ranks, [&] { found = baselines(*whole, num_clusters, options); });
  ranks.broadcast(&found, sizeof(found));
  return found;
}

}  // namespace repsc
