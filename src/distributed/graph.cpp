// Distributing rows, renumbering columns, and the exchange of the rows of vectors.
#include "distributed/graph.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "graph/row_storage.hpp"

namespace repsc {
namespace {

using Parcel = Communicator::Parcel;

template <typename T>
Parcel parcel(int peer, std::span<T> numbers) {
  using Plain = std::remove_const_t<T>;
  return {peer, const_cast<Plain*>(numbers.data()), numbers.size_bytes()};  // MPI sends void*
}

/// The neighbours of rows [begin, end) of a graph whose rows are packed.
std::vector<Index> unpacked_rows(const Graph& whole, Index begin, Index end) {
  std::vector<Index> result;
  const Offset* const offsets = whole.offsets().data();
  result.reserve(static_cast<std::size_t>(offsets[end] - offsets[begin]));
  for_rows(whole, begin, end, [&](const RowTile& tile) {
    result.insert(result.end(), tile.first_neighbor, tile.first_neighbor + tile.place(tile.end));
  });
  return result;
}

/// Numbers that stay where they are as long as somebody has them.
template <typename T>
std::shared_ptr<const std::vector<T>> kept(std::vector<T> numbers) {
  return std::make_shared<const std::vector<T>>(std::move(numbers));
}

/// Set nodes of a graph, and the number of each in their order: one bit and half a byte per node.
class NodeSet {
 public:
  explicit NodeSet(Index num_nodes) : words_(static_cast<std::size_t>(num_nodes) / 64 + 1, 0) {}
  void insert(Index node) {
    words_[static_cast<std::size_t>(node) / 64] |= std::uint64_t{1}
                                                   << (static_cast<unsigned>(node) % 64);
  }
  [[nodiscard]] std::vector<Index> sorted() {
    std::vector<Index> nodes;
    before_.resize(words_.size());
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = static_cast<Index>(nodes.size());
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        nodes.push_back(static_cast<Index>(w * 64) + std::countr_zero(left));
      }
    }
    return nodes;
  }
  /// After sorted().
  [[nodiscard]] Index place_of(Index node) const {
    const auto w = static_cast<std::size_t>(node) / 64;
    const std::uint64_t below = (std::uint64_t{1} << (static_cast<unsigned>(node) % 64)) - 1;
    return before_[w] + std::popcount(words_[w] & below);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<Index> before_;
};

/// What a rank is told before its rows arrive.
struct Announcement {
  Offset entries = 0;
  Index rows = 0;
  std::int32_t weighted = 0;
};

}  // namespace

/// Rows [begin, end) of a graph: where they are, or unpacked.
DistributedGraph::Rows DistributedGraph::rows_of(const Graph& whole, Index begin, Index end) {
  const auto offsets = whole.offsets().subspan(static_cast<std::size_t>(begin),
                                               static_cast<std::size_t>(end - begin) + 1);
  const auto first = static_cast<std::size_t>(offsets.front());
  const auto count = static_cast<std::size_t>(offsets.back()) - first;
  const auto graph = std::make_shared<const Graph>(whole);  // refers to the same arrays
  Rows rows{.offsets = {offsets.begin(), offsets.end()}, .weights_owner = graph};
  for (Offset& offset : rows.offsets) offset -= offsets.front();
  if (whole.weighted()) rows.weights = whole.weights().subspan(first, count);
  if (whole.packed()) {
    const auto unpacked = kept(unpacked_rows(whole, begin, end));
    rows.neighbors = *unpacked;
    rows.neighbors_owner = unpacked;
  } else {
    rows.neighbors = whole.neighbors().subspan(first, count);
    rows.neighbors_owner = graph;
  }
  return rows;
}

