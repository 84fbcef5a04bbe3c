// Edges while a file is read: stored compactly, in memory or on disk, and freed as they are
// consumed.
//
// A growing vector<Edge> doubles its capacity and briefly needs up to 24 bytes per edge. Here an
// edge is stored as two differences to the edge before, seven bits per byte: mostly 2 to 6 bytes,
// in chunks. Each chunk can be read without the others, so that threads share them. Chunks that
// exceed the memory that was allowed go to a file without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/scratch_file.hpp"
#include "core/varint.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Edges that do not fit into `memory` bytes are sorted on disk, by files without a name in
/// `folder`.
struct SortOnDisk {
  std::int64_t memory = 0;
  std::string folder = ".";
};

class EdgeStore {
 public:
  EdgeStore() = default;
  explicit EdgeStore(std::optional<SortOnDisk> on_disk) : on_disk_(std::move(on_disk)) {}

  void add(Index from, Index to) { append(from, to, 1); }

  /// With a weight. Values are stored only in chunks that have one that is not 1.
  void add(Index from, Index to, double weight) {
    weights_given_ = true;
    append(from, to, weight);
  }

  /// The edges of `other`, which are in memory, follow in their order; it is empty afterwards.
  /// Threads encode parts of a file into stores of their own, which are joined without being
  /// copied.
  void append(EdgeStore&& other) {
    close_chunk();
    other.close_chunk();
    for (Chunk& chunk : other.chunks_) {
      chunks_.push_back(std::move(chunk));
      in_memory_ += bytes_of(chunks_.back());
      spill(chunks_.back());
    }
    size_ += other.size_;
    weights_given_ |= other.weights_given_;
    weighted_ |= other.weighted_;
    other = EdgeStore();
  }

  [[nodiscard]] Offset size() const { return size_; }
  /// Whether weights were given, so that the same pair again adds up, even if all of them are 1.
  [[nodiscard]] bool weights_given() const { return weights_given_; }
  /// Whether a weight other than 1 was given.
  [[nodiscard]] bool weighted() const { return weighted_; }

  /// How to sort the edges on disk, if that was asked for.
  [[nodiscard]] const std::optional<SortOnDisk>& on_disk() const { return on_disk_; }
  /// Whether it has to be done: building the graph in memory would need more than allowed.
  [[nodiscard]] bool exceeds_memory() const {
    // The edges, the upper triangle and the graph.
    const std::int64_t bytes_per_edge = weights_given_ ? 40 : 16;
    return on_disk_ && size_ > on_disk_->memory / bytes_per_edge;
  }

  /// visit(from, to, weight) for every edge, in order. Threads may visit at the same time.
  template <typename Visit>
  void visit(const Visit& visit) const {
    for (std::size_t part = 0; part < num_parts(); ++part) visit_part(part, visit);
  }

  /// The same in parts: visits of all parts, one after the other, are a visit of all edges.
  [[nodiscard]] std::size_t num_parts() const { return chunks_.size(); }
  template <typename Visit>
  void visit_part(std::size_t part, const Visit& visit) const {
    const Chunk& chunk = chunks_[part];
    if (chunk.place < 0) {
      return visit_edges(chunk.bytes.data(), chunk.weights.data(), chunk.count, visit);
    }
    Pages<std::byte> bytes(chunk.used);
    scratch_->read(bytes.data(), chunk.used, chunk.place);
    Pages<double> weights(chunk.weights_on_disk ? static_cast<std::size_t>(chunk.count) : 0);
    const auto behind = chunk.place + static_cast<std::int64_t>(chunk.used);
    scratch_->read(weights.data(), weights.size() * sizeof(double), behind);
    visit_edges(bytes.data(), weights.data(), chunk.count, visit);
  }
  /// Frees a part, which must not be visited any more.
  void release_part(std::size_t part) { chunks_[part] = Chunk(); }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t longest_edge = 10;
  static constexpr std::size_t shortest_edge = 2;

