// Graph files: what two codings of neighbours cost in bytes and time, and what opening a graph
// costs in each format. docs/rgraph.md holds the tables that this prints.
//
//   bench_rgraph [FILE...]     graph files; none: a random graph, and those of the folder
//   REPSC_DATA
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "graph/gaps.hpp"
#include "repsc/io.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

/// The coding of .rgraph: seven bits per byte.
struct SevenBits {
  static constexpr const char* name = "seven bits per byte";
  static void put(Index node, std::span<const Index> row, Bytes& bytes) {
    put_gaps(node, row, bytes);
  }
  static bool get(const std::byte*& place, const std::byte* end, Index node, Index num_nodes,
                  std::span<Index> row) {
    return get_gaps(place, end, node, num_nodes, row);
  }
};

/// The other one that was tried, as in Stream VByte (Lemire, Kurz, Rupp 2018): the lengths of four
/// numbers, two bits each, in front of the row; then the numbers, 1 to 4 bytes each.
struct TwoBitLengths {
  static constexpr const char* name = "two-bit lengths";
  static constexpr std::array<std::uint32_t, 4> masks{0xff, 0xffff, 0xffffff, 0xffffffff};

  static void put(Index node, std::span<const Index> row, Bytes& bytes) {
    std::size_t control = bytes.size();
    bytes.resize(control + (row.size() + 3) / 4);
    std::int64_t previous = node;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto value = static_cast<std::uint32_t>(
          i == 0 ? zigzag(row[0] - previous) : static_cast<std::uint64_t>(row[i] - previous - 1));
      const unsigned length = value <= masks[0]   ? 0
                              : value <= masks[1] ? 1
                              : value <= masks[2] ? 2
                                                  : 3;
      bytes[control + i / 4] |= std::byte(length << (2 * (i % 4)));
      for (unsigned b = 0; b <= length; ++b) bytes.push_back(std::byte(value >> (8 * b)));
      previous = row[i];
    }
  }

  /// Reads up to 3 bytes behind `end`, which the caller has to provide.
  static bool get(const std::byte*& place, const std::byte* end, Index node, Index num_nodes,
                  std::span<Index> row) {
    const auto controls = static_cast<std::ptrdiff_t>((row.size() + 3) / 4);
    if (end - place < controls) return false;
    const std::byte* control = place;
    place += controls;
    std::int64_t previous = node;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (place >= end) return false;
      const auto length = (std::to_integer<unsigned>(control[i / 4]) >> (2 * (i % 4))) & 3U;
      std::uint32_t value = 0;
      std::memcpy(&value, place, sizeof value);
      value &= masks[length];
      place += length + 1;
      previous += i == 0 ? from_zigzag(value) : std::int64_t{value} + 1;
      if (previous < 0 || previous >= num_nodes) return false;
      row[i] = static_cast<Index>(previous);
    }
    return place <= end;
  }
};

/// The fastest of five.
template <typename Work>
double seconds_of(const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const Stopwatch watch;
    work();
    best = std::min(best, watch.seconds());
  }
  return best;
}

template <typename Coding>
void measure_coding(const Graph& graph) {
  Bytes bytes;
  for (Index u = 0; u < graph.num_nodes(); ++u) Coding::put(u, graph.neighbors(u), bytes);
  const std::size_t size = bytes.size();
  bytes.resize(size + 3);
  std::vector<Index> row;
  bool fine = true;
  const double seconds = seconds_of([&] {
    const std::byte* place = bytes.data();
    for (Index u = 0; u < graph.num_nodes(); ++u) {
      row.resize(graph.neighbors(u).size());
      fine = fine && Coding::get(place, bytes.data() + size, u, graph.num_nodes(), row);
    }
  });
  for (Index u = 0; u < graph.num_nodes() && fine; u += 1 + graph.num_nodes() / 1000) {
    Bytes one;
    Coding::put(u, graph.neighbors(u), one);
    row.resize(graph.neighbors(u).size());
    const std::size_t used = one.size();
    one.resize(used + 3);
    const std::byte* place = one.data();
    fine = Coding::get(place, one.data() + used, u, graph.num_nodes(), row) &&
           std::ranges::equal(row, graph.neighbors(u));
  }
  const auto entries = static_cast<double>(std::max<Offset>(graph.num_entries(), 1));
  fmt::print("  {:<22} {:6.2f} bytes per entry, decoded at {:7.0f} million entries per second{}\n",
             Coding::name, static_cast<double>(size) / entries, 1e-6 * entries / seconds,
             fine ? "" : "  WRONG");
}

void measure_files(const Graph& graph, const fs::path& folder) {
  const auto report = [&](const std::string& what, const fs::path& file,
                          const ReadOptions& options) {
    const double seconds =
        seconds_of([&] { static_cast<void>(read_graph(file.string(), options)); });
    fmt::print("  {:<22} {:9.1f} MB, opened in {:9.2f} ms\n", what,
               1e-6 * static_cast<double>(fs::file_size(file)), 1e3 * seconds);
  };
  const ReadOptions keep{.self_loops = SelfLoops::keep};
  ReadOptions trusted = keep;
  trusted.trusted = true;
  const auto write = [&](const char* name, Neighbors neighbors = Neighbors::plain) {
    write_graph(graph, (folder / name).string(), {}, neighbors);
    return folder / name;
  };
  report("edge list", write("g.txt"), keep);
  report("npz", write("g.npz"), keep);
  report("rgraph", write("g.rgraph"), keep);
  report("rgraph, trusted", write("g.rgraph"), trusted);
  report("rgraph, gaps", write("g.rgraph", Neighbors::gaps), keep);
  report("rgraph, gaps, trusted", folder / "g.rgraph", trusted);
}

void measure(const std::string& name, const Graph& graph, const fs::path& folder) {
  fmt::print("{}: {} nodes, {} entries{}\n", name, graph.num_nodes(), graph.num_entries(),
             graph.weighted() ? ", weighted" : "");
  measure_coding<SevenBits>(graph);
  measure_coding<TwoBitLengths>(graph);
  measure_files(graph, folder);
}

Graph random_graph() {
  constexpr Index nodes = 200000;
  Labels labels(nodes);
  for (Index i = 0; i < nodes; ++i) labels[static_cast<std::size_t>(i)] = i / 2000;
  return sample_planted_partition(labels, 0.02, 0.00005, 1);
}

void run(const std::vector<std::string>& files, const fs::path& folder) {
  for (const std::string& file : files) {
    measure(fs::path(file).filename().string(),
            read_graph(file, {.self_loops = SelfLoops::keep}).graph, folder);
  }
  if (!files.empty()) return;
  measure("planted partition", random_graph(), folder);
  const char* const data = std::getenv("REPSC_DATA");
  if (data == nullptr) return;
  for (const char* const name : {"email_enron/email-Enron.txt.gz", "musae_github/git_edges.csv"}) {
    const fs::path file = fs::path(data) / name;
    if (fs::exists(file)) measure(name, read_graph(file.string()).graph, folder);
  }
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  std::string pattern = (std::filesystem::temp_directory_path() / "repsc-bench-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return 1;
  repsc::run({argv + 1, argv + argc}, pattern);
  std::filesystem::remove_all(pattern);
}
