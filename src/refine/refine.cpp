// Fair refinement: rounds of descent, of descent by way of a smoother score, and of hill climbing,
// at one mu or at Dinkelbach's.
#include "repsc/refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/labels.hpp"
#include "refine/search.hpp"

namespace repsc {
namespace {

/// rho_i is the smallest count over the largest: 0 for every node with two clusters out of reach,
/// whatever one move does, and so a plain where no move shows the way. The shortfall below this
/// balance falls with every representative that comes nearer.
constexpr double smooth_alpha = 0.5;

/// What the functions below share: one question, asked of one pair of graphs.
struct Question {
  const Graph& G;
  const Graph& R;
  int K;
  const RefineOptions& options;
  double unit;  ///< 1 / cut_scale(), 0 for a graph without edges

  [[nodiscard]] Weights weights(double mu) const {
    return {unit, mu / std::max<double>(1, G.num_nodes())};
  }
};

/// Passes that climb or go round by the smooth score cost far more than a move: they count only
/// where they gain in proportion to what they cost.
double least_gain(const Question& ask) {
  const double work =
      static_cast<double>(ask.G.num_entries()) + static_cast<double>(ask.R.num_entries()) * ask.K;
  return std::min(1e-3, 1e-11 * work);
}

/// Nodes with fewer representatives than clusters have rho_i = 0 in every clustering.
std::vector<bool> without_hope(const Graph& R, int K) {
  std::vector<bool> result(static_cast<std::size_t>(R.num_nodes()));
  for (Index i = 0; i < R.num_nodes(); ++i) {
    result[static_cast<std::size_t>(i)] = R.neighbors(i).size() < static_cast<std::size_t>(K);
  }
  return result;
}

Labels smoothed(const Question& ask, const Labels& labels, double mu, Offset& moves) {
  Partition P(ask.G, ask.R, labels, ask.K, ask.options.cut,
              {.alpha = smooth_alpha, .ignored = without_hope(ask.R, ask.K)});
  Search search(P, ask.weights(mu), ask.options.min_cluster_size, ask.options.seed);
  search.descend();
  moves += search.moves();
  return P.labels();
}

/// Labels at a local optimum of the exact objective.
struct Optimum {
  Labels labels;
  double objective = std::numeric_limits<double>::infinity();
};

Optimum descended(const Question& ask, const Labels& labels, double mu, Offset& moves) {
  Partition P(ask.G, ask.R, labels, ask.K, ask.options.cut);
  Search search(P, ask.weights(mu), ask.options.min_cluster_size, ask.options.seed);
  search.descend();
  moves += search.moves();
  P.add_up();
  return {P.labels(), search.objective()};
}

/// From a local optimum over hills: an infinite objective where that gains too little.
Optimum climbed(const Question& ask, const Optimum& from, double mu, Offset& moves) {
  Partition P(ask.G, ask.R, from.labels, ask.K, ask.options.cut);
  Search search(P, ask.weights(mu), ask.options.min_cluster_size, ask.options.seed);
  if (!search.climb(least_gain(ask))) return {};
  search.descend();
  moves += search.moves();
  P.add_up();
  return {P.labels(), search.objective()};
}

/// Rounds at one mu until nothing gains any more. Every step is a function of the labels alone, so
/// that a second call ends where it begins.
Optimum settled(const Question& ask, const Labels& labels, double mu, Refinement& result) {
  Optimum best = descended(ask, labels, mu, result.moves);
  const double gain = least_gain(ask);
  result.local_optimum = false;
  while (result.rounds < ask.options.max_rounds) {
    ++result.rounds;
    if (ask.options.progress) {
      ask.options.progress({"refine", result.rounds, 0, best.objective});
    }
    Optimum next;
    if (mu > 0) {
      next = descended(ask, smoothed(ask, best.labels, mu, result.moves), mu, result.moves);
    }
    if (!(next.objective < best.objective - gain)) next = climbed(ask, best, mu, result.moves);
    if (!(next.objective < best.objective)) {
      result.local_optimum = true;
      break;
    }
    best = std::move(next);
  }
  return best;
}

void fill_in(const Question& ask, const Labels& labels, Refinement& result) {
  const Partition P(ask.G, ask.R, labels, ask.K, ask.options.cut);
  result.labels = labels;
  result.cut = P.cut();
  result.average_balance = P.score() / std::max<double>(1, P.num_nodes());
  result.objective = result.cut * ask.unit - result.mu * result.average_balance;
}

/// mu at which the objective of these labels is 0: lower is then a larger balance / cut.
double dinkelbach_mu(const Question& ask, const Labels& labels) {
  Refinement at;
  fill_in(ask, labels, at);
  constexpr double least_balance = 1e-6;  // labels without any balance must still count as bad
  return at.cut * ask.unit / std::max(at.average_balance, least_balance);
}

void check(const Graph& G, const Graph& R, const Labels& labels, int K,
           const RefineOptions& options) {
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  check_labels(labels, G.num_nodes(), K, "label");
  require(options.mu >= 0 && std::isfinite(options.mu), "mu: ", options.mu,
          " but it must be from 0 and finite");
  require(options.min_cluster_size >= 1, "min_cluster_size: ", options.min_cluster_size,
          " but it must be at least 1");
  require(static_cast<std::int64_t>(options.min_cluster_size) * K <= G.num_nodes(), K,
          " clusters of at least ", options.min_cluster_size, " nodes need more than the ",
          G.num_nodes(), " there are");
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
  const double scale = cut_scale(similarity, num_clusters, options.cut);
  const Question ask{similarity, representation, num_clusters, options,
                     scale > 0 ? 1 / scale : 0.0};
  Refinement result;
  Labels current = labels;
  {
    Partition P(similarity, representation, current, num_clusters, options.cut);
    Search search(P, ask.weights(options.mu), options.min_cluster_size, options.seed);
    search.fill_small_clusters();
    result.moves = search.moves();
    current = P.labels();
  }
  result.mu = options.mu;
  for (;;) {
    if (options.maximize_ratio) result.mu = dinkelbach_mu(ask, current);
    Optimum best = settled(ask, current, result.mu, result);
    const bool moved = best.labels != current;
    current = std::move(best.labels);
    if (!options.maximize_ratio || !moved || !result.local_optimum) break;
  }
  fill_in(ask, labels, result);
  result.start_objective = result.objective;
  fill_in(ask, current, result);
  return result;
}

}  // namespace repsc
