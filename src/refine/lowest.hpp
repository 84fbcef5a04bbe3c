// The nodes whose moves raise the objective least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// A heap of at most `room` nodes, those with the lowest changes.
class Lowest {
 public:
  static constexpr std::size_t room = 16;
  struct Entry {
    double change;
    Index node;
    bool operator<(const Entry& other) const {
      return change != other.change ? change < other.change : node < other.node;
    }
  };
  void add(const Entry& entry) {
    if (heap_.size() == room) {
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

/// Brings the lowest changes to the front of a long list, again and again. In between, changes
/// among those brought may become others, and entries may be replaced by the last one of the list.
class LowestFirst {
 public:
  /// The first `count` of `moves` then have the lowest changes of all.
  template <class Move>
  void bring(std::vector<Move>& moves, std::size_t count) {
    if (count >= moves.size()) return;
    near_ = std::min(near_, moves.size());
    if (count < near_) {
      partition(moves, count, near_);
      if (moves[count].change <= least_far_) return;
    }
    near_ = std::max(fewest_near, 8 * count);
    least_far_ = std::numeric_limits<double>::infinity();
    if (near_ < moves.size()) {
      partition(moves, near_, moves.size());
      least_far_ = moves[near_].change;
    }
    near_ = std::min(near_, moves.size());
    partition(moves, count, near_);
  }

 private:
  // On a large graph most nodes stay far from the front, and are looked at once.
  static constexpr std::size_t fewest_near = std::size_t{1} << 16U;

  template <class Move>
  static void partition(std::vector<Move>& moves, std::size_t count, std::size_t end) {
    const auto at = [&](std::size_t k) { return moves.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(0), at(count), at(end),
                     [](const Move& x, const Move& y) { return x.change < y.change; });
  }

  std::size_t near_ = 0;  ///< the others, behind these, have no lower change than ...
  double least_far_ = -std::numeric_limits<double>::infinity();
};

}  // namespace repsc
