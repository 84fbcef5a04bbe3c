// Refinement in synchronous rounds.
//
//   1. The nodes are dealt to a few parts by a hash.
//   2. For each part: every node of it proposes its best move, all of them from the same state.
//   3. The moves are made together, and the objective is computed anew. If it has risen, since
//      moves meet (neighbours change places, a group leaves a cluster all at once), fewer of them
//      are made: those that promise most, and in the end the best one alone.
//   4. Sweeps over all parts end when one of them gains too little; that one is undone.
//   5. The same on a smoother score, and then again on the balance, as long as that gains.
//
// What is decided depends on exact sums, counts and hashes only, hence not on the number of ranks.
#include "distributed/refine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "distributed/clusters.hpp"

namespace repsc {
namespace {

/// More parts: fewer moves meet, but each part takes a pass over the graphs.
constexpr std::uint64_t num_parts = 4;
/// Smaller changes are rounding errors: objectives are of the order of 1.
constexpr double least_change = 1e-12;

struct Move {
  Index row = 0;  ///< an own one
  Label target = 0;
  double gain = 0;  ///< by this move alone
};

/// Classes of gains, the largest last: exponent and first digit.
constexpr std::size_t num_classes = 4096;
std::size_t class_of(double gain) {
  return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(gain) >> 51U);
}

class SpreadSearch {
 public:
  SpreadSearch(const DistributedProblem& problem, int num_clusters, const RefineOptions& options)
      : clusters_(problem, num_clusters, options.cut),
        options_(options),
        mu_(options.mu.value_or(default_mu)),
        least_gain_(std::min(1e-3, 1e-11 * (static_cast<double>(problem.num_entries) +
                                            clusters_.num_representatives() * num_clusters))) {}

  Refinement run(const Labels& start) {
    restart(start, exact);
    Refinement result;
    result.mu = mu_;
    result.start_objective = objective_;
    bool settled = descend();
    bool escaped = mu_ > 0;  // or might
    while (settled && escaped && rounds_ < options_.max_rounds) escaped = escape(settled);
    result.local_optimum = settled && !escaped;
    result.labels = clusters_.own();
    result.cut = clusters_.cut();
    result.average_balance = clusters_.average_score();
    result.objective = objective_;
    result.moves = moves_;
    result.rounds = rounds_;
    return result;
  }

 private:
  [[nodiscard]] const SpreadRows& rows() const { return clusters_.rows(); }

  static constexpr double exact = -1;  // alpha of NodeScore

  void restart(const Labels& labels, double alpha) {
    clusters_.measure_by(alpha);
    clusters_.assign(labels);
    objective_ = objective();
  }

  /// Sweeps until one of them gains too little; false if there were too many. What happens depends
  /// on the labels alone, so that a second call changes nothing.
  bool descend() {
    constexpr std::uint64_t most_sweeps = 1000;
    for (std::uint64_t round = 1; round <= most_sweeps; ++round) {
      if (options_.progress) options_.progress({"refine", rounds_, 0, objective_});
      if (!sweep(round)) return true;
    }
    return false;
  }

  /// Descends on the smooth score and again on the balance; undone if that gains too little.
  /// `settled` becomes false if there were too many sweeps.
  bool escape(bool& settled) {
    const Labels before = clusters_.own();
    const double objective_before = objective_;
    const Offset moves_before = moves_;
    ++rounds_;
    restart(before, smooth_alpha);
    const bool smoothed = descend();
    restart(Labels(clusters_.own()), exact);
    const bool settled_now = descend();
    if (objective_ < objective_before - 2 * least_gain_) {  // an escape costs several sweeps
      settled = smoothed && settled_now;
      return true;
    }
    restart(before, exact);
    moves_ = moves_before;
    return false;
  }

  [[nodiscard]] double objective() const {
    const double scale = clusters_.cut_scale();
    const double cut = scale > 0 ? clusters_.cut() / scale : 0;
    return cut - mu_ * clusters_.average_score();
  }

  /// A random number of an own row.
  [[nodiscard]] std::uint64_t hash(Index row, std::uint64_t purpose) const {
    std::uint64_t state =
        options_.seed ^ (purpose << 32U) ^ static_cast<std::uint64_t>(rows().begin() + row);
    (void)splitmix64(state);
    return splitmix64(state);
  }

  /// False if it has gained too little, and is undone.
  bool sweep(std::uint64_t round) {
    const Labels before = clusters_.own();
    const double objective_before = objective_;
    const Offset moves_before = moves_;
    for (std::uint64_t part = 0; part < num_parts; ++part) {
      move_together(proposals(part), round * num_parts + part);
    }
    if (objective_ < objective_before - least_gain_) return true;
    if (moves_ > moves_before) {
      clusters_.assign(before);
      objective_ = objective();
      moves_ = moves_before;
    }
    return false;
  }

