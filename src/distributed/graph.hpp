// A graph of which each rank holds its rows, and the rows of vectors that it needs from others.
//
// Where rows are sent, columns are renumbered: first the own rows, then those of other ranks
// (ghosts), ascending. In shared memory they are the nodes of the whole graph, and those of a
// mapped file are used without copying. An entry takes 4 bytes, as in Graph, and rows keep the
// order of their entries, so that a product has the same bits on any number of ranks.
#pragma once

#include <memory>
#include <vector>

#include "distributed/rows.hpp"

namespace repsc {

class DistributedGraph {
 public:
  /// Every rank holds the whole graph, or a view of it such as a mapped file, and takes its rows:
  /// only those are looked at, and only their columns are copied.
  DistributedGraph(const SpreadRows& rows, const Graph& whole);
  /// Rank 0 holds the graph and sends each rank its rows; others are not looked at.
  static DistributedGraph scattered(const SpreadRows& rows, const Graph& at_root);

  [[nodiscard]] const SpreadRows& rows() const { return *rows_; }
  [[nodiscard]] bool weighted() const { return !weights_.empty(); }
  [[nodiscard]] Index num_ghosts() const { return static_cast<Index>(ghosts_.size()); }
  /// Of the own rows.
  [[nodiscard]] Offset num_entries() const { return static_cast<Offset>(columns_.size()); }
  [[nodiscard]] std::span<const Index> neighbors(Index row) const;  ///< columns
  [[nodiscard]] std::span<const double> weights(Index row) const;   ///< empty: all 1
  [[nodiscard]] Vector degrees() const;                             ///< of the own rows

  /// Y = A X for the own rows.
  void multiply(const Matrix& X, Matrix& Y) const;
  /// The labels of all columns, given those of the own rows; `width` of each node.
  [[nodiscard]] Labels by_column(const Labels& own, Index width = 1) const;
  /// The column of an own row.
  [[nodiscard]] Index column_of(Index row) const {
    return rows_->shared() ? rows_->begin() + row : row;
  }

  /// The node of a column.
  [[nodiscard]] Index node_of(Index column) const {
    if (rows_->shared()) return column;
    const Index other = column - rows_->stored();
    return other < 0 ? rows_->begin() + column : ghosts_[static_cast<std::size_t>(other)];
  }

  /// What one exchange of `row_bytes` per row takes on this rank (docs/distributed.md).
  [[nodiscard]] std::int64_t sent_bytes(std::int64_t row_bytes) const {
    return static_cast<std::int64_t>(sent_rows_.size()) * row_bytes;
  }
  [[nodiscard]] std::int64_t sent_messages(std::int64_t row_bytes) const;

 private:
  /// Rows that go to, or come from, one rank.
  struct Peer {
    int rank = 0;
    std::size_t begin = 0;  ///< in sent_rows_ or ghosts_
    std::size_t count = 0;
  };
  static Peer peer(const std::vector<Peer>& peers, int rank);
  /// Of one message.
  static std::size_t rows_at_once(std::size_t row_bytes) {
    constexpr std::size_t bytes = std::size_t{4} << 20U;
    return std::max<std::size_t>(1, bytes / std::max<std::size_t>(1, row_bytes));
  }

  /// The own rows, with the columns of the whole graph.
  struct Rows {
    std::vector<Offset> offsets = {};  ///< from 0
    std::span<const Index> neighbors = {};
    std::span<const double> weights = {};
    std::shared_ptr<const void> neighbors_owner = nullptr;
    std::shared_ptr<const void> weights_owner = nullptr;
  };
  static Rows rows_of(const Graph& whole, Index begin, Index end);
  static Rows received_rows(const Communicator& ranks);
  static void send_rows(const Communicator& ranks, const Graph& whole, const RowRanges& ranges);

  DistributedGraph(const SpreadRows& rows, Rows own);
  [[nodiscard]] std::vector<Index> renumbered(std::span<const Index> global);
  void find_peers();
  void exchange(const std::byte* own, std::size_t row_bytes, std::byte* ghosts) const;
  template <typename T, typename Use>
  void share(const T* own, Index width, const Use& use) const;
  void multiply_shared(const Matrix& X, Matrix& Y) const;
  [[nodiscard]] Labels by_column_shared(const Labels& own, Index width) const;

  const SpreadRows* rows_;
  std::vector<Offset> offsets_;  ///< from 0
  std::span<const Index> columns_;
  std::span<const double> weights_;
  std::shared_ptr<const void> columns_owner_;
  std::shared_ptr<const void> weights_owner_;
  std::vector<Index> ghosts_;     ///< rows of other ranks, numbered in the whole graph
  std::vector<Index> sent_rows_;  ///< own rows that others need, by rank
  std::vector<Peer> receivers_;   ///< by rank, as the next ones
  std::vector<Peer> senders_;
};

}  // namespace repsc
