// Sweeps and swaps: steps that lower the objective.
#include "refine/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace repsc {
namespace {

// Smaller changes are rounding errors: objectives are of the order of 1.
constexpr double least_change = 1e-12;

// Number of nodes that are tried against the same state on all threads; improving moves are then
// tried again one by one. Fixed, so that the result does not depend on the number of threads.
constexpr std::size_t block_size = 2048;
constexpr std::int64_t chunk_size = 256;

// Number of pairs of nodes that are tried for each pair of clusters, in order of the sum of the
// changes of their two single moves.
constexpr std::size_t swap_trials = 64;
// Number of target clusters for which a node is a candidate, the best ones.
constexpr std::size_t swap_targets = 4;

std::vector<Index> shuffled(Index count, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

struct Swap {
  double change;  // sum of the changes of the two single moves
  Index u;
  Index v;
  bool operator<(const Swap& other) const {
    return std::tie(change, u, v) < std::tie(other.change, other.u, other.v);
  }
};

/// The swaps to try between two clusters, best first.
std::vector<Swap> best_swaps(const Lowest& there, const Lowest& back) {
  std::vector<Swap> swaps;
  for (const auto& u : there.entries()) {
    for (const auto& v : back.entries()) swaps.push_back({u.change + v.change, u.node, v.node});
  }
  const std::size_t kept = std::min(swaps.size(), swap_trials);
  std::partial_sort(swaps.begin(), swaps.begin() + static_cast<std::ptrdiff_t>(kept), swaps.end());
  swaps.resize(kept);
  return swaps;
}

}  // namespace

Search::Search(Partition& partition, const Weights& weights, const SearchOptions& options)
    : P_(partition),
      weights_(weights),
      min_size_(std::max<Index>(options.min_cluster_size, 1)),
      least_gain_(std::max(options.least_gain, least_change)),
      least_gain_of_escapes_(std::max(options.least_gain_of_escapes, least_change)),
      bounds_(options.bounds),
      seed_(options.seed),
      pulse_(options.pulse ? options.pulse : [] {}),
      visit_(options.visit),
      deadline_(options.deadline),
      order_(shuffled(partition.num_nodes(), options.seed)),
      awake_(order_.size(), 1) {}

double Search::objective() const { return P_.cut() * weights_.cut - P_.score() * weights_.score; }

double Search::change(const Trial& trial, Label target) const {
  const auto b = static_cast<std::size_t>(target);
  return trial.cut[b] * weights_.cut - trial.score[b] * weights_.score;
}

bool Search::within_bounds(double cut_change, double score_change) const {
  if (P_.score() + score_change < bounds_.least_score) return false;
  return std::isinf(bounds_.most_cut) || P_.cut() + cut_change <= bounds_.most_cut;
}

bool Search::may_leave(Index node) const {
  return P_.sizes()[static_cast<std::size_t>(P_.label(node))] > min_size_;
}

Search::Move Search::best_move(Index node, Trial& trial) const {
  if (!may_leave(node)) return {.node = node};
  P_.try_moves(node, trial);
  return best_of(trial, node);
}

Search::Move Search::best_of(const Trial& trial, Index node) const {
  Move best{.node = node};
  for (Label b = 0; b < P_.num_clusters(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (b == P_.label(node) || !within_bounds(trial.cut[at], trial.score[at])) continue;
    const double value = change(trial, b);
    if (best.target < 0 || value < best.change) best = {node, b, value};
  }
  return best;
}

template <class Use>
void Search::try_all(std::span<const Index> nodes, const Use& use) {
  P_.refresh();
  parallel_ranges(static_cast<std::int64_t>(nodes.size()), chunk_size,
                  [&](std::int64_t begin, std::int64_t end) {
                    Trial trial(P_.num_clusters());
                    for (auto i = static_cast<std::size_t>(begin);
                         i < static_cast<std::size_t>(end); ++i) {
                      if (i + 1 < nodes.size()) P_.prefetch(nodes[i + 1]);
                      P_.try_moves(nodes[i], trial);
                      use(i, trial);
                    }
                  });
}

std::vector<Search::Move> Search::best_moves(std::span<const Index> nodes) {
  std::vector<Move> found(nodes.size());
  try_all(nodes, [&](std::size_t i, const Trial& trial) {
    found[i] = may_leave(nodes[i]) ? best_of(trial, nodes[i]) : Move{.node = nodes[i]};
  });
  return found;
}

void Search::apply(Index node, Label target) {
  undo_.emplace_back(node, P_.label(node));
  P_.move(node, target);
  ++moves_;
}

bool Search::undo_unless_gained(double before) {
  if (undo_.empty() || objective() < before - least_gain_) return !undo_.empty();
  moves_ -= static_cast<Offset>(undo_.size());
  for (; !undo_.empty(); undo_.pop_back()) P_.move(undo_.back().first, undo_.back().second);
  return false;
}

void Search::wake_neighbours(Index node) {
  for (const Index j : P_.similarity().neighbors(node)) awake_[static_cast<std::size_t>(j)] = 1;
  // A move hardly changes the counts of a group, and waking all of it would cost more than the
  // sweep over all nodes that follows anyway.
  if (P_.representation().by_groups()) return;
  for (const Index j : P_.representation().sets_with(node)) awake_[static_cast<std::size_t>(j)] = 1;
}

Offset Search::accept(std::span<const Move> moves) {
  Offset accepted = 0;
  Trial trial(P_.num_clusters());
  for (Move move : moves) {
    if (move.target < 0 || move.change >= -least_change) continue;
    if (accepted > 0)
      move = best_move(move.node, trial);  // the trials of the block were made before other moves
    if (move.target < 0 || move.change >= -least_change) continue;
    apply(move.node, move.target);
    wake_neighbours(move.node);
    ++accepted;
    if (visit_) visit_(P_);
  }
  return accepted;
}

Offset Search::sweep(std::span<const Index> nodes) {
  Offset accepted = 0;
  for (std::size_t first = 0; first < nodes.size() && !deadline_.passed(); first += block_size) {
    const auto block = nodes.subspan(first, std::min(block_size, nodes.size() - first));
    for (const Index node : block) awake_[static_cast<std::size_t>(node)] = 0;
    accepted += accept(best_moves(block));
    pulse_();
  }
  return accepted;
}

Offset Search::sweep_all() {
  const auto K = static_cast<std::size_t>(P_.num_clusters());
  const std::size_t targets = std::min(swap_targets, K - 1);
  std::vector<Move> moves(block_size);
  std::vector<Lowest::Entry> changes(block_size * K);  // of a block, node by node: the best targets
  partners_.assign(K * K, {});
  Offset accepted = 0;
  for (std::size_t first = 0; first < order_.size() && !deadline_.passed(); first += block_size) {
    const auto block =
        std::span<const Index>(order_).subspan(first, std::min(block_size, order_.size() - first));
    for (const Index node : block) awake_[static_cast<std::size_t>(node)] = 0;
    try_all(block, [&](std::size_t i, const Trial& trial) {
      moves[i] = may_leave(block[i]) ? best_of(trial, block[i]) : Move{.node = block[i]};
      const auto of_node = std::span(changes).subspan(i * K, K);
      for (std::size_t b = 0; b < K; ++b)
        of_node[b] = {change(trial, static_cast<Label>(b)), static_cast<Index>(b)};
      of_node[static_cast<std::size_t>(P_.label(block[i]))].change =
          std::numeric_limits<double>::max();
      std::partial_sort(of_node.begin(), of_node.begin() + static_cast<std::ptrdiff_t>(targets),
                        of_node.end());
    });
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto a = static_cast<std::size_t>(P_.label(block[i]));
      for (const auto& [change, target] : std::span(changes).subspan(i * K, targets))
        partners_[a * K + static_cast<std::size_t>(target)].add({change, block[i]});
    }
    accepted += accept(std::span(moves).first(block.size()));
    pulse_();
  }
  return accepted;
}

bool Search::sweep_until_still() {
  bool changed = false;
  std::vector<Index> nodes;
  Labels last_labels;
  double last = std::numeric_limits<double>::infinity();
  for (;;) {
    P_.add_up();
    const double before = objective();
    // Sums that moves update lose weights far smaller than others; then steps only seem to gain.
    if (!(before < last)) {
      if (!last_labels.empty()) P_.assign(std::move(last_labels));
      return changed;
    }
    last = before;
    last_labels = P_.labels();
    undo_.clear();
    sweep_all();
    if (!undo_unless_gained(before)) return changed;
    changed = true;
    if (deadline_.passed()) return changed;
    // Then the neighbours of moved nodes. Cluster sizes and second neighbours in R also matter, so
    // the last sweep tries all nodes.
    constexpr int most_sweeps = 64;  // then the sums are made anew
    Offset accepted = 1;
    for (int sweeps = 0; accepted > 0 && sweeps < most_sweeps; ++sweeps) {
      nodes.clear();
      for (const Index node : order_) {
        if (awake_[static_cast<std::size_t>(node)] != 0) nodes.push_back(node);
      }
      accepted = sweep(nodes);
    }
  }
}

bool Search::swap_round() {
  const auto K = static_cast<std::size_t>(P_.num_clusters());
  P_.add_up();
  const double before = objective();
  undo_.clear();
  Trial trial(P_.num_clusters());
  for (std::size_t a = 0; a < K && !deadline_.passed(); ++a) {
    for (std::size_t b = a + 1; b < K; ++b) {
      for (const Swap& swap : best_swaps(partners_[a * K + b], partners_[b * K + a])) {
        if (P_.label(swap.u) != static_cast<Label>(a) || P_.label(swap.v) != static_cast<Label>(b))
          continue;
        swap_if_better(swap.u, swap.v, trial);
      }
    }
  }
  P_.add_up();
  return undo_unless_gained(before);
}

void Search::fill_small_clusters() {
  for (Label target = 0; target < P_.num_clusters(); ++target) {
    const auto at = static_cast<std::size_t>(target);
    if (P_.sizes()[at] >= min_size_) continue;
    std::vector<Lowest::Entry> costs(order_.size());
    P_.refresh();
    parallel_ranges(P_.num_nodes(), chunk_size, [&](std::int64_t begin, std::int64_t end) {
      Trial trial(P_.num_clusters());
      for (auto i = static_cast<Index>(begin); i < end; ++i) {
        P_.try_moves(i, trial);
        costs[static_cast<std::size_t>(i)] = {change(trial, target), i};
      }
    });
    std::sort(costs.begin(), costs.end());
    for (const auto& [cost, node] : costs) {
      if (P_.sizes()[at] >= min_size_) break;
      if (P_.label(node) != target && may_leave(node)) apply(node, target);
    }
  }
}

bool Search::descend() {
  bool changed = sweep_until_still();
  while (!deadline_.passed() && swap_round()) {
    changed = true;
    sweep_until_still();
  }
  return changed;
}

void Search::swap_if_better(Index u, Index v, Trial& trial) {
  const Partition::Change found = P_.try_swap(u, v, trial);
  if (found.cut * weights_.cut - found.score * weights_.score >= -least_change) return;
  if (!within_bounds(found.cut, found.score)) return;
  const Label a = P_.label(u);
  apply(u, P_.label(v));
  apply(v, a);
  wake_neighbours(u);
  wake_neighbours(v);
  if (visit_) visit_(P_);
}

}  // namespace repsc
