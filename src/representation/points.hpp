// The rows of a table as points whose squared distance is
//
//   d^2(a, b) = (sum over numeric columns of weight (y_a - y_b)^2) + (number of unequal categories)
//
// Rows that agree in everything are one point, and points with the same categories form a cell: a
// search then compares numbers only, cell by cell, and equal rows cost no more than one row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "repsc/representation.hpp"

namespace repsc {

struct MixedPoints {
  std::vector<double> weights;      ///< per numeric column that is not constant
  std::vector<double> coordinates;  ///< per point weights.size() numbers
  std::vector<Index> nodes;         ///< nodes by point, ascending within each
  std::vector<Index> node_begins;   ///< per point, where its nodes start; one more at the end
  std::vector<Index> cell_begins;   ///< per cell, where its points start; one more at the end
  std::vector<Index> first_nodes;   ///< per cell, its first node; ascending
  std::vector<Labels> categories;   ///< per categorical column, the number of each cell's word

  [[nodiscard]] Index num_points() const { return static_cast<Index>(node_begins.size()) - 1; }
  [[nodiscard]] Index num_cells() const { return static_cast<Index>(cell_begins.size()) - 1; }
  [[nodiscard]] std::size_t dimension() const { return weights.size(); }
  [[nodiscard]] const double* point(Index p) const {
    return coordinates.data() + static_cast<std::size_t>(p) * dimension();
  }
  [[nodiscard]] std::span<const Index> nodes_of(Index p) const {
    const auto begin = node_begins.begin() + p;
    return {nodes.data() + begin[0], nodes.data() + begin[1]};
  }
  /// The numeric part of d^2, from coordinates to a point.
  [[nodiscard]] double numeric_distance(const double* from, Index p) const {
    using Coordinates = Eigen::Map<const Eigen::ArrayXd>;
    const auto size = static_cast<Eigen::Index>(dimension());
    return (Coordinates(weights.data(), size) *
            (Coordinates(from, size) - Coordinates(point(p), size)).square())
        .sum();
  }
  /// The other part: in how many categories each cell differs from cell `from`.
  void category_distances(Index from, std::vector<int>& distances) const;
};

/// Throws InvalidInput with the node and the column if a value is missing.
[[nodiscard]] MixedPoints mixed_points(const Table& table, const NeighborOptions& options);

}  // namespace repsc
