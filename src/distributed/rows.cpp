// Ranges of rows, and products of tall matrices block by block.
#include "distributed/rows.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "distributed/exact_sum.hpp"

namespace repsc {

Index block_rows_for(Index num_nodes) {
  constexpr std::uint32_t blocks = 1024;
  return static_cast<Index>(std::clamp<std::uint32_t>(
      std::bit_ceil(static_cast<std::uint32_t>(num_nodes) / blocks), 16, 4096));
}

RowRanges split_rows(std::span<const Offset> offsets, int num_ranks) {
  RowRanges result{.num_nodes = static_cast<Index>(offsets.size()) - 1};
  result.block_rows = block_rows_for(result.num_nodes);
  const auto cost_before = [&](std::int64_t row) {
    return offsets[static_cast<std::size_t>(row)] + row;
  };
  const auto all = static_cast<double>(cost_before(result.num_nodes));
  result.first = {0};
  std::int64_t row = 0;
  for (int rank = 1; rank < num_ranks; ++rank) {
    const double wanted = all * rank / num_ranks;
    // The boundary of a block that is nearest to the wanted share.
    while (row < result.num_nodes) {
      const std::int64_t next = std::min<std::int64_t>(row + result.block_rows, result.num_nodes);
      const auto middle = 0.5 * static_cast<double>(cost_before(row) + cost_before(next));
      if (middle > wanted) break;
      row = next;
    }
    result.first.push_back(static_cast<Index>(row));
  }
  result.first.push_back(result.num_nodes);
  return result;
}

SpreadRows::SpreadRows(const Communicator& ranks, RowRanges ranges, std::optional<Exchange> how)
    : StoredRows(ranges.rows(ranks.rank())),
      ranks_(ranks),
      ranges_(std::move(ranges)),
      begin_(ranges_.begin(ranks.rank())) {
  const bool alone = ranks.size() == 1;
  if (how == Exchange::messages || (!how && alone)) return;
  constexpr std::size_t row_bytes = shared_columns * sizeof(double);
  shared_ = SharedMemory::among(ranks, static_cast<std::size_t>(num_nodes()) * row_bytes);
  if (!how || shared_) return;
  throw InvalidInput(
      Fault{.what = joined("the processes run on several machines, or /dev/shm has no room for ",
                           row_bytes, " bytes for each of ", num_nodes(), " nodes"),
            .option = "exchange",
            .value = "shared",
            .remedies = {{Remedy::Action::use, "exchange", "messages"}}});
}

Matrix SpreadRows::rows(const ConstMatrixView& X, std::span<const Index> which) const {
  const auto begin = std::lower_bound(which.begin(), which.end(), begin_);
  const auto end = std::lower_bound(begin, which.end(), begin_ + stored());
  Matrix own(end - begin, X.cols());
  for (auto at = begin; at != end; ++at) own.row(at - begin) = X.row(*at - begin_);
  const std::vector<double> all =
      ranks_.gather(std::span<const double>(own.data(), static_cast<std::size_t>(own.size())));
  return Eigen::Map<const Matrix>(all.data(), static_cast<Eigen::Index>(which.size()), X.cols());
}

Vector SpreadRows::exact(const Matrix& parts) const {
  return exact_sum(ranks_, parts, ranges_.num_blocks());
}

Matrix SpreadRows::gram(const ConstMatrixView& A, const ConstMatrixView& B) const {
  if (A.cols() == 0 || B.cols() == 0) return Matrix::Zero(A.cols(), B.cols());
  Matrix parts(own_blocks(), A.cols() * B.cols());
  parallel_chunks(own_blocks(), [&](std::int64_t block) {
    const auto first = static_cast<Index>(block) * ranges_.block_rows;
    const Index count = std::min<Index>(ranges_.block_rows, stored() - first);
    const Matrix part = transposed_product(A.middleRows(first, count), B.middleRows(first, count));
    parts.row(block) = Eigen::Map<const Eigen::RowVectorXd>(part.data(), part.size());
  });
  const Vector sums = exact(parts);
  return Eigen::Map<const Matrix>(sums.data(), A.cols(), B.cols());
}

Eigen::RowVectorXd SpreadRows::column_sums(const Matrix& X) const {
  return sum(static_cast<Index>(X.cols()), [&](Index i, auto&& part) { part += X.row(i); })
      .transpose();
}

// A MatrixView refers to a matrix that is written through it, so it is passed by value.
// NOLINTBEGIN(performance-unnecessary-value-param)
void SpreadRows::subtract(MatrixView A, const ConstMatrixView& B, const Matrix& T) const {
  parallel_chunks(own_blocks(), [&](std::int64_t block) {
    const auto first = static_cast<Index>(block) * ranges_.block_rows;
    const Index count = std::min<Index>(ranges_.block_rows, stored() - first);
    subtract_product(A.middleRows(first, count), B.middleRows(first, count), T);
  });
}

void SpreadRows::assign(MatrixView A, const ConstMatrixView& B, const Matrix& T) const {
  parallel_chunks(own_blocks(), [&](std::int64_t block) {
    const auto first = static_cast<Index>(block) * ranges_.block_rows;
    const Index count = std::min<Index>(ranges_.block_rows, stored() - first);
    assign_product(A.middleRows(first, count), B.middleRows(first, count), T);
  });
}

void SpreadRows::multiply(Matrix& V, const Matrix& T) const {
  parallel_chunks(own_blocks(), [&](std::int64_t block) {
    const auto first = static_cast<Index>(block) * ranges_.block_rows;
    const Index count = std::min<Index>(ranges_.block_rows, stored() - first);
    multiply_in_place(V.block(first, 0, count, T.rows()), T);
  });
}
// NOLINTEND(performance-unnecessary-value-param)

Matrix SpreadRows::random(Index cols, std::uint64_t seed, double scale) const {
  constexpr Index range = 1024;  // that of random_block(), whose streams these are
  Matrix X(stored(), cols);
  for (Index start = begin_ / range * range; start < begin_ + stored(); start += range) {
    RandomStream stream(seed, static_cast<std::uint64_t>(start));
    const Index last = std::min<Index>(start + range, begin_ + stored());
    for (Index i = start; i < last; ++i) {
      for (Index j = 0; j < cols; ++j) {
        const double value = scale * stream.normal();
        if (i >= begin_) X(i - begin_, j) = value;
      }
    }
  }
  return X;
}

}  // namespace repsc
