// The runs are numbers in the memory of the device; every step is one of all runs, and the host
// looks at them after several steps.
#include "kmeans/runs_on_device.hpp"

#include <algorithm>

#include "cuda/device.hpp"
#include "kmeans/lloyd_on_device.hpp"
#include "kmeans/seeding.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

// A step takes some ten microseconds with few clusters, and looking at the runs as much.
constexpr int centers_between = 8;
constexpr int iterations_between = 8;

static_assert(!runs_suit_a_device(most_centers_on_device + 1, 1));

struct Blocks {
  explicit Blocks(const WeightedRows& sample) {
    for (const RowBlock& block : row_blocks(sample)) {
      begins.push_back(block.begin);
      numbers.push_back(static_cast<std::int32_t>(block.number));
    }
    begins.push_back(static_cast<std::int32_t>(sample.points.rows()));
  }

  std::vector<std::int32_t> begins;
  std::vector<std::int32_t> numbers;
};

}  // namespace

struct RunsOnDevice::Memory {
  Memory(const CudaDevice& of, const WeightedRows& sample, const Blocks& blocks, int clusters,
         int count)
      : device(of),
        num_rows(static_cast<std::size_t>(sample.points.rows())),
        num_runs(static_cast<std::size_t>(count)),
        num_clusters(static_cast<std::size_t>(clusters)),
        candidates(num_candidates(clusters)),
        points(DeviceBlock<double>::packed(of, static_cast<Index>(sample.points.rows()),
                                           static_cast<Index>(sample.points.cols()))),
        weights(of, sample.weights),
        names(of, sample.rows),
        range_begins(of, blocks.begins),
        range_numbers(of, blocks.numbers),
        keys(of, num_runs * keys_of_run()),
        squared(of, num_runs * num_rows),
        range_sums(of, num_runs * blocks.numbers.size()),
        chosen(of, num_runs * num_clusters),
        centers(of, num_runs * num_centers()),
        labels(of, num_runs * num_rows),
        states(of, num_runs),
        num_ranges(std::ssize(blocks.numbers)) {
    upload(repsc_cuda_block(points).data, sample.points.data(),
           static_cast<std::size_t>(sample.points.size()));
  }

  [[nodiscard]] std::size_t keys_of_run() const { return 1 + (num_clusters - 1) * candidates * 2; }
  /// Numbers that are the centers of a run.
  [[nodiscard]] std::size_t num_centers() const {
    return num_clusters * static_cast<std::size_t>(points.cols());
  }

  template <typename T>
  void upload(void* to, const T* from, std::size_t count) const {
    device.call(&Functions::upload, to, from, static_cast<std::int64_t>(count * sizeof(T)));
  }
  template <typename T>
  void download(T* to, const T* from, std::size_t count) const {
    device.call(&Functions::download, to, from, static_cast<std::int64_t>(count * sizeof(T)));
  }

  [[nodiscard]] repsc_cuda_runs runs() const {
    return {.X = points,
            .weights = weights.data(),
            .names = names.data(),
            .range_begins = range_begins.data(),
            .range_numbers = range_numbers.data(),
            .num_ranges = num_ranges,
            .runs = static_cast<std::int64_t>(num_runs),
            .clusters = static_cast<std::int64_t>(num_clusters),
            .candidates = static_cast<std::int64_t>(candidates),
            .keys = keys.data(),
            .squared = squared.data(),
            .range_sums = range_sums.data(),
            .chosen = chosen.data(),
            .centers = centers.data(),
            .labels = labels.data(),
            .states = states.data()};
  }

  const CudaDevice& device;
  std::size_t num_rows;
  std::size_t num_runs;
  std::size_t num_clusters;
  std::size_t candidates;
  DeviceBlock<double> points;
  DeviceArray<double> weights;
  DeviceArray<std::int32_t> names;
  DeviceArray<std::int32_t> range_begins;
  DeviceArray<std::int32_t> range_numbers;
  DeviceArray<std::uint64_t> keys;
  DeviceArray<double> squared;
  DeviceArray<double> range_sums;
  DeviceArray<std::int32_t> chosen;
  DeviceArray<double> centers;
  DeviceArray<Label> labels;
  DeviceArray<repsc_cuda_run> states;
  std::int64_t num_ranges;
};

