// The functions of interface.h over a place that has memory and runs kernels: a device (cuda.cu) or
// the host (twin.cpp).
#pragma once

#include <vector>

#include "cuda/device/blocks.hpp"
#include "cuda/device/centers.hpp"
#include "cuda/device/components.hpp"
#include "cuda/device/dense.hpp"
#include "cuda/device/groups.hpp"
#include "cuda/device/metrics.hpp"
#include "cuda/device/products.hpp"

namespace repsc::device {

template <typename Place>
struct Functions {
  using Own = Context<Place>;

  // --------------------------------------------------------------------- device and memory

  static std::int32_t count_devices(char* message, std::int64_t room) {
    try {
      return Place::count_devices();
    } catch (const std::exception& failure) {
      write_message(failure.what(), message, room);
      return -1;
    }
  }
  static repsc_cuda_context* open(std::int32_t number, char* message, std::int64_t room) {
    try {
      return reinterpret_cast<repsc_cuda_context*>(new Own(number));
    } catch (const std::exception& failure) {
      write_message(failure.what(), message, room);
      return nullptr;
    }
  }
  static void close(repsc_cuda_context* context) { delete &own<Place>(context); }
  static const char* message(const repsc_cuda_context* context) {
    return reinterpret_cast<const Own*>(context)->message.c_str();
  }
  static std::int32_t facts(repsc_cuda_context* context, repsc_cuda_facts* result) {
    return guarded<Place>(context, [&](Own& at) { at.place.facts(*result); });
  }
  static void* allocate(repsc_cuda_context* context, std::int64_t bytes) {
    void* data = nullptr;
    guarded<Place>(context,
                   [&](Own& at) { data = at.place.allocate(std::max<std::int64_t>(bytes, 1)); });
    return data;
  }
  static void release(repsc_cuda_context* context, void* data) {
    guarded<Place>(context, [&](Own& at) { at.place.release(data); });
  }
  static std::int32_t upload(repsc_cuda_context* context, void* to, const void* from,
                             std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.upload(to, from, bytes); });
  }
  static std::int32_t download(repsc_cuda_context* context, void* to, const void* from,
                               std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.download(to, from, bytes); });
  }
  static std::int32_t clear(repsc_cuda_context* context, void* data, std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.clear(data, bytes); });
  }

  // --------------------------------------------------------------------------- tall blocks

  static std::int32_t copy(repsc_cuda_context* context, repsc_cuda_block from,
                           repsc_cuda_block to) {
    return guarded<Place>(context, [&](Own& at) {
      if (from.rows != to.rows || from.columns != to.columns)
        throw std::runtime_error("a copy of another size");
      with_scalar(from, [&](auto one) {
        with_scalar(to, [&](auto other) {
          using From = decltype(one);
          using To = decltype(other);
          at.place.each(from.rows * from.columns,
                        CopyBlock<From, To>{rows_of<const From>(from), rows_of<To>(to)});
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
      auto* const list = at.template room<std::int32_t>(Own::small, count);
      at.place.upload(list, which, count * std::int64_t{sizeof(std::int32_t)});
      auto* const picked = at.template room<double>(Own::results, count * X.columns);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.each(count * X.columns, PickRows<Scalar>{rows_of<const Scalar>(X), list, picked});
      });
      at.place.download(result, picked, count * X.columns * std::int64_t{sizeof(double)});
    });
  }

  // ------------------------------------------------------------------------------ products

  static std::int32_t apply(repsc_cuda_context* context, repsc_cuda_laplacian L, repsc_cuda_block X,
                            repsc_cuda_block Y) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(X, Y);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        const double* const common = common_row(at, L, X);
        each_span(L.graph, X, [&](std::int64_t begin, std::int64_t end) {
          const Tiles tiles{X, begin, end};
          auto* const to = at.template room<Scalar>(Own::gathered, tiles.elements(end));
          tiles.each([&](std::int64_t first, int width) {
            at.place.each(X.rows * width, FillTile<Scalar>{rows_of<const Scalar>(X), L.scale, first,
                                                           width, to + tiles.elements(first)});
          });
          each_panel(at, L.graph, [&](const Panel& panel) {
            tiles.each([&](std::int64_t first, int width) {
              const LaplacianRow<Scalar> result{
                  L.scale, L.degrees, rows_of<const Scalar>(X), rows_of<Scalar>(Y), first,
                  nullptr, common};
              gather(at, L.graph, panel, to + tiles.elements(first), width, result);
            });
          });
        });
      });
    });
  }
  static std::int32_t apply_coarsely(repsc_cuda_context* context, repsc_cuda_laplacian L,
                                     repsc_cuda_block X, repsc_cuda_block Y, double* step) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(X, Y);
      if (X.scalar_bytes != 4 || L.graph.weights != nullptr)
        throw std::runtime_error("coarse products are for floats and graphs without weights");
      const double* const common = common_row(at, L, X);
      *step = 0;
      each_span(L.graph, X, [&](std::int64_t begin, std::int64_t end) {
        const Tiles tiles{X, begin, end};
        auto* const to = at.template room<std::int16_t>(Own::gathered, tiles.elements(end));
        const std::int64_t columns = (end - begin + tile - 1) / tile * tile;
        auto* const found = at.template room<float>(Own::results, 2 * columns);
        float* const steps = found + columns;  // of each column
        at.place.clear(steps, columns * std::int64_t{sizeof(float)});
        tiles.each([&](std::int64_t first, int width) {
          const FillTile<float> exact{rows_of<const float>(X), L.scale, first, width, nullptr};
          const Chunks chunks = chunks_of(X.rows);
          auto* const partial = at.template room<float>(Own::partials, chunks.count() * tile);
          float* const largest = found + (first - begin);
          at.place.run(LargestOfTile{exact, chunks, partial});
          at.place.run(Combine<float, Larger>{partial, chunks.count(), tile, largest});
          at.place.each(X.rows * width, FillCoarseTile{exact, largest, to + tiles.elements(first),
                                                       steps + (first - begin)});
        });
        each_panel(at, L.graph, [&](const Panel& panel) {
          tiles.each([&](std::int64_t first, int width) {
            const LaplacianRow<float> result{L.scale,
                                             L.degrees,
                                             rows_of<const float>(X),
                                             rows_of<float>(Y),
                                             first,
                                             steps + (first - begin),
                                             common};
            gather(at, L.graph, panel, to + tiles.elements(first), width, result);
          });
        });
        std::vector<float> on_host(static_cast<std::size_t>(columns));
        at.place.download(on_host.data(), steps, columns * std::int64_t{sizeof(float)});
        *step = std::max<double>(*step, *std::max_element(on_host.begin(), on_host.end()));
      });
    });
  }

  static std::int32_t components(repsc_cuda_context* context, repsc_cuda_graph graph,
                                 std::int64_t* count) {
    return guarded<Place>(context, [&](Own& at) {
      require_whole(graph);
      auto* const parent = at.template room<std::int32_t>(Own::gathered, graph.rows);
      auto* const flags = at.template room<unsigned long long>(Own::results, 2);
      auto* const changed = reinterpret_cast<std::int32_t*>(flags + 1);
      at.place.each(graph.rows, StartComponents{parent});
      // A few entries of each row connect most nodes, at a fraction of the cost of all entries.
      constexpr int short_rounds = 2;
      std::int32_t any = 1;
      std::int64_t large = -1;
      for (int round = 0; round < short_rounds || any != 0; ++round) {
        const std::int64_t most = round < short_rounds ? 16 : INT64_MAX;
        if (round == short_rounds) large = frequent_parent(at, parent, graph.rows);
        at.place.clear(flags, 2 * sizeof(*flags));
        at.place.each(graph.rows * HookComponents::slots,
                      HookComponents{graph, most, large, parent, changed});
        at.place.each(graph.rows, CompressComponents{parent});
        at.place.download(&any, changed, sizeof(any));
        if (round + 1 == short_rounds) any = 1;
      }
      at.place.each(graph.rows, CountRoots{parent, flags});
      unsigned long long found = 0;
      at.place.download(&found, flags, sizeof(found));
      *count = static_cast<std::int64_t>(found);
    });
  }

  // -------------------------------------------------------------------------------- groups

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

  // ------------------------------------------------------------------------------- k-means

  static std::int32_t assign_labels(repsc_cuda_context* context, repsc_cuda_block X,
                                    const double* centers, std::int64_t count, std::int32_t* labels,
                                    std::int64_t* changed, double* inertia) {
    return guarded<Place>(context, [&](Own& at) {
      if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
      const Chunks chunks = chunks_of(X.rows);
      auto* const partial = at.template room<double>(Own::partials, chunks.count() * 2);
      at.place.run(NearestCenters{rows_of<const double>(X),
                                  small_copy<double>(at, centers, count * X.columns), count, labels,
                                  chunks, partial});
      double sums[2] = {};
      combine<Plus>(at, partial, chunks.count(), 2, sums);
      *inertia = sums[0];
      *changed = static_cast<std::int64_t>(sums[1]);
    });
  }
  static std::int32_t count_labels(repsc_cuda_context* context, const std::int32_t* labels,
                                   std::int64_t rows, std::int64_t count, std::int64_t* sizes) {
    return guarded<Place>(context, [&](Own& at) {
      const double one = 1;
      // A column of ones: every row is the same number.
      const repsc_cuda_block ones{const_cast<double*>(small_copy<double>(at, &one, 1)), rows, 1, 0,
                                  8};
      std::vector<double> sums(static_cast<std::size_t>(count));
      sum_groups(at, {labels, count, nullptr}, ones, sums.data());
      for (std::size_t k = 0; k < sums.size(); ++k) sizes[k] = static_cast<std::int64_t>(sums[k]);
    });
  }

  static std::int32_t squared_distances(repsc_cuda_context* context, repsc_cuda_block X,
                                        const double* mean, std::int64_t chunk_rows, double* sums) {
    return guarded<Place>(context, [&](Own& at) {
      if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
      const Chunks chunks{X.rows, chunk_rows};
      auto* const found = at.template room<double>(Own::results, chunks.count());
      at.place.run(SquaredDistances{rows_of<const double>(X),
                                    small_copy<double>(at, mean, X.columns), chunks, found});
      at.place.download(sums, found, chunks.count() * std::int64_t{sizeof(double)});
    });
  }
  static std::int32_t draw_rows(repsc_cuda_context* context, repsc_cuda_block X, const double* mean,
                                std::int64_t chunk_rows, double per_row, double per_squared,
                                const std::int32_t* chunk_of, const double* shares,
                                std::int64_t count, std::int32_t* rows, double* squares) {
    return guarded<Place>(context, [&](Own& at) {
      if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
      if (count == 0) return;
      constexpr std::int64_t wide = sizeof(double);
      constexpr std::int64_t narrow = sizeof(std::int32_t);
      auto* const given = at.template room<double>(Own::partials, 2 * count);
      auto* const given_chunks = reinterpret_cast<std::int32_t*>(given + count);
      auto* const found = at.template room<double>(Own::results, 2 * count);
      auto* const found_rows = reinterpret_cast<std::int32_t*>(found + count);
      at.place.upload(given, shares, count * wide);
      at.place.upload(given_chunks, chunk_of, count * narrow);
      at.place.each(count, DrawRows{rows_of<const double>(X),
                                    small_copy<double>(at, mean, X.columns),
                                    {X.rows, chunk_rows},
                                    per_row,
                                    per_squared,
                                    given_chunks,
                                    given,
                                    found_rows,
                                    found});
      at.place.download(squares, found, count * wide);
      at.place.download(rows, found_rows, count * narrow);
    });
  }

  // ------------------------------------------------------------------------------- metrics

  static std::int32_t edge_weights(repsc_cuda_context* context, repsc_cuda_graph graph,
                                   const std::int32_t* labels, std::int64_t count, double* leaving,
                                   double* volumes) {
    return guarded<Place>(context, [&](Own& at) {
      auto* const rows = at.template room<double>(Own::gathered, 2 * graph.rows);
      const std::int64_t per_row = graph.entries / std::max<std::int64_t>(graph.rows, 1);
      each_panel(at, graph, [&](const Panel& panel) {
        if (graph.weights == nullptr) {
          weigh_rows<false>(at, panel, per_row, labels, rows);
        } else {
          weigh_rows<true>(at, panel, per_row, labels, rows);
        }
      });
      // Whole numbers up to 2^53 are exact.
      std::vector<double> sums(static_cast<std::size_t>(2 * count));
      sum_groups(at, {labels, count, nullptr}, {rows, graph.rows, 2, 2, 8}, sums.data());
      for (std::int64_t k = 0; k < count; ++k) {
        leaving[k] = sums[static_cast<std::size_t>(2 * k)];
        volumes[k] = sums[static_cast<std::size_t>(2 * k + 1)];
      }
    });
  }
  static std::int32_t balances(repsc_cuda_context* context, repsc_cuda_graph graph,
                               const std::int32_t* labels, const std::int32_t* sizes,
                               std::int64_t count, repsc_cuda_balances* result) {
    return guarded<Place>(context, [&](Own& at) {
      if (count < 1 || count > REPSC_CUDA_MOST_BALANCED)
        throw std::runtime_error("more clusters than the device balances");
      auto* const rho = at.template room<double>(Own::gathered, 3 * graph.rows);
      double* const proportional = rho + graph.rows;
      double* const norms = proportional + graph.rows;
      auto* const on_device = at.template room<std::int32_t>(Own::small, count);
      at.place.upload(on_device, sizes, count * std::int64_t{sizeof(std::int32_t)});
      const auto empty = std::count(sizes, sizes + count, 0);
      each_panel(at, graph, [&](const Panel& panel) {
        at.place.run(RowBalances{panel, graph.rows, labels, on_device, static_cast<int>(count),
                                 static_cast<int>(count - empty), rho, proportional, norms});
      });
      const Folded of_rho = fold(at, rho, {graph.rows, 4096});
      const Folded of_proportional = fold(at, proportional, {graph.rows, 4096});
      *result = {of_rho.sum, of_rho.least, of_proportional.sum, of_proportional.least,
                 fold(at, norms, {graph.rows, 1024}).sum};
    });
  }

 private:
  /// The parent of most of some nodes.
  static std::int64_t frequent_parent(Own& at, const std::int32_t* parent, std::int64_t rows) {
    const std::int64_t count = std::min<std::int64_t>(rows, 1024);
    if (count == 0) return -1;
    auto* const picked = at.template room<std::int32_t>(Own::small, count);
    at.place.each(count, PickParents{parent, rows / count, picked});
    std::vector<std::int32_t> parents(static_cast<std::size_t>(count));
    at.place.download(parents.data(), picked, count * std::int64_t{sizeof(std::int32_t)});
    std::sort(parents.begin(), parents.end());
    auto best = parents.begin();
    std::ptrdiff_t most = 0;
    for (auto begin = parents.begin(); begin != parents.end();) {
      const auto end = std::upper_bound(begin, parents.end(), *begin);
      if (end - begin > most) {
        most = end - begin;
        best = begin;
      }
      begin = end;
    }
    return *best;
  }

  /// Numbers of the host in the precision of a block.
  template <typename Scalar>
  static Scalar* small_copy(Own& at, const double* from, std::int64_t count) {
    std::vector<Scalar> values(from, from + count);
    auto* const to = at.template room<Scalar>(Own::small, count);
    at.place.upload(to, values.data(), count * std::int64_t{sizeof(Scalar)});
    return to;
  }

  template <typename Operation, typename T>
  static void combine(Own& at, const T* partial, std::int64_t count, std::int64_t outputs,
                      T* result) {
    auto* const found = at.template room<T>(Own::results, outputs);
    at.place.run(Combine<T, Operation>{partial, count, outputs, found});
    at.place.download(result, found, outputs * std::int64_t{sizeof(T)});
  }

  static void inner_products(Own& at, const repsc_cuda_block& A, const repsc_cuda_block& B,
                             double* result) {
    const std::int64_t outputs = A.columns * B.columns;
    const Chunks chunks = chunks_of(A.rows);
    auto* const partial = at.template room<double>(Own::partials, chunks.count() * outputs);
    with_scalar(A, [&](auto zero) {
      using Scalar = decltype(zero);
      at.place.run(
          GramTile<Scalar>{rows_of<const Scalar>(A), rows_of<const Scalar>(B), chunks, partial});
    });
    combine<Plus>(at, partial, chunks.count(), outputs, result);
  }

  /// A = B T, or A -= B T.
  template <bool Subtract>
  static void multiply_tall(Own& at, const repsc_cuda_block& A, const repsc_cuda_block& B,
                            const double* T) {
    const std::int64_t tiles = (A.columns + tile - 1) / tile;
    std::vector<double> padded(static_cast<std::size_t>(B.columns * tiles * tile), 0.0);
    for (std::int64_t j = 0; j < B.columns; ++j)
      std::copy_n(T + j * A.columns, A.columns, padded.data() + j * tiles * tile);
    with_scalar(A, [&](auto zero) {
      using Scalar = decltype(zero);
      const Scalar* const small =
          small_copy<Scalar>(at, padded.data(), static_cast<std::int64_t>(padded.size()));
      at.place.each(A.rows * tiles,
                    TallTimesSmall<Scalar, Subtract>{rows_of<Scalar>(A), rows_of<const Scalar>(B),
                                                     small, tiles});
    });
  }

  /// tau/N 1'SX; null if tau is 0.
  static const double* common_row(Own& at, const repsc_cuda_laplacian& L,
                                  const repsc_cuda_block& X) {
    if (L.scale == nullptr || L.tau == 0) return nullptr;
    std::vector<double> sums(static_cast<std::size_t>(X.columns));
    sum_groups(at, {nullptr, 1, L.scale}, X, sums.data());
    for (double& sum : sums) sum *= L.tau / static_cast<double>(X.rows);
    return small_copy<double>(at, sums.data(), X.columns);
  }

  /// Tiles of columns [begin, end) of a block, gathered from one array: four or `tile` columns
  /// each.
  struct Tiles {
    repsc_cuda_block X;
    std::int64_t begin;
    std::int64_t end;

    [[nodiscard]] static int width(std::int64_t columns) { return columns <= 4 ? 4 : tile; }
    /// Of the tiles before the one that begins at this column, or of all.
    [[nodiscard]] std::int64_t elements(std::int64_t column) const {
      const std::int64_t whole = (column - begin) / tile * tile;
      const std::int64_t rest = column - begin - whole;
      return X.rows * (whole + (rest > 0 ? width(rest) : 0));
    }
    template <typename Body>
    void each(const Body& body) const {
      for (std::int64_t first = begin; first < end; first += tile)
        body(first, width(std::min<std::int64_t>(tile, end - first)));
    }
  };

  /// body(begin, end) for columns of X that are multiplied together: a tile; or all of them, where
  /// the graph has to be copied for each product.
  template <typename Body>
  static void each_span(const repsc_cuda_graph& graph, const repsc_cuda_block& X,
                        const Body& body) {
    if (is_streamed(graph)) return body(std::int64_t{0}, X.columns);
    for (std::int64_t first = 0; first < X.columns; first += tile)
      body(first, first + columns_of_tile(X.columns, first));
  }

  template <typename Gathered, typename Scalar>
  static void gather(Own& at, const repsc_cuda_graph& graph, const Panel& panel, const Gathered* X,
                     int width, const LaplacianRow<Scalar>& result) {
    const std::int64_t per_row = graph.entries / std::max<std::int64_t>(graph.rows, 1);
    if (width == 4) {
      gather_panel<Gathered, Scalar, 4>(at, panel, X, per_row, result);
    } else {
      gather_panel<Gathered, Scalar, tile>(at, panel, X, per_row, result);
    }
  }

  template <typename Gathered, typename Scalar, int Columns>
  static void gather_panel(Own& at, const Panel& panel, const Gathered* X, std::int64_t per_row,
                           const LaplacianRow<Scalar>& result) {
    // More neighbours at once where rows are long; 64 and more threads for the longest.
    constexpr int slots = 16;
    constexpr int longest = 64;
    if (per_row < 24) {
      gather_rows<Gathered, Scalar, Columns, 2>(at, panel, X, false, result);
    } else {
      gather_rows<Gathered, Scalar, Columns, slots>(at, panel, X, false, result);
    }
    if (panel.num_long_rows == 0) return;
    gather_rows<Gathered, Scalar, Columns, longest>(at, panel, X, true, result);
  }

  template <typename Gathered, typename Scalar, int Columns, int Slots>
  static void gather_rows(Own& at, const Panel& panel, const Gathered* X, bool long_rows,
                          const LaplacianRow<Scalar>& result) {
    using Plain = GatherRows<Gathered, Scalar, false, Columns, Slots>;
    const auto* const pieces = reinterpret_cast<const Piece<Gathered, Plain::size>*>(X);
    if (panel.weights == nullptr) {
      at.place.run(Plain{{panel, long_rows}, pieces, result});
    } else if constexpr (!std::is_same_v<Gathered, std::int16_t>) {
      at.place.run(
          GatherRows<Gathered, Scalar, true, Columns, Slots>{{panel, long_rows}, pieces, result});
    }
  }

  /// Several threads for a row, more where rows are long.
  template <bool Weighted>
  static void weigh_rows(Own& at, const Panel& panel, std::int64_t per_row,
                         const std::int32_t* labels, double* rows) {
    if (per_row < 24) {
      at.place.run(RowWeights<Weighted, 4>{{panel, false}, labels, rows});
    } else {
      at.place.run(RowWeights<Weighted, 16>{{panel, false}, labels, rows});
    }
    at.place.run(RowWeights<Weighted, block_threads>{{panel, true}, labels, rows});
  }

  struct Folded {
    double sum = 0;
    double least = std::numeric_limits<double>::infinity();
  };
  static Folded fold(Own& at, const double* values, const Chunks& chunks) {
    auto* const partial = at.template room<double>(Own::partials, 2 * chunks.count());
    at.place.each(chunks.count(), FoldChunks{values, chunks, partial});
    std::vector<double> parts(static_cast<std::size_t>(2 * chunks.count()));
    at.place.download(parts.data(), partial,
                      static_cast<std::int64_t>(parts.size() * sizeof(double)));
    Folded result;
    for (std::size_t k = 0; k < parts.size(); k += 2) {
      result.sum += parts[k];
      result.least = std::min(result.least, parts[k + 1]);
    }
    return result;
  }

  static void sum_groups(Own& at, const repsc_cuda_groups& groups, const repsc_cuda_block& X,
                         double* sums) {
    if (groups.count < 1 || groups.count > REPSC_CUDA_MOST_GROUPS)
      throw std::runtime_error("more groups than the device adds up");
    const Chunks chunks = chunks_of(X.rows, std::min<std::int64_t>(4096, (1 << 20) / groups.count));
    const std::int64_t outputs = groups.count * tile;
    std::vector<double> of_tile(static_cast<std::size_t>(outputs));
    for (std::int64_t first = 0; first < X.columns; first += tile) {
      auto* const partial = at.template room<double>(Own::partials, chunks.count() * outputs);
      with_scalar(X, [&](auto zero) {
        using Scalar = decltype(zero);
        at.place.run(GroupSums<Scalar>{groups, rows_of<const Scalar>(X), first, chunks, partial});
      });
      combine<Plus>(at, partial, chunks.count(), outputs, of_tile.data());
      for (std::int64_t g = 0; g < groups.count; ++g) {
        for (int c = 0; c < columns_of_tile(X.columns, first); ++c)
          sums[g * X.columns + first + c] = of_tile[static_cast<std::size_t>(g * tile + c)];
      }
    }
  }
};

