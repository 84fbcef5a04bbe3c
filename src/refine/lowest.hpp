// The few nodes whose move raises the objective least.
#pragma once

#include <algorithm>
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

}  // namespace repsc
