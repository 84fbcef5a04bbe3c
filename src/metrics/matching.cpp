// The Hungarian algorithm by shortest augmenting paths (Jonker and Volgenant 1987). Implemented
// here because none of the libraries in use has it. Whole numbers throughout, so the matching is
// exactly optimal.
#include "metrics/matching.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace repsc {
namespace {

constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max();

// Minimizes the sum of cost(i, j) = -table(i, j) over matchings of all rows; rows <= columns. Row
// and column 0 of the arrays stand for "none"; u and v are the dual prices, with
// cost(i, j) >= u[i] + v[j] and equality for matched pairs.
class Matching {
 public:
  explicit Matching(const CountMatrix& table)
      : table_(table),
        u_(static_cast<std::size_t>(table.rows()) + 1, 0),
        v_(static_cast<std::size_t>(table.cols()) + 1, 0),
        row_of_(v_.size(), 0),
        previous_(v_.size(), 0) {}

  std::int64_t largest_sum() {
    for (std::size_t row = 1; row < u_.size(); ++row) {
      const std::size_t free_column = shortest_path(row);
      for (std::size_t column = free_column; column != 0; column = previous_[column]) {
        row_of_[column] = row_of_[previous_[column]];
      }
    }
    std::int64_t sum = 0;
    for (std::size_t column = 1; column < v_.size(); ++column) {
      if (row_of_[column] != 0) sum -= cost(row_of_[column], column);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::int64_t cost(std::size_t row, std::size_t column) const {
    return -std::int64_t{
        table_(static_cast<Eigen::Index>(row) - 1, static_cast<Eigen::Index>(column) - 1)};
  }

  // Dijkstra on reduced costs from `start` to a column without a row. Stores the path in previous_
  // and updates the prices.
  std::size_t shortest_path(std::size_t start) {
    std::vector<std::int64_t> slack(v_.size(), unreached);
    std::vector<char> visited(v_.size(), 0);
    std::size_t column = 0;
    row_of_[0] = start;
    do {
      visited[column] = 1;
      const std::size_t row = row_of_[column];
      std::int64_t step = unreached;
      std::size_t next = 0;
      for (std::size_t j = 1; j < v_.size(); ++j) {
        if (visited[j] != 0) continue;
        const std::int64_t reduced = cost(row, j) - u_[row] - v_[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          previous_[j] = column;
        }
        if (slack[j] < step) {
          step = slack[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j < v_.size(); ++j) {
        if (visited[j] != 0) {
          u_[row_of_[j]] += step;
          v_[j] -= step;
        } else if (j > 0) {
          slack[j] -= step;
        }
      }
      column = next;
    } while (row_of_[column] != 0);
    return column;
  }

  const CountMatrix& table_;
  std::vector<std::int64_t> u_;
  std::vector<std::int64_t> v_;
  std::vector<std::size_t> row_of_;    // column -> its row
  std::vector<std::size_t> previous_;  // column -> the column before it on the path
};

}  // namespace

std::int64_t largest_matching(const CountMatrix& table) {
  if (table.rows() <= table.cols()) return Matching(table).largest_sum();
  const CountMatrix transposed = table.transpose();
  return Matching(transposed).largest_sum();
}

}  // namespace repsc
