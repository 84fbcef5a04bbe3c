// The iteration of linalg/lanczos.hpp, wherever the rows of tall blocks are: in this process,
// spread over processes, or in the memory of a device.
//
//   V  orthonormal basis, kept columns first, then the block to expand
//   T  = V' A V, from the coefficients of the orthogonalization, also after restarts
//   W  the new block, A times the last one, made orthogonal to V: W = Q S
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"
#include "linalg/small_factors.hpp"

namespace repsc {

/// Thresholds of rounding. A direction shorter than `unreliable` (relative to ||A||) has too much
/// relative rounding error for Cholesky QR; one shorter than `inaccurate` is orthogonalized once
/// more after scaling; one shorter than `zero` consists of rounding errors only.
struct Precision {
  double unreliable;
  double inaccurate;
  double zero;
};
template <typename Scalar>
Precision precision(Index size);
template <>
inline Precision precision<double>(Index size) {
  return {.unreliable = 1e-5, .inaccurate = 0.02, .zero = 2.3e-14 * std::sqrt(double(size))};
}
template <>
inline Precision precision<float>(Index) {
  return {.unreliable = 3e-3, .inaccurate = 0.1, .zero = 3e-6};
}

/// Tall blocks are touched through `Rows` alone: LocalRows (linalg/local_rows.hpp), or a class with
/// the same functions. Small matrices are always on the host.
template <typename Block, typename Rows>
class BlockLanczos {
 public:
  using Scalar = typename Block::Scalar;
  using View = typename Rows::View;

  BlockLanczos(const BlockOperator<Block>& A, const KrylovOptions& options, const Rows& rows)
      : A_(A),
        options_(options),
        rows_(rows),
        count_(options.count),
        block_(std::clamp<Index>(options.block_size.value_or(count_ + 2), 1, A.dimension)),
        capacity_(capacity()),
        V_(rows.uninitialized(capacity_ + block_)),
        T_(Matrix::Zero(capacity_ + block_, capacity_ + block_)) {}

  /// `start`: vectors near the wanted ones, if known; the rest of the first block is random. The
  /// vectors that are found are those of vectors().
  KrylovResult run(const Block* start = nullptr) {
    Block W = first_block(start);
    if (options_.started) options_.started();
    project(W);
    Matrix S;
    append(orthonormal(std::move(W), S));
    KrylovResult result;
    for (;;) {
      expand(S);
      ++result.iterations;
      const Index width = used_ - fresh_;   // V_[width, used_) is the block that S couples to
      const bool full = used_ > capacity_;  // V_ has room for one block beyond the capacity
      const bool exhausted = fresh_ == 0;
      const bool last = result.iterations >= options_.max_iterations || options_.deadline.passed();
      // Small projected problems are solved after every product, larger ones less often, to limit
      // their cost.
      const Index patience = options_.look_always ? 1 : 1 + width / 64;
      const bool due = result.iterations % patience == 0 || full || exhausted || last;
      if (width < count_ || !due) continue;
      solve_projected(width);
      const double residual = largest_residual(S, width);
      report(result.iterations, residual);
      result.converged = exhausted || residual <= options_.tolerance * A_.norm ||
                         settled(result.iterations, residual, width);
      if (result.converged || last) break;
      if (full) restart(width);
    }
    const Index found = std::min<Index>(count_, static_cast<Index>(ritz_values_.size()));
    result.values = ritz_values_.head(found);
    if (found < ritz_values_.size()) result.next = ritz_values_[found];
    last_ = Block();  // their memory is needed for vectors()
    spare_ = Block();
    return result;
  }

  /// The wanted vectors as they are now, and those to spare.
  [[nodiscard]] Block vectors() const { return lowest(count_ + options_.spare); }

 private:
  [[nodiscard]] Block lowest(Index count) const {
    const Index width = static_cast<Index>(ritz_vectors_.rows());
    const Index found = std::min<Index>(count, width);
    Block X = rows_.uninitialized(found);
    rows_.assign(X, rows_.columns(V_, 0, width), ritz_vectors_.leftCols(found));
    return X;
  }

