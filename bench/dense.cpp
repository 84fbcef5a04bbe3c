// Constraints of high rank on a device beside the CPU, on the model of the paper: a regular R, G of
// the R-PP model, five clusters (docs/gpu.md).
//
//   bench_dense NODES [--cpu] [--repeat N] [--path RANKS]
//
// The rank is half the number of nodes; a path goes over that many ranks up to it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

constexpr int num_clusters = 5;

struct Model {
  Labels truth;
  Graph R;
  Graph G;
};

Model planted(Index nodes) {
  Model model;
  model.truth = equal_clusters(nodes, num_clusters);
  model.R = sample_regular_representation(nodes, num_clusters, 40, 1);
  model.G = sample_rpp(model.R, model.truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 2);
  return model;
}

Labels run_once(const Model& model, Index rank, const char* device) {
  const Stopwatch watch;
  const Clustering found =
      cluster({.similarity = model.G, .representation = model.R}, num_clusters,
              {.method = Method::nrepsc, .rank = Rank::of(rank), .device = device_by_name(device)});
  fmt::print(
      "{:<5} rank {}: {:.3f} s: constraint {:.3f}, eigen {:.3f} ({} products, on {}), kmeans "
      "{:.3f}; "
      "residual {:.1e}, Rand index with the truth {:.4f}\n",
      device, rank, watch.seconds(), found.seconds.constraint, found.seconds.eigen,
      found.iterations, found.device, found.seconds.kmeans, found.residual,
      adjusted_rand_index(found.labels, model.truth));
  std::fflush(stdout);
  return found.labels;
}

void run_path(const Model& model, int steps, const char* device) {
  const Index half = model.G.num_nodes() / 2;
  std::vector<Index> ranks;
  for (int k = 1; k <= steps; ++k)
    ranks.push_back(static_cast<Index>(std::int64_t{half} * k / steps));
  const Stopwatch watch;
  const RankPath found = path(model.G, model.R, num_clusters, ranks,
                              {.method = Method::nrepsc, .device = device_by_name(device)});
  fmt::print("{:<5} path over {} ranks: {:.3f} s, of which {:.3f} for the decomposition\n", device,
             steps, watch.seconds(), found.decomposition_seconds);
  std::fflush(stdout);
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  using namespace repsc;
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_dense NODES [--cpu] [--repeat N] [--path RANKS]\n");
    return 2;
  }
  const auto nodes = static_cast<Index>(std::atoi(argv[1]));
  bool cpu = false;
  int repeats = 3;
  int steps = 0;
  for (int k = 2; k < argc; ++k) {
    if (std::strcmp(argv[k], "--cpu") == 0) cpu = true;
    if (std::strcmp(argv[k], "--repeat") == 0 && k + 1 < argc) repeats = std::atoi(argv[++k]);
    if (std::strcmp(argv[k], "--path") == 0 && k + 1 < argc) steps = std::atoi(argv[++k]);
  }
  const Model model = planted(nodes);
  fmt::print("{} nodes, {} entries in G, {} in R\n", nodes, model.G.num_entries(),
             model.R.num_entries());
  Labels on_device;
  for (int k = 0; k < repeats; ++k) on_device = run_once(model, nodes / 2, "cuda");
  if (steps > 0) run_path(model, steps, "cuda");
  if (!cpu) return 0;
  Labels on_host;
  for (int k = 0; k < std::min(repeats, 2); ++k) on_host = run_once(model, nodes / 2, "cpu");
  fmt::print("Rand index between both: {:.6f}\n", adjusted_rand_index(on_device, on_host));
  if (steps > 0) run_path(model, steps, "cpu");
}
