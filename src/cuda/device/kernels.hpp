// The kernels: what one thread of a device does. Compiled by nvcc for devices, and by any compiler
// for the host twin (twin.cpp), which runs the same threads one after the other and is what tests
// see where there is no device.
//
// A kernel that adds up over rows works on blocks of threads in two steps: first() of all threads,
// then second() of all threads, with memory that they share. Which thread adds which rows depends
// on the shape alone, and there are no atomic sums of floating-point numbers: the same input gives
// the same bytes.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/random.hpp"
#include "cuda/interface.h"

namespace repsc::device {

constexpr int block_threads = 256;
constexpr int tile = 8;  ///< columns at once: 8 floats are 32 bytes, the unit of memory traffic
constexpr int row_lanes = block_threads / tile;

/// A block of known precision.
template <typename Scalar>
struct Rows {
  Scalar* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t stride;

  REPSC_HOST_DEVICE Scalar* row(std::int64_t i) const { return data + i * stride; }
};

/// Numbers that are read at once, up to sixteen bytes.
template <typename Scalar, int Count = 16 / static_cast<int>(sizeof(Scalar))>
struct alignas(Count * sizeof(Scalar)) Piece {
  static constexpr int size = Count;
  Scalar value[size];
};

/// Row and column of an element. Divisions of 32 bits take a fraction of the time of longer ones.
struct Element {
  std::int64_t row;
  std::int64_t column;
};
REPSC_HOST_DEVICE inline Element element(std::int64_t at, std::int64_t columns) {
  if (at <= UINT32_MAX) {
    const auto short_at = static_cast<std::uint32_t>(at);
    const auto short_columns = static_cast<std::uint32_t>(columns);
    return {short_at / short_columns, short_at % short_columns};
  }
  return {at / columns, at % columns};
}

/// A number that is read once: it should not drive out of the cache what is read again.
template <typename T>
REPSC_HOST_DEVICE inline T read_once(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}

/// Whether rows can be read in pieces from column `first` on.
template <typename Scalar>
REPSC_HOST_DEVICE inline bool in_pieces(const Rows<Scalar>& X, std::int64_t first) {
  constexpr std::int64_t size = Piece<Scalar>::size;
  return X.stride % size == 0 && first % size == 0 &&
         reinterpret_cast<std::uintptr_t>(X.data) % 16 == 0;
}

/// Up to `tile` numbers of a row; zeros after `count` of them.
template <typename Scalar>
REPSC_HOST_DEVICE inline void read_tile(const Scalar* from, int count, bool pieces,
                                        Scalar (&to)[tile]) {
  constexpr int size = Piece<Scalar>::size;
  if (pieces && count == tile) {
    for (int p = 0; p < tile / size; ++p) {
      const Piece<Scalar> piece = reinterpret_cast<const Piece<Scalar>*>(from)[p];
      for (int k = 0; k < size; ++k) to[p * size + k] = piece.value[k];
    }
    return;
  }
  for (int c = 0; c < tile; ++c) to[c] = c < count ? from[c] : Scalar(0);
}

REPSC_HOST_DEVICE inline int columns_of_tile(std::int64_t columns, std::int64_t first) {
  return columns - first < tile ? static_cast<int>(columns - first) : tile;
}

// ---------------------------------------------------------------------------------- products

/// What becomes of the sum over the neighbours of a row.
template <typename Scalar>
struct LaplacianRow {
  const double* scale;    ///< null: D X - A X
  const double* degrees;  ///< null with a scale
  Rows<const Scalar> X;
  Rows<Scalar> Y;
  std::int64_t first;    ///< column of the tile
  const float* step;     ///< of a coarse product, one per column of the tile; null: 1
  const double* common;  ///< tau/N 1'SX, one per column of the block; null: 0