DistributedGraph::Rows DistributedGraph::received_rows(const Communicator& ranks) {
  Announcement told;
  const Parcel first[] = {{0, &told, sizeof(told)}};
  ranks.transfer({}, first);
  const auto entries = static_cast<std::size_t>(told.entries);
  std::vector<Offset> offsets(static_cast<std::size_t>(told.rows) + 1);
  const auto neighbors = std::make_shared<std::vector<Index>>(entries);
  const auto weights = std::make_shared<std::vector<double>>(told.weighted != 0 ? entries : 0);
  const Parcel parcels[] = {parcel(0, std::span(offsets)), parcel(0, std::span(*neighbors)),
                            parcel(0, std::span(*weights))};
  ranks.transfer({}, parcels);
  return {std::move(offsets), *neighbors, *weights, neighbors, weights};
}

void DistributedGraph::send_rows(const Communicator& ranks, const Graph& whole,
                                 const RowRanges& ranges) {
  for (int rank = 1; rank < ranks.size(); ++rank) {
    const Rows rows = rows_of(whole, ranges.begin(rank), ranges.end(rank));
    Announcement told{static_cast<Offset>(rows.neighbors.size()), ranges.rows(rank),
                      whole.weighted() ? 1 : 0};
    const Parcel first[] = {{rank, &told, sizeof(told)}};
    ranks.transfer(first, {});
    const Parcel parcels[] = {parcel(rank, std::span(rows.offsets)), parcel(rank, rows.neighbors),
                              parcel(rank, rows.weights)};
    ranks.transfer(parcels, {});
  }
}

DistributedGraph::DistributedGraph(const SpreadRows& rows, const Graph& whole)
    : DistributedGraph(rows, rows_of(whole, rows.begin(), rows.begin() + rows.stored())) {
  give_back_pages(whole);  // rank 0 has seen the rows of all
}

DistributedGraph DistributedGraph::scattered(const SpreadRows& rows, const Graph& at_root) {
  const Communicator& ranks = rows.ranks();
  if (!ranks.is_root()) return {rows, received_rows(ranks)};
  send_rows(ranks, at_root, rows.ranges());
  Rows own = rows_of(at_root, 0, rows.stored());
  // Copies, so that the whole graph can go.
  const auto weights = kept(std::vector(own.weights.begin(), own.weights.end()));
  own.weights = *weights;
  own.weights_owner = weights;
  if (rows.shared()) {
    const auto neighbors = kept(std::vector(own.neighbors.begin(), own.neighbors.end()));
    own.neighbors = *neighbors;
    own.neighbors_owner = neighbors;
  }
  return {rows, std::move(own)};
}

DistributedGraph::DistributedGraph(const SpreadRows& rows, Rows own)
    : rows_(&rows), offsets_(std::move(own.offsets)), weights_(own.weights) {
  if (weighted()) weights_owner_ = std::move(own.weights_owner);
  if (rows.shared()) {
    columns_ = own.neighbors;
    columns_owner_ = std::move(own.neighbors_owner);
    return;
  }
  const auto columns = kept(renumbered(own.neighbors));
  columns_ = *columns;
  columns_owner_ = columns;
  find_peers();
}

std::vector<Index> DistributedGraph::renumbered(std::span<const Index> global) {
  const Index begin = rows_->begin();
  const Index count = rows_->stored();
  const auto is_own = [&](Index node) { return node >= begin && node < begin + count; };
  NodeSet others(rows_->num_nodes());
  for (const Index node : global) {
    if (!is_own(node)) others.insert(node);
  }
  ghosts_ = others.sorted();
  std::vector<Index> columns(global.size());
  for (std::size_t e = 0; e < global.size(); ++e) {
    columns[e] = is_own(global[e]) ? global[e] - begin : count + others.place_of(global[e]);
  }
  return columns;
}

