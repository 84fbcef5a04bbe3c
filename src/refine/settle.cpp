// Rounds of descent, of descent on a smoother score, of Fiduccia-Mattheyses passes and of
// annealing.
#include "refine/settle.hpp"

#include <algorithm>
#include <limits>

namespace repsc {
namespace {

/// The entries of G and, for each target cluster, of R.
double entries_of_a_sweep(const RefinementProblem& problem) {
  return static_cast<double>(problem.G.num_entries()) +
         static_cast<double>(problem.R.num_entries()) * problem.K;
}

/// A sweep must gain in proportion to its cost, and so must an escape, which costs several sweeps.
double least_gain(const RefinementProblem& problem) {
  return problem.least_gain_scale * std::min(1e-3, 1e-11 * entries_of_a_sweep(problem));
}
constexpr double sweeps_of_an_escape = 2;

/// Nodes with fewer representatives than clusters have rho_i = 0 in every clustering.
std::vector<bool> cannot_be_balanced(const Representation& R, int K) {
  std::vector<bool> result(static_cast<std::size_t>(R.num_sets()));
  for (Index set = 0; set < R.num_sets(); ++set) {
    result[static_cast<std::size_t>(set)] = R.set_size(set) < K;
  }
  return result;
}

/// Number of annealing steps: as many sweeps as take one or two seconds, and 0 if they would be too
/// few to help.
std::int64_t annealing_steps(const RefinementProblem& problem) {
  constexpr double work = 3e8;  // entries read
  constexpr double fewest = 100;
  const double most = std::min(1e4, 100.0 * problem.G.num_nodes());  // small graphs have few states
  // With groups a step reads so little that the rest of it counts: about as much as 25 entries.
  const double rest = problem.R.by_groups() ? 25.0 * problem.G.num_nodes() : 0;
  const double sweeps = std::min(most, work / std::max(1.0, entries_of_a_sweep(problem) + rest));
  return sweeps < fewest ? 0 : static_cast<std::int64_t>(sweeps * problem.G.num_nodes());
}

/// Escapes from a local optimum.
enum class Escape { none, climb, anneal };

constexpr double no_result = std::numeric_limits<double>::infinity();

/// Descends, after an escape if requested; returns an infinite objective if the escape gains too
/// little.
SearchResult descend(const RefinementProblem& problem, Partition& P, double mu, Escape escape) {
  Search search(P, problem.weights(mu),
                {.min_cluster_size = problem.min_cluster_size,
                 .seed = problem.seed,
                 .least_gain = least_gain(problem),
                 .least_gain_of_escapes = sweeps_of_an_escape * least_gain(problem),
                 .pulse = problem.pulse,
                 .visit = problem.visit,
                 .deadline = problem.deadline});
  const bool escaped =
      escape == Escape::none ||
      (escape == Escape::climb ? search.climb() : search.anneal(annealing_steps(problem)));
  if (!escaped) return {.labels = {}, .objective = no_result};
  search.descend();
  P.add_up();
  return {.labels = P.labels(), .objective = search.objective(), .moves = search.moves()};
}

/// From the labels of P, a local optimum.
SearchResult descend_on_smooth_score(const RefinementProblem& problem, Partition& P, double mu) {
  RefinementProblem smooth = problem;
  smooth.score = {.alpha = smooth_alpha, .ignored = cannot_be_balanced(problem.R, problem.K)};
  smooth.visit = {};  // its score is another one
  const Labels before = P.labels();
  P.score_by(smooth.score);
  const SearchResult between = descend(smooth, P, mu, Escape::none);
  P.score_by(problem.score);
  if (between.labels == before) return {.labels = {}, .objective = no_result};
  SearchResult found = descend(problem, P, mu, Escape::none);
  found.moves += between.moves;
  return found;
}

}  // namespace

Weights RefinementProblem::weights(double mu) const {
  const double scale = cut_scale(G, K, cut);
  return {scale > 0 ? 1 / scale : 0, mu / std::max<double>(1, G.num_nodes())};
}

Partition RefinementProblem::partition(const Labels& labels) const {
  return {G, R, labels, K, cut, score};
}

SearchResult search_at(const RefinementProblem& given, const Labels& labels, double mu) {
  RefinementProblem problem = given;
  SearchResult best;
  problem.pulse = [&] {
    if (given.progress) given.progress({"refine", best.rounds, 0, best.objective});
  };
  Partition P = problem.partition(labels);
  best = descend(problem, P, mu, Escape::none);
  const auto escape = [&](Escape how) {
    if (P.labels() != best.labels) P.assign(best.labels);
    return descend(problem, P, mu, how);
  };
  const bool can_smooth = mu > 0 && problem.score.alpha < 0;
  while (best.rounds < problem.max_rounds && !problem.deadline.passed()) {
    ++best.rounds;
    SearchResult next{.labels = {}, .objective = no_result};
    if (can_smooth) next = descend_on_smooth_score(problem, P, mu);
    if (!(next.objective < best.objective - sweeps_of_an_escape * least_gain(problem))) {
      next = escape(Escape::climb);
    }
    if (!(next.objective < best.objective) && problem.anneal && annealing_steps(problem) > 0) {
      next = escape(Escape::anneal);
    }
    if (!(next.objective < best.objective)) {
      best.local_optimum = !problem.deadline.passed();
      break;
    }
    next.rounds = best.rounds;
    next.moves += best.moves;
    best = std::move(next);
  }
  return best;
}

Labels fill_small_clusters(const RefinementProblem& problem, const Labels& labels) {
  std::vector<Index> sizes(static_cast<std::size_t>(problem.K));
  for (const Label label : labels) ++sizes[static_cast<std::size_t>(label)];
  if (*std::min_element(sizes.begin(), sizes.end()) >= problem.min_cluster_size) return labels;
  Partition P = problem.partition(labels);
  Search(P, problem.weights(1),
         {.min_cluster_size = problem.min_cluster_size, .seed = problem.seed})
      .fill_small_clusters();
  return P.labels();
}

}  // namespace repsc