  REPSC_HOST_DEVICE void store(std::int64_t i, int column, Scalar sum) const {
    const std::int64_t j = first + column;
    if (j >= X.columns) return;
    const Scalar x = X.row(i)[j];
    if (step != nullptr) sum *= static_cast<Scalar>(step[column]);
    if (common != nullptr) sum += static_cast<Scalar>(common[j]);
    Y.row(i)[j] = scale != nullptr ? x - static_cast<Scalar>(scale[i]) * sum
                                   : static_cast<Scalar>(degrees[i]) * x - sum;
  }
};

/// The type in which neighbours are added up. Whole numbers of 16 bits have exact sums in 32.
template <typename Gathered>
using SumOf = std::conditional_t<std::is_same_v<Gathered, std::int16_t>, std::int32_t, Gathered>;

/// Sums over the neighbours of each row. `Slots` neighbours of a row are added at the same time,
/// each by as many threads as its numbers have pieces.
template <typename Gathered, typename Scalar, bool Weighted, int Columns, int Slots>
struct GatherRows {
  static constexpr int size = Columns < Piece<Gathered>::size ? Columns : Piece<Gathered>::size;
  static constexpr int pieces = Columns / size;
  static constexpr int row_threads = pieces * Slots;
  static constexpr int rows_at_once = block_threads / row_threads;
  static_assert(block_threads % row_threads == 0);
  using Sum = SumOf<Gathered>;
  struct Shared {
    Sum sum[block_threads][size];
  };

  repsc_cuda_graph graph;
  const Piece<Gathered, size>* X;
  LaplacianRow<Scalar> result;
  const std::int32_t* list;  ///< the rows; null: all that are not long
  std::int64_t count;

  [[nodiscard]] std::int64_t num_blocks() const {
    return (count + rows_at_once - 1) / rows_at_once;
  }
  /// -1: none.
  REPSC_HOST_DEVICE std::int64_t row_of(std::int64_t block, int which) const {
    const std::int64_t at = block * rows_at_once + which;
    if (at >= count) return -1;
    if (list != nullptr) return list[at];
    const std::int64_t entries = graph.offsets[at + 1] - graph.offsets[at];
    return entries > REPSC_CUDA_LONG_ROW ? -1 : at;
  }

  REPSC_HOST_DEVICE void add(std::int64_t entry, int piece, Sum (&sum)[size]) const {
    const std::int64_t neighbor = read_once(graph.neighbors + entry);
    const Piece<Gathered, size> x = X[neighbor * pieces + piece];
    if constexpr (Weighted) {
      const auto weight = static_cast<Sum>(read_once(graph.weights + entry));
      for (int k = 0; k < size; ++k) sum[k] += weight * x.value[k];
    } else {
      for (int k = 0; k < size; ++k) sum[k] += x.value[k];
    }
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t row = row_of(block, thread / row_threads);
    if (row < 0) return;
    const int piece = thread % pieces;
    Sum sum[size] = {};
    std::int64_t entry = graph.offsets[row] + thread % row_threads / pieces;
    const std::int64_t end = graph.offsets[row + 1];
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (; entry < end; entry += Slots) add(entry, piece, sum);
    for (int k = 0; k < size; ++k) shared.sum[thread][k] = sum[k];
  }

  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    for (int k = thread; k < rows_at_once * Columns; k += block_threads) {
      const std::int64_t row = row_of(block, k / Columns);
      if (row < 0) continue;
      const int column = k % Columns;
      const int from = k / Columns * row_threads + column / size;
      Sum sum = 0;
      for (int slot = 0; slot < Slots; ++slot)
        sum += shared.sum[from + slot * pieces][column % size];
      result.store(row, column, static_cast<Scalar>(sum));
    }
  }
};

/// The numbers that are gathered: S X, a tile of columns, filled up with zeros.
template <typename Scalar>
struct FillTile {
  Rows<const Scalar> X;
  const double* scale;
  std::int64_t first;
  int width;
  Scalar* to;

  REPSC_HOST_DEVICE Scalar value(std::int64_t i, int c) const {
    if (first + c >= X.columns) return 0;
    const Scalar x = X.row(i)[first + c];
    return scale != nullptr ? static_cast<Scalar>(scale[i]) * x : x;
  }
  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, width);
    to[at] = value(e.row, static_cast<int>(e.column));
  }
};

