// Rank 0 alone: the pipeline of one process, and what the others are told of its result.
#include "distributed/root_alone.hpp"

#include <limits>
#include <utility>

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

/// What has the same name in a clustering.
template <typename From, typename To>
void copy_facts(const From& from, To& to) {
  to.method = from.method;
  to.inertia = from.inertia;
  to.residual = from.residual;
  to.constraint_residual = from.constraint_residual;
  to.seconds = from.seconds;
  to.constraint_rank = from.constraint_rank;
  to.iterations = from.iterations;
  to.converged = from.converged;
  to.settled = from.settled;
  to.clusters_visible = from.clusters_visible;
  to.rank_unique = from.rank_unique;
}

Facts facts_of(const Clustering& found) {
  Facts facts{.strength = found.strength.value_or(none),
              .eigengap = found.eigengap.value_or(none),
              .refined = found.refinement.has_value()};
  copy_facts(found, facts);
  found.solver.copy(facts.solver, sizeof(facts.solver) - 1);
  return facts;
}

void set_facts(const Facts& facts, Clustering& found) {
  copy_facts(facts, found);
  found.strength = optional_of(facts.strength);
  found.eigengap = optional_of(facts.eigengap);
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

template <typename From, typename To>
void copy_numbers(const From& from, To& to) {
  to.mu = from.mu;
  to.cut = from.cut;
  to.average_balance = from.average_balance;
  to.objective = from.objective;
  to.start_objective = from.start_objective;
  to.moves = from.moves;
  to.rounds = from.rounds;
  to.local_optimum = from.local_optimum;
}

void share_refinement(const SpreadRows& rows, Clustering& found) {
  RefinementNumbers numbers;
  if (found.refinement) copy_numbers(*found.refinement, numbers);
  rows.ranks().broadcast(&numbers, sizeof(numbers));
  Refinement refinement;
  refinement.labels = found.labels;
  copy_numbers(numbers, refinement);
  found.refinement = std::move(refinement);
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
