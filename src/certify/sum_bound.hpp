// Lower bounds of the sum of the K lowest eigenvalues, from Ritz pairs and their residuals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certify/eigenvalue_count.hpp"
#include "repsc/core.hpp"

namespace repsc {

/// Ritz pairs of a matrix M: X orthonormal, X'MX = diag(values).
struct RitzPairsOf {
  Vector values;     ///< the K lowest that were found, ascending
  Vector residuals;  ///< ||M x - value x||, rounding errors of the product included
  /// The next eigenvalue, as far as the solver knows it; none: unknown.
  std::optional<double> next = {};
  bool complete = false;   ///< there are no other eigenvalues
  double rounding = 0;     ///< of a Ritz value
  double shift_error = 0;  ///< by which counting can lower a shift, about
};

/// A lower bound of the sum, provided that at most `count` eigenvalues are below `shift`.
struct SumBound {
  double value = 0;
  Index count = 0;
  double shift = 0;
};

/// The bound, for count <= K with values[count - 1] < shift (Lehmann 1949):
///
///   sum of the K lowest >= sum_{i <= count} (value_i - residual_i^2 / (shift - value_i))
///                          + (K - count) shift
///
/// Minus infinity where a value is not below the shift.
[[nodiscard]] SumBound sum_bound(const RitzPairsOf& ritz, Index count, double shift);

/// Counts and shifts that Ritz pairs suggest, the best bounds first. The bound of each holds unless
/// the solver has missed eigenvalues.
[[nodiscard]] std::vector<SumBound> suggested_bounds(const RitzPairsOf& ritz);

/// A bound, and whether its count was confirmed.
struct CheckedBound {
  double value = 0;
  bool verified = false;
  std::string reason = {};  ///< if it is not verified: why
  bool missed = false;      ///< there are more eigenvalues below than the solver found
};

/// The best of the suggested bounds whose count is confirmed; `counter` null: not asked for.
[[nodiscard]] CheckedBound checked_bound(const RitzPairsOf& ritz, EigenvalueCounter* counter);

}  // namespace repsc
