// Which rank holds which rows, and tall matrices of which each rank holds its rows.
//
// Rows are counted in blocks whose size depends on the number of nodes alone, and a rank holds
// whole blocks. What is computed from a block is then the same on any number of ranks, and sums of
// blocks are exact (exact_sum.hpp): so are, in the end, the bytes of the result.
#pragma once

#include <span>
#include <vector>

#include "distributed/shared_memory.hpp"
#include "linalg/local_rows.hpp"
#include "repsc/distributed.hpp"

namespace repsc {

/// Ranges of rows, in the order of the ranks. A rank may have none.
struct RowRanges {
  Index num_nodes = 0;
  Index block_rows = 1;
  std::vector<Index> first = {};  ///< of each rank, and num_nodes

  [[nodiscard]] Index begin(int rank) const { return first[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] Index end(int rank) const { return first[static_cast<std::size_t>(rank) + 1]; }
  [[nodiscard]] Index rows(int rank) const { return end(rank) - begin(rank); }
  /// Of all ranks.
  [[nodiscard]] std::int64_t num_blocks() const {
    return (std::int64_t{num_nodes} + block_rows - 1) / block_rows;
  }
};

/// Rows per block: at most about 1024 blocks up to four million nodes, so that all ranks have many.
[[nodiscard]] Index block_rows_for(Index num_nodes);

/// Ranges with nearly the same number of entries and rows, an entry and a row counting the same.
[[nodiscard]] RowRanges split_rows(std::span<const Offset> offsets, int num_ranks);

/// The rows that a rank holds of tall matrices, and what is computed from them: the counterpart of
/// LocalRows.
class SpreadRows : public StoredRows<Matrix> {
 public:
  /// Called by every rank. `how`: none is shared memory where that is possible.
  SpreadRows(const Communicator& ranks, RowRanges ranges,
             std::optional<Exchange> how = Exchange::messages);

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }
  [[nodiscard]] const RowRanges& ranges() const { return ranges_; }
  [[nodiscard]] Index num_nodes() const { return ranges_.num_nodes; }
  [[nodiscard]] Index begin() const { return begin_; }
  /// Room for shared_columns numbers per node which all ranks see; none if rows are sent.
  [[nodiscard]] const SharedMemory& shared() const { return shared_; }
  static constexpr Index shared_columns = 8;  ///< those that a product handles at once

  /// body(block, begin, end) for each own block; rows are counted from the first own one.
  template <typename Body>
  void each_block(const Body& body) const {
    for (Index block = 0; block < own_blocks(); ++block) {
      const Index first = block * ranges_.block_rows;
      body(block, first, std::min<Index>(stored(), first + ranges_.block_rows));
    }
  }
  [[nodiscard]] Index own_blocks() const {
    return (stored() + ranges_.block_rows - 1) / ranges_.block_rows;
  }

  /// A'B over all rows.
  [[nodiscard]] Matrix gram(const ConstMatrixView& A, const ConstMatrixView& B) const;
  /// The sum of body(i), i an own row, over all rows of all ranks; body(i) has `width` numbers.
  template <typename Body>
  [[nodiscard]] Vector sum(Index width, const Body& body) const {
    Matrix parts = Matrix::Zero(own_blocks(), width);
    each_block([&](Index block, Index first, Index last) {
      for (Index i = first; i < last; ++i) body(i, parts.row(block));
    });
    return exact(parts);
  }
  [[nodiscard]] Eigen::RowVectorXd column_sums(const Matrix& X) const;

  void subtract(MatrixView A, const ConstMatrixView& B, const Matrix& T) const;
  void assign(MatrixView A, const ConstMatrixView& B, const Matrix& T) const;
  void multiply(Matrix& V, const Matrix& T) const;
  /// These rows of X, whichever ranks hold them, for all ranks; `which` ascends.
  [[nodiscard]] Matrix rows(const ConstMatrixView& X, std::span<const Index> which) const;
  [[nodiscard]] Matrix rows_times(const ConstMatrixView& X, std::span<const Index> which,
                                  const Matrix& T) const {
    return rows(X, which) * T;
  }
  /// The own rows of random_block().
  [[nodiscard]] Matrix random(Index cols, std::uint64_t seed, double scale) const;

 private:
  [[nodiscard]] Vector exact(const Matrix& parts) const;

  const Communicator& ranks_;
  RowRanges ranges_;
  Index begin_;
  SharedMemory shared_;
};

}  // namespace repsc
