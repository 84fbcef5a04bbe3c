// Columns of words as numbers, by hashing; combinations column by column, as pairs of numbers.
#include "representation/combinations.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace repsc {

Labels number_words(const std::vector<std::string>& words) {
  std::unordered_map<std::string_view, Label> numbers;
  Labels labels;
  labels.reserve(words.size());
  for (const std::string& word : words) {
    labels.push_back(numbers.try_emplace(word, static_cast<Label>(numbers.size())).first->second);
  }
  return labels;
}

Labels number_combinations(const std::vector<Labels>& columns, Index num_nodes) {
  Labels labels(static_cast<std::size_t>(num_nodes), 0);
  for (const Labels& column : columns) {
    std::unordered_map<std::uint64_t, Label> numbers;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::uint64_t pair =
          static_cast<std::uint64_t>(labels[i]) << 32U | static_cast<std::uint64_t>(column[i]);
      labels[i] = numbers.try_emplace(pair, static_cast<Label>(numbers.size())).first->second;
    }
  }
  return labels;
}

}  // namespace repsc