/// The table of a place.
template <typename Place>
const repsc_cuda_functions* functions() {
  using F = Functions<Place>;
  using Dense = DenseFunctions<Place>;
  static const repsc_cuda_functions table{REPSC_CUDA_VERSION,
                                          F::count_devices,
                                          F::open,
                                          F::close,
                                          F::message,
                                          F::facts,
                                          F::allocate,
                                          F::release,
                                          F::upload,
                                          F::download,
                                          F::clear,
                                          F::copy,
                                          F::fill_random,
                                          F::divide,
                                          F::scale_rows,
                                          F::add_to_rows,
                                          F::unit_rows,
                                          F::largest,
                                          F::gram,
                                          F::subtract,
                                          F::assign,
                                          F::multiply,
                                          F::rows,
                                          F::apply,
                                          F::apply_coarsely,
                                          F::components,
                                          F::group_sums,
                                          F::subtract_groups,
                                          F::assign_labels,
                                          F::count_labels,
                                          Dense::fill_dense,
                                          Dense::eigen,
                                          Dense::pick_vectors,
                                          Dense::dense_gram,
                                          Dense::add_outer_product,
                                          Dense::cholesky,
                                          Dense::divide_by_factor,
                                          Dense::remove,
                                          F::combine_blocks,
                                          F::spread_rows,
                                          F::squared_distances,
                                          F::draw_rows,
                                          F::edge_weights,
                                          F::balances};
  return &table;
}

}  // namespace repsc::device
