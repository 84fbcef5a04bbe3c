// Runs of k-means on a weighted sample: greedy k-means++ by races and Lloyd's iteration, one step
// of all runs at once. The sample is small; together the runs occupy a device.
#pragma once

#include "core/race.hpp"
#include "cuda/device/centers.hpp"

namespace repsc::device {

REPSC_HOST_DEVICE inline const double* row_of(const repsc_cuda_runs& runs, std::int64_t i) {
  return static_cast<const double*>(runs.X.data) + i * runs.X.stride;
}
REPSC_HOST_DEVICE inline std::uint64_t key_of(const repsc_cuda_runs& runs, std::int64_t run,
                                              std::int64_t key) {
  return runs.keys[run * (1 + (runs.clusters - 1) * runs.candidates * 2) + key];
}

/// The first number of a race among those that a thread has seen.
struct Winner {
  double time;
  std::int32_t number;  ///< -1: nobody has arrived
};
constexpr Winner nobody{0, -1};
/// Of equal times the lower number wins, as if one thread had seen them in order.
REPSC_HOST_DEVICE inline Winner earlier(const Winner& a, const Winner& b) {
  if (b.number < 0) return a;
  if (a.number < 0) return b;
  const bool second = b.time < a.time || (b.time == a.time && b.number < a.number);
  return second ? b : a;
}
template <std::size_t Size>
REPSC_HOST_DEVICE inline Winner earliest(const Winner (&of_threads)[Size], std::int64_t count) {
  Winner result = nobody;
  for (std::int64_t k = 0; k < count && k < std::int64_t{Size}; ++k)
    result = earlier(result, of_threads[k]);
  return result;
}

/// The first row of each run, drawn by its weight.
struct DrawFirstRows {
  struct Shared {
    Winner row[block_threads];
  };
  repsc_cuda_runs runs;
  std::int32_t* candidates;

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs; }
  REPSC_HOST_DEVICE void first(std::int64_t run, int thread, Shared& shared) const {
    Winner found = nobody;
    Race race(key_of(runs, run, 0));
    for (std::int64_t i = thread; i < runs.X.rows; i += block_threads) {
      if (race.leads(static_cast<std::uint64_t>(runs.names[i]), runs.weights[i]))
        found = {race.time(), static_cast<std::int32_t>(i)};
    }
    shared.row[thread] = found;
  }
  REPSC_HOST_DEVICE void second(std::int64_t run, int thread, Shared& shared) const {
    if (thread > 0) return;
    candidates[run * REPSC_CUDA_MOST_CANDIDATES] = earliest(shared.row, block_threads).number;
  }
};

/// The candidates for a cluster that is not the first one, each drawn by its weight times its
/// squared distance to the chosen rows: first a range of rows, then one of its rows.
struct DrawCandidates {
  struct Shared {
    Winner range[block_threads];
    Winner row[block_threads];
  };
  repsc_cuda_runs runs;
  std::int64_t cluster;
  std::int32_t* candidates;  ///< -1: all rows equal a chosen one

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs * runs.candidates; }
  REPSC_HOST_DEVICE std::uint64_t key(std::int64_t block, int step) const {
    const std::int64_t before = (cluster - 1) * runs.candidates + block % runs.candidates;
    return key_of(runs, block / runs.candidates, 1 + 2 * before + step);
  }
  REPSC_HOST_DEVICE std::int32_t last_chosen(std::int64_t run) const {
    return runs.chosen[run * runs.clusters + cluster - 1];
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t run = block / runs.candidates;
    Winner found = nobody;
    if (last_chosen(run) >= 0) {
      Race race(key(block, 0));
      const double* const sums = runs.range_sums + run * runs.num_ranges;
      for (std::int64_t r = thread; r < runs.num_ranges; r += block_threads) {
        if (race.leads(static_cast<std::uint64_t>(runs.range_numbers[r]), sums[r]))
          found = {race.time(), static_cast<std::int32_t>(r)};
      }
    }
    shared.range[thread] = found;
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t run = block / runs.candidates;
    const std::int32_t range = earliest(shared.range, runs.num_ranges).number;
    Winner found = nobody;
    if (range >= 0) {
      Race race(key(block, 1));
      const double* const last = row_of(runs, last_chosen(run));
      const double* const squared = runs.squared + run * runs.X.rows;
      for (std::int64_t i = runs.range_begins[range] + thread; i < runs.range_begins[range + 1];
           i += block_threads) {
        double least = squared_distance(row_of(runs, i), last, runs.X.columns);
        if (cluster > 1 && squared[i] < least) least = squared[i];
        if (race.leads(static_cast<std::uint64_t>(runs.names[i]), runs.weights[i] * least))
          found = {race.time(), static_cast<std::int32_t>(i)};
      }
    }
    shared.row[thread] = found;
  }
  REPSC_HOST_DEVICE void third(std::int64_t block, int thread, Shared& shared) const {
    if (thread > 0) return;
    candidates[block / runs.candidates * REPSC_CUDA_MOST_CANDIDATES + block % runs.candidates] =
        earliest(shared.row, block_threads).number;
  }
};

