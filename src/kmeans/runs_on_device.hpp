// Runs of k-means on a sample, all at once on a CUDA device.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "kmeans/sample.hpp"
#include "repsc/cuda.hpp"

namespace repsc {

/// Runs that a device takes at once.
inline constexpr int most_runs_on_device = 32;

/// Whether a device takes such runs. It computes all distances, most of which the CPU leaves out by
/// its bounds where there are many clusters; hence the limit.
[[nodiscard]] constexpr bool runs_suit_a_device(int num_clusters, Eigen::Index columns) {
  constexpr Eigen::Index most = 16'384;
  return num_clusters <= 512 && columns >= 1 && columns <= most / num_clusters;
}

/// Holds the device as long as it exists. Its functions throw DeviceFailure.
class RunsOnDevice {
 public:
  /// `num_runs`: up to most_runs_on_device. The sample has a row at least.
  RunsOnDevice(std::shared_ptr<CudaDevice> device, const WeightedRows& sample, int num_clusters,
               int num_runs);
  ~RunsOnDevice();
  RunsOnDevice(const RunsOnDevice&) = delete;
  RunsOnDevice& operator=(const RunsOnDevice&) = delete;

  /// What greedy_kmeanspp() of the sample returns for each stream, one for each run. `between` is
  /// called now and then.
  [[nodiscard]] std::vector<std::vector<Index>> choose_starts(
      std::span<RandomStream> streams, const std::function<bool()>& between = {});

  struct Run {
    double inertia = 0;
    int iterations = 0;
    bool has_empty_cluster = false;  ///< the run ended there; the host has to compute it
  };
  /// What lloyd() of the sample does from the centers of each run. `between` is called now and
  /// then.
  [[nodiscard]] std::vector<Run> lloyd(std::span<const Matrix> starts, int max_iterations,
                                       double tolerance, const std::function<bool()>& between = {});

  /// After lloyd().
  [[nodiscard]] Matrix centers(std::size_t run) const;
  [[nodiscard]] Labels labels(std::size_t run) const;

 private:
  struct Memory;

  std::shared_ptr<CudaDevice> device_;
  std::unique_lock<std::mutex> in_use_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace repsc
