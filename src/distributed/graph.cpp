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
std::shared_ptr<std::vector<Index>> unpacked_rows(const Graph& whole, Index begin, Index end) {
  auto result = std::make_shared<std::vector<Index>>();
  const Offset* const offsets = whole.offsets().data();
  result->reserve(static_cast<std::size_t>(offsets[end] - offsets[begin]));
  for_rows(whole, begin, end, [&](const RowTile& tile) {
    result->insert(result->end(), tile.first_neighbor, tile.first_neighbor + tile.place(tile.end));
  });
  return result;
}

/// Rows [begin, end) of a graph: where they are, or unpacked.
CsrArrays rows_of(const Graph& whole, Index begin, Index end) {
  const auto offsets = whole.offsets().subspan(static_cast<std::size_t>(begin),
                                               static_cast<std::size_t>(end - begin) + 1);
  const auto first = static_cast<std::size_t>(offsets.front());
  const auto count = static_cast<std::size_t>(offsets.back()) - first;
  const auto weights =
      whole.weighted() ? whole.weights().subspan(first, count) : std::span<const double>();
  if (!whole.packed()) return {offsets, whole.neighbors().subspan(first, count), weights, nullptr};
  const auto unpacked = unpacked_rows(whole, begin, end);
  return {offsets, *unpacked, weights, unpacked};
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

struct Pieces {
  std::vector<Offset> offsets;
  std::vector<Index> neighbors;
  std::vector<double> weights;
};

/// What a rank is told before its rows arrive.
struct Announcement {
  Offset entries = 0;
  Index rows = 0;
  std::int32_t weighted = 0;
};

Pieces received_rows(const Communicator& ranks) {
  Announcement told;
  const Parcel first[] = {{0, &told, sizeof(told)}};
  ranks.transfer({}, first);
  Pieces own{std::vector<Offset>(static_cast<std::size_t>(told.rows) + 1),
             std::vector<Index>(static_cast<std::size_t>(told.entries)),
             std::vector<double>(told.weighted != 0 ? static_cast<std::size_t>(told.entries) : 0)};
  const Parcel parcels[] = {parcel(0, std::span(own.offsets)), parcel(0, std::span(own.neighbors)),
                            parcel(0, std::span(own.weights))};
  ranks.transfer({}, parcels);
  return own;
}

void send_rows(const Communicator& ranks, const Graph& whole, const Partition& partition) {
  for (int rank = 1; rank < ranks.size(); ++rank) {
    const CsrArrays rows = rows_of(whole, partition.begin(rank), partition.end(rank));
    Announcement told{static_cast<Offset>(rows.neighbors.size()), partition.rows(rank),
                      whole.weighted() ? 1 : 0};
    const Parcel first[] = {{rank, &told, sizeof(told)}};
    ranks.transfer(first, {});
    const Parcel parcels[] = {parcel(rank, rows.offsets), parcel(rank, rows.neighbors),
                              parcel(rank, rows.weights)};
    ranks.transfer(parcels, {});
  }
}

}  // namespace

DistributedGraph::DistributedGraph(const SpreadRows& rows, const Graph& whole)
    : DistributedGraph(rows, rows_of(whole, rows.begin(), rows.begin() + rows.stored())) {
  // Weights are used where they are.
  if (weighted()) arrays_.owner = std::make_shared<const Graph>(whole);
}

DistributedGraph DistributedGraph::scattered(const SpreadRows& rows, const Graph& at_root) {
  const Communicator& ranks = rows.ranks();
  auto pieces = std::make_shared<Pieces>();
  CsrArrays own;
  if (ranks.is_root()) {
    send_rows(ranks, at_root, rows.partition());
    own = rows_of(at_root, 0, rows.stored());
    pieces->weights.assign(own.weights.begin(), own.weights.end());  // the whole graph may go
    own.weights = pieces->weights;
  } else {
    *pieces = received_rows(ranks);
    own = {pieces->offsets, pieces->neighbors, pieces->weights, nullptr};
  }
  DistributedGraph result(rows, std::move(own));
  pieces->offsets = {};  // copied
  pieces->neighbors = {};
  result.arrays_.owner = std::move(pieces);
  return result;
}

