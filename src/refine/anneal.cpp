// Annealing (heat bath): a random node moves to a cluster drawn with Boltzmann weight exp(-change /
// T), its own cluster included, while T falls.
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "refine/search.hpp"

namespace repsc {
namespace {

// The final T as a share of the initial T.
constexpr double coldest = 1e-3;

/// The index of the interval that contains `draw`, for intervals of the given lengths laid end to
/// end from 0.
std::size_t place_of(double draw, const std::vector<double>& weights) {
  std::size_t k = 0;
  while (k + 1 < weights.size() && draw >= weights[k]) draw -= weights[k++];
  return k;
}

}  // namespace

bool Search::anneal(std::int64_t steps) {
  P_.add_up();
  const auto N = static_cast<std::uint64_t>(P_.num_nodes());
  const auto K = static_cast<std::size_t>(P_.num_clusters());
  // The initial T is the effect of one node's balance changing from 0 to 1.
  const double hottest = std::max(weights_.score, 1 / static_cast<double>(N));
  RandomStream random(seed_, 1);
  Trial trial(P_.num_clusters());
  std::vector<double> boltzmann(K);
  std::vector<std::pair<Index, Label>> undo;  // node and its previous cluster
  std::size_t best_length = 0;
  const double start = objective();
  double current = start;
  double best = start;
  constexpr std::int64_t steps_between_pulses = 4096;
  for (std::int64_t step = 0; step < steps; ++step) {
    if (step % steps_between_pulses == 0) {
      pulse_();
      if (deadline_.passed()) break;
    }
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    const double temperature = hottest * std::pow(coldest, done);
    const auto node = static_cast<Index>(random.below(N));
    const double draw = random.uniform();
    if (!may_leave(node)) continue;
    P_.try_moves_and_keep(node, trial);
    double lowest = 0;
    for (Label b = 0; b < P_.num_clusters(); ++b) lowest = std::min(lowest, change(trial, b));
    double sum = 0;
    for (std::size_t b = 0; b < K; ++b) {
      boltzmann[b] = std::exp((lowest - change(trial, static_cast<Label>(b))) / temperature);
      sum += boltzmann[b];
    }
    const auto target = static_cast<Label>(place_of(draw * sum, boltzmann));
    if (target == P_.label(node)) continue;
    undo.emplace_back(node, P_.label(node));
    P_.move(node, target);
    current += change(trial, target);
    if (current < best) {
      best = current;
      best_length = undo.size();
    }
  }
  // There are far more moves than nodes, so counting again is cheaper than undoing them one by one.
  if (best >= start - least_gain_of_escapes_) best_length = 0;
  Labels labels = P_.labels();
  for (; undo.size() > best_length; undo.pop_back()) {
    labels[static_cast<std::size_t>(undo.back().first)] = undo.back().second;
  }
  P_.assign(std::move(labels));
  std::fill(awake_.begin(), awake_.end(), 1);
  moves_ += static_cast<Offset>(best_length);
  return best_length > 0;
}

}  // namespace repsc
