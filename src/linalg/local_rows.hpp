// Tall blocks in the memory of this process, for the iteration of block_lanczos.hpp.
#pragma once

#include <span>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "linalg/dense.hpp"
#include "linalg/random_block.hpp"

namespace repsc {

/// Blocks of which this process holds `stored` rows, all of them or some.
template <typename Block>
class StoredRows {
 public:
  using Scalar = typename Block::Scalar;
  using View = Eigen::Ref<const Block, 0, Eigen::OuterStride<>>;

  explicit StoredRows(Index stored) : stored_(stored) {}

  [[nodiscard]] Index stored() const { return stored_; }
  /// Not touched here, so that the threads that fill it share the cost of its pages.
  [[nodiscard]] Block uninitialized(Index cols) const {
    Block X(stored_, cols);
    ask_for_large_pages(X.data(), static_cast<std::size_t>(X.size()) * sizeof(Scalar));
    return X;
  }
  [[nodiscard]] static View columns(const Block& X, Index first, Index count) {
    return X.middleCols(first, count);
  }
  /// Columns `first`, `first` + 1, ... of `to` become those of `from`.
  static void copy(const View& from, Block& to, Index first) {
    parallel_ranges(from.rows(), 4096, [&](auto begin, auto end) {
      to.block(begin, first, end - begin, from.cols()) = from.middleRows(begin, end - begin);
    });
  }
  static void divide(Block& X, double by) { X /= static_cast<Scalar>(by); }
  [[nodiscard]] static Matrix on_host(const Block& X) {
    Matrix result(X.rows(), X.cols());
    parallel_ranges(X.rows(), 4096, [&](auto begin, auto end) {
      result.middleRows(begin, end - begin) =
          X.middleRows(begin, end - begin).template cast<double>();
    });
    return result;
  }
  [[nodiscard]] static Matrix rows(const View& X, std::span<const Index> which) {
    Matrix result(static_cast<Eigen::Index>(which.size()), X.cols());
    for (std::size_t k = 0; k < which.size(); ++k)
      result.row(static_cast<Eigen::Index>(k)) = X.row(which[k]).template cast<double>();
    return result;
  }
  [[nodiscard]] static Matrix rows_times(const View& X, std::span<const Index> which,
                                         const Matrix& T) {
    return rows(X, which) * T;
  }

 private:
  Index stored_;
};

/// All rows.
template <typename Block>
class LocalRows : public StoredRows<Block> {
 public:
  using View = typename StoredRows<Block>::View;
  using StoredRows<Block>::StoredRows;

  /// A'B.
  [[nodiscard]] static Matrix gram(const View& A, const View& B) {
    return transposed_product(A, B);
  }
  /// random_block().
  [[nodiscard]] Block random(Index cols, std::uint64_t seed, double scale) const {
    return random_block<Block>(this->stored(), cols, seed, scale);
  }
  /// A -= B T.
  static void subtract(Block& A, const View& B, const Matrix& T) { subtract_product(A, B, T); }
  /// A = B T.
  static void assign(Block& A, const View& B, const Matrix& T) { assign_product(A, B, T); }
  /// The first T.cols() columns of V become the first T.rows() ones times T.
  static void multiply(Block& V, const Matrix& T) { multiply_in_place(V.leftCols(T.rows()), T); }
};

}  // namespace repsc
