// The functions of interface.h on graphs: products, components, metrics.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device/components.hpp"
#include "cuda/device/metrics.hpp"
#include "cuda/device/products.hpp"
#include "cuda/device/steps.hpp"

namespace repsc::device {

template <typename Place>
struct GraphFunctions {
  using Own = Context<Place>;

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
                               std::int64_t count, repsc_cuda_weighing how,
                               repsc_cuda_balances* result) {
    return guarded<Place>(context, [&](Own& at) {
      if (count < 1 || count > REPSC_CUDA_MOST_BALANCED)
        throw std::runtime_error("more clusters than the device balances");
      const bool weighted = graph.weights != nullptr;
      auto* const rho = at.template room<double>(Own::gathered, (weighted ? 4 : 3) * graph.rows);
      double* const proportional = rho + graph.rows;
      double* const norms = proportional + graph.rows;
      double* const squares = weighted ? norms + graph.rows : nullptr;
      auto* const on_device = at.template room<std::int32_t>(Own::small, count);
      at.place.upload(on_device, sizes, count * std::int64_t{sizeof(std::int32_t)});
      const auto empty = std::count(sizes, sizes + count, 0);
      each_panel(at, graph, [&](const Panel& panel) {
        const auto run = [&](auto is_weighted, auto by_weight) {
          at.place.run(RowBalances<is_weighted, by_weight>{
              panel, graph.rows, labels, on_device, static_cast<int>(count),
              static_cast<int>(count - empty), how.unit, rho, proportional, norms, squares});
        };
        if (!weighted) {
          run(std::false_type{}, std::false_type{});
        } else if (how.by_weight == 0) {
          run(std::true_type{}, std::false_type{});
        } else {
          run(std::true_type{}, std::true_type{});
        }
      });
      const Folded of_rho = fold(at, rho, {graph.rows, 4096});
      const Folded of_proportional = fold(at, proportional, {graph.rows, 4096});
      const Chunks of_norms{graph.rows, 1024};
      *result = {of_rho.sum,
                 of_rho.least,
                 of_proportional.sum,
                 of_proportional.least,
                 fold(at, norms, of_norms).sum,
                 weighted ? fold(at, squares, of_norms).sum : static_cast<double>(graph.entries)};
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
};

}  // namespace repsc::device
