// Drawing lots, and what it costs in cut and gives in balance.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "graph/host_arrays.hpp"
#include "metrics/on_device.hpp"
#include "repsc/baselines.hpp"

namespace repsc {
namespace {

/// Each draw reads every entry of both graphs.
int number_of_draws(const Graph& G, const std::optional<Representation>& R) {
  constexpr double affordable = 1e7;  // entries: less time than plain clustering takes
  constexpr double fewest = 10;
  constexpr double most = 100;
  // Dealing the labels costs about as much as ten entries per node.
  const double entries = static_cast<double>(G.num_entries()) + 10.0 * G.num_nodes() +
                         (R ? static_cast<double>(R->num_entries()) : 0.0);
  return static_cast<int>(std::clamp(affordable / std::max(1.0, entries), fewest, most));
}

void check_number(int num_clusters, Index num_nodes) {
  require_option(num_clusters >= 1 && num_clusters <= num_nodes, "num_clusters", num_clusters,
                 "it must be from 1 to the number of nodes, ", num_nodes);
}

/// 0, ..., K - 1, 0, ..., shuffled (Fisher and Yates).
Labels dealt(Index num_nodes, int K, RandomStream& random) {
  Labels labels(static_cast<std::size_t>(num_nodes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<Label>(i % static_cast<std::size_t>(K));
  }
  for (std::size_t i = labels.size(); i > 1; --i) {
    std::swap(labels[i - 1], labels[static_cast<std::size_t>(random.below(i))]);
  }
  return labels;
}

/// Draws that are in memory at the same time.
int draws_at_once(Index num_nodes) {
  constexpr double most_bytes = 1e9;
  const double fitting = most_bytes / (double{sizeof(Label)} * std::max<Index>(num_nodes, 1));
  return static_cast<int>(std::clamp(fitting, 1.0, static_cast<double>(num_threads())));
}

/// Mean and standard deviation of the values so far (Welford 1962).
class Statistic {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / count_;
    squares_ += before * (value - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double spread() const {
    return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0;
  }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace

Labels deal_lots(Index num_nodes, int num_clusters, std::uint64_t seed) {
  check_number(num_clusters, num_nodes);
  RandomStream random(seed);
  return dealt(num_nodes, num_clusters, random);
}

Lots draw_lots(const Graph& similarity, const std::optional<Representation>& representation,
               int num_clusters, std::uint64_t seed, const std::shared_ptr<CudaDevice>& device) {
  const Index N = similarity.num_nodes();
  check_number(num_clusters, N);
  Lots lots;
  lots.draws = number_of_draws(similarity, representation);
  Statistic cut;
  Statistic balanced;
  std::optional<DeviceUpload> upload;  // for all draws
  if (device != nullptr && !similarity.packed()) {
    upload.emplace(device, host_arrays(similarity), room_for_graph(*device, bytes_of_metrics(N)));
  }
  // Shuffling is the work of one thread for each draw.
  const int at_once = draws_at_once(N);
  std::vector<Labels> dealt_labels(static_cast<std::size_t>(std::min(at_once, lots.draws)));
  for (int begin = 0; begin < lots.draws; begin += at_once) {
    const int count = std::min(at_once, lots.draws - begin);
    parallel_chunks(count, [&](std::int64_t k) {
      RandomStream random(seed, static_cast<std::uint64_t>(begin + k));
      dealt_labels[static_cast<std::size_t>(k)] = dealt(N, num_clusters, random);
    });
    for (int k = 0; k < count; ++k) {
      const Labels& labels = dealt_labels[static_cast<std::size_t>(k)];
      cut.add(normalized_cut(similarity, labels, num_clusters, device));
      balanced.add(representation ? average_balance(*representation, labels, num_clusters, device)
                                  : std::numeric_limits<double>::quiet_NaN());
    }
  }
  lots.cut = cut.mean();
  lots.cut_spread = cut.spread();
  lots.average_balance = balanced.mean();
  lots.balance_spread = balanced.spread();
  // Of the N (N - 1) ordered pairs of nodes, |C_k| (N - |C_k|) leave cluster k.
  const double weight = 0.5 * similarity.degrees().sum();
  lots.ratio_cut = N > 1 ? weight * (num_clusters - 1) / (N - 1) : 0;
  return lots;
}

}  // namespace repsc