RunsOnDevice::RunsOnDevice(std::shared_ptr<CudaDevice> device, const WeightedRows& sample,
                           int num_clusters, int num_runs)
    : device_(std::move(device)),
      in_use_(device_->use()),
      memory_(std::make_unique<Memory>(*device_, sample, Blocks(sample), num_clusters, num_runs)) {}

RunsOnDevice::~RunsOnDevice() = default;

std::vector<std::vector<Index>> RunsOnDevice::choose_starts(std::span<RandomStream> streams,
                                                            const std::function<bool()>& between) {
  // As many numbers of each stream as a run can need, in the order in which greedy_kmeanspp() draws
  // them.
  std::vector<std::uint64_t> keys;
  keys.reserve(memory_->num_runs * memory_->keys_of_run());
  for (RandomStream& stream : streams) {
    for (std::size_t k = 0; k < memory_->keys_of_run(); ++k) keys.push_back(stream.bits());
  }
  memory_->upload(memory_->keys.data(), keys.data(), keys.size());

  const auto K = static_cast<std::int64_t>(memory_->num_clusters);
  std::vector<Index> chosen(memory_->num_runs * memory_->num_clusters);
  std::int64_t end = 0;
  for (std::int64_t first = 0; first < K; first = end) {
    end = std::min<std::int64_t>(first + centers_between, K);
    device_->call(&Functions::choose_starts, memory_->runs(), first, end, chosen.data());
    if (between && !between()) break;
  }
  std::vector<std::vector<Index>> result;
  for (std::size_t run = 0; run < memory_->num_runs; ++run) {
    const auto begin = chosen.begin() + static_cast<std::ptrdiff_t>(run * memory_->num_clusters);
    result.emplace_back(begin, std::find(begin, begin + end, -1));
  }
  return result;
}

std::vector<RunsOnDevice::Run> RunsOnDevice::lloyd(std::span<const Matrix> starts,
                                                   int max_iterations, double tolerance,
                                                   const std::function<bool()>& between) {
  std::vector<double> centers;
  for (const Matrix& start : starts)
    centers.insert(centers.end(), start.data(), start.data() + start.size());
  memory_->upload(memory_->centers.data(), centers.data(), centers.size());
  std::vector<repsc_cuda_run> states(memory_->num_runs);
  memory_->upload(memory_->states.data(), states.data(), states.size());

  const auto goes_on = [](const repsc_cuda_run& run) {
    return run.state == REPSC_CUDA_RUN_GOES_ON;
  };
  do {
    device_->call(&Functions::iterate_runs, memory_->runs(), std::int64_t{iterations_between},
                  std::int64_t{max_iterations}, tolerance, states.data());
  } while (std::ranges::any_of(states, goes_on) && (!between || between()));

  std::vector<double> inertia(memory_->num_runs);
  device_->call(&Functions::measure_runs, memory_->runs(), inertia.data());
  std::vector<Run> result;
  result.reserve(states.size());
  for (std::size_t run = 0; run < states.size(); ++run) {
    result.push_back({inertia[run], states[run].iterations,
                      states[run].state == REPSC_CUDA_RUN_HAS_EMPTY_CLUSTER});
  }
  return result;
}

Matrix RunsOnDevice::centers(std::size_t run) const {
  Matrix result(static_cast<Eigen::Index>(memory_->num_clusters), memory_->points.cols());
  memory_->download(result.data(), memory_->centers.data() + run * memory_->num_centers(),
                    memory_->num_centers());
  return result;
}

Labels RunsOnDevice::labels(std::size_t run) const {
  Labels result(memory_->num_rows);
  memory_->download(result.data(), memory_->labels.data() + run * memory_->num_rows,
                    memory_->num_rows);
  return result;
}

}  // namespace repsc