  [[nodiscard]] std::vector<Move> proposals(std::uint64_t part) const {
    const double cut_weight = clusters_.cut_scale() > 0 ? 1 / clusters_.cut_scale() : 0;
    const double balance_weight = mu_ / rows().num_nodes();
    std::vector<Move> found;
    Trial trial(clusters_.num_clusters());
    for (Index i = 0; i < rows().stored(); ++i) {
      if (hash(i, 0) % num_parts != part) continue;
      const auto a = static_cast<std::size_t>(clusters_.own()[static_cast<std::size_t>(i)]);
      if (clusters_.sizes()[a] <= options_.min_cluster_size) continue;
      clusters_.try_moves(i, trial);
      Move best{.row = i};
      for (std::size_t b = 0; b < trial.cut.size(); ++b) {
        const double gain = trial.score[b] * balance_weight - trial.cut[b] * cut_weight;
        if (b != a && gain > best.gain) best = {i, static_cast<Label>(b), gain};
      }
      if (best.gain > least_change) found.push_back(best);
    }
    return found;
  }

  /// Makes as many of the moves as lower the objective together.
  void move_together(const std::vector<Move>& moves, std::uint64_t round) {
    const Labels before = clusters_.own();
    std::int64_t count[] = {static_cast<std::int64_t>(moves.size())};
    rows().ranks().sum(count);
    std::int64_t wanted = count[0];
    while (wanted > 0) {
      const std::vector<Move> made = wanted == count[0] ? moves
                                     : wanted == 1      ? the_best(moves)
                                                        : most_promising(moves, wanted, round);
      std::int64_t num_made[] = {static_cast<std::int64_t>(made.size())};
      rows().ranks().sum(num_made);
      Labels labels = before;
      for (const Move& move : made) labels[static_cast<std::size_t>(move.row)] = move.target;
      clusters_.assign(std::move(labels));
      const double now = objective();
      if (fits() && now < objective_ - least_change) {
        objective_ = now;
        moves_ += num_made[0];
        return;
      }
      wanted = wanted == 1 ? 0 : fewer(wanted, now - objective_, promised(made));
    }
    if (count[0] > 0) clusters_.assign(before);
  }

  [[nodiscard]] bool fits() const {
    const auto& sizes = clusters_.sizes();
    return *std::min_element(sizes.begin(), sizes.end()) >= options_.min_cluster_size;
  }

  /// The sum of the gains, over all ranks.
  [[nodiscard]] double promised(const std::vector<Move>& moves) const {
    Vector gains = Vector::Zero(rows().stored());
    for (const Move& move : moves) gains[move.row] = move.gain;
    return rows().sum(1, [&](Index i, auto&& part) { part[0] += gains[i]; })[0];
  }

  /// With a share t of the moves the objective changes by about t^2 Q - t L, where L was promised
  /// and Q is what pairs of moves cost. It is lowest at t = L / 2Q, at most a half if all of them
  /// together gain nothing.
  [[nodiscard]] static std::int64_t fewer(std::int64_t wanted, double change, double promised) {
    const double share = std::clamp(promised / (2 * (change + promised)), 1.0 / 64, 0.5);
    return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(wanted)));
  }

  /// About this many of the moves: whole classes of gains, and a random part of one class.
  [[nodiscard]] std::vector<Move> most_promising(const std::vector<Move>& moves,
                                                 std::int64_t wanted, std::uint64_t round) const {
    std::vector<std::int64_t> counts(num_classes, 0);
    for (const Move& move : moves) ++counts[class_of(move.gain)];
    rows().ranks().sum(counts);
    std::size_t last = num_classes - 1;
    while (last > 0 && counts[last] <= wanted) wanted -= counts[last--];
    const double share =
        static_cast<double>(wanted) / static_cast<double>(std::max<std::int64_t>(1, counts[last]));
    std::vector<Move> chosen;
    for (const Move& move : moves) {
      const std::size_t own = class_of(move.gain);
      const double lot = static_cast<double>(hash(move.row, round) >> 11U) * 0x1p-53;
      if (own > last || (own == last && lot < share)) chosen.push_back(move);
    }
    return chosen;
  }

  /// The one of the largest gain; of several, that of the first node.
  [[nodiscard]] std::vector<Move> the_best(const std::vector<Move>& moves) const {
    const Move* best = nullptr;
    for (const Move& move : moves) {
      if (best == nullptr || move.gain > best->gain) best = &move;
    }
    double gain[] = {best == nullptr ? 0 : best->gain};
    rows().ranks().max(gain);
    const bool mine = best != nullptr && best->gain == gain[0];
    constexpr double none = -std::numeric_limits<double>::infinity();
    double first[] = {mine ? -static_cast<double>(rows().begin() + best->row) : none};
    const double own = first[0];
    rows().ranks().max(first);
    return mine && own == first[0] ? std::vector<Move>{*best} : std::vector<Move>{};
  }

  SpreadClusters clusters_;
  const RefineOptions& options_;
  double mu_;
  double least_gain_;
  double objective_ = 0;  ///< or the same with the smooth score
  Offset moves_ = 0;
  int rounds_ = 0;
};

}  // namespace

Refinement refine_spread(const DistributedProblem& problem, const Labels& own, int num_clusters,
                         const RefineOptions& options) {
  return SpreadSearch(problem, num_clusters, options).run(own);
}

}  // namespace repsc
