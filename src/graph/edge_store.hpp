// Edges while a file is read: stored compactly, in memory or on disk, and freed as they are
// consumed.
//
// A growing vector<Edge> doubles its capacity and briefly needs up to 24 bytes per edge. Here an
// edge is stored as two differences to the edge before, seven bits per byte: mostly 2 to 6 bytes,
// in fixed chunks. Chunks that exceed the memory that was allowed go to a file without a name.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

  void add(Index from, Index to) {
    append(from, to);
    if (weighted_) append_weight(1);
  }

  /// With a weight. Values are stored only once there is one that is not 1.
  void add(Index from, Index to, double weight) {
    weights_given_ = true;
    if (weight != 1 && !weighted_) {
      weighted_ = true;
      for (Offset before = 0; before < size_; ++before) append_weight(1);
    }
    append(from, to);
    if (weighted_) append_weight(weight);
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
    Weights weights(*this);
    std::vector<std::byte> loaded;
    for (const Chunk<std::byte>& chunk : chunks_) {
      visit_chunk(contents(chunk, loaded), chunk.count, weights, visit);
    }
  }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t longest_edge = 10;
  static constexpr std::size_t weight_chunk = std::size_t{1} << 17U;

  // Allocated as whole pages: malloc would not return freed memory to the system once it has served
  // larger blocks.
  struct Unmap {
    std::size_t bytes = 0;
    void operator()(void* pages) const { ::munmap(pages, bytes); }
  };
  template <typename Value>
  using Pages = std::unique_ptr<Value[], Unmap>;

  template <typename Value>
  static Pages<Value> map_pages(std::size_t count) {
    const std::size_t bytes = count * sizeof(Value);
    void* pages =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<Value*>(pages), Unmap{bytes}};
  }

  template <typename Value>
  struct Chunk {
    Pages<Value> values;     // null: on disk
    std::int64_t place = 0;  // there
    std::size_t used = 0;
    Offset count = 0;
  };

  void append(Index from, Index to) {
    if (chunks_.empty() || chunks_.back().used > chunk_bytes - longest_edge) {
      begin_chunk(chunks_, chunk_bytes);
      previous_ = {};
    }
    Chunk<std::byte>& chunk = chunks_.back();
    std::byte* const begin = chunk.values.get();
    std::byte* end = begin + chunk.used;
    end = put_varint(end, zigzag(static_cast<std::int64_t>(from) - previous_.from));
    end = put_varint(end, zigzag(static_cast<std::int64_t>(to) - previous_.to));
    chunk.used = static_cast<std::size_t>(end - begin);
    ++chunk.count;
    previous_ = {from, to};
    ++size_;
  }

  void append_weight(double weight) {
    if (weights_.empty() || weights_.back().used == weight_chunk) {
      begin_chunk(weights_, weight_chunk);
    }
    Chunk<double>& chunk = weights_.back();
    chunk.values[chunk.used++] = weight;
  }

  // A new chunk at the end; the one before goes to the disk if there are too many in memory.
  template <typename Value>
  void begin_chunk(std::vector<Chunk<Value>>& chunks, std::size_t count) {
    constexpr std::int64_t part_of_memory = 4;
    const auto bytes = static_cast<std::int64_t>(count * sizeof(Value));
    const bool full = on_disk_ && in_memory_ + bytes > on_disk_->memory / part_of_memory;
    if (full && !chunks.empty()) move_to_disk(chunks.back(), count);
    chunks.push_back({map_pages<Value>(count)});
    in_memory_ += bytes;
  }

  template <typename Value>
  void move_to_disk(Chunk<Value>& chunk, std::size_t count) {
    if (!scratch_) scratch_.emplace(on_disk_->folder);
    chunk.place = scratch_->size();
    scratch_->append(chunk.values.get(), chunk.used * sizeof(Value));
    chunk.values.reset();
    in_memory_ -= static_cast<std::int64_t>(count * sizeof(Value));
  }

  // The values of a chunk; those on disk are loaded.
  template <typename Value>
  const Value* contents(const Chunk<Value>& chunk, std::vector<Value>& loaded) const {
    if (chunk.values != nullptr) return chunk.values.get();
    loaded.resize(chunk.used);
    scratch_->read(loaded.data(), chunk.used * sizeof(Value), chunk.place);
    return loaded.data();
  }

  // The weights in order, 1 if there are none.
  class Weights {
   public:
    explicit Weights(const EdgeStore& store) : store_(store) {}
    double next() {
      if (!store_.weighted_) return 1;
      if (place_ == weight_chunk) {
        values_ = store_.contents(store_.weights_[chunk_++], loaded_);
        place_ = 0;
      }
      return values_[place_++];
    }

   private:
    const EdgeStore& store_;
    const double* values_ = nullptr;
    std::size_t chunk_ = 0;
    std::size_t place_ = weight_chunk;
    std::vector<double> loaded_;
  };

  template <typename Visit>
  static void visit_chunk(const std::byte* byte, Offset count, Weights& weights,
                          const Visit& visit) {
    Edge edge;
    for (; count > 0; --count) {
      edge.from = static_cast<Index>(edge.from + from_zigzag(get_varint(byte)));
      edge.to = static_cast<Index>(edge.to + from_zigzag(get_varint(byte)));
      visit(edge.from, edge.to, weights.next());
    }
  }

  std::optional<SortOnDisk> on_disk_;
  std::optional<ScratchFile> scratch_;
  std::int64_t in_memory_ = 0;
  std::vector<Chunk<std::byte>> chunks_;
  std::vector<Chunk<double>> weights_;
  Edge previous_;
  Offset size_ = 0;
  bool weights_given_ = false;
  bool weighted_ = false;
};

}  // namespace repsc
