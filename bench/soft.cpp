// The soft constraint beside plain clustering: one million edges in G and in R, K = 8. Products and
// seconds against the strength; runs are interleaved, and ratios are of medians.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

constexpr int repeats = 3;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Candidate {
  std::string what;
  ClusterOptions options;
  std::vector<double> seconds = {};
  Clustering found = {};
};

struct Model {
  const char* what;
  RppProbabilities probabilities;
};

void run(const Model& model, bool normalized) {
  const Index N = 50'000;
  const int K = 8;
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 5;
  const Labels truth = equal_clusters(N, K);
  const Graph R = sample_planted_partition(groups, 0.002, 0.0005, 1, SelfLoops::add);
  const Graph G = sample_rpp(R, truth, model.probabilities, 2);
  fmt::print("\n{}, {}: G {} edges, R {} edges, {} nodes, K = {}\n", model.what,
             normalized ? "normalized" : "unnormalized", G.num_edges(), R.num_edges(), N, K);

  const Method method = normalized ? Method::nrepsc : Method::urepsc;
  std::vector<Candidate> candidates{{"plain", {.method = normalized ? Method::nsc : Method::usc}},
                                    {"hard, rank 128", {.method = method, .rank = Rank::of(128)}}};
  for (const double strength : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
    candidates.push_back(
        {fmt::format("soft, strength {}", strength),
         {.method = method, .constraint = ConstraintKind::soft, .strength = strength}});
  }
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Candidate& candidate : candidates) {
      const Stopwatch timer;
      candidate.found = cluster(G, R, K, candidate.options);
      candidate.seconds.push_back(timer.seconds());
    }
  }
  std::fflush(stdout);
  fmt::print("{:<22} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "", "seconds", "ratio",
             "products", "eigen", "k-means", "balance", "accuracy");
  for (const Candidate& candidate : candidates) {
    const Clustering& found = candidate.found;
    fmt::print("{:<22} {:>8.3f} {:>8.2f} {:>8} {:>8.3f} {:>8.3f} {:>8.3f} {:>9.3f}\n",
               candidate.what, median(candidate.seconds),
               median(candidate.seconds) / median(candidates.front().seconds), found.iterations,
               found.seconds.eigen, found.seconds.kmeans,
               evaluate(G, R, found.labels, K).average_balance, accuracy(found.labels, truth));
  }
}

}  // namespace
}  // namespace repsc

int main() {
  const repsc::Model models[] = {
      {"clear clusters", {.p = 0.3, .q = 0.2, .r = 0.0035, .s = 0.00022}},
      {"p:q:r:s = 4:3:2:1", {.p = 0.00282, .q = 0.00211, .r = 0.00141, .s = 0.000704}}};
  for (const repsc::Model& model : models) {
    for (const bool normalized : {true, false}) repsc::run(model, normalized);
  }
}
