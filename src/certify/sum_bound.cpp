// Lower bounds of the sum of the K lowest eigenvalues.
//
// Why Lehmann's bound holds: let m = count, X the first m Ritz vectors and N = M - shift I, which
// has at most m negative eigenvalues. The Ritz values of N^-1 in the range of NX are the
// eigenvalues of the pencil (X'NX, X'N^2X) = (D, D^2 + F), D = diag(values) - shift I < 0, F the
// Gram matrix of the residuals. Ritz values are not below the eigenvalues of N^-1 of the same rank,
// so that the m lowest eigenvalues of M are at least those of shift I + D + D^-1/2 F D^-1/2, whose
// trace is the sum in the header (D^-1 < 0). All others are at least `shift`.
#include "certify/sum_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repsc {

SumBound sum_bound(const RitzPairsOf& ritz, Index count, double shift) {
  const auto K = static_cast<Index>(ritz.values.size());
  double sum = 0;
  for (Index i = 0; i < count; ++i) {
    const double distance = shift - ritz.values[i];
    if (!(distance > 0)) return {-std::numeric_limits<double>::infinity(), count, shift};
    sum += ritz.values[i] - ritz.rounding - ritz.residuals[i] * ritz.residuals[i] / distance;
  }
  if (count < K) sum += (K - count) * shift;
  return {sum, count, shift};
}

std::vector<SumBound> suggested_bounds(const RitzPairsOf& ritz) {
  const auto K = static_cast<Index>(ritz.values.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (ritz.complete) return {sum_bound(ritz, K, infinity)};
  std::vector<SumBound> bounds;
  bounds.reserve(static_cast<std::size_t>(K) + 2);
  // In the gap after the wanted values; a multiple value has none.
  const auto suggest = [&](Index count, double shift) {
    SumBound bound = sum_bound(ritz, count, shift - ritz.shift_error);
    bound.shift = shift;
    bounds.push_back(bound);
  };
  // A gap that the residuals could close may be none.
  const bool gap = ritz.next && *ritz.next - ritz.values[K - 1] > 4 * ritz.residuals.maxCoeff();
  for (const double part : {0.5, 0.1}) {  // the next value itself is only known from above
    if (gap) suggest(K, ritz.values[K - 1] + part * (*ritz.next - ritz.values[K - 1]));
  }
  // Just below a value: the residuals say how far the eigenvalue can be from it.
  double residual = 0;
  for (Index count = K - 1; count >= 0; --count) {
    residual = std::max(residual, ritz.residuals[count]);
    suggest(count, ritz.values[count] - 2 * residual - 2 * ritz.shift_error);
  }
  std::stable_sort(bounds.begin(), bounds.end(), [](const SumBound& one, const SumBound& other) {
    return one.value > other.value;
  });
  return bounds;
}

CheckedBound checked_bound(const RitzPairsOf& ritz, EigenvalueCounter* counter) {
  constexpr std::size_t most_counts = 3;  // twice in the gap, and below a value
  const std::vector<SumBound> suggested = suggested_bounds(ritz);
  CheckedBound result{.value = suggested.front().value};
  if (ritz.complete) {
    result.verified = true;
    return result;
  }
  if (counter == nullptr) {
    result.reason = "verification was not asked for";
    return result;
  }
  if (!counter->obstacle().empty()) {
    result.reason = counter->obstacle();
    return result;
  }
  for (std::size_t i = 0; i < std::min(most_counts, suggested.size()); ++i) {
    const SumBound& bound = suggested[i];
    const std::optional<EigenvalueCount> count = counter->count_below(bound.shift);
    if (!count) {
      result.reason = "rounding errors make the number of eigenvalues below the shift uncertain";
      continue;
    }
    if (count->below > bound.count) {
      result.missed = true;
      result.reason = joined("there are ", count->below, " eigenvalues below ", bound.shift,
                             ", of which the eigensolver found ", bound.count);
      continue;
    }
    return {.value = sum_bound(ritz, bound.count, count->shift).value, .verified = true};
  }
  return result;
}

}  // namespace repsc