  struct Chunk {
    Pages<std::byte> bytes;
    Pages<double> weights;  // empty: all 1
    std::size_t used = 0;   // of `bytes`
    Offset count = 0;
    std::int64_t place = -1;  // on disk, the weights behind the bytes; -1: in memory
    bool weights_on_disk = false;
  };

  void append(Index from, Index to, double weight) {
    if (!open_ || chunks_.back().used > chunk_bytes - longest_edge) begin_chunk();
    Chunk& chunk = chunks_.back();
    if (weight != 1 && chunk.weights.empty()) begin_weights(chunk);
    if (!chunk.weights.empty()) chunk.weights[static_cast<std::size_t>(chunk.count)] = weight;
    std::byte* const begin = chunk.bytes.data();
    std::byte* end = begin + chunk.used;
    end = put_varint(end, zigzag(static_cast<std::int64_t>(from) - previous_.from));
    end = put_varint(end, zigzag(static_cast<std::int64_t>(to) - previous_.to));
    chunk.used = static_cast<std::size_t>(end - begin);
    ++chunk.count;
    previous_ = {from, to};
    ++size_;
  }

  void begin_chunk() {
    close_chunk();
    Chunk chunk;
    chunk.bytes = Pages<std::byte>(chunk_bytes);
    chunks_.push_back(std::move(chunk));
    open_ = true;
    previous_ = {};
  }

  // From here on the chunk has weights; those before were 1.
  void begin_weights(Chunk& chunk) {
    weighted_ = true;
    chunk.weights = Pages<double>(chunk_bytes / shortest_edge);
    for (std::size_t i = 0; i < static_cast<std::size_t>(chunk.count); ++i) chunk.weights[i] = 1;
  }

  // The last chunk gets no more edges: what it does not need is freed.
  void close_chunk() {
    if (!open_) return;
    open_ = false;
    Chunk& chunk = chunks_.back();
    chunk.bytes.shrink(chunk.used);
    chunk.weights.shrink(static_cast<std::size_t>(chunk.count));
    in_memory_ += bytes_of(chunk);
    spill(chunk);
  }

  static std::int64_t bytes_of(const Chunk& chunk) {
    return static_cast<std::int64_t>(chunk.bytes.size() + chunk.weights.size() * sizeof(double));
  }

  // Moves a chunk to the disk if there are too many in memory.
  void spill(Chunk& chunk) {
    constexpr std::int64_t part_of_memory = 4;
    if (!on_disk_ || in_memory_ <= on_disk_->memory / part_of_memory) return;
    in_memory_ -= bytes_of(chunk);
    if (!scratch_) scratch_.emplace(on_disk_->folder);
    chunk.place = scratch_->size();
    scratch_->append(chunk.bytes.data(), chunk.used);
    chunk.weights_on_disk = !chunk.weights.empty();
    if (chunk.weights_on_disk) {
      scratch_->append(chunk.weights.data(),
                       static_cast<std::size_t>(chunk.count) * sizeof(double));
    }
    chunk.bytes = {};
    chunk.weights = {};
  }

  template <typename Visit>
  static void visit_edges(const std::byte* byte, const double* weight, Offset count,
                          const Visit& visit) {
    Edge edge;
    for (Offset i = 0; i < count; ++i) {
      edge.from = static_cast<Index>(edge.from + from_zigzag(get_varint(byte)));
      edge.to = static_cast<Index>(edge.to + from_zigzag(get_varint(byte)));
      visit(edge.from, edge.to, weight == nullptr ? 1.0 : weight[i]);
    }
  }

  std::optional<SortOnDisk> on_disk_;
  std::optional<ScratchFile> scratch_;
  std::int64_t in_memory_ = 0;
  std::vector<Chunk> chunks_;
  bool open_ = false;  // whether the last chunk gets more edges
  Edge previous_;
  Offset size_ = 0;
  bool weights_given_ = false;
  bool weighted_ = false;
};

}  // namespace repsc