/// For each range of rows the sum of the weights times squared distances that each candidate would
/// leave. The row chosen last becomes part of the distances here.
struct TryCandidates {
  static constexpr int most = REPSC_CUDA_MOST_CANDIDATES;
  struct Shared {
    ThreadSums<most> sums;
  };
  repsc_cuda_runs runs;
  std::int64_t cluster;
  const std::int32_t* candidates;
  double* left;  ///< [run, range, candidate]

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs * runs.num_ranges; }
  REPSC_HOST_DEVICE int width() const {
    return cluster == 0 ? 1 : static_cast<int>(runs.candidates);
  }
  REPSC_HOST_DEVICE const std::int32_t* own_candidates(std::int64_t block) const {
    return candidates + block / runs.num_ranges * most;
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t run = block / runs.num_ranges;
    const std::int64_t range = block % runs.num_ranges;
    if (own_candidates(block)[0] < 0) return;
    const double* row[most] = {};
    for (int c = 0; c < most; ++c) {
      if (c < width()) row[c] = row_of(runs, own_candidates(block)[c]);
    }
    const double* const last =
        cluster > 0 ? row_of(runs, runs.chosen[run * runs.clusters + cluster - 1]) : nullptr;
    double* const squared = runs.squared + run * runs.X.rows;
    double sum[most] = {};
    for (std::int64_t i = runs.range_begins[range] + thread; i < runs.range_begins[range + 1];
         i += block_threads) {
      const double* const x = row_of(runs, i);
      double least = std::numeric_limits<double>::infinity();
      if (last != nullptr) {
        least = squared_distance(x, last, runs.X.columns);
        if (cluster > 1 && squared[i] < least) least = squared[i];
        squared[i] = least;
      }
      double distance[most] = {};
      for (std::int64_t j = 0; j < runs.X.columns; ++j) {
        for (int c = 0; c < most; ++c) {
          if (c >= width()) continue;
          const double difference = x[j] - row[c][j];
          distance[c] += difference * difference;
        }
      }
      for (int c = 0; c < most; ++c) {
        if (c < width()) sum[c] += runs.weights[i] * (distance[c] < least ? distance[c] : least);
      }
    }
    for (int c = 0; c < most; ++c) shared.sums.own[c][thread] = sum[c];
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    if (own_candidates(block)[0] >= 0) shared.sums.add_parts(thread);
  }
  REPSC_HOST_DEVICE void third(std::int64_t block, int thread, Shared& shared) const {
    if (thread < width() && own_candidates(block)[0] >= 0)
      left[block * most + thread] = shared.sums.total(thread);
  }
};