DistributedGraph::DistributedGraph(const SpreadRows& rows, CsrArrays global)
    : rows_(&rows), arrays_(std::move(global)), offsets_(arrays_.offsets.size()) {
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    offsets_[i] = arrays_.offsets[i] - arrays_.offsets.front();
  }
  renumber(arrays_.neighbors);
  arrays_.offsets = {};
  arrays_.neighbors = {};
  arrays_.owner = nullptr;
  find_peers();
}

void DistributedGraph::renumber(std::span<const Index> global) {
  const Index begin = rows_->begin();
  const Index count = rows_->stored();
  const auto is_own = [&](Index node) { return node >= begin && node < begin + count; };
  NodeSet others(rows_->num_nodes());
  for (const Index node : global) {
    if (!is_own(node)) others.insert(node);
  }
  ghosts_ = others.sorted();
  columns_.resize(global.size());
  for (std::size_t e = 0; e < global.size(); ++e) {
    columns_[e] = is_own(global[e]) ? global[e] - begin : count + others.place_of(global[e]);
  }
}

void DistributedGraph::find_peers() {
  const Communicator& ranks = rows_->ranks();
  const Partition& partition = rows_->partition();
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<std::int64_t> needed(size, 0);
  for (std::size_t begin = 0; begin < ghosts_.size();) {
    const auto owner =
        std::upper_bound(partition.first.begin(), partition.first.end(), ghosts_[begin]) -
        partition.first.begin() - 1;
    const auto end =
        std::lower_bound(ghosts_.begin(), ghosts_.end(), partition.end(static_cast<int>(owner))) -
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
  return std::span(columns_).subspan(static_cast<std::size_t>(offsets_[i]),
                                     static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
}

std::span<const double> DistributedGraph::weights(Index row) const {
  if (!weighted()) return {};
  const auto i = static_cast<std::size_t>(row);
  return arrays_.weights.subspan(static_cast<std::size_t>(offsets_[i]),
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

void DistributedGraph::exchange(const std::byte* own, std::size_t row_bytes,
                                std::byte* ghosts) const {
  std::vector<std::byte> packed(sent_rows_.size() * row_bytes);
  for (std::size_t i = 0; i < sent_rows_.size(); ++i) {
    std::memcpy(packed.data() + i * row_bytes,
                own + static_cast<std::size_t>(sent_rows_[i]) * row_bytes, row_bytes);
  }
  std::vector<Parcel> outgoing;
  std::vector<Parcel> incoming;
  outgoing.reserve(receivers_.size());
  incoming.reserve(senders_.size());
  for (const Peer& peer : receivers_) {
    outgoing.push_back({peer.rank, packed.data() + peer.begin * row_bytes, peer.count * row_bytes});
  }
  for (const Peer& peer : senders_) {
    incoming.push_back({peer.rank, ghosts + peer.begin * row_bytes, peer.count * row_bytes});
  }
  rows_->ranks().exchange(outgoing, incoming);
}

void DistributedGraph::multiply(const Matrix& X, Matrix& Y) const {
  Matrix all(X.rows() + num_ghosts(), X.cols());
  all.topRows(X.rows()) = X;
  exchange(reinterpret_cast<const std::byte*>(X.data()),
           static_cast<std::size_t>(X.cols()) * sizeof(double),
           reinterpret_cast<std::byte*>(all.data() + X.size()));
  repsc::multiply(CsrArrays{offsets_, columns_, arrays_.weights, nullptr}, all, Y);
}

Labels DistributedGraph::with_ghosts(const Labels& own) const {
  Labels all(own.size() + ghosts_.size());
  std::copy(own.begin(), own.end(), all.begin());
  exchange(reinterpret_cast<const std::byte*>(own.data()), sizeof(Label),
           reinterpret_cast<std::byte*>(all.data() + own.size()));
  return all;
}

}  // namespace repsc
