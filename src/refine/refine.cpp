// Fair refinement at one mu, or for the largest balance / cut by Dinkelbach's method.
#include "repsc/refine.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/labels.hpp"
#include "refine/settle.hpp"

namespace repsc {
namespace {

void measure(const Question& ask, const Labels& labels, Refinement& result) {
  const Partition P = ask.partition(labels);
  result.cut = P.cut();
  result.average_balance = P.score() / std::max<double>(1, P.num_nodes());
  result.objective = result.cut * ask.weights(0).cut - result.mu * result.average_balance;
}

/// The mu at which the objective of these labels is 0. Labels with a lower objective then have a
/// larger balance / cut.
double dinkelbach_mu(const Question& ask, const Labels& labels) {
  Refinement at;
  measure(ask, labels, at);
  constexpr double least_balance = 1e-6;  // avoids a division by zero for labels without balance
  return at.cut * ask.weights(0).cut / std::max(at.average_balance, least_balance);
}

void check(const Graph& G, const Graph& R, const Labels& labels, int K,
           const RefineOptions& options) {
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  check_labels(labels, G.num_nodes(), K, "label");
  require(options.mu >= 0 && std::isfinite(options.mu), "mu: ", options.mu,
          " but it must be finite and at least 0");
  require(options.min_cluster_size >= 1, "min_cluster_size: ", options.min_cluster_size,
          " but it must be at least 1");
  require(static_cast<std::int64_t>(options.min_cluster_size) * K <= G.num_nodes(), K,
          " clusters with at least ", options.min_cluster_size,
          " nodes each need more nodes than the ", G.num_nodes(), " of the graph");
  constexpr std::int64_t most_cells = std::int64_t{1} << 31U;
  require(static_cast<std::int64_t>(G.num_nodes()) * K <= most_cells, "a table of ", G.num_nodes(),
          " x ", K, " counts is too large");
}

}  // namespace

double cut_scale(const Graph& similarity, int num_clusters, CutKind cut) {
  const double half = (num_clusters - 1) / 2.0;
  if (cut == CutKind::normalized || similarity.num_nodes() == 0) return half;
  return half * similarity.degrees().mean();
}

Refinement refine(const Graph& similarity, const Graph& representation, const Labels& labels,
                  int num_clusters, const RefineOptions& options) {
  check(similarity, representation, labels, num_clusters, options);
  const Question ask{
      .G = similarity,
      .R = representation,
      .K = num_clusters,
      .cut = options.cut,
      .min_cluster_size = options.min_cluster_size,
      .max_rounds = options.max_rounds,
      // Near the largest ratio the objective is near 0, and the remaining gains are small.
      .least_gain_scale = options.maximize_ratio ? 0.01 : 1,
      .seed = options.seed,
      .progress = options.progress};
  Refinement result;
  result.mu = options.mu;
  result.labels = filled(ask, labels);
  for (;;) {
    if (options.maximize_ratio) result.mu = dinkelbach_mu(ask, result.labels);
    Rest rest = settled(ask, result.labels, result.mu);
    result.moves += rest.moves;
    result.rounds += rest.rounds;
    result.local_optimum = rest.local_optimum;
    const bool moved = rest.labels != result.labels;
    result.labels = std::move(rest.labels);
    if (!options.maximize_ratio || !moved || !result.local_optimum) break;
  }
  measure(ask, labels, result);
  result.start_objective = result.objective;
  measure(ask, result.labels, result);
  return result;
}

}  // namespace repsc
