// Edges while a file is read: stored compactly, and freed as they are consumed.
//
// A growing vector<Edge> doubles its capacity and briefly needs up to 24 bytes per edge. Here an
// edge is stored as two differences to the edge before, seven bits per byte (LEB128): mostly 2 to 6
// bytes, in fixed chunks.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

class EdgeStore {
 public:
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

  /// visit(from, to, weight) for every edge, in order. Threads may visit at the same time.
  template <typename Visit>
  void visit(const Visit& visit) const {
    Offset position = 0;
    for (const Chunk& chunk : chunks_) visit_chunk(chunk, position, visit);
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

  struct Chunk {
    Pages<std::byte> bytes;
    std::size_t used = 0;
    Offset count = 0;
  };

  void append(Index from, Index to) {
    if (chunks_.empty() || chunks_.back().used > chunk_bytes - longest_edge) {
      chunks_.push_back({map_pages<std::byte>(chunk_bytes), 0, 0});
      previous_ = {};
    }
    Chunk& chunk = chunks_.back();
    put(chunk, from, previous_.from);
    put(chunk, to, previous_.to);
    ++chunk.count;
    previous_ = {from, to};
    ++size_;
  }

  void append_weight(double weight) {
    const std::size_t place = num_weights_++ % weight_chunk;
    if (place == 0) weights_.push_back(map_pages<double>(weight_chunk));
    weights_.back()[place] = weight;
  }

  static void put(Chunk& chunk, Index value, Index before) {
    const std::int64_t difference = static_cast<std::int64_t>(value) - before;
    auto rest = (static_cast<std::uint64_t>(difference) << 1U) ^
                static_cast<std::uint64_t>(difference >> 63U);  // signs alternate: 0 -1 1 -2 2
    for (; rest >= 128; rest >>= 7U) chunk.bytes[chunk.used++] = std::byte(rest | 128U);
    chunk.bytes[chunk.used++] = std::byte(rest);
  }

  static Index get(const std::byte*& byte, Index before) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto part = std::to_integer<std::uint64_t>(*byte++);
      value |= (part & 127U) << shift;
      if (part < 128) break;
    }
    const auto difference =
        static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
    return static_cast<Index>(before + difference);
  }

  template <typename Visit>
  void visit_chunk(const Chunk& chunk, Offset& position, const Visit& visit) const {
    const std::byte* byte = chunk.bytes.get();
    Edge edge;
    for (Offset left = chunk.count; left > 0; --left, ++position) {
      edge.from = get(byte, edge.from);
      edge.to = get(byte, edge.to);
      const auto i = static_cast<std::size_t>(position);
      visit(edge.from, edge.to, !weighted_ ? 1.0 : weights_[i / weight_chunk][i % weight_chunk]);
    }
  }

  std::vector<Chunk> chunks_;
  std::vector<Pages<double>> weights_;
  std::size_t num_weights_ = 0;
  Edge previous_;
  Offset size_ = 0;
  bool weights_given_ = false;
  bool weighted_ = false;
};

}  // namespace repsc
