// A pass of Fiduccia and Mattheyses (DAC 1982): each node moves at most once, always by the best
// move available, even if the objective rises. The best state visited is kept.
#include <algorithm>

#include "refine/search.hpp"

namespace repsc {
namespace {

// A pass ends after this many moves without a new best state.
constexpr int patience = 150;

// Work of one pass, in entries of A and R read (times K). It determines how many nodes are tried
// before each move. If all nodes are tried, every move is the best possible one.
constexpr double pass_work = 2e7;
constexpr std::size_t fewest_tried = 16;

}  // namespace

bool Search::climb() {
  P_.add_up();
  const auto N = static_cast<std::size_t>(P_.num_nodes());
  const double work_per_trial =
      (static_cast<double>(P_.similarity().num_entries()) +
       static_cast<double>(P_.representation().num_entries()) * P_.num_clusters()) /
      std::max<double>(1, static_cast<double>(N));
  const auto affordable = static_cast<std::size_t>(
      std::min(static_cast<double>(N), pass_work / (patience * work_per_trial)));
  const std::size_t tried = std::min(N, std::max(fewest_tried, affordable));

  // Known changes, lowest first; that of a node that was not tried recently may be out of date.
  std::vector<Move> known = best_moves(order_);
  std::vector<char> locked(N, 0);

  const double start = objective();
  double best = start;
  double current = start;
  std::vector<std::pair<Index, Label>> undo;  // node and where it was
  std::size_t best_length = 0;
  std::vector<Index> nodes;
  LowestFirst lowest;
  while (!known.empty() && undo.size() < best_length + patience && !deadline_.passed()) {
    const std::size_t front = std::min(tried, known.size());
    lowest.bring(known, front);
    pulse_();
    nodes.clear();
    for (std::size_t i = 0; i < front; ++i) nodes.push_back(known[i].node);
    const std::vector<Move> fresh = best_moves(nodes);
    std::size_t chosen = front;
    for (std::size_t i = 0; i < front; ++i) {
      known[i] = fresh[i];
      if (fresh[i].target >= 0 && (chosen == front || fresh[i].change < fresh[chosen].change)) {
        chosen = i;
      }
    }
    if (chosen == front) break;
    const Move move = fresh[chosen];
    known[chosen] = known.back();
    known.pop_back();
    undo.emplace_back(move.node, P_.label(move.node));
    P_.move(move.node, move.target);
    if (visit_) visit_(P_);
    current += move.change;
    if (current < best - 1e-12) {
      best = current;
      best_length = undo.size();
    }
  }
  return keep_best(undo, best < start - least_gain_of_escapes_ ? best_length : 0);
}

bool Search::keep_best(std::vector<std::pair<Index, Label>>& undo, std::size_t kept) {
  while (undo.size() > kept) {
    P_.move(undo.back().first, undo.back().second);
    undo.pop_back();
  }
  for (const auto& [node, from] : undo) {
    awake_[static_cast<std::size_t>(node)] = 1;
    wake_neighbours(node);
  }
  moves_ += static_cast<Offset>(kept);
  return kept > 0;
}

}  // namespace repsc