void DistributedGraph::find_peers() {
  const Communicator& ranks = rows_->ranks();
  const RowRanges& ranges = rows_->ranges();
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<std::int64_t> needed(size, 0);
  for (std::size_t begin = 0; begin < ghosts_.size();) {
    const auto owner = std::upper_bound(ranges.first.begin(), ranges.first.end(), ghosts_[begin]) -
                       ranges.first.begin() - 1;
    const auto end =
        std::lower_bound(ghosts_.begin(), ghosts_.end(), ranges.end(static_cast<int>(owner))) -
        ghosts_.begin();
    const std::size_t count = static_cast<std::size_t>(end) - begin;
    senders_.push_back({static_cast<int>(owner), begin, count});
    needed[static_cast<std::size_t>(owner)] = static_cast<std::int64_t>(count);
    begin = static_cast<std::size_t>(end);
  }
  // Row r of the table: what rank r needs from each rank.
  const std::vector<std::int64_t> table = ranks.gather(std::span<const std::int64_t>(needed));
  std::size_t sent = 0;
  for (std::size_t other = 0; other < size; ++other) {
    const auto count =
        static_cast<std::size_t>(table[other * size + static_cast<std::size_t>(ranks.rank())]);
    if (count == 0) continue;
    receivers_.push_back({static_cast<int>(other), sent, count});
    sent += count;
  }
  sent_rows_.resize(sent);
  std::vector<Parcel> outgoing;
  std::vector<Parcel> incoming;
  outgoing.reserve(senders_.size());
  incoming.reserve(receivers_.size());
  for (const Peer& peer : senders_) {
    outgoing.push_back(parcel(peer.rank, std::span(ghosts_).subspan(peer.begin, peer.count)));
  }
  for (const Peer& peer : receivers_) {
    incoming.push_back(parcel(peer.rank, std::span(sent_rows_).subspan(peer.begin, peer.count)));
  }
  ranks.transfer(outgoing, incoming);
  for (Index& row : sent_rows_) row -= rows_->begin();
}

