// The dual function of the certificate,
//
//   g(t) = (sum of the K lowest eigenvalues of M) - t deviation,   M = L + t C,
//
// at one strength t. Every orthonormal X gives an upper bound of g at all strengths,
// tr(X'LX) + t (tr(X'CX) - deviation): for the lowest eigenvectors it is a tangent.
#pragma once

#include "certify/sum_bound.hpp"
#include "repsc/certify.hpp"

namespace repsc {

/// The cut and the deviation of labels, in the unit of Pipeline::similarity().
struct LabelsMeasured {
  double cut = 0;
  double deviation = 0;  ///< 0 without representatives
};

/// What is computed at one strength.
struct DualPoint {
  double strength = 0;
  double at_zero = 0;  ///< tr(X'LX)
  double slope = 0;    ///< tr(X'CX) - deviation
  RitzPairsOf ritz = {};
  Matrix vectors;  ///< X
  bool out_of_time = false;

  /// Of the tangent.
  [[nodiscard]] double at(double t) const { return at_zero + t * slope; }
};

/// How precisely an eigenproblem is solved.
struct DualPrecision {
  double tolerance = 1e-3;  ///< of the residuals, relative to the norm of L
  int share = 1;            ///< of the effort: this many times the products of a search step
};

/// Solves the eigenproblems of the strengths.
class Dual {
 public:
  Dual(Pipeline& data, const Labels& labels, int num_clusters, const CertifyOptions& options);

  [[nodiscard]] const LabelsMeasured& labels() const { return labels_; }
  [[nodiscard]] bool has_penalty() const { return soft_.penalty != nullptr; }
  [[nodiscard]] int num_solved() const { return num_solved_; }
  /// Whether this part of the products was made that a search on a large graph may take.
  [[nodiscard]] bool has_done(double part) const;
  /// The matrix at one strength.
  [[nodiscard]] Laplacian matrix(double strength) const;
  /// Solves at one strength; `start`: vectors near the wanted ones, if known. Ends with residuals
  /// above the tolerance where it would take too many products.
  [[nodiscard]] DualPoint solve(double strength, const DualPrecision& precision,
                                const Matrix& start = {}, std::uint64_t seed = 0);
  /// What rounding errors and the deviation take from a bound of the sum of eigenvalues.
  [[nodiscard]] double lower_value(const DualPoint& point, double sum) const;

 private:
  [[nodiscard]] double penalty_of(const Matrix& U) const;
  [[nodiscard]] double entries_of_a_product(double strength) const;
  [[nodiscard]] int products_per_step() const;
  [[nodiscard]] Eigenpairs lowest_pairs(const Laplacian& M, EigenQuery query);

  int num_clusters_;
  const CertifyOptions& options_;
  Laplacian plain_;
  SoftConstraint soft_;  ///< empty without representatives
  bool dense_ = false;   ///< products converge too slowly
  LabelsMeasured labels_;
  int num_solved_ = 0;
  double entries_read_ = 0;
};

}  // namespace repsc
