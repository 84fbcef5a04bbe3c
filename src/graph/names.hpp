// The table behind NodeNames: one buffer of characters, where each name ends, and a hash index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

struct NodeNames::Table {
  [[nodiscard]] Index size() const { return static_cast<Index>(ends_.size()); }
  [[nodiscard]] std::string_view operator[](Index node) const {
    const auto i = static_cast<std::size_t>(node);
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }
  [[nodiscard]] std::optional<Index> find(std::string_view name) const;
  /// The node of that name; a new node is appended if there is none.
  Index insert(std::string_view name);
  /// Frees unused capacity.
  void shrink();
  [[nodiscard]] bool operator==(const Table& other) const {
    return ends_ == other.ends_ && characters_ == other.characters_;
  }

 private:
  // Open addressing with linear probing. The key identifies short names without reading their
  // characters, which are elsewhere in memory. Most of the time of reading an edge list is spent
  // here.
  struct Slot {
    std::uint64_t key = 0;
    Index node = -1;
  };

  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint64_t key) const;
  void grow();

  std::string characters_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;  // a power of two, at most three quarters full
};

/// The names of `chosen` in that order.
[[nodiscard]] NodeNames subset(const NodeNames& names, const std::vector<Index>& chosen);

}  // namespace repsc
