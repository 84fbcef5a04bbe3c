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

// Changes smaller than this are rounding: objectives are of the size of 1.
constexpr double least_change = 1e-12;

// Nodes tried against the same state, on all threads; what looks good is then tried again one by
// one. A fixed number, so that the threads do not show in the result.
constexpr std::int64_t block_size = 2048;
constexpr std::int64_t chunk_size = 256;

// For each pair of clusters, so many nodes on either side may be partners of a swap, and so many
// pairs of them are tried, those first whose two moves alone cost least.
constexpr std::size_t swap_candidates = 16;
constexpr std::size_t swap_trials = 64;
// A node is a candidate for its best targets only.
constexpr std::size_t swap_targets = 4;

std::vector<Index> shuffled(Index count, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// The nodes with the lowest changes, in a heap of at most swap_candidates.
class Lowest {
 public:
  struct Entry {
    double change;
    Index node;
    bool operator<(const Entry& other) const {
      return change != other.change ? change < other.change : node < other.node;
    }
  };
  void add(const Entry& entry) {
    if (heap_.size() == swap_candidates) {
      if (!(entry < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end());
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return heap_; }

 private:
  std::vector<Entry> heap_;
};

struct Swap {
  double change;  // of the two moves, each alone
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

Search::Search(Partition& partition, const Weights& weights, Index min_cluster_size,
               std::uint64_t seed, const Bounds& bounds)
    : P_(partition),
      weights_(weights),
      min_size_(std::max<Index>(min_cluster_size, 1)),
      bounds_(bounds),
      seed_(seed),
      order_(shuffled(partition.num_nodes(), seed)),
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
  Move best{.node = node};
  if (!may_leave(node)) return best;
  P_.try_moves(node, trial);
  for (Label b = 0; b < P_.num_clusters(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (b == P_.label(node) || !within_bounds(trial.cut[at], trial.score[at])) continue;
    const double value = change(trial, b);
    if (best.target < 0 || value < best.change) best = {node, b, value};
  }
  return best;
}

std::vector<Search::Move> Search::best_moves(const std::vector<Index>& nodes) {
  P_.refresh();
  std::vector<Move> found(nodes.size());
  parallel_ranges(static_cast<std::int64_t>(nodes.size()), chunk_size,
                  [&](std::int64_t begin, std::int64_t end) {
                    Trial trial(P_.num_clusters());
                    for (auto i = static_cast<std::size_t>(begin);
                         i < static_cast<std::size_t>(end); ++i) {
                      found[i] = best_move(nodes[i], trial);
                    }
                  });
  return found;
}

void Search::apply(Index node, Label target) {
  P_.move(node, target);
  ++moves_;
}

void Search::wake_neighbours(Index node) {
  for (const Index j : P_.similarity().neighbors(node)) awake_[static_cast<std::size_t>(j)] = 1;
  for (const Index j : P_.representation().neighbors(node)) awake_[static_cast<std::size_t>(j)] = 1;
}

Offset Search::sweep(const std::vector<Index>& nodes) {
  Offset accepted = 0;
  Trial trial(P_.num_clusters());
  std::vector<Index> block;
  for (std::size_t first = 0; first < nodes.size(); first += block_size) {
    const std::size_t last = std::min(nodes.size(), first + block_size);
    block.assign(nodes.begin() + static_cast<std::ptrdiff_t>(first),
                 nodes.begin() + static_cast<std::ptrdiff_t>(last));
    for (const Index node : block) awake_[static_cast<std::size_t>(node)] = 0;
    bool same_state = true;
    for (Move move : best_moves(block)) {
      if (move.target < 0 || move.change >= -least_change) continue;
      if (!same_state) move = best_move(move.node, trial);
      if (move.target < 0 || move.change >= -least_change) continue;
      apply(move.node, move.target);
      wake_neighbours(move.node);
      same_state = false;
      ++accepted;
    }
  }
  return accepted;
}

bool Search::sweep_until_still() {
  bool changed = false;
  std::vector<Index> nodes;
  for (;;) {
    P_.add_up();
    nodes.clear();
    for (const Index node : order_) {
      if (awake_[static_cast<std::size_t>(node)] != 0) nodes.push_back(node);
    }
    // Sizes of clusters and second neighbours in R matter too: in the end all nodes are tried.
    const bool all = nodes.empty();
    if (sweep(all ? order_ : nodes) > 0) {
      changed = true;
    } else if (all || nodes.size() == order_.size()) {
      return changed;
    }
  }
}

bool Search::swap_round() {
  P_.add_up();
  P_.refresh();
  const auto K = static_cast<std::size_t>(P_.num_clusters());
  std::vector<Lowest> lowest(K * K);   // [a * K + b]: nodes of a that may go to b
  std::vector<Lowest::Entry> changes;  // of a block: node by node, K each
  for (std::int64_t first = 0; first < P_.num_nodes(); first += block_size) {
    const std::int64_t count = std::min<std::int64_t>(block_size, P_.num_nodes() - first);
    changes.resize(static_cast<std::size_t>(count) * K);
    parallel_ranges(count, chunk_size, [&](std::int64_t begin, std::int64_t end) {
      Trial trial(P_.num_clusters());
      for (std::int64_t i = begin; i < end; ++i) {
        const auto node = static_cast<Index>(first + i);
        P_.try_moves(node, trial);
        for (std::size_t b = 0; b < K; ++b) {
          changes[static_cast<std::size_t>(i) * K + b] = {change(trial, static_cast<Label>(b)),
                                                          static_cast<Index>(b)};
        }
      }
    });
    for (std::int64_t i = 0; i < count; ++i) {
      const auto node = static_cast<Index>(first + i);
      const auto a = static_cast<std::size_t>(P_.label(node));
      const auto begin = changes.begin() + i * static_cast<std::ptrdiff_t>(K);
      changes[static_cast<std::size_t>(i) * K + a].change = std::numeric_limits<double>::max();
      const std::size_t targets = std::min(swap_targets, K - 1);
      std::partial_sort(begin, begin + static_cast<std::ptrdiff_t>(targets),
                        begin + static_cast<std::ptrdiff_t>(K));
      for (auto e = begin; e != begin + static_cast<std::ptrdiff_t>(targets); ++e) {
        lowest[a * K + static_cast<std::size_t>(e->node)].add({e->change, node});
      }
    }
  }
  bool changed = false;
  Trial trial(P_.num_clusters());
  for (std::size_t a = 0; a < K; ++a) {
    for (std::size_t b = a + 1; b < K; ++b) {
      for (const Swap& swap : best_swaps(lowest[a * K + b], lowest[b * K + a])) {
        if (P_.label(swap.u) != static_cast<Label>(a) || P_.label(swap.v) != static_cast<Label>(b))
          continue;
        changed = swap_if_better(swap.u, swap.v, trial) || changed;
      }
    }
  }
  return changed;
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
  while (swap_round()) {
    changed = true;
    sweep_until_still();
  }
  return changed;
}

bool Search::swap_if_better(Index u, Index v, Trial& trial) {
  const Partition::Change found = P_.try_swap(u, v, trial);
  if (found.cut * weights_.cut - found.score * weights_.score >= -least_change) return false;
  if (!within_bounds(found.cut, found.score)) return false;
  const Label a = P_.label(u);
  apply(u, P_.label(v));
  apply(v, a);
  wake_neighbours(u);
  wake_neighbours(v);
  return true;
}

}  // namespace repsc
