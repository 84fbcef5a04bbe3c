// The functions of interface.h for runs of k-means on a sample. Each step of all runs is a launch,
// or a few; nothing is copied to the host before the last one.
#pragma once

#include <numeric>
#include <vector>

#include "cuda/device/runs.hpp"
#include "cuda/device/steps.hpp"

namespace repsc::device {

template <typename Place>
struct RunFunctions {
  using Own = Context<Place>;

  static std::int32_t choose_starts(repsc_cuda_context* context, repsc_cuda_runs runs,
                                    std::int64_t first, std::int64_t end, std::int32_t* chosen) {
    return guarded<Place>(context, [&](Own& at) {
      check(runs);
      constexpr std::int64_t most = REPSC_CUDA_MOST_CANDIDATES;
      auto* const candidates = at.template room<std::int32_t>(Own::results, runs.runs * most);
      auto* const left =
          at.template room<double>(Own::partials, runs.runs * runs.num_ranges * most);
      for (std::int64_t cluster = first; cluster < end; ++cluster) {
        if (cluster == 0) {
          at.place.run(DrawFirstRows{runs, candidates});
        } else {
          at.place.run(DrawCandidates{runs, cluster, candidates});
        }
        at.place.run(TryCandidates{runs, cluster, candidates, left});
        at.place.run(ChooseCandidates{runs, cluster, candidates, left});
      }
      at.place.download(chosen, runs.chosen,
                        runs.runs * runs.clusters * std::int64_t{sizeof(std::int32_t)});
    });
  }

  static std::int32_t iterate_runs(repsc_cuda_context* context, repsc_cuda_runs runs,
                                   std::int64_t count, std::int64_t most, double tolerance,
                                   repsc_cuda_run* states) {
    return guarded<Place>(context, [&](Own& at) {
      check(runs);
      const SliceSums shape{slices_of(runs), runs.clusters * (runs.X.columns + 1)};
      const std::int64_t slices = shape.slices.count();
      auto* const partial =
          at.template room<double>(Own::partials, runs.runs * slices * shape.count());
      // Parts of sums fill at most the threads of a block.
      const std::int64_t totals_of_run = std::max<std::int64_t>(block_threads, shape.count());
      auto* const totals = at.template room<double>(Own::results, runs.runs * totals_of_run);
      for (std::int64_t iteration = 0; iteration < count; ++iteration) {
        at.place.run(AssignRows{runs, shape, slices, partial});
        at.place.run(MoveCenters{runs, shape, slices, most, tolerance, partial, totals});
      }
      at.place.download(states, runs.states, runs.runs * std::int64_t{sizeof(repsc_cuda_run)});
    });
  }

  static std::int32_t measure_runs(repsc_cuda_context* context, repsc_cuda_runs runs,
                                   double* inertia) {
    return guarded<Place>(context, [&](Own& at) {
      check(runs);
      const Chunks slices = slices_of(runs);
      const std::int64_t num_slices = slices.count();
      auto* const partial = at.template room<double>(Own::partials, runs.runs * num_slices);
      at.place.run(MeasureRuns{runs, slices, num_slices, partial});
      std::vector<double> sums(static_cast<std::size_t>(runs.runs * num_slices));
      at.place.download(sums.data(), partial,
                        runs.runs * num_slices * std::int64_t{sizeof(double)});
      for (std::int64_t run = 0; run < runs.runs; ++run) {
        const double* const own = sums.data() + run * num_slices;
        inertia[run] = std::accumulate(own, own + num_slices, 0.0);
      }
    });
  }

 private:
  static void check(const repsc_cuda_runs& runs) {
    if (runs.X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
    if (runs.clusters < 1 || runs.clusters > REPSC_CUDA_MOST_GROUPS)
      throw std::runtime_error("more clusters than the device has runs for");
    if (runs.candidates > REPSC_CUDA_MOST_CANDIDATES)
      throw std::runtime_error("more candidates than the device tries at once");
  }

  /// Small, so that all runs together occupy the device; with many clusters larger, so that the
  /// sums of all slices take a sixteenth of the memory of the rows.
  static Chunks slices_of(const repsc_cuda_runs& runs) {
    return {runs.X.rows, std::max<std::int64_t>(512, 16 * runs.clusters)};
  }
};

}  // namespace repsc::device