std::span<const Index> DistributedGraph::neighbors(Index row) const {
  const auto i = static_cast<std::size_t>(row);
  return columns_.subspan(static_cast<std::size_t>(offsets_[i]),
                          static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
}

std::span<const double> DistributedGraph::weights(Index row) const {
  if (!weighted()) return {};
  const auto i = static_cast<std::size_t>(row);
  return weights_.subspan(static_cast<std::size_t>(offsets_[i]),
                          static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
}

Vector DistributedGraph::degrees() const {
  Vector result(rows_->stored());
  for (Index i = 0; i < rows_->stored(); ++i) {
    const auto row = weights(i);
    result[i] = weighted() ? std::accumulate(row.begin(), row.end(), 0.0)
                           : static_cast<double>(neighbors(i).size());
  }
  return result;
}

// Each rank sends to the one `shift` places after it and hears from the one as far before it, in
// pieces, so that few of the rows that are sent are in memory twice.
void DistributedGraph::exchange(const std::byte* own, std::size_t row_bytes,
                                std::byte* ghosts) const {
  const Communicator& ranks = rows_->ranks();
  ranks.begin_exchange();
  const std::size_t piece = rows_at_once(row_bytes);
  std::vector<std::byte> packed;
  const int size = ranks.size();
  for (int shift = 1; shift < size; ++shift) {
    const Peer to = peer(receivers_, (ranks.rank() + shift) % size);
    const Peer from = peer(senders_, (ranks.rank() + size - shift) % size);
    for (std::size_t first = 0; first < std::max(to.count, from.count); first += piece) {
      const std::size_t sent = std::min(piece, to.count - std::min(to.count, first));
      const std::size_t heard = std::min(piece, from.count - std::min(from.count, first));
      packed.resize(sent * row_bytes);
      for (std::size_t i = 0; i < sent; ++i) {
        const auto row = static_cast<std::size_t>(sent_rows_[to.begin + first + i]);
        std::memcpy(packed.data() + i * row_bytes, own + row * row_bytes, row_bytes);
      }
      const Parcel outgoing[] = {{to.rank, packed.data(), packed.size()}};
      const Parcel incoming[] = {{from.rank,
                                  ghosts + (from.begin + std::min(first, from.count)) * row_bytes,
                                  heard * row_bytes}};
      ranks.exchange(std::span(outgoing, sent > 0 ? 1 : 0), std::span(incoming, heard > 0 ? 1 : 0));
    }
  }
}

DistributedGraph::Peer DistributedGraph::peer(const std::vector<Peer>& peers, int rank) {
  const auto found =
      std::lower_bound(peers.begin(), peers.end(), rank,
                       [](const Peer& one, int wanted) { return one.rank < wanted; });
  return found != peers.end() && found->rank == rank ? *found : Peer{.rank = rank};
}

std::int64_t DistributedGraph::sent_messages(std::int64_t row_bytes) const {
  const std::size_t piece = rows_at_once(static_cast<std::size_t>(row_bytes));
  std::int64_t messages = 0;
  for (const Peer& peer : receivers_) {
    messages += static_cast<std::int64_t>((peer.count + piece - 1) / piece);
  }
  return messages;
}

/// Puts the own rows where all ranks see them, and calls use(all rows).
template <typename T, typename Use>
void DistributedGraph::share(const T* own, Index width, const Use& use) const {
  const Communicator& ranks = rows_->ranks();
  auto* const all = reinterpret_cast<T*>(rows_->shared().data());
  const auto columns = static_cast<std::size_t>(width);
  std::copy_n(own, static_cast<std::size_t>(rows_->stored()) * columns,
              all + static_cast<std::size_t>(rows_->begin()) * columns);
  ranks.begin_exchange();  // counted, with nothing to send
  ranks.barrier();
  use(all);
  ranks.barrier();  // before anybody writes again
}

void DistributedGraph::multiply_shared(const Matrix& X, Matrix& Y) const {
  const CsrArrays A{offsets_, columns_, weights_, nullptr};
  const auto columns = static_cast<Index>(X.cols());
  const auto product = [&](const double* from, Index width, Matrix& to) {
    share(from, width, [&](const double* all) { repsc::multiply(A, all, width, to); });
  };
  if (columns <= SpreadRows::shared_columns) return product(X.data(), columns, Y);
  Y.resize(X.rows(), columns);
  for (Index first = 0; first < columns; first += SpreadRows::shared_columns) {
    const Index width = std::min(SpreadRows::shared_columns, columns - first);
    const Matrix part = X.middleCols(first, width);
    Matrix result;
    product(part.data(), width, result);
    Y.middleCols(first, width) = result;
  }
}

void DistributedGraph::multiply(const Matrix& X, Matrix& Y) const {
  if (rows_->shared()) return multiply_shared(X, Y);
  Matrix all(X.rows() + num_ghosts(), X.cols());
  all.topRows(X.rows()) = X;
  exchange(reinterpret_cast<const std::byte*>(X.data()),
           static_cast<std::size_t>(X.cols()) * sizeof(double),
           reinterpret_cast<std::byte*>(all.data() + X.size()));
  repsc::multiply(CsrArrays{offsets_, columns_, weights_, nullptr}, all.data(),
                  static_cast<Index>(X.cols()), Y);
}

Labels DistributedGraph::by_column_shared(const Labels& own, Index width) const {
  constexpr std::size_t most =
      SpreadRows::shared_columns * sizeof(double) / sizeof(Label);  // what the room holds
  const auto all_columns = static_cast<std::size_t>(width);
  const auto num_nodes = static_cast<std::size_t>(rows_->num_nodes());
  Labels all(num_nodes * all_columns);
  for (std::size_t first = 0; first < all_columns; first += most) {
    const std::size_t columns = std::min(most, all_columns - first);
    Labels part(own.size() / all_columns * columns);
    for (std::size_t at = 0; at < part.size(); ++at) {
      part[at] = own[at / columns * all_columns + first + at % columns];
    }
    share(part.data(), static_cast<Index>(columns), [&](const Label* labels) {
      for (std::size_t at = 0; at < num_nodes * columns; ++at) {
        all[at / columns * all_columns + first + at % columns] = labels[at];
      }
    });
  }
  return all;
}

Labels DistributedGraph::by_column(const Labels& own, Index width) const {
  if (rows_->shared()) return by_column_shared(own, width);
  const auto columns = static_cast<std::size_t>(width);
  Labels all(own.size() + ghosts_.size() * columns);
  std::copy(own.begin(), own.end(), all.begin());
  exchange(reinterpret_cast<const std::byte*>(own.data()), columns * sizeof(Label),
           reinterpret_cast<std::byte*>(all.data() + own.size()));
  return all;
}

}  // namespace repsc