constexpr float coarse_steps = 32767;

/// The same in 16 bits: whole multiples of a step, which is the largest number / coarse_steps.
struct FillCoarseTile {
  FillTile<float> exact;
  const float* largest;
  std::int16_t* to;
  float* step;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, exact.width);
    const int c = static_cast<int>(e.column);
    const float most = largest[c];
    const float steps = most > 0 ? exact.value(e.row, c) * (coarse_steps / most) : 0;
    to[at] = static_cast<std::int16_t>(steps + (steps < 0 ? -0.5F : 0.5F));
    if (at < exact.width) step[c] = most / coarse_steps;
  }
};

/// A range of rows that one block of threads works on.
struct Chunks {
  std::int64_t rows;
  std::int64_t size;  ///< rows of a chunk

  [[nodiscard]] std::int64_t count() const { return (rows + size - 1) / size; }
  REPSC_HOST_DEVICE std::int64_t begin(std::int64_t chunk) const { return chunk * size; }
  REPSC_HOST_DEVICE std::int64_t end(std::int64_t chunk) const {
    return (chunk + 1) * size < rows ? (chunk + 1) * size : rows;
  }
};

/// The largest absolute value of each column of a tile, for each chunk.
struct LargestOfTile {
  struct Shared {
    float most[row_lanes][tile];
  };
  FillTile<float> X;
  Chunks chunks;
  float* partial;  ///< chunk, column

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    const int c = thread % tile;
    float most = 0;
    if (c < X.width) {
      for (std::int64_t i = chunks.begin(chunk) + thread / tile; i < chunks.end(chunk);
           i += row_lanes)
        most = fmaxf(most, fabsf(X.value(i, c)));
    }
    shared.most[thread / tile][c] = most;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    if (thread >= tile) return;
    float most = 0;
    for (int lane = 0; lane < row_lanes; ++lane) most = fmaxf(most, shared.most[lane][thread]);
    partial[chunk * tile + thread] = most;
  }
};

