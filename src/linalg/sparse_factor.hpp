// Factors of large sparse matrices: Cholesky for solving, QR for the range.
//
// Two folders hold an implementation each, and the build compiles one of them: suitesparse/
// (CHOLMOD and SuiteSparseQR, fast, GPL) or permissive/ (Eigen's Cholesky and a QR of our own,
// slower), by the option REPSC_GPL. docs/licences.md has the licences and the measured costs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// A square matrix by columns; column j has the entries starts[j] to starts[j + 1] - 1, with
/// ascending row numbers.
struct SparseColumns {
  std::vector<std::int64_t> starts;  ///< one more than there are columns
  std::vector<std::int64_t> rows;
  std::vector<double> values;

  [[nodiscard]] Index size() const { return static_cast<Index>(starts.size()) - 1; }
};

/// What a factorization costs, known before it is begun.
struct FactorCost {
  std::int64_t bytes = 0;
  double operations = 0;  ///< as many dense ones as take the same time
};

/// How the permutation is found: by approximate minimum degree; or, where that fills L much, by
/// nested dissection also, which takes several times as long. (Without SuiteSparse: always
/// quickly.)
enum class Ordering { quick, thorough };

/// A = L L' after a symmetric permutation that keeps L sparse.
class SparseCholesky {
 public:
  /// Finds the permutation and the size of L. `upper` is the upper triangle of A, with its
  /// diagonal.
  explicit SparseCholesky(SparseColumns upper, Ordering ordering = Ordering::thorough);
  ~SparseCholesky();
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;

  /// Memory that factorize() and solve() need; infinite where it is too much to be counted.
  [[nodiscard]] double bytes() const;
  /// Operations of factorize().
  [[nodiscard]] double flops() const;
  /// Entries of L.
  [[nodiscard]] double entries() const;
  /// Throws where A is not positive definite.
  void factorize();
  /// A^-1 X.
  [[nodiscard]] Matrix solve(const Matrix& X);

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// Q of a rank-revealing QR factorization. Columns that depend on earlier ones up to rounding,
/// 20 (m + n) epsilon times the largest norm of a column, do not count (Davis 2011, Algorithm 915).
class SparseQr {
 public:
  /// Finds the order of the columns and a bound of the cost.
  explicit SparseQr(SparseColumns matrix);
  ~SparseQr();
  SparseQr(const SparseQr&) = delete;
  SparseQr& operator=(const SparseQr&) = delete;

  [[nodiscard]] FactorCost cost() const;
  void factorize();
  [[nodiscard]] Index rank() const;
  /// X = QQ'X, with as many columns of Q as the rank.
  void project(Matrix& X) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace repsc
