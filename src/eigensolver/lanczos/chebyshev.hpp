// A polynomial of the Laplacian that damps the upper part of its spectrum. Lanczos on p(L) makes as
// much progress with each block as several steps on L, for one orthogonalization. On sparse graphs,
// where orthogonalization costs far more than a product, this is several times faster
// (docs/solvers.md has the figures).
//
//   T_m  Chebyshev polynomial of degree m      c = (a + b) / 2, e = (b - a) / 2
//   p(x) = T_m((x - c) / e) / T_m(-c / e):     p(0) = 1, falling on [0, a], below 1 / T_m(c / e) in
//                                              absolute value on [a, b]
#pragma once

#include "repsc/operators.hpp"

namespace repsc {

class ChebyshevFilter {
 public:
  /// Damps [lower, upper], 0 < lower < upper.
  ChebyshevFilter(double lower, double upper, int degree);

  [[nodiscard]] int degree() const { return degree_; }
  [[nodiscard]] double center() const { return center_; }
  [[nodiscard]] double half_width() const { return half_width_; }

  /// p at a value of at most `lower`.
  [[nodiscard]] double at(double value) const;
  /// The value of at most `lower` at which p is `filtered`; `lower` itself if p is smaller there.
  [[nodiscard]] double inverse(double filtered) const;

 private:
  double center_;
  double half_width_;
  int degree_;
  double largest_;  ///< T_m(c / e)
};

/// Whether a filter helps if a row has no more entries than `densest`, on average. Not without
/// normalization: a few nodes of large degree stretch the spectrum, and a polynomial of low degree
/// cannot tell its lower end apart.
[[nodiscard]] bool can_be_filtered(const Laplacian& L, double densest);
/// Entries per row up to which orthogonalization costs more than products, on processors.
inline constexpr double densest_filtered = 35;

/// p(P L P) for a Laplacian without a penalty. The recurrence works on D^-1/2 X, in which a product
/// with the symmetric Laplacian needs one pass over the vectors besides that of the graph.
class FilteredLaplacian {
 public:
  FilteredLaplacian(const ConstrainedLaplacian& A, const ChebyshevFilter& filter);

  /// Y = p(P L P) X, for X within the range of P.
  void apply(const FloatMatrix& X, FloatMatrix& Y) const;

 private:
  /// Z = factor (L' - c) W + other V, L' = diag(diagonal) - diag(weights) (A + tau/N 11').
  void combine(double factor, const FloatMatrix& W, double other, const FloatMatrix& V,
               FloatMatrix& Z) const;
  /// W = S P S^-1 W.
  void project(FloatMatrix& W) const;

  const ConstrainedLaplacian& A_;
  ChebyshevFilter filter_;
  Eigen::VectorXf scale_;     ///< S = D^-1/2; empty: I
  Eigen::VectorXf diagonal_;  ///< degrees; empty: 1
};

}  // namespace repsc
