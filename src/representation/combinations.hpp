// Columns of words as numbers: equal words, or equal combinations of words, get the same number.
#pragma once

#include <string>
#include <vector>

#include "repsc/representation.hpp"

namespace repsc {

/// Number of each word, from 0 in order of first use.
[[nodiscard]] Labels number_words(const std::vector<std::string>& words);

/// Number of each node's combination of `columns` (each as long as the table), from 0 in order of
/// first use. Without columns all nodes share combination 0.
[[nodiscard]] Labels number_combinations(const std::vector<Labels>& columns, Index num_nodes);

}  // namespace repsc
