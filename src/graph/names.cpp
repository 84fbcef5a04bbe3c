// NodeNames: given or implied names of nodes.
#include "graph/names.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/text.hpp"

namespace repsc {

NodeNames::NodeNames(const std::vector<std::string>& names) {
  auto table = std::make_shared<Table>();
  for (const std::string& name : names) {
    require(!name.empty(), "node ", table->size(), " has an empty name");
    const Index count = table->size();
    require(table->insert(name) == count, "node name ", in_quotes(name), " appears twice");
  }
  count_ = table->size();
  table_ = std::move(table);
}

NodeNames::NodeNames(std::shared_ptr<const Table> table)
    : count_(table->size()), table_(std::move(table)) {}

std::string NodeNames::operator[](Index node) const {
  require(node >= 0 && node < count_, "node ", node, " but there are ", count_);
  if (table_ != nullptr) return std::string((*table_)[node]);
  return std::to_string(static_cast<std::int64_t>(first_) + node);
}

std::string_view NodeNames::view(Index node) const {
  return table_ != nullptr ? (*table_)[node] : std::string_view();
}

std::optional<Index> NodeNames::find(std::string_view name) const {
  if (table_ != nullptr) return table_->find(name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  if (value < first_ || value - first_ >= count_) return std::nullopt;
  if (std::to_string(value) != name) return std::nullopt;  // "007" is not 7
  return static_cast<Index>(value - first_);
}

bool NodeNames::operator==(const NodeNames& other) const {
  if (count_ != other.count_) return false;
  if (implied() && other.implied()) return first_ == other.first_ || count_ == 0;
  if (!implied() && !other.implied()) return table_ == other.table_ || *table_ == *other.table_;
  for (Index node = 0; node < count_; ++node) {
    if ((*this)[node] != other[node]) return false;
  }
  return true;
}

namespace {

// The whole numbers that the names are, if all of them are: without signs or leading zeros.
struct Numbers {
  std::int64_t smallest = 0;
  std::int64_t largest = 0;
};

std::optional<std::int64_t> number_of(std::string_view name) {
  constexpr std::size_t most_digits = 18;
  std::int64_t value = 0;
  if (name.empty() || name.size() > most_digits || (name.front() == '0' && name.size() > 1)) {
    return std::nullopt;
  }
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

std::optional<Numbers> numbers_of(const NodeNames& names) {
  if (names.size() == 0) return std::nullopt;
  if (names.implied()) {
    return Numbers{names.first(), static_cast<std::int64_t>(names.first()) + names.size() - 1};
  }
  Numbers numbers{std::numeric_limits<std::int64_t>::max(), -1};
  for (Index node = 0; node < names.size(); ++node) {
    const auto number = number_of(names.view(node));
    if (!number) return std::nullopt;
    numbers.smallest = std::min(numbers.smallest, *number);
    numbers.largest = std::max(numbers.largest, *number);
  }
  return numbers;
}

}  // namespace

std::optional<Index> numbered_from(const NodeNames& names) {
  const auto numbers = numbers_of(names);  // all different, so that the range tells
  if (!numbers || numbers->smallest > 1) return std::nullopt;
  if (numbers->largest - numbers->smallest + 1 != names.size()) return std::nullopt;
  return static_cast<Index>(numbers->smallest);
}

bool counted_differently(const NodeNames& one, const NodeNames& other) {
  const auto first = numbers_of(one);
  if (!first || first->smallest > 1) return false;
  const auto second = numbers_of(other);
  if (!second || second->smallest > 1) return false;
  const std::int64_t shift = second->smallest - first->smallest;
  return shift != 0 && second->largest - first->largest == shift;
}

NodeNames subset(const NodeNames& names, const std::vector<Index>& chosen) {
  auto table = std::make_shared<NodeNames::Table>();
  for (const Index node : chosen) table->insert(names[node]);
  return NodeNames(std::shared_ptr<const NodeNames::Table>(std::move(table)));
}

}  // namespace repsc
