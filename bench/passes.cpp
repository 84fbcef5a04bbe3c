// Seconds of a product with eight vectors, however the neighbours of an .rgraph file are kept.
//
//   bench_passes G.rgraph [plain packed streamed]
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph/product.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

constexpr Index width = 8;

/// The fastest of three, in nanoseconds per entry.
template <typename Product>
double nanoseconds(const Graph& graph, const Product& product) {
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Stopwatch timer;
    product();
    best = std::min(best, timer.seconds());
  }
  return 1e9 * best / static_cast<double>(graph.num_entries());
}

void measure(const std::string& path, const std::string& word, GraphStorage storage) {
  const Stopwatch opening;
  const Graph graph = read_graph(path, {.trusted = true, .storage = storage}).graph;
  const double opened = opening.seconds();
  const FloatMatrix X = FloatMatrix::Random(graph.num_nodes(), width);
  FloatMatrix Y;
  const double coarse = nanoseconds(graph, [&] { (void)multiply_coarsely(graph, X, Y); });
  const double single = nanoseconds(graph, [&] { multiply(graph, X, Y); });
  fmt::print("{:<10} {:>12} {:>14} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.0f}\n", word, graph.num_nodes(),
             graph.num_entries(), opened, coarse, single,
             static_cast<double>(peak_memory_bytes()) / (1 << 20));
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  using repsc::GraphStorage;
  if (argc < 2) {
    fmt::print(stderr, "usage: {} G.rgraph [plain packed streamed]\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> asked(argv + 2, argv + argc);
  fmt::print("{:<10} {:>12} {:>14} {:>9} {:>9} {:>9} {:>9}\n", "storage", "nodes", "entries",
             "open, s", "16 bits", "single", "peak, MB");
  const std::vector<std::pair<std::string, GraphStorage>> all{{"streamed", GraphStorage::streamed},
                                                              {"packed", GraphStorage::packed},
                                                              {"plain", GraphStorage::plain}};
  for (const auto& [word, storage] : all) {
    if (!asked.empty() && std::find(asked.begin(), asked.end(), word) == asked.end()) continue;
    repsc::measure(argv[1], word, storage);
  }
}
