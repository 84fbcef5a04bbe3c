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

/// Both balances of each row of a graph, N^2 times the squared norm of its row of R J H, and with
/// weights the squared norm of the row itself, by the formulas of metrics/balance.hpp and
/// metrics/constraint_residual.hpp. One thread per row and cluster reads the whole row, which the
/// others have in the cache: no sums of several threads, and clusters in the order in which the row
/// first names them, as on the CPU. `ByWeight`: balances count weights in place of links.
template <bool Weighted, bool ByWeight>
struct RowBalances {
  static_assert(Weighted || !ByWeight);
  using Count = std::conditional_t<ByWeight, double, std::int32_t>;
  using Sum = std::conditional_t<Weighted, double, std::int64_t>;  ///< of weights, or of links
  struct Shared {
    // Row, cluster.
    Count count[block_threads];
    double rate[block_threads];  ///< count / size of the cluster
    // Row, place of the cluster in the order of the row.
    double norm[block_threads];
    std::int32_t size[block_threads];
    // Row.
    std::int32_t touched[block_threads];  ///< clusters that have a norm
    Sum total[block_threads];
  };

  Panel panel;
  std::int64_t num_nodes;
  const std::int32_t* labels;
  const std::int32_t* sizes;  ///< of the clusters
  int num_clusters;           ///< at most REPSC_CUDA_MOST_BALANCED
  int non_empty;              ///< clusters
  double unit;                ///< of weights, in norms
  double* rho;
  double* proportional;
  double* norms;
  double* squares;  ///< squared norms of the rows of R; not written without weights

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
    const double unit_of_row = ByWeight && begin < end ? unit_for(largest_weight(row)) : 1;
    std::uint64_t seen = 0;
    std::int32_t touched = 0;
    std::int32_t place = 0;
    Count count = 0;
    Sum inside = 0;  // of the cluster of this thread
    Sum total = 0;
    double square = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (std::int64_t entry = begin; entry < end; ++entry) {
      const std::int32_t label = labels[panel.neighbors[entry]];
      const bool is_own = label == own;
      bool vanishes = false;  // in the unit: it then names no cluster, as on the CPU
      if constexpr (Weighted) {
        const double weight = product(panel.weights[entry], unit);
        vanishes = weight == 0;
        inside += is_own ? weight : 0;
        total += weight;
        square += product(weight, weight);
      }
      if (!vanishes && (seen >> label & 1U) == 0) {
        seen |= std::uint64_t{1} << label;
        if (is_own) place = touched;
        ++touched;
      }
      if constexpr (ByWeight) {
        count += is_own ? product(panel.weights[entry], unit_of_row) : 0;
      } else {
        count += is_own ? 1 : 0;
      }
    }
    if constexpr (!Weighted) {
      inside = count;
      total = end - begin;
    }
    const std::int64_t size = sizes[own];
    shared.count[thread] = count;
    if (count > 0) shared.rate[thread] = static_cast<double>(count) / static_cast<double>(size);
    if (own == 0) {
      shared.touched[which] = touched;
      shared.total[which] = total;
      if constexpr (Weighted) squares[row] = square;
    }
    if (inside == 0) return;
    const int at = which * num_clusters + place;
    const double difference = from_proportion(inside, total, size);
    shared.norm[at] = difference * difference / static_cast<double>(size);
    shared.size[at] = sizes[own];
  }

  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t row = panel.first_row + block * rows_at_once() + thread;
    if (thread >= rows_at_once() || row >= panel.end_row) return;
    const int begin = thread * num_clusters;
    std::int32_t counted = 0;  // clusters
    Count smallest = std::numeric_limits<Count>::max();
    Count largest = 0;
    double sparsest = std::numeric_limits<double>::infinity();
    double densest = 0;
    for (int at = begin; at < begin + num_clusters; ++at) {
      if (shared.count[at] == 0) continue;
      ++counted;
      smallest = shared.count[at] < smallest ? shared.count[at] : smallest;
      largest = shared.count[at] > largest ? shared.count[at] : largest;
      sparsest = shared.rate[at] < sparsest ? shared.rate[at] : sparsest;
      densest = shared.rate[at] > densest ? shared.rate[at] : densest;
    }
    double norm = 0;
    std::int64_t untouched = num_nodes;
    for (int at = begin; at < begin + shared.touched[thread]; ++at) {
      norm += shared.norm[at];
      untouched -= shared.size[at];
    }
    const auto total = static_cast<double>(shared.total[thread]);
    norms[row] = norm + product(product(total, total), static_cast<double>(untouched));
    if (counted == 0) {
      rho[row] = proportional[row] = 1;
    } else {
      rho[row] =
          counted < num_clusters ? 0 : static_cast<double>(smallest) / static_cast<double>(largest);
      proportional[row] = counted < non_empty ? 0 : sparsest / densest;
    }
  }

 private:
  REPSC_HOST_DEVICE double largest_weight(std::int64_t row) const {
    double most = 0;
    for (std::int64_t entry = panel.begin(row); entry < panel.end(row); ++entry)
      most = panel.weights[entry] > most ? panel.weights[entry] : most;
    return most;
  }
  /// A power of two that brings a weight to [1, 2), or far above 0 if it is below 2^-1000: sums are
  /// finite, and what vanishes would vanish in the ratio as well.
  REPSC_HOST_DEVICE static double unit_for(double weight) {
    const int exponent = -ilogb(weight);
    return ldexp(1.0, exponent < 1000 ? exponent : 1000);
  }
  /// N w_ik - d_i n_k
  REPSC_HOST_DEVICE double from_proportion(Sum inside, Sum total, std::int64_t size) const {
    if constexpr (Weighted) {
      return product(static_cast<double>(num_nodes), inside) -
             product(total, static_cast<double>(size));
    } else {
      return static_cast<double>(num_nodes * inside - total * size);
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
