// Reads a graph and prints, as JSON, the seconds until it is in memory, the peak memory of the
// process, and a checksum of all that the graph holds: bench/reading.py runs this beside pandas.
//
//   bench_reading FILE THREADS
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

#include "repsc/io.hpp"

namespace repsc {
namespace {

/// FNV-1a over words of 64 bits.
class Checksum {
 public:
  void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x100000001b3ULL; }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(text.size());
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

std::uint64_t checksum(const BuiltGraph& built) {
  Checksum sum;
  sum.add(describe(built.changes));
  const Graph& graph = built.graph;
  for (const Offset offset : graph.offsets()) sum.add(static_cast<std::uint64_t>(offset));
  for (const Index node : graph.neighbors()) sum.add(static_cast<std::uint64_t>(node));
  for (const double weight : graph.weights()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &weight, sizeof bits);
    sum.add(bits);
  }
  for (Index node = 0; node < graph.num_nodes(); ++node) sum.add(graph.names()[node]);
  return sum.value();
}

void run(const char* path, int threads) {
  end_blas_threads();
  set_num_threads(threads);
  const Stopwatch timer;
  const BuiltGraph built = read_graph(path, {.self_loops = SelfLoops::drop});
  const double seconds = timer.seconds();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"seconds\": {:.4f}, \"megabytes\": {:.1f}, \"nodes\": {}, \"entries\": {}, "
      "\"checksum\": \"{:016x}\"}}\n",
      seconds, static_cast<double>(usage.ru_maxrss) / 1024, built.graph.num_nodes(),
      built.graph.num_entries(), checksum(built));
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_reading FILE THREADS\n");
    return 2;
  }
  try {
    repsc::run(argv[1], std::atoi(argv[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