struct Plus {
  template <typename T>
  REPSC_HOST_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Larger {
  REPSC_HOST_DEVICE float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// result[k] = partial[0 * outputs + k] + partial[1 * outputs + k] + ..., in a fixed order.
template <typename T, typename Operation>
struct Combine {
  struct Shared {
    T value[block_threads];
  };
  const T* partial;
  std::int64_t count;
  std::int64_t outputs;
  T* result;

  [[nodiscard]] std::int64_t num_blocks() const { return outputs; }
  REPSC_HOST_DEVICE void first(std::int64_t output, int thread, Shared& shared) const {
    T value = 0;
    for (std::int64_t k = thread; k < count; k += block_threads)
      value = Operation{}(value, partial[k * outputs + output]);
    shared.value[thread] = value;
  }
  REPSC_HOST_DEVICE void second(std::int64_t output, int thread, Shared& shared) const {
    if (thread > 0) return;
    T value = 0;
    for (int k = 0; k < block_threads; ++k) value = Operation{}(value, shared.value[k]);
    result[output] = value;
  }
};

// ------------------------------------------------------------------------------ tall blocks

/// A'B, a tile of columns of A against one of B, over a chunk of rows. A thread adds up a few rows
/// in the precision of the blocks; all further sums are in double.
template <typename Scalar>
struct GramTile {
  struct Shared {
    Scalar sum[row_lanes][tile][tile];
  };
  Rows<const Scalar> A;
  Rows<const Scalar> B;
  Chunks chunks;
  double* partial;  ///< chunk, column of A, column of B

  [[nodiscard]] static std::int64_t tiles(std::int64_t columns) {
    return (columns + tile - 1) / tile;
  }
  [[nodiscard]] std::int64_t num_blocks() const {
    return chunks.count() * tiles(A.columns) * tiles(B.columns);
  }
  struct Place {
    std::int64_t chunk, a, b;
  };
  REPSC_HOST_DEVICE Place place(std::int64_t block) const {
    const std::int64_t of_A = (A.columns + tile - 1) / tile;
    const std::int64_t of_B = (B.columns + tile - 1) / tile;
    return {block / (of_A * of_B), block / of_B % of_A * tile, block % of_B * tile};
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const Place at = place(block);
    const int j = thread % tile;
    const int lane = thread / tile;
    Scalar sum[tile] = {};
    if (at.a + j < A.columns) {
      const int count = columns_of_tile(B.columns, at.b);
      const bool pieces = in_pieces(B, at.b);
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (std::int64_t i = chunks.begin(at.chunk) + lane; i < chunks.end(at.chunk);
           i += row_lanes) {
        const Scalar a = A.row(i)[at.a + j];
        Scalar b[tile];
        read_tile<Scalar>(B.row(i) + at.b, count, pieces, b);
        for (int c = 0; c < tile; ++c) sum[c] += a * b[c];
      }
    }
    for (int c = 0; c < tile; ++c) shared.sum[lane][j][c] = sum[c];
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const Place at = place(block);
    const int j = thread / tile;
    const int c = thread % tile;
    if (j >= tile || at.a + j >= A.columns || at.b + c >= B.columns) return;
    double sum = 0;
    for (int lane = 0; lane < row_lanes; ++lane) sum += static_cast<double>(shared.sum[lane][j][c]);
    partial[(at.chunk * A.columns + at.a + j) * B.columns + at.b + c] = sum;
  }
};

/// A = B T, or A -= B T; one row and one tile of columns.
template <typename Scalar, bool Subtract>
struct TallTimesSmall {
  Rows<Scalar> A;
  Rows<const Scalar> B;
  const Scalar* T;  ///< B.columns x tiles of A.columns, filled up with zeros
  std::int64_t tiles;

  REPSC_HOST_DEVICE void add(Scalar value, std::int64_t j, std::int64_t first,
                             Scalar (&sum)[tile]) const {
    Scalar t[tile];
    read_tile<Scalar>(T + j * tiles * tile + first, tile, true, t);
    for (int c = 0; c < tile; ++c) sum[c] += value * t[c];
  }

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    constexpr int size = Piece<Scalar>::size;
    const Element e = element(at, tiles);
    const std::int64_t first = e.column * tile;
    const Scalar* const b = B.row(e.row);
    Scalar sum[tile] = {};
    std::int64_t j = 0;
    if (in_pieces(B, 0)) {
      for (; j + size <= B.columns; j += size) {
        const Piece<Scalar> piece = *reinterpret_cast<const Piece<Scalar>*>(b + j);
        for (int k = 0; k < size; ++k) add(piece.value[k], j + k, first, sum);
      }
    }
    for (; j < B.columns; ++j) add(b[j], j, first, sum);
    Scalar* const a = A.row(e.row) + first;
    const int count = columns_of_tile(A.columns, first);
    for (int c = 0; c < tile; ++c) {
      if (c < count) a[c] = Subtract ? a[c] - sum[c] : sum[c];
    }
  }
};

/// The first columns of V become V T: a block of threads copies some rows before it writes them.
template <typename Scalar>
struct MultiplyInPlace {
  static constexpr std::int64_t room = 4096;  ///< numbers
  struct Shared {
    Scalar rows[room];
  };
  Rows<Scalar> V;
  const Scalar* T;  ///< V.columns x columns
  std::int64_t columns;

  REPSC_HOST_DEVICE std::int64_t rows_at_once() const { return room / V.columns; }
  [[nodiscard]] std::int64_t num_blocks() const {
    return (V.rows + rows_at_once() - 1) / rows_at_once();
  }
  REPSC_HOST_DEVICE std::int64_t rows_of(std::int64_t block) const {
    const std::int64_t left = V.rows - block * rows_at_once();
    return left < rows_at_once() ? left : rows_at_once();
  }
  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t begin = block * rows_at_once();
    const std::int64_t numbers = rows_of(block) * V.columns;
    for (std::int64_t k = thread; k < numbers; k += block_threads) {
      const Element e = element(k, V.columns);
      shared.rows[k] = V.row(begin + e.row)[e.column];
    }
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t begin = block * rows_at_once();
    const std::int64_t numbers = rows_of(block) * columns;
    for (std::int64_t k = thread; k < numbers; k += block_threads) {
      const Element e = element(k, columns);
      const Scalar* const row = shared.rows + e.row * V.columns;
      Scalar sum = 0;
      for (std::int64_t j = 0; j < V.columns; ++j) sum += row[j] * T[j * columns + e.column];
      V.row(begin + e.row)[e.column] = sum;
    }
  }
};