  /// Random columns are not drawn where vectors are given: on a sparse graph they cost as much as a
  /// product.
  [[nodiscard]] Block first_block(const Block* start) const {
    if (start == nullptr) return rows_.random(block_, options_.seed, unit_length());
    Block W = rows_.uninitialized(block_);
    const auto given = static_cast<Index>(std::min<Eigen::Index>(start->cols(), block_));
    rows_.copy(rows_.columns(*start, 0, given), W, 0);
    if (given < block_)
      rows_.copy(rows_.random(block_ - given, options_.seed, unit_length()), W, given);
    return W;
  }

  [[nodiscard]] Index capacity() const {
    const Index usual = std::max<Index>({4 * block_, 2 * count_ + 3 * block_, 24});
    const Index wanted = options_.basis_size.value_or(usual);
    return std::min<Index>(std::max<Index>(wanted, count_ + 2 * block_), A_.dimension);
  }

  /// Standard deviation of entries that makes random columns of length about 1.
  [[nodiscard]] double unit_length() const { return 1 / std::sqrt(static_cast<double>(A_.size)); }

  void project(Block& X) const {
    if (A_.project) A_.project(X);
  }

  void append(Block Q) {
    rows_.copy(Q, V_, used_);
    previous_ = fresh_;
    used_ += static_cast<Index>(Q.cols());
    fresh_ = static_cast<Index>(Q.cols());
    spare_ = std::exchange(last_, std::move(Q));
  }

  [[nodiscard]] View basis() const { return rows_.columns(V_, 0, used_); }

  /// One product with the newest block; S is the triangular factor of the part outside the basis.
  void expand(Matrix& S) {
    const Index begin = used_ - fresh_;
    Block W = std::exchange(spare_, Block());
    if (W.cols() != fresh_) W = rows_.uninitialized(fresh_);
    A_.apply(last_, W);
    // The product of A with the last block lies in the span of that block, the block before it and
    // new directions; the first block after a restart also has parts along the kept vectors. These
    // parts are removed first.
    const Index from = begin == kept_ ? 0 : begin - previous_;
    const View recent = rows_.columns(V_, from, used_ - from);
    Matrix coefficients = Matrix::Zero(used_, fresh_);
    coefficients.bottomRows(used_ - from) = rows_.gram(recent, W);
    rows_.subtract(W, recent, coefficients.bottomRows(used_ - from));
    // The projection is between the two passes, not before the first: coefficients of size ||A||
    // would bring back the rounding errors of V outside the allowed vectors, which would then grow
    // from step to step.
    project(W);
    const Matrix correction = rows_.gram(basis(), W);  // twice is enough (Kahan, Parlett)
    rows_.subtract(W, basis(), correction);
    coefficients += correction;
    T_.block(0, begin, used_, fresh_) = coefficients;
    T_.block(begin, 0, fresh_, used_) = coefficients.transpose();
    append(orthonormal(std::move(W), S));
  }

  /// W = Q S with Q orthonormal and orthogonal to the basis. Directions that vanish (an invariant
  /// subspace was found) are replaced by random ones, so that further copies of a multiple
  /// eigenvalue are still found, or dropped if the basis already contains all allowed vectors.
  [[nodiscard]] Block orthonormal(Block W, Matrix& S) {
    const Index room = std::min<Index>(A_.dimension - used_, static_cast<Index>(W.cols()));
    const auto b = static_cast<Index>(W.cols());
    Eigen::MatrixXd upper = Eigen::MatrixXd::Identity(b, b);
    const bool done = room == b && orthonormalize_by_cholesky(W, upper);
    if (!done) W = orthonormalize_by_columns(W, S, room);
    S = done ? Matrix(upper) : Matrix(S * upper);
    return W;
  }

