// Group-fair clustering of 100,000 nodes with 10 million stored entries: memory against the graph's
// own CSR, and the share of the eigensolver's time that products with the graph take.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "graph/product.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double csr_megabytes(const Graph& graph) {
  return (static_cast<double>(graph.num_entries()) * sizeof(Index) +
          static_cast<double>(graph.num_nodes() + 1) * sizeof(Offset)) /
         (1 << 20);
}

/// Median seconds of a product with so many vectors.
double product_seconds(const Graph& graph, Index width) {
  const FloatMatrix X = FloatMatrix::Random(graph.num_nodes(), width);
  FloatMatrix Y;
  std::array<double, 9> seconds{};
  for (double& one : seconds) {
    const Stopwatch timer;
    multiply(graph, X, Y);
    one = timer.seconds();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[4];
}

void run(const char* what, const RppProbabilities& probabilities) {
  const Index N = 100'000;
  const Labels truth = equal_clusters(N, 5);
  Labels groups(N);
  for (Index i = 0; i < N; ++i) groups[i] = i % 4;
  const Graph G = sample_rpp_groups(groups, truth, probabilities, 1);
  for (const double tolerance : {0.0, 1e-3, 1e-8}) {  // 0: until the labels have settled
    const Stopwatch timer;
    const Clustering found = cluster(G, groups, 5, {.tolerance = tolerance});
    const double total = timer.seconds();
    const double products = found.iterations * product_seconds(G, 4);
    fmt::print("{:<22} {:>8.0e} {:>8.3f} {:>9.1e} {:>8} {:>8.2f} {:>8.2f} {:>8.2f} {:>9.0f}%\n",
               what, tolerance, accuracy(found.labels, truth), found.residual, found.iterations,
               total, found.seconds.eigen, found.seconds.kmeans,
               100 * products / found.seconds.eigen);
  }
  fmt::print(
      "{:<22} stored entries {}, CSR {:.1f} MB, peak {:.1f} MB = {:.2f} x CSR (sampling "
      "included)\n",
      "", G.num_entries(), csr_megabytes(G), peak_megabytes(), peak_megabytes() / csr_megabytes(G));
}

}  // namespace
}  // namespace repsc

int main() {
  fmt::print("{:<22} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "graph", "tol",
             "accuracy", "residual", "products", "seconds", "eigen", "k-means", "products");
  // Mean degree 100. At p:q:r:s = 4:3:2:1 the clusters' eigenvalues lie at the edge of the noise.
  repsc::run("clear clusters", {.p = 0.006, .q = 0.001, .r = 0.001, .s = 0.0006});
  repsc::run("p:q:r:s = 4:3:2:1", {.p = 0.002353, .q = 0.001765, .r = 0.001176, .s = 0.000588});
}
