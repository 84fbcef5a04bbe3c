// Tall blocks: inner products, products with small matrices, copies, random numbers.
#pragma once

#include "cuda/device/threads.hpp"

namespace repsc::device {

/// A'B, a tile of columns of A against `Width` of B, over a chunk of rows. A thread adds up a few
/// rows in the precision of the blocks; all further sums are in double.
template <typename Scalar, int Width>
struct GramTile {
  struct Shared {
    Scalar sum[row_lanes][tile][Width];
  };
  Rows<const Scalar> A;
  Rows<const Scalar> B;
  Chunks chunks;
  double* partial;  ///< chunk, column of A, column of B

  REPSC_HOST_DEVICE std::int64_t tiles_of_A() const { return (A.columns + tile - 1) / tile; }
  REPSC_HOST_DEVICE std::int64_t tiles_of_B() const { return (B.columns + Width - 1) / Width; }
  [[nodiscard]] std::int64_t num_blocks() const {
    return chunks.count() * tiles_of_A() * tiles_of_B();
  }
  struct Place {
    std::int64_t chunk, a, b;
  };
  REPSC_HOST_DEVICE Place place(std::int64_t block) const {
    const std::int64_t of_B = tiles_of_B();
    return {block / (tiles_of_A() * of_B), block / of_B % tiles_of_A() * tile,
            block % of_B * Width};
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const Place at = place(block);
    const int j = thread % tile;
    const int lane = thread / tile;
    Scalar sum[Width] = {};
    if (at.a + j < A.columns) {
      const int count = columns_of_tile(B.columns, at.b, Width);
      const bool pieces = in_pieces(B, at.b);
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (std::int64_t i = chunks.begin(at.chunk) + lane; i < chunks.end(at.chunk);
           i += row_lanes) {
        const Scalar a = A.row(i)[at.a + j];
        Scalar b[Width];
        read_tile<Scalar, Width>(B.row(i) + at.b, count, pieces, b);
        for (int c = 0; c < Width; ++c) sum[c] += a * b[c];
      }
    }
    for (int c = 0; c < Width; ++c) shared.sum[lane][j][c] = sum[c];
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const Place at = place(block);
    const int j = thread / Width;
    const int c = thread % Width;
    if (j >= tile || at.a + j >= A.columns || at.b + c >= B.columns) return;
    double sum = 0;
    for (int lane = 0; lane < row_lanes; ++lane) sum += static_cast<double>(shared.sum[lane][j][c]);
    partial[(at.chunk * A.columns + at.a + j) * B.columns + at.b + c] = sum;
  }
};

/// A = B T, or A -= B T; one row and one tile of columns.
template <typename Scalar, bool Subtract, int Width>
struct TallTimesSmall {
  Rows<Scalar> A;
  Rows<const Scalar> B;
  const Scalar* T;  ///< B.columns x tiles of A.columns, filled up with zeros
  std::int64_t tiles;

  REPSC_HOST_DEVICE void add(Scalar value, std::int64_t j, std::int64_t first,
                             Scalar (&sum)[Width]) const {
    Scalar t[Width];
    read_tile<Scalar, Width>(T + j * tiles * Width + first, Width, true, t);
    for (int c = 0; c < Width; ++c) sum[c] += value * t[c];
  }

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    constexpr int size = Piece<Scalar>::size;
    const Element e = element(at, tiles);
    const std::int64_t first = e.column * Width;
    const Scalar* const b = B.row(e.row);
    Scalar sum[Width] = {};
    std::int64_t j = 0;
    if (in_pieces(B, 0)) {
      for (; j + size <= B.columns; j += size) {
        const Piece<Scalar> piece = *reinterpret_cast<const Piece<Scalar>*>(b + j);
        for (int k = 0; k < size; ++k) add(piece.value[k], j + k, first, sum);
      }
    }
    for (; j < B.columns; ++j) add(b[j], j, first, sum);
    Scalar* const a = A.row(e.row) + first;
    const int count = columns_of_tile(A.columns, first, Width);
    for (int c = 0; c < Width; ++c) {
      if (c < count) a[c] = Subtract ? a[c] - sum[c] : sum[c];
    }
  }
};