/// Of the candidates of each run, the one that leaves the least, the first of equals.
struct ChooseCandidates {
  static constexpr int most = REPSC_CUDA_MOST_CANDIDATES;
  static constexpr int lanes = block_threads / most;
  struct Shared {
    double sum[lanes][most];
    std::int32_t best;
  };
  repsc_cuda_runs runs;
  std::int64_t cluster;
  const std::int32_t* candidates;
  const double* left;

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs; }
  REPSC_HOST_DEVICE int width() const {
    return cluster == 0 ? 1 : static_cast<int>(runs.candidates);
  }
  REPSC_HOST_DEVICE void first(std::int64_t run, int thread, Shared& shared) const {
    const int c = thread % most;
    if (c >= width() || candidates[run * most] < 0) return;
    double sum = 0;
    for (std::int64_t r = thread / most; r < runs.num_ranges; r += lanes)
      sum += left[(run * runs.num_ranges + r) * most + c];
    shared.sum[thread / most][c] = sum;
  }
  REPSC_HOST_DEVICE void second(std::int64_t run, int thread, Shared& shared) const {
    if (thread > 0) return;
    std::int32_t& chosen = runs.chosen[run * runs.clusters + cluster];
    chosen = -1;
    if (candidates[run * most] < 0) return;
    double least = std::numeric_limits<double>::infinity();
    shared.best = 0;
    for (int c = 0; c < width(); ++c) {
      double sum = 0;
      for (int lane = 0; lane < lanes; ++lane) sum += shared.sum[lane][c];
      if (sum < least) {
        least = sum;
        shared.best = c;
      }
    }
    chosen = candidates[run * most + shared.best];
  }
  REPSC_HOST_DEVICE void third(std::int64_t run, int thread, Shared& shared) const {
    if (candidates[run * most] < 0) return;
    for (std::int64_t r = thread; r < runs.num_ranges; r += block_threads) {
      runs.range_sums[run * runs.num_ranges + r] =
          left[(run * runs.num_ranges + r) * most + shared.best];
    }
  }
};

/// What Lloyd's iteration adds up over a slice of the rows, for each run: the sums and the weight
/// of every cluster, then two numbers about all rows.
struct SliceSums {
  Chunks slices;
  std::int64_t of_clusters;  ///< clusters x (columns + 1): sums, then the weight

  enum { inertia, fall, about_rows };
  REPSC_HOST_DEVICE std::int64_t count() const { return of_clusters + about_rows; }
};

