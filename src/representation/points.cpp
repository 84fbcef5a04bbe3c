// Converts table rows to points: checks columns, scales numbers, numbers words, joins equal rows.
#include "representation/points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "representation/checks.hpp"
#include "representation/combinations.hpp"

namespace repsc {
namespace {

std::vector<const Table::Column*> chosen_columns(const Table& table,
                                                 const NeighborOptions& options) {
  std::vector<const Table::Column*> chosen;
  if (options.columns.empty()) {
    for (const Table::Column& column : table.columns) chosen.push_back(&column);
  }
  for (const std::string& name : options.columns) {
    const Table::Column* column = &find_column(table, name, "columns");
    require_option(std::find(chosen.begin(), chosen.end(), column) == chosen.end(), "columns", name,
                   "the column is named twice");
    chosen.push_back(column);
  }
  require(!chosen.empty(), "the table has no column to compare besides that of the nodes");
  for (const std::string& name : options.categorical) {
    const Table::Column* column = &find_column(table, name, "categorical");
    require_option(std::find(chosen.begin(), chosen.end(), column) != chosen.end(), "categorical",
                   name, "the column is not among those to compare");
  }
  return chosen;
}

void require_complete(const Table& table, const Table::Column& column) {
  const auto missing = std::find(column.words.begin(), column.words.end(), "");
  if (missing == column.words.end()) return;
  const auto node = static_cast<Index>(missing - column.words.begin());
  throw InvalidInput(Fault{
      .what = joined("node ", table.names[node], " has no value in column '", column.name, "'"),
      .remedies = {advice("fill it in"), advice("leave out the node or the column")}});
}

// A column divided by a power of two near its standard deviation. That is exact, unlike a division
// by the standard deviation: pairs that are equally far apart stay so.
struct ScaledColumn {
  std::vector<double> values;
  double weight;  ///< 1 / variance of `values`; 0 for a constant column
};

ScaledColumn scale_column(const std::vector<double>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  if (*low == *high) return {numbers, 0};

  // First |y| < 2, so that no square overflows; then a standard deviation in [1, 2).
  const auto scaled = [&](int exponent) {
    std::vector<double> y(numbers.size());
    std::transform(numbers.begin(), numbers.end(), y.begin(),
                   [&](double x) { return std::scalbn(x, -exponent); });
    return y;
  };
  const auto variance = [](const std::vector<double>& y) {
    const auto N = static_cast<double>(y.size());
    const double mean = std::accumulate(y.begin(), y.end(), 0.0) / N;
    return std::accumulate(y.begin(), y.end(), 0.0,
                           [&](double sum, double v) { return sum + (v - mean) * (v - mean); }) /
           N;
  };
  const int size = std::ilogb(std::max(std::abs(*low), std::abs(*high)));
  const int spread = std::ilogb(std::sqrt(variance(scaled(size))));
  std::vector<double> values = scaled(size + spread);
  const double weight = 1 / variance(values);
  return {std::move(values), weight};
}

// Nodes in order of cell, then of coordinates, then of their number.
std::vector<Index> sorted_nodes(const Labels& cells, const std::vector<ScaledColumn>& columns) {
  std::vector<Index> nodes(cells.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    if (cells[i] != cells[j]) return cells[i] < cells[j];
    for (const ScaledColumn& column : columns) {
      if (column.values[i] != column.values[j]) return column.values[i] < column.values[j];
    }
    return false;
  });
  return nodes;
}

}  // namespace

void MixedPoints::category_distances(Index from, std::vector<int>& distances) const {
  distances.assign(static_cast<std::size_t>(num_cells()), 0);
  for (const Labels& column : categories) {
    const Label word = column[static_cast<std::size_t>(from)];
    for (std::size_t c = 0; c < distances.size(); ++c) distances[c] += column[c] != word ? 1 : 0;
  }
}

MixedPoints mixed_points(const Table& table, const NeighborOptions& options) {
  std::vector<ScaledColumn> numeric;
  std::vector<Labels> categorical;
  for (const Table::Column* column : chosen_columns(table, options)) {
    require_complete(table, *column);
    const bool as_words = std::find(options.categorical.begin(), options.categorical.end(),
                                    column->name) != options.categorical.end();
    if (!column->numeric() || as_words) {
      categorical.push_back(number_words(column->words));
    } else if (ScaledColumn scaled = scale_column(column->numbers); scaled.weight > 0) {
      numeric.push_back(std::move(scaled));
    }
  }

  MixedPoints points;
  points.categories.resize(categorical.size());
  for (const ScaledColumn& column : numeric) points.weights.push_back(column.weight);
  const Labels cells = number_combinations(categorical, table.names.size());
  // Cells are numbered in order of first use, so this meets each at its first node.
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (static_cast<std::size_t>(cells[i]) < points.first_nodes.size()) continue;
    points.first_nodes.push_back(static_cast<Index>(i));
    for (std::size_t c = 0; c < categorical.size(); ++c) {
      points.categories[c].push_back(categorical[c][i]);
    }
  }
  points.nodes = sorted_nodes(cells, numeric);
  for (std::size_t n = 0; n < points.nodes.size(); ++n) {
    const auto node = static_cast<std::size_t>(points.nodes[n]);
    const auto before = n == 0 ? node : static_cast<std::size_t>(points.nodes[n - 1]);
    const bool new_cell = n == 0 || cells[node] != cells[before];
    const auto same_value = [&](const ScaledColumn& column) {
      return column.values[node] == column.values[before];
    };
    if (!new_cell && std::all_of(numeric.begin(), numeric.end(), same_value)) continue;
    if (new_cell) points.cell_begins.push_back(static_cast<Index>(points.node_begins.size()));
    points.node_begins.push_back(static_cast<Index>(n));
    for (const ScaledColumn& column : numeric) points.coordinates.push_back(column.values[node]);
  }
  points.cell_begins.push_back(static_cast<Index>(points.node_begins.size()));
  points.node_begins.push_back(static_cast<Index>(points.nodes.size()));
  return points;
}

}  // namespace repsc
