// Keeps one state per cell, and no state that another one beats.
#include "targets/archive.hpp"

#include <algorithm>
#include <cmath>

namespace repsc {

Archive::Archive(Index num_nodes, const Archive* known)
    : known_(known), num_nodes_(std::max<double>(1, num_nodes)) {
  constexpr double most_labels = 6.4e7;  // 256 MB
  cells_per_unit_ = std::clamp(std::floor(most_labels / num_nodes_), 64.0, 2048.0);
}

Archive Archive::outline() const {
  Archive result(static_cast<Index>(num_nodes_));
  for (const auto& [cell, visited] : cells_) {
    result.cells_[cell] = {{}, visited.start, visited.mu, visited.cut, visited.average};
  }
  return result;
}

int Archive::cell_of(double average) const {
  return static_cast<int>(std::floor(average * cells_per_unit_));
}

bool Archive::wants(double cut, double average) const {
  if (known_ != nullptr && !known_->wants(cut, average)) return false;
  const auto above = cells_.lower_bound(cell_of(average));
  return above == cells_.end() || above->second.cut > cut;
}

void Archive::offer(Visited visited) {
  if (!wants(visited.cut, visited.average)) return;
  const int cell = cell_of(visited.average);
  const auto end = cells_.lower_bound(cell);
  auto begin = end;
  while (begin != cells_.begin() && std::prev(begin)->second.cut >= visited.cut) --begin;
  cells_.erase(begin, end);
  cells_.insert_or_assign(cell, std::move(visited));
}

void Archive::offer(const Partition& P, std::size_t start, double mu) {
  const double cut = P.cut();
  const double average = P.score() / num_nodes_;
  if (wants(cut, average)) offer({P.labels(), start, mu, cut, average});
}

const Visited& Archive::lowest(double cut_weight, double average_weight) const {
  const auto value = [&](const auto& cell) {
    return cut_weight * cell.second.cut - average_weight * cell.second.average;
  };
  return std::min_element(cells_.begin(), cells_.end(),
                          [&](const auto& x, const auto& y) { return value(x) < value(y); })
      ->second;
}

const Visited* Archive::at_least(double average) const {
  for (auto at = cells_.lower_bound(cell_of(average)); at != cells_.end(); ++at) {
    if (at->second.average >= average) return &at->second;
  }
  return nullptr;
}

}  // namespace repsc