template <typename From, typename To>
struct CopyBlock {
  Rows<const From> from;
  Rows<To> to;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, from.columns);
    to.row(e.row)[e.column] = static_cast<To>(from.row(e.row)[e.column]);
  }
};

/// One stream of random_block().
template <typename Scalar>
struct FillRandom {
  static constexpr std::int64_t stream_rows = 1024;
  Rows<Scalar> X;
  std::uint64_t seed;
  double scale;

  REPSC_HOST_DEVICE void operator()(std::int64_t stream) const {
    const std::int64_t begin = stream * stream_rows;
    const std::int64_t end = begin + stream_rows < X.rows ? begin + stream_rows : X.rows;
    RandomStream random(seed, static_cast<std::uint64_t>(begin));
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < X.columns; ++j)
        X.row(i)[j] = static_cast<Scalar>(scale * random.normal());
    }
  }
};

template <typename Scalar>
struct Divide {
  Rows<Scalar> X;
  Scalar by;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    X.row(e.row)[e.column] /= by;
  }
};

template <typename Scalar>
struct ScaleRows {
  Rows<Scalar> X;
  const double* scale;
  bool inverse;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    const double factor = inverse ? 1 / scale[e.row] : scale[e.row];
    X.row(e.row)[e.column] *= static_cast<Scalar>(factor);
  }
};

template <typename Scalar>
struct AddToRows {
  Rows<Scalar> X;
  const double* values;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    X.row(e.row)[e.column] += static_cast<Scalar>(values[e.column]);
  }
};

template <typename Scalar>
struct PickRows {
  Rows<const Scalar> X;
  const std::int32_t* rows;
  double* result;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    result[at] = static_cast<double>(X.row(rows[e.row])[e.column]);
  }
};

// ----------------------------------------------------------------------------------- groups

/// Sums over each group, for a chunk of rows and a tile of columns. A thread has sums of its own
/// for every group, so that no two of them add to the same number.
template <typename Scalar>
struct GroupSums {
  static constexpr int room = REPSC_CUDA_MOST_GROUPS * tile;
  struct Shared {
    double sum[room];  ///< lane, group, column
  };
  repsc_cuda_groups groups;
  Rows<const Scalar> X;
  std::int64_t first_column;
  Chunks chunks;
  double* partial;  ///< chunk, group, column of the tile

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE int lanes() const {
    const auto most = static_cast<int>(room / (groups.count * tile));
    return most < row_lanes ? most : row_lanes;
  }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    const int lane = thread / tile;
    const int c = thread % tile;
    if (lane >= lanes()) return;
    double* const own = shared.sum + lane * groups.count * tile;
    for (std::int64_t g = 0; g < groups.count; ++g) own[g * tile + c] = 0;
    if (first_column + c >= X.columns) return;
    const int step = lanes();
    for (std::int64_t i = chunks.begin(chunk) + lane; i < chunks.end(chunk); i += step) {
      const double x = static_cast<double>(X.row(i)[first_column + c]);
      const std::int64_t group = groups.groups != nullptr ? groups.groups[i] : 0;
      own[group * tile + c] += groups.scale != nullptr ? groups.scale[i] * x : x;
    }
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    const std::int64_t outputs = groups.count * tile;
    for (std::int64_t k = thread; k < outputs; k += block_threads) {
      double sum = 0;
      for (int lane = 0; lane < lanes(); ++lane) sum += shared.sum[lane * outputs + k];
      partial[chunk * outputs + k] = sum;
    }
  }
};

