// Rounds of descent, of descent on a smoother score, of Fiduccia-Mattheyses passes and of
// annealing.
#include "refine/settle.hpp"

#include <algorithm>
#include <limits>

namespace repsc {
namespace {

/// alpha of the smooth score. rho_i, the smallest count divided by the largest, is 0 for every node
/// with two clusters without representatives, whatever node moves, so it gives the search no
/// direction. The shortfall below this balance falls with every missing representative that is
/// added.
constexpr double smooth_alpha = 0.5;

/// The entries of G and, for each target cluster, of R.
double entries_of_a_sweep(const Question& ask) {
  return static_cast<double>(ask.G.num_entries()) +
         static_cast<double>(ask.R.num_entries()) * ask.K;
}

/// A sweep must gain in proportion to its cost, and so must an escape, which costs several sweeps.
double least_gain(const Question& ask) {
  return ask.least_gain_scale * std::min(1e-3, 1e-11 * entries_of_a_sweep(ask));
}
constexpr double sweeps_of_an_escape = 2;

/// Nodes with fewer representatives than clusters have rho_i = 0 in every clustering.
std::vector<bool> without_hope(const Graph& R, int K) {
  std::vector<bool> result(static_cast<std::size_t>(R.num_nodes()));
  for (Index i = 0; i < R.num_nodes(); ++i) {
    result[static_cast<std::size_t>(i)] = R.neighbors(i).size() < static_cast<std::size_t>(K);
  }
  return result;
}

/// Number of annealing steps: as many sweeps as take one or two seconds, and 0 if they would be too
/// few to help.
std::int64_t annealing_steps(const Question& ask) {
  constexpr double work = 3e8;  // entries read
  constexpr double fewest = 100;
  const double most = std::min(1e4, 100.0 * ask.G.num_nodes());  // small graphs have few states
  const double sweeps = std::min(most, work / std::max(1.0, entries_of_a_sweep(ask)));
  return sweeps < fewest ? 0 : static_cast<std::int64_t>(sweeps * ask.G.num_nodes());
}

/// Escapes from a local optimum.
enum class Escape { none, climb, anneal };

constexpr double nowhere = std::numeric_limits<double>::infinity();

/// Descends, after an escape if requested; returns an infinite objective if the escape gains too
/// little.
Rest descended(const Question& ask, Partition& P, double mu, Escape escape) {
  Search search(P, ask.weights(mu),
                {.min_cluster_size = ask.min_cluster_size,
                 .seed = ask.seed,
                 .least_gain = least_gain(ask),
                 .least_gain_of_escapes = sweeps_of_an_escape * least_gain(ask),
                 .pulse = ask.pulse});
  const bool escaped =
      escape == Escape::none ||
      (escape == Escape::climb ? search.climb() : search.anneal(annealing_steps(ask)));
  if (!escaped) return {.labels = {}, .objective = nowhere};
  search.descend();
  P.add_up();
  return {.labels = P.labels(), .objective = search.objective(), .moves = search.moves()};
}

Rest descended(const Question& ask, const Labels& labels, double mu, Escape escape) {
  Partition P = ask.partition(labels);
  return descended(ask, P, mu, escape);
}

/// `labels` are a local optimum.
Rest by_way_of_the_smooth_score(const Question& ask, const Labels& labels, double mu) {
  Question smooth = ask;
  smooth.score = {.alpha = smooth_alpha, .ignored = without_hope(ask.R, ask.K)};
  Partition P = smooth.partition(labels);
  const Rest between = descended(smooth, P, mu, Escape::none);
  if (between.labels == labels) return {.labels = {}, .objective = nowhere};
  Rest rest = descended(ask, between.labels, mu, Escape::none);
  rest.moves += between.moves;
  return rest;
}

}  // namespace

Weights Question::weights(double mu) const {
  const double scale = cut_scale(G, K, cut);
  return {scale > 0 ? 1 / scale : 0, mu / std::max<double>(1, G.num_nodes())};
}

Partition Question::partition(const Labels& labels) const { return {G, R, labels, K, cut, score}; }

Rest settled(const Question& asked, const Labels& labels, double mu) {
  Question ask = asked;
  Rest best;
  ask.pulse = [&] {
    if (asked.progress) asked.progress({"refine", best.rounds, 0, best.objective});
  };
  best = descended(ask, labels, mu, Escape::none);
  const bool can_smooth = mu > 0 && ask.score.alpha < 0;
  while (best.rounds < ask.max_rounds) {
    ++best.rounds;
    Rest next{.labels = {}, .objective = nowhere};
    if (can_smooth) next = by_way_of_the_smooth_score(ask, best.labels, mu);
    if (!(next.objective < best.objective - sweeps_of_an_escape * least_gain(ask))) {
      next = descended(ask, best.labels, mu, Escape::climb);
    }
    if (!(next.objective < best.objective) && ask.anneal && annealing_steps(ask) > 0) {
      next = descended(ask, best.labels, mu, Escape::anneal);
    }
    if (!(next.objective < best.objective)) {
      best.local_optimum = true;
      break;
    }
    next.rounds = best.rounds;
    next.moves += best.moves;
    best = std::move(next);
  }
  return best;
}

Labels filled(const Question& ask, const Labels& labels) {
  std::vector<Index> sizes(static_cast<std::size_t>(ask.K));
  for (const Label label : labels) ++sizes[static_cast<std::size_t>(label)];
  if (*std::min_element(sizes.begin(), sizes.end()) >= ask.min_cluster_size) return labels;
  Partition P = ask.partition(labels);
  Search(P, ask.weights(1), {.min_cluster_size = ask.min_cluster_size, .seed = ask.seed})
      .fill_small_clusters();
  return P.labels();
}

}  // namespace repsc