/// The nearest center of each row, and the sums of a slice.
struct AssignRows {
  static constexpr int at_once = 8;  ///< centers for which a row is read
  struct Shared {
    ThreadSums<SliceSums::about_rows> sums;
    double of_lane[block_threads];
  };
  repsc_cuda_runs runs;
  SliceSums shape;
  std::int64_t num_slices;
  double* partial;  ///< [run, slice, sum]

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs * num_slices; }
  REPSC_HOST_DEVICE bool ended(std::int64_t block) const {
    return runs.states[block / num_slices].state != REPSC_CUDA_RUN_GOES_ON;
  }
  /// Threads that share an output, each with rows of its own.
  REPSC_HOST_DEVICE int lanes() const {
    return shape.of_clusters < block_threads ? block_threads / static_cast<int>(shape.of_clusters)
                                             : 1;
  }

  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    if (ended(block)) return;
    const std::int64_t run = block / num_slices;
    const std::int64_t slice = block % num_slices;
    const std::int64_t columns = runs.X.columns;
    const double* const centers = runs.centers + run * runs.clusters * columns;
    std::int32_t* const labels = runs.labels + run * runs.X.rows;
    const bool has_labels = runs.states[run].iterations > 0;
    double inertia = 0;
    double fall = 0;
    for (std::int64_t i = shape.slices.begin(slice) + thread; i < shape.slices.end(slice);
         i += block_threads) {
      const double* const x = row_of(runs, i);
      const std::int32_t own = has_labels ? labels[i] : -1;
      std::int32_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      double to_own = 0;
      for (std::int64_t k = 0; k < runs.clusters; k += at_once) {
        const int count =
            runs.clusters - k < at_once ? static_cast<int>(runs.clusters - k) : at_once;
        const double* const center = centers + k * columns;
        double distance[at_once] = {};
        for (std::int64_t j = 0; j < columns; ++j) {
          for (int c = 0; c < at_once; ++c) {
            if (c >= count) continue;
            const double difference = x[j] - center[c * columns + j];
            distance[c] += difference * difference;
          }
        }
        for (int c = 0; c < at_once; ++c) {
          if (c >= count) continue;
          if (k + c == own) to_own = distance[c];
          if (distance[c] < least) {
            least = distance[c];
            nearest = static_cast<std::int32_t>(k + c);
          }
        }
      }
      inertia += runs.weights[i] * least;
      if (own == nearest) continue;
      labels[i] = nearest;
      fall += runs.weights[i] * (to_own - least);
    }
    shared.sums.own[SliceSums::inertia][thread] = inertia;
    shared.sums.own[SliceSums::fall][thread] = fall;
  }

  /// The sum of an output over every so many rows of a slice. The column after the last one is the
  /// weight.
  REPSC_HOST_DEVICE double sum_of(std::int64_t block, std::int64_t output, int lane) const {
    const std::int64_t slice = block % num_slices;
    const std::int32_t* const labels = runs.labels + block / num_slices * runs.X.rows;
    const Element e = element(output, runs.X.columns + 1);
    const int step = lanes();
    double sum = 0;
    for (std::int64_t i = shape.slices.begin(slice) + lane; i < shape.slices.end(slice);
         i += step) {
      if (labels[i] != e.row) continue;
      sum +=
          e.column < runs.X.columns ? runs.weights[i] * row_of(runs, i)[e.column] : runs.weights[i];
    }
    return sum;
  }
  REPSC_HOST_DEVICE void second(std::int64_t block, int thread, Shared& shared) const {
    if (ended(block)) return;
    shared.sums.add_parts(thread);
    const std::int64_t outputs = shape.of_clusters;
    if (lanes() > 1) {
      if (thread < lanes() * outputs)
        shared.of_lane[thread] =
            sum_of(block, thread % outputs, static_cast<int>(thread / outputs));
      return;
    }
    for (std::int64_t output = thread; output < outputs; output += block_threads)
      partial[block * shape.count() + output] = sum_of(block, output, 0);
  }
  REPSC_HOST_DEVICE void third(std::int64_t block, int thread, Shared& shared) const {
    if (ended(block)) return;
    double* const result = partial + block * shape.count();
    if (thread < SliceSums::about_rows)
      result[shape.of_clusters + thread] = shared.sums.total(thread);
    if (lanes() == 1 || thread >= shape.of_clusters) return;
    double sum = 0;
    for (int lane = 0; lane < lanes(); ++lane)
      sum += shared.of_lane[lane * shape.of_clusters + thread];
    result[thread] = sum;
  }
};

