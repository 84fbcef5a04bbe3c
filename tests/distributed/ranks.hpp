// The ranks of the test program, which every test shares.
#pragma once

#include <algorithm>
#include <vector>

#include "distributed/rows.hpp"

namespace repsc::tests {

/// Started by main(). Tests run on every rank at once, in the same order; what they expect is
/// checked on each.
[[nodiscard]] const Communicator& ranks();

/// All rows on one rank, none elsewhere.
inline RowRanges on_rank(int holder, Index num_nodes) {
  RowRanges all{.num_nodes = num_nodes, .block_rows = block_rows_for(num_nodes), .first = {0}};
  for (int rank = 0; rank < ranks().size(); ++rank) {
    all.first.push_back(rank >= holder ? num_nodes : 0);
  }
  return all;
}

/// The own rows of a matrix that every rank has.
inline Matrix own_rows(const SpreadRows& rows, const Matrix& whole) {
  return whole.middleRows(rows.begin(), rows.stored());
}

/// All rows, on every rank.
inline Matrix all_rows(const SpreadRows& rows, const Matrix& own) {
  const std::vector<double> numbers =
      rows.ranks().gather(std::span(own.data(), static_cast<std::size_t>(own.size())));
  return Eigen::Map<const Matrix>(numbers.data(), rows.num_nodes(), own.cols());
}

inline Labels own_labels(const SpreadRows& rows, const Labels& whole) {
  return {whole.begin() + rows.begin(), whole.begin() + rows.begin() + rows.stored()};
}

inline Labels all_labels(const SpreadRows& rows, const Labels& own) {
  return rows.ranks().gather(std::span<const Label>(own));
}

}  // namespace repsc::tests