template <typename Scalar>
struct SubtractGroups {
  repsc_cuda_groups groups;
  Rows<Scalar> X;
  const double* b;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, X.columns);
    const double value = b[groups.groups[e.row] * X.columns + e.column];
    X.row(e.row)[e.column] -=
        static_cast<Scalar>(groups.scale != nullptr ? groups.scale[e.row] * value : value);
  }
};

// ------------------------------------------------------------------------------- components

/// *at = min(*at, value), by any number of threads at once. The result does not depend on their
/// order.
REPSC_HOST_DEVICE inline void lower(std::int32_t* at, std::int32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(at, value);
#else
  if (value < *at) *at = value;
#endif
}

REPSC_HOST_DEVICE inline void count_one(unsigned long long* at) {
#if defined(__CUDA_ARCH__)
  atomicAdd(at, 1ULL);
#else
  ++*at;
#endif
}

struct StartComponents {
  std::int32_t* parent;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    parent[i] = static_cast<std::int32_t>(i);
  }
};

/// Some neighbours of a row: the parent of the row gets the lowest of their parents as its own.
struct HookComponents {
  static constexpr int slots = 8;
  repsc_cuda_graph graph;
  std::int64_t most;  ///< entries of a row that are looked at
  std::int32_t* parent;
  std::int32_t* changed;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t row = at / slots;
    const std::int32_t own = parent[row];
    std::int32_t lowest = own;
    const std::int64_t begin = graph.offsets[row];
    const std::int64_t entries = graph.offsets[row + 1] - begin;
    const std::int64_t end = begin + (entries < most ? entries : most);
    for (std::int64_t e = begin + at % slots; e < end; e += slots) {
      const std::int32_t other = parent[read_once(graph.neighbors + e)];
      lowest = other < lowest ? other : lowest;
    }
    if (lowest == own) return;
    lower(parent + own, lowest);
    lower(parent + row, lowest);
    *changed = 1;
  }
};

/// Every node's parent becomes the root above it. Parents only fall, so that this ends.
struct CompressComponents {
  std::int32_t* parent;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    std::int32_t root = parent[i];
    while (parent[root] < root) root = parent[root];
    lower(parent + i, root);
  }
};

struct CountRoots {
  const std::int32_t* parent;
  unsigned long long* count;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    if (parent[i] == i) count_one(count);
  }
};

// ---------------------------------------------------------------------------------- k-means

/// The nearest center of each row of a chunk, and what that changes.
struct NearestCenters {
  struct Shared {
    double inertia[block_threads];
    std::int32_t changed[block_threads];
  };
  Rows<const double> X;
  const double* centers;
  std::int64_t count;
  std::int32_t* labels;
  Chunks chunks;
  double* partial;  ///< chunk: inertia, labels that changed

  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count(); }
  REPSC_HOST_DEVICE void first(std::int64_t chunk, int thread, Shared& shared) const {
    double inertia = 0;
    std::int32_t changed = 0;
    for (std::int64_t i = chunks.begin(chunk) + thread; i < chunks.end(chunk); i += block_threads) {
      const double* const x = X.row(i);
      std::int32_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t k = 0; k < count; ++k) {
        const double* const center = centers + k * X.columns;
        double distance = 0;
        for (std::int64_t j = 0; j < X.columns; ++j) {
          const double difference = x[j] - center[j];
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          nearest = static_cast<std::int32_t>(k);
        }
      }
      changed += labels[i] != nearest ? 1 : 0;
      labels[i] = nearest;
      inertia += least;
    }
    shared.inertia[thread] = inertia;
    shared.changed[thread] = changed;
  }
  REPSC_HOST_DEVICE void second(std::int64_t chunk, int thread, Shared& shared) const {
    if (thread > 0) return;
    double inertia = 0;
    double changed = 0;  // whole numbers up to 2^53 are exact
    for (int k = 0; k < block_threads; ++k) {
      inertia += shared.inertia[k];
      changed += shared.changed[k];
    }
    partial[2 * chunk] = inertia;
    partial[2 * chunk + 1] = changed;
  }
};

}  // namespace repsc::device
