// Metrics of labels: weights that leave clusters, and how representatives are spread over them.
#pragma once

#include "cuda/device/panels.hpp"

namespace repsc::device {

/// For each row, the weight of its entries in other clusters and of all entries. `Slots` threads
/// share a row. Both sums add in the same order, so that rounding cannot make the smaller one
/// larger.
template <bool Weighted, int Slots>
struct RowWeights {
  static constexpr int rows_at_once = block_threads / Slots;
  static_assert(block_threads % Slots == 0);
  using Sum = std::conditional_t<Weighted, double, std::int32_t>;
  struct Shared {
    Sum leaving[block_threads];
    Sum all[Weighted ? block_threads : 1];
  };

  RowsOfPanel<rows_at_once> rows;
  const std::int32_t* labels;
  double* result;  ///< row: leaving, all

  [[nodiscard]] std::int64_t num_blocks() const { return rows.num_blocks(); }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t row = rows.row_of(block, thread / Slots);
    if (row < 0) return;
    const std::int32_t own = labels[row];
    Sum leaving = 0;
    Sum all = 0;
    std::int64_t entry = rows.panel.begin(row) + thread % Slots;
    const std::int64_t end = rows.panel.end(row);
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (; entry < end; entry += Slots) {
      const bool outside = labels[read_once(rows.panel.neighbors + entry)] != own;
      if constexpr (Weighted) {
        const double weight = read_once(rows.panel.weights + entry);
        all += weight;
        leaving += outside ? weight : 0;
      } else {
        leaving += outside ? 1 : 0;
      }
    }
    shared.leaving[thread] = leaving;
    if constexpr (Weighted) shared.all[thread] = all;
  }

  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    if (thread >= rows_at_once) return;
    const std::int64_t row = rows.row_of(block, thread);
    if (row < 0) return;
    double leaving = 0;
    double all = 0;
    for (int slot = thread * Slots; slot < (thread + 1) * Slots; ++slot) {
      leaving += shared.leaving[slot];
      if constexpr (Weighted) all += shared.all[slot];
    }
    if constexpr (!Weighted) all = static_cast<double>(rows.panel.end(row) - rows.panel.begin(row));
    result[2 * row] = leaving;
    result[2 * row + 1] = all;
  }
};

/// Both balances of each row of a graph without weights, and N^2 times the squared norm of its row
/// of R J H, by the formulas of metrics/balance.hpp and metrics/constraint_residual.hpp. One thread
/// per row and cluster reads the whole row, which the others have in the cache: no sums of several
/// threads, and clusters in the order in which the row first names them, as on the CPU.
struct RowBalances {
  struct Shared {
    // Row, place of the cluster in the order of the row.
    std::int32_t count[block_threads];
    double rate[block_threads];  ///< count / size of the cluster
    double norm[block_threads];
    std::int32_t size[block_threads];
    std::int32_t touched[block_threads];  ///< row: the clusters that it names
  };

  Panel panel;
  std::int64_t num_nodes;
  const std::int32_t* labels;
  const std::int32_t* sizes;  ///< of the clusters
  int num_clusters;           ///< at most REPSC_CUDA_MOST_BALANCED
  int non_empty;              ///< clusters
  double* rho;
  double* proportional;
  double* norms;

  REPSC_HOST_DEVICE int rows_at_once() const { return block_threads / num_clusters; }
  [[nodiscard]] std::int64_t num_blocks() const {
    return (panel.end_row - panel.first_row + rows_at_once() - 1) / rows_at_once();
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const int which = thread / num_clusters;
    const int own = thread % num_clusters;
    const std::int64_t row = panel.first_row + block * rows_at_once() + which;
    if (which >= rows_at_once() || row >= panel.end_row) return;
    const std::int64_t begin = panel.begin(row);
    const std::int64_t end = panel.end(row);
    std::uint64_t seen = 0;
    std::int32_t touched = 0;
    std::int32_t place = 0;
    std::int32_t count = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (std::int64_t entry = begin; entry < end; ++entry) {
      const std::int32_t label = labels[panel.neighbors[entry]];
      if ((seen >> label & 1U) == 0) {
        seen |= std::uint64_t{1} << label;
        if (label == own) place = touched;
        ++touched;
      }
      count += label == own ? 1 : 0;
    }
    if (own == 0) shared.touched[which] = touched;
    if (count == 0) return;
    const int at = which * num_clusters + place;
    const std::int64_t size = sizes[own];
    const auto difference = static_cast<double>(num_nodes * count - (end - begin) * size);
    shared.count[at] = count;
    shared.rate[at] = static_cast<double>(count) / static_cast<double>(size);
    shared.norm[at] = difference * difference / static_cast<double>(size);
    shared.size[at] = sizes[own];
  }

  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t row = panel.first_row + block * rows_at_once() + thread;
    if (thread >= rows_at_once() || row >= panel.end_row) return;
    const std::int32_t touched = shared.touched[thread];
    std::int32_t smallest = std::numeric_limits<std::int32_t>::max();
    std::int32_t largest = 0;
    double sparsest = std::numeric_limits<double>::infinity();
    double densest = 0;
    double norm = 0;
    std::int64_t untouched = num_nodes;
    for (int at = thread * num_clusters; at < thread * num_clusters + touched; ++at) {
      smallest = shared.count[at] < smallest ? shared.count[at] : smallest;
      largest = shared.count[at] > largest ? shared.count[at] : largest;
      sparsest = shared.rate[at] < sparsest ? shared.rate[at] : sparsest;
      densest = shared.rate[at] > densest ? shared.rate[at] : densest;
      norm += shared.norm[at];
      untouched -= shared.size[at];
    }
    const auto total = static_cast<double>(panel.end(row) - panel.begin(row));
    norms[row] = norm + total * total * static_cast<double>(untouched);
    if (touched == 0) {
      rho[row] = proportional[row] = 1;
    } else {
      rho[row] =
          touched < num_clusters ? 0 : static_cast<double>(smallest) / static_cast<double>(largest);
      proportional[row] = touched < non_empty ? 0 : sparsest / densest;
    }
  }
};

/// Sum and minimum of each chunk, a thread for each of them: in the order of the numbers, as the
/// CPU adds them.
struct FoldChunks {
  const double* values;
  Chunks chunks;
  double* partial;  ///< chunk: sum, minimum

  REPSC_HOST_DEVICE void operator()(std::int64_t chunk) const {
    double sum = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      sum += values[i];
      least = values[i] < least ? values[i] : least;
    }
    partial[2 * chunk] = sum;
    partial[2 * chunk + 1] = least;
  }
};

}  // namespace repsc::device