/// Moves the centers of each run to the means, and decides whether it goes on, as lloyd() of the
/// host does.
struct MoveCenters {
  struct Shared {
    double fall[block_threads];
    bool empty[block_threads];
  };
  repsc_cuda_runs runs;
  SliceSums shape;
  std::int64_t num_slices;
  std::int64_t most;  ///< iterations
  double tolerance;
  const double* partial;
  double* totals;  ///< [run, part, sum]

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs; }
  REPSC_HOST_DEVICE bool ended(std::int64_t run) const {
    return runs.states[run].state != REPSC_CUDA_RUN_GOES_ON;
  }
  /// Of the slices: more than one where there are threads for them.
  REPSC_HOST_DEVICE std::int64_t parts() const {
    return shape.count() < block_threads ? block_threads / shape.count() : 1;
  }
  REPSC_HOST_DEVICE double total(std::int64_t run, std::int64_t output) const {
    double sum = 0;
    for (std::int64_t part = 0; part < parts(); ++part)
      sum += totals[(run * parts() + part) * shape.count() + output];
    return sum;
  }

  REPSC_HOST_DEVICE void first(std::int64_t run, int thread, Shared& /*shared*/) const {
    if (ended(run)) return;
    const std::int64_t outputs = shape.count();
    for (std::int64_t at = thread; at < parts() * outputs; at += block_threads) {
      const Element e = element(at, outputs);
      double sum = 0;
      for (std::int64_t slice = e.row; slice < num_slices; slice += parts())
        sum += partial[(run * num_slices + slice) * outputs + e.column];
      totals[run * parts() * outputs + at] = sum;
    }
  }
  REPSC_HOST_DEVICE void second(std::int64_t run, int thread, Shared& shared) const {
    if (ended(run)) return;
    const std::int64_t columns = runs.X.columns;
    double* const centers = runs.centers + run * runs.clusters * columns;
    double fall = 0;
    bool empty = false;
    for (std::int64_t at = thread; at < runs.clusters * columns; at += block_threads) {
      const Element e = element(at, columns);
      const double mass = total(run, e.row * (columns + 1) + columns);
      if (!(mass > 0)) {
        empty = true;
        continue;
      }
      const double mean = total(run, e.row * (columns + 1) + e.column) / mass;
      const double difference = mean - centers[at];
      fall += mass * (difference * difference);
      centers[at] = mean;
    }
    shared.fall[thread] = fall;
    shared.empty[thread] = empty;
  }
  REPSC_HOST_DEVICE void third(std::int64_t run, int thread, Shared& shared) const {
    if (thread > 0 || ended(run)) return;
    double fall = 0;
    bool empty = false;
    for (int k = 0; k < block_threads; ++k) {
      fall += shared.fall[k];
      empty = empty || shared.empty[k];
    }
    runs.states[run] =
        empty ? repsc_cuda_run{0, runs.states[run].iterations + 1, REPSC_CUDA_RUN_HAS_EMPTY_CLUSTER}
              : next(run, fall);
  }

 private:
  /// `fall`: of the inertia, as the centers moved. If no label has changed, it is 0, because the
  /// sums are the same bytes as before.
  [[nodiscard]] REPSC_HOST_DEVICE repsc_cuda_run next(std::int64_t run, double fall) const {
    repsc_cuda_run now = runs.states[run];
    if (now.iterations == 0) {
      now.inertia = total(run, shape.of_clusters + SliceSums::inertia);
    } else {
      fall += total(run, shape.of_clusters + SliceSums::fall);
    }
    ++now.iterations;
    now.inertia -= fall;
    const bool goes_on =
        now.iterations < most && fall > tolerance * (now.inertia > 0 ? now.inertia : 0);
    now.state = goes_on ? REPSC_CUDA_RUN_GOES_ON : REPSC_CUDA_RUN_HAS_ENDED;
    return now;
  }
};

/// The inertia of each slice about the centers of its run.
struct MeasureRuns {
  struct Shared {
    ThreadSums<1> sums;
  };
  repsc_cuda_runs runs;
  Chunks slices;
  std::int64_t num_slices;
  double* partial;  ///< [run, slice]

  [[nodiscard]] std::int64_t num_blocks() const { return runs.runs * num_slices; }
  REPSC_HOST_DEVICE void first(std::int64_t block, int thread, Shared& shared) const {
    const std::int64_t run = block / num_slices;
    const std::int64_t slice = block % num_slices;
    const double* const centers = runs.centers + run * runs.clusters * runs.X.columns;
    const std::int32_t* const labels = runs.labels + run * runs.X.rows;
    double sum = 0;
    for (std::int64_t i = slices.begin(slice) + thread; i < slices.end(slice); i += block_threads) {
      const double* const own = centers + labels[i] * runs.X.columns;
      sum += runs.weights[i] * squared_distance(row_of(runs, i), own, runs.X.columns);
    }
    shared.sums.own[0][thread] = sum;
  }
  REPSC_HOST_DEVICE void second(std::int64_t /*block*/, int thread, Shared& shared) const {
    shared.sums.add_parts(thread);
  }
  REPSC_HOST_DEVICE void third(std::int64_t block, int thread, Shared& shared) const {
    if (thread == 0) partial[block] = shared.sums.total(0);
  }
};

}  // namespace repsc::device