  /// Cholesky QR, twice (Yamamoto et al. 2015): W becomes Q and `upper` takes R from the left.
  /// False if Q is nearly rank deficient; the steps done before are kept.
  [[nodiscard]] bool orthonormalize_by_cholesky(Block& Q, Eigen::MatrixXd& upper) const {
    for (int pass = 0; pass < 2; ++pass) {
      const Matrix gram = rows_.gram(Q, Q);
      const Vector lengths = gram.diagonal().cwiseSqrt();
      if (!(lengths.minCoeff() > 0)) return false;
      const Vector inverse_lengths = lengths.cwiseInverse();
      const std::optional<Eigen::MatrixXd> factor =
          cholesky_upper(inverse_lengths.asDiagonal() * gram * inverse_lengths.asDiagonal());
      if (!factor) return false;
      const Eigen::MatrixXd R = *factor * lengths.asDiagonal();
      // Scaling up the shortest direction scales up its rounding errors, which are of size ||A||.
      const double scale = used_ > 0 && pass == 0 ? A_.norm : lengths.maxCoeff();
      const double shortest = R.diagonal().minCoeff();
      if (shortest < precision_.unreliable * scale) return false;
      rows_.multiply(Q, inverse_of_upper(R));
      if (shortest < precision_.inaccurate * scale) clean(Q);
      upper = R * upper;
    }
    return true;
  }

  /// Removes from Q the rounding errors along the basis and along vectors that are not allowed.
  void clean(Block& Q) const {
    project(Q);
    rows_.subtract(Q, basis(), rows_.gram(basis(), Q));
  }

  /// Column by column against basis and earlier columns: slow, but always correct.
  [[nodiscard]] Block orthonormalize_by_columns(const Block& W, Matrix& S, Index room) {
    const Index b = static_cast<Index>(W.cols());
    Block Q = rows_.uninitialized(room);
    S = Matrix(Matrix::Zero(room, b));
    Index kept = 0;
    for (Index j = 0; j < b; ++j) {
      Block w = rows_.uninitialized(1);
      rows_.copy(rows_.columns(W, j, 1), w, 0);
      const Matrix inner = orthogonalize(w, rows_.columns(Q, 0, kept));
      S.block(0, j, kept, 1) = inner;
      const double length = std::sqrt(rows_.gram(w, w)(0, 0));
      if (kept < room && length > precision_.zero * A_.norm) {
        orthogonalize(w, rows_.columns(Q, 0, kept), length);
        S(kept, j) = length;
        rows_.copy(w, Q, kept++);
      }
    }
    while (kept < room) {
      Block w = rows_.random(1, options_.seed + 0x51ed2701ULL * ++replacements_, unit_length());
      project(w);
      orthogonalize(w, rows_.columns(Q, 0, kept), std::sqrt(rows_.gram(w, w)(0, 0)));
      const double left = orthogonalize_norm(w, rows_.columns(Q, 0, kept));
      if (left < 0.5) {  // mostly rounding: the basis contains all allowed vectors
        return shrink(Q, S, kept);
      }
      rows_.divide(w, left);
      rows_.copy(w, Q, kept++);
    }
    return Q;
  }

  [[nodiscard]] Block shrink(const Block& Q, Matrix& S, Index kept) const {
    S = Matrix(S.topRows(kept));
    Block smaller = rows_.uninitialized(kept);
    rows_.copy(rows_.columns(Q, 0, kept), smaller, 0);
    return smaller;
  }

  /// w -= Q (Q'w) and w -= V (V'w), twice each; returns the coefficients with Q.
  Matrix orthogonalize(Block& w, const View& Q) const {
    Matrix coefficients;
    for (int pass = 0; pass < 2; ++pass) {
      const Matrix inner = rows_.gram(Q, w);
      rows_.subtract(w, Q, inner);
      coefficients = pass == 0 ? inner : Matrix(coefficients + inner);
      rows_.subtract(w, basis(), rows_.gram(basis(), w));
    }
    return coefficients;
  }

  /// Scales w to length 1 and removes the errors that scaling amplifies: parts along Q and V, and
  /// along vectors that are not allowed, which would grow from restart to restart.
  void orthogonalize(Block& w, const View& Q, double length) const {
    if (length == 0) return;
    rows_.divide(w, length);
    project(w);
    orthogonalize(w, Q);
    const double again = std::sqrt(rows_.gram(w, w)(0, 0));
    if (again > 0.5) rows_.divide(w, again);
  }

  double orthogonalize_norm(Block& w, const View& Q) const {
    project(w);
    orthogonalize(w, Q);
    return std::sqrt(rows_.gram(w, w)(0, 0));
  }

