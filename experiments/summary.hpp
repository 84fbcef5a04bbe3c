// Means and standard deviations over repeats, and curves from them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace repsc::experiments {

/// Quantities: the columns of a row, and derived ones.
enum class Quantity {
  accuracy,
  misclustered,  ///< M = 2 (1 - accuracy)
  ratio_cut,
  normalized_cut,
  average_balance,
  minimum_balance,
  balance_per_ratio_cut,
  balance_per_normalized_cut,
  rate,
  structure_kept,
  fairness_gained,
  smallest_cluster,
  largest_cluster,
  single_nodes,
  seconds,        ///< of the row's own work
  total_seconds,  ///< with the decomposition that it shares
};
inline constexpr std::array quantities{Quantity::accuracy,
                                       Quantity::misclustered,
                                       Quantity::ratio_cut,
                                       Quantity::normalized_cut,
                                       Quantity::average_balance,
                                       Quantity::minimum_balance,
                                       Quantity::balance_per_ratio_cut,
                                       Quantity::balance_per_normalized_cut,
                                       Quantity::rate,
                                       Quantity::structure_kept,
                                       Quantity::fairness_gained,
                                       Quantity::smallest_cluster,
                                       Quantity::largest_cluster,
                                       Quantity::single_nodes,
                                       Quantity::seconds,
                                       Quantity::total_seconds};
[[nodiscard]] std::string name(Quantity quantity);
[[nodiscard]] double value(const Outcome& outcome, Quantity quantity);

/// Over the repeats whose value is known. sd has n - 1 in the denominator; 0 for n = 1.
struct Statistics {
  double mean = unknown;
  double sd = unknown;
  int count = 0;
};
[[nodiscard]] Statistics statistics(const std::vector<double>& values);

struct SummaryRow {
  Setting setting = {};  ///< run and seed are those of the first repeat
  std::array<Statistics, quantities.size()> values;
  [[nodiscard]] const Statistics& operator[](Quantity quantity) const {
    return values[static_cast<std::size_t>(quantity)];
  }
};

struct Point {
  double x = 0;
  double y = 0;
  double sd = 0;
  int count = 0;
};

class Summary {
 public:
  /// `rows` in canonical order.
  explicit Summary(const std::vector<Row>& rows);

  using Choice = std::function<bool(const Setting&)>;
  using Abscissa = std::function<double(const Setting&)>;

  [[nodiscard]] const std::vector<SummaryRow>& rows() const { return rows_; }
  /// The mean of `quantity` against x, ascending, over the settings that `choice` takes.
  [[nodiscard]] std::vector<Point> curve(Quantity quantity, const Choice& choice,
                                         const Abscissa& x) const;
  /// Distinct values of x over the settings, ascending.
  [[nodiscard]] std::vector<double> distinct(const Abscissa& x) const;
  [[nodiscard]] bool has_method(const std::string& method) const;
  [[nodiscard]] std::string csv() const;

 private:
  std::vector<SummaryRow> rows_ = {};
};

}  // namespace repsc::experiments
