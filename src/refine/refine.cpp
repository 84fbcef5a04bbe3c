// Fair refinement at one mu, or for the largest balance / cut by Dinkelbach's method.
#include "repsc/refine.hpp"

#include <algorithm>
#include <cmath>

#include "graph/scale.hpp"
#include "metrics/labels.hpp"
#include "refine/settle.hpp"

namespace repsc {
namespace {

void measure(const RefinementProblem& problem, const Labels& labels, Refinement& result) {
  const Partition P = problem.partition(labels);
  result.cut = P.cut();
  result.average_balance = P.score() / std::max<double>(1, P.num_nodes());
  result.objective = result.cut * problem.weights(0).cut - result.mu * result.average_balance;
}

/// The mu at which the objective of these labels is 0. Labels with a lower objective then have a
/// larger balance / cut.
double dinkelbach_mu(const RefinementProblem& problem, const Labels& labels) {
  Refinement at;
  measure(problem, labels, at);
  constexpr double least_balance = 1e-6;  // avoids a division by zero for labels without balance
  return at.cut * problem.weights(0).cut / std::max(at.average_balance, least_balance);
}

void check(const Graph& G, const Representation& R, const Labels& labels, int K,
           const RefineOptions& options) {
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  require_finite_total(G);
  check_labels(labels, G.num_nodes(), K, "label");
  const double mu = options.mu.value_or(default_mu);
  require_option(mu >= 0 && std::isfinite(mu), "mu", mu,
                 "it must be a finite number of at least 0");
  check_min_cluster_size(options.min_cluster_size, K, G.num_nodes());
  constexpr std::int64_t most_cells = std::int64_t{1} << 31U;
  require(static_cast<std::int64_t>(G.num_nodes()) * K <= most_cells, "a table of ", G.num_nodes(),
          " x ", K, " counts is too large");
}

}  // namespace

void check_min_cluster_size(Index least, int K, Index num_nodes) {
  require_option(least >= 1 && static_cast<std::int64_t>(least) * K <= num_nodes,
                 "min_cluster_size", least, "it must be from 1 to ", num_nodes / K, ", because ", K,
                 " clusters share ", num_nodes, " nodes");
}

double cut_scale(const Graph& similarity, int num_clusters, CutKind cut) {
  const double half = (num_clusters - 1) / 2.0;
  if (cut == CutKind::normalized || similarity.num_nodes() == 0) return half;
  return half * similarity.degrees().mean();
}

Refinement refine(const Graph& similarity, const Representation& representation,
                  const Labels& labels, int num_clusters, const RefineOptions& options) {
  check(similarity, representation, labels, num_clusters, options);
  const ScaledGraph scaled = well_scaled(similarity);  // the objective is relative to its weights
  const RefinementProblem problem{
      .G = scaled.graph,
      .R = representation,
      .K = num_clusters,
      .cut = options.cut,
      .min_cluster_size = options.min_cluster_size,
      .max_rounds = options.max_rounds,
      // Near the largest ratio the objective is near 0, and the remaining gains are small.
      .least_gain_scale = options.maximize_ratio ? 0.01 : 1,
      .seed = options.seed,
      .progress = options.progress,
      .deadline = options.deadline};
  Refinement result;
  result.mu = options.mu.value_or(default_mu);
  result.labels = fill_small_clusters(problem, labels);
  for (;;) {
    if (options.maximize_ratio) result.mu = dinkelbach_mu(problem, result.labels);
    SearchResult found = search_at(problem, result.labels, result.mu);
    result.moves += found.moves;
    result.rounds += found.rounds;
    result.local_optimum = found.local_optimum;
    const bool moved = found.labels != result.labels;
    result.labels = std::move(found.labels);
    if (!options.maximize_ratio || !moved || !result.local_optimum) break;
  }
  result.out_of_time = !result.local_optimum && options.deadline.passed();
  measure(problem, labels, result);
  result.start_objective = result.objective;
  measure(problem, result.labels, result);
  if (options.cut == CutKind::ratio) result.cut = std::ldexp(result.cut, scaled.exponent);
  return result;
}

}  // namespace repsc