  /// Rayleigh-Ritz on the first `width` columns; wanted pairs first.
  void solve_projected(Index width) {
    SymmetricEigen all = symmetric_eigen(T_.topLeftCorner(width, width));
    std::vector<Index> order(static_cast<std::size_t>(width));
    std::iota(order.begin(), order.end(), 0);
    if (options_.wanted == Wanted::largest_magnitude) {
      std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
        return std::abs(all.values[i]) > std::abs(all.values[j]);
      });
    }
    // Moved from new matrices: where memory runs out, a matrix of Eigen that is assigned another
    // size has freed its old numbers already, and frees them again when it is destroyed.
    ritz_values_ = Vector(all.values(order));
    ritz_vectors_ = Matrix(all.vectors(Eigen::all, order));
  }

  /// max ||A x - theta x|| over the wanted pairs (relative: times norm / |theta|): computed from S,
  /// the part outside the basis.
  [[nodiscard]] double largest_residual(const Matrix& S, Index width) const {
    const Index wanted = std::min(count_, width);
    const Index last = static_cast<Index>(S.cols());
    if (fresh_ == 0) return 0;
    const Matrix leaving = S * ritz_vectors_.block(width - last, 0, last, wanted);
    if (!options_.relative) return leaving.colwise().norm().maxCoeff();
    double largest = 0;
    for (Index j = 0; j < wanted; ++j) {
      const double length = leaving.col(j).norm();
      const bool rounding =
          length <= 1e-14 * A_.norm;  // rounding prevents more, however small theta is
      if (!rounding) largest = std::max(largest, A_.norm * length / std::abs(ritz_values_[j]));
    }
    return largest;
  }

  /// Keeps the best Ritz vectors and the block outside their span.
  void restart(Index width) {
    const Index keep = std::min<Index>(width - block_, count_ + (width - count_) / 2 - block_ / 2);
    const Index kept = std::clamp<Index>(keep, std::min<Index>(count_, width), width);
    rows_.multiply(V_, ritz_vectors_.leftCols(kept));
    rows_.copy(last_, V_, kept);
    used_ = kept + fresh_;
    kept_ = kept;
    T_.setZero();
    T_.topLeftCorner(kept, kept) = ritz_values_.head(kept).asDiagonal();
  }

  void report(int iteration, double residual) const {
    if (options_.progress) options_.progress({options_.stage, iteration, 0, residual / A_.norm});
  }

  /// Whether the caller ends the iteration, whatever the tolerance.
  [[nodiscard]] bool settled(int iterations, double residual, Index width) const {
    if (!options_.settled || width <= count_) return false;
    return options_.settled(
        {.iterations = iterations,
         .residual = residual,
         .values = ritz_values_.head(std::min<Index>(width, count_ + block_)),
         .vectors = [this] { return rows_.on_host(lowest(count_)); },
         .rows_of_vectors = [this](std::span<const Index> rows) { return rows_of_vectors(rows); }});
  }

  [[nodiscard]] Matrix rows_of_vectors(std::span<const Index> rows) const {
    const auto width = static_cast<Index>(ritz_vectors_.rows());
    return rows_.rows_times(rows_.columns(V_, 0, width), rows, ritz_vectors_.leftCols(count_));
  }

  const BlockOperator<Block>& A_;
  const KrylovOptions& options_;
  const Rows& rows_;
  Index count_;
  Index block_;
  Index capacity_;
  Block V_;
  Matrix T_;
  Block last_;          ///< a contiguous copy of the newest columns
  Block spare_;         ///< memory for the next product; new pages would have to be cleared
  Index used_ = 0;      ///< columns of V_
  Index fresh_ = 0;     ///< number of the last columns, which are not multiplied yet
  Index previous_ = 0;  ///< number of the columns of the block before
  Index kept_ = 0;      ///< number of the first columns, kept by the last restart
  Vector ritz_values_;
  Matrix ritz_vectors_;
  std::uint64_t replacements_ = 0;
  Precision precision_ = precision<Scalar>(A_.size);
};

}  // namespace repsc