/// The first columns of V become V T: a block of threads copies some rows before it writes them.
template <typename Scalar>
struct MultiplyInPlace {
  static constexpr std::int64_t room = REPSC_CUDA_MOST_COLUMNS;  ///< numbers
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

/// The same for whole pieces of four columns.
template <typename From, typename To>
struct CopyPieces {
  static constexpr int size = 4;
  Rows<const From> from;
  Rows<To> to;

  static bool fits(const Rows<const From>& from, const Rows<To>& to) {
    return from.columns % size == 0 && is_aligned(from) && is_aligned(to);
  }
  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, from.columns / size);
    const auto piece = reinterpret_cast<const Piece<From, size>*>(from.row(e.row))[e.column];
    Piece<To, size> result;
    for (int k = 0; k < size; ++k) result.value[k] = static_cast<To>(piece.value[k]);
    reinterpret_cast<Piece<To, size>*>(to.row(e.row))[e.column] = result;
  }

 private:
  template <typename Scalar>
  static bool is_aligned(const Rows<Scalar>& X) {
    return X.stride % size == 0 &&
           reinterpret_cast<std::uintptr_t>(X.data) % (size * sizeof(Scalar)) == 0;
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

/// Z = a Z + b W + c V.
template <typename Scalar>
struct CombineBlocks {
  Rows<Scalar> Z;
  Rows<const Scalar> W;
  Rows<const Scalar> V;
  Scalar a;
  Scalar b;
  Scalar c;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, Z.columns);
    Scalar& z = Z.row(e.row)[e.column];
    z = a * z + b * W.row(e.row)[e.column] + c * V.row(e.row)[e.column];
  }
};

template <typename Scalar>
struct SpreadRows {
  Rows<const Scalar> from;
  const std::int32_t* which;
  const double* factors;
  Rows<Scalar> to;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const Element e = element(at, to.columns);
    to.row(e.row)[e.column] =
        static_cast<Scalar>(factors[e.row]) * from.row(which[e.row])[e.column];
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
struct UnitRows {
  Rows<Scalar> X;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    Scalar* const row = X.row(i);
    double squares = 0;
    for (std::int64_t j = 0; j < X.columns; ++j)
      squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
    if (!(squares > 0)) return;
    const double length = sqrt(squares);
    for (std::int64_t j = 0; j < X.columns; ++j) row[j] = static_cast<Scalar>(row[j] / length);
  }
};

/// The largest absolute value of each column of a tile, for each chunk.
template <typename Scalar>
struct LargestOfColumns {
  struct Shared {
    double most[row_lanes][tile];
  };
  Rows<const Scalar> X;
  Chunks chunks;
  double* partial;  ///< chunk, column

  REPSC_HOST_DEVICE std::int64_t tiles() const { return (X.columns + tile - 1) / tile; }
  [[nodiscard]] std::int64_t num_blocks() const { return chunks.count() * tiles(); }
  REPSC_HOST_DEVICE std::int64_t column(std::int64_t block, int thread) const {
    return block % tiles() * tile + thread % tile;
  }
  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t chunk = block / tiles();
    const std::int64_t j = column(block, thread);
    double most = 0;
    if (j < X.columns) {
      for (std::int64_t i = chunks.begin(chunk) + thread / tile; i < chunks.end(chunk);
           i += row_lanes) {
        const double size = fabs(static_cast<double>(X.row(i)[j]));
        const bool finite = size <= std::numeric_limits<double>::max();
        most = Larger{}(most, finite ? size : std::numeric_limits<double>::infinity());
      }
    }
    shared.most[thread / tile][thread % tile] = most;
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t j = column(block, thread);
    if (thread >= tile || j >= X.columns) return;
    double most = 0;
    for (int lane = 0; lane < row_lanes; ++lane) most = Larger{}(most, shared.most[lane][thread]);
    partial[block / tiles() * X.columns + j] = most;
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

}  // namespace repsc::device
