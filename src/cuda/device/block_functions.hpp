// The functions of interface.h on tall blocks of vectors, and on groups of their rows.
#pragma once

#include <vector>

#include "cuda/device/blocks.hpp"
#include "cuda/device/steps.hpp"

namespace repsc::device {

template <typename Place>
struct BlockFunctions {
  using Own = Context<Place>;

  static std::int32_t copy(repsc_cuda_context* context, repsc_cuda_block from,
                           repsc_cuda_block to) {
    return guarded<Place>(context, [&](Own& at) {
      if (from.rows != to.rows || from.columns != to.columns)
        throw std::runtime_error("a copy of another size");
      with_scalar(from, [&](auto one) {
        with_scalar(to, [&](auto other) {
          using From = decltype(one);
          using To = decltype(other);
          const Rows<const From> source = rows_of<const From>(from);
          const Rows<To> target = rows_of<To>(to);
          using Pieces = CopyPieces<From, To>;
          if (Pieces::fits(source, target))
            return at.place.each(from.rows * (from.columns / Pieces::size), Pieces{source, target});
          at.place.each(from.rows * from.columns, CopyBlock<From, To>{source, target});
        });
      });
    });
  }
  static std::int32_t fill_random(repsc_cuda_context* context, repsc_cuda_block X,
                                  std::uint64_t seed, double scale) {
    return guarded<Place>(context, [&](Own& at) {
      with_scalar(X, [&](auto zero) {
        using Kernel = FillRandom<decltype(zero)>;
        at.place.each((X.rows + Kernel::stream_rows - 1) / Kernel::stream_rows,
                      Kernel{rows_of<decltype(zero)>(X), seed, scale});
      });
    });
  }
  static std::int32_t divide(repsc_cuda_context* context, repsc_cuda_block X, double by) {
    return guarded<Place>(context, [&](Own& at) {
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(X.rows * X.columns,
                      Divide<Scalar>{rows_of<Scalar>(X), static_cast<Scalar>(by)});
      });
    });
  }
  static std::int32_t combine_blocks(repsc_cuda_context* context, repsc_cuda_block Z,
                                     repsc_cuda_block W, repsc_cuda_block V, double a, double b,
                                     double c) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(Z, W);
      require_same(Z, V);
      with_scalar(Z, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(Z.rows * Z.columns,
                      CombineBlocks<Scalar>{rows_of<Scalar>(Z), rows_of<const Scalar>(W),
                                            rows_of<const Scalar>(V), static_cast<Scalar>(a),
                                            static_cast<Scalar>(b), static_cast<Scalar>(c)});
      });
    });
  }
  static std::int32_t spread_rows(repsc_cuda_context* context, repsc_cuda_block from,
                                  const std::int32_t* which, const double* factors,
                                  repsc_cuda_block to) {
    return guarded<Place>(context, [&](Own& at) {
      if (from.columns != to.columns || from.scalar_bytes != to.scalar_bytes)
        throw std::runtime_error("rows of another length or precision");
      with_scalar(from, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(to.rows * to.columns, SpreadRows<Scalar>{rows_of<const Scalar>(from), which,
                                                               factors, rows_of<Scalar>(to)});
      });
    });
  }
  static std::int32_t scale_rows(repsc_cuda_context* context, repsc_cuda_block X,
                                 const double* scale, std::int32_t exponent) {
    return guarded<Place>(context, [&](Own& at) {
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(X.rows * X.columns,
                      ScaleRows<Scalar>{rows_of<Scalar>(X), scale, exponent < 0});
      });
    });
  }
  static std::int32_t add_to_rows(repsc_cuda_context* context, repsc_cuda_block X,
                                  const double* values) {
    return guarded<Place>(context, [&](Own& at) {
      const double* const on_device = small_copy<double>(at, values, X.columns);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(X.rows * X.columns, AddToRows<Scalar>{rows_of<Scalar>(X), on_device});
      });
    });
  }
  static std::int32_t unit_rows(repsc_cuda_context* context, repsc_cuda_block X) {
    return guarded<Place>(context, [&](Own& at) {
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(X.rows, UnitRows<Scalar>{rows_of<Scalar>(X)});
      });
    });
  }
  static std::int32_t largest(repsc_cuda_context* context, repsc_cuda_block X, double* result) {
    return guarded<Place>(context, [&](Own& at) {
      const Chunks chunks = chunks_of(X.rows);
      auto* const partial = at.template room<double>(Own::partials, chunks.count() * X.columns);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.run(LargestOfColumns<Scalar>{rows_of<const Scalar>(X), chunks, partial});
      });
      combine<Larger>(at, partial, chunks.count(), X.columns, result);
    });
  }
  static std::int32_t gram(repsc_cuda_context* context, repsc_cuda_block A, repsc_cuda_block B,
                           double* result) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(A, B);
      const std::int64_t outputs = A.columns * B.columns;
      if (outputs == 0) return;
      if (A.columns < B.columns) {  // a thread for each column of the wider one
        std::vector<double> transposed(static_cast<std::size_t>(outputs));
        inner_products(at, B, A, transposed.data());
        for (std::int64_t k = 0; k < outputs; ++k)
          result[k] =
              transposed[static_cast<std::size_t>(k % B.columns * A.columns + k / B.columns)];
      } else {
        inner_products(at, A, B, result);
      }
    });
  }
  static std::int32_t subtract(repsc_cuda_context* context, repsc_cuda_block A, repsc_cuda_block B,
                               const double* T) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(A, B);
      if (A.columns > 0 && B.columns > 0) multiply_tall<true>(at, A, B, T);
    });
  }
  static std::int32_t assign(repsc_cuda_context* context, repsc_cuda_block A, repsc_cuda_block B,
                             const double* T) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(A, B);
      if (A.columns > 0) multiply_tall<false>(at, A, B, T);
    });
  }
  static std::int32_t multiply(repsc_cuda_context* context, repsc_cuda_block V, const double* T,
                               std::int64_t columns) {
    return guarded<Place>(context, [&](Own& at) {
      if (columns > V.columns) throw std::runtime_error("a product wider than its block");
      if (columns == 0) return;
      if (columns <= tile) {  // a thread reads its row before it writes it
        return multiply_tall<false>(at, {V.data, V.rows, columns, V.stride, V.scalar_bytes}, V, T);
      }
      with_scalar(V, [&](auto zero) {
        using Scalar = decltype(zero);
        using Kernel = MultiplyInPlace<Scalar>;
        if (V.columns > Kernel::room) throw std::runtime_error("a block of more than 4096 columns");
        at.place.run(
            Kernel{rows_of<Scalar>(V), small_copy<Scalar>(at, T, V.columns * columns), columns});
      });
    });
  }
  static std::int32_t rows(repsc_cuda_context* context, repsc_cuda_block X,
                           const std::int32_t* which, std::int64_t count, double* result) {
    return guarded<Place>(context, [&](Own& at) {
      double* const picked = picked_rows(at, X, which, count);
      at.place.download(result, picked, count * X.columns * std::int64_t{sizeof(double)});
    });
  }
  static std::int32_t rows_times(repsc_cuda_context* context, repsc_cuda_block X,
                                 const std::int32_t* which, std::int64_t count, const double* T,
                                 std::int64_t columns, double* result) {
    return guarded<Place>(context, [&](Own& at) {
      if (count == 0 || columns == 0) return;
      double* const picked = picked_rows(at, X, which, count);
      auto* const product = at.template room<double>(Own::partials, count * columns);
      multiply_tall<false>(at, {product, count, columns, columns, sizeof(double)},
                           {picked, count, X.columns, X.columns, sizeof(double)}, T);
      at.place.download(result, product, count * columns * std::int64_t{sizeof(double)});
    });
  }

  static std::int32_t group_sums(repsc_cuda_context* context, repsc_cuda_groups groups,
                                 repsc_cuda_block X, double* sums) {
    return guarded<Place>(context, [&](Own& at) { sum_groups(at, groups, X, sums); });
  }
  static std::int32_t subtract_groups(repsc_cuda_context* context, repsc_cuda_groups groups,
                                      repsc_cuda_block X, const double* b) {
    return guarded<Place>(context, [&](Own& at) {
      const double* const on_device = small_copy<double>(at, b, groups.count * X.columns);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(X.rows * X.columns,
                      SubtractGroups<Scalar>{groups, rows_of<Scalar>(X), on_device});
      });
    });
  }

 private:
  /// In double precision, one row after the other.
  static double* picked_rows(Own& at, const repsc_cuda_block& X, const std::int32_t* which,
                             std::int64_t count) {
    auto* const list = at.template room<std::int32_t>(Own::small, count);
    at.place.upload(list, which, count * std::int64_t{sizeof(std::int32_t)});
    auto* const picked = at.template room<double>(Own::results, count * X.columns);
    with_scalar(X, [&](auto zero) {
      using Scalar = decltype(zero);
      at.place.each(count * X.columns, PickRows<Scalar>{rows_of<const Scalar>(X), list, picked});
    });
    return picked;
  }

  static void inner_products(Own& at, const repsc_cuda_block& A, const repsc_cuda_block& B,
                             double* result) {
    const std::int64_t outputs = A.columns * B.columns;
    const Chunks chunks = chunks_of(A.rows);
    auto* const partial = at.template room<double>(Own::partials, chunks.count() * outputs);
    with_scalar(A, [&](auto zero) {
      using Scalar = decltype(zero);
      with_width(B.columns, [&](auto width) {
        at.place.run(GramTile<Scalar, decltype(width)::value>{
            rows_of<const Scalar>(A), rows_of<const Scalar>(B), chunks, partial});
      });
    });
    combine<Plus>(at, partial, chunks.count(), outputs, result);
  }

  /// A = B T, or A -= B T.
  template <bool Subtract>
  static void multiply_tall(Own& at, const repsc_cuda_block& A, const repsc_cuda_block& B,
                            const double* T) {
    with_width(A.columns, [&](auto number) {
      constexpr int width = decltype(number)::value;
      const std::int64_t tiles = (A.columns + width - 1) / width;
      std::vector<double> padded(static_cast<std::size_t>(B.columns * tiles * width), 0.0);
      for (std::int64_t j = 0; j < B.columns; ++j)
        std::copy_n(T + j * A.columns, A.columns, padded.data() + j * tiles * width);
      with_scalar(A, [&](auto zero) {
        using Scalar = decltype(zero);
        const Scalar* const small =
            small_copy<Scalar>(at, padded.data(), static_cast<std::int64_t>(padded.size()));
        at.place.each(A.rows * tiles,
                      TallTimesSmall<Scalar, Subtract, width>{
                          rows_of<Scalar>(A), rows_of<const Scalar>(B), small, tiles});
      });
    });
  }
};

}  // namespace repsc::device
