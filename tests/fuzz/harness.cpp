// The entry of libFuzzer, files in memory, and the invariants.
#include "fuzz/harness.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace repsc::fuzz {
namespace {

/// In memory where there is such a folder. Never destroyed: remove_folder() needs it at the end.
const std::string& folder() {
  static const std::string& made = *new std::string([] {
    const bool in_memory = ::access("/dev/shm", W_OK) == 0;
    std::string name = in_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    name += "/repsc-fuzz-XXXXXX";
    must(::mkdtemp(name.data()) != nullptr, "no temporary folder");
    return name;
  }());
  return made;
}

void remove_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder(), ignored);
}

double weight(const Graph& graph, Index node, std::size_t entry) {
  return graph.weighted() ? graph.weights(node)[entry] : 1;
}

/// The weight of an edge; 0: there is none.
double weight_between(const Graph& graph, Index u, Index v) {
  const auto row = graph.neighbors(u);
  const auto found = std::lower_bound(row.begin(), row.end(), v);
  if (found == row.end() || *found != v) return 0;
  return weight(graph, u, static_cast<std::size_t>(found - row.begin()));
}

void check_row(const Graph& graph, Index u) {
  const auto row = graph.neighbors(u);
  for (std::size_t e = 0; e < row.size(); ++e) {
    must(row[e] >= 0 && row[e] < graph.num_nodes(), "a neighbour that is no node");
    must(e == 0 || row[e - 1] < row[e], "a row that is not ascending");
    must(row[e] != u, "a self-loop that was to be dropped");
    const double w = weight(graph, u, e);
    must(w > 0 && std::isfinite(w), "a weight that is not above 0 and finite");
    must(weight_between(graph, row[e], u) == w, "not symmetric");
  }
}

/// The same graph with given names in place of implied ones: the numbers of rows are not kept where
/// another format counts them from 0 or from 1.
Graph with_given_names(const Graph& graph) {
  std::vector<std::string> names;
  for (Index u = 0; u < graph.num_nodes(); ++u) names.push_back(graph.names()[u]);
  return Graph({graph.offsets().begin(), graph.offsets().end()},
               {graph.neighbors().begin(), graph.neighbors().end()},
               {graph.weights().begin(), graph.weights().end()}, NodeNames(names));
}

}  // namespace

std::string path(const std::string& name) { return folder() + '/' + name; }

std::string file(const std::string& name, const std::string& bytes) {
  std::FILE* const stream = std::fopen(path(name).c_str(), "wb");
  must(stream != nullptr, "no file");
  must(std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size(), "a file cut short");
  must(std::fclose(stream) == 0, "a file cut short");
  return path(name);
}

void must(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "invariant broken: %s\n", what);
  std::abort();
}

void check_graph(const BuiltGraph& found, std::size_t bytes) {
  const Graph& graph = found.graph;
  must(graph.num_nodes() > 0, "a graph without nodes");
  must(graph.names().size() == graph.num_nodes(), "the number of names");
  must(graph.num_self_loops() == 0, "the number of self-loops");
  must(graph.num_entries() == 2 * graph.num_edges(), "the number of edges");
  must(!graph.weighted() || static_cast<Offset>(graph.weights().size()) == graph.num_entries(),
       "the number of weights");
  for (Index u = 0; u < graph.num_nodes(); ++u) check_row(graph, u);
  const GraphChanges& changes = found.changes;
  const Offset given = changes.self_loops_dropped + changes.duplicates_merged +
                       changes.zero_weights_dropped + graph.num_edges();
  must(changes.self_loops_added == 0, "self-loops that were not asked for");
  must(changes.directions_merged <= graph.num_edges() &&
           changes.directions_dropped <= graph.num_edges(),
       "more changed edges than edges");
  must(given >= 0 && static_cast<std::size_t>(given) <= bytes, "more edges than bytes");
}

void must_be_same(const Graph& a, const Graph& b, const char* what) {
  must(a.num_nodes() == b.num_nodes() && a.num_entries() == b.num_entries() &&
           a.weighted() == b.weighted(),
       what);
  std::vector<Index> place(static_cast<std::size_t>(a.num_nodes()));
  for (Index u = 0; u < a.num_nodes(); ++u) {
    const std::optional<Index> found = b.names().find(a.names()[u]);
    must(found.has_value(), what);
    place[static_cast<std::size_t>(u)] = *found;
  }
  for (Index u = 0; u < a.num_nodes(); ++u) {
    const auto row = a.neighbors(u);
    for (std::size_t e = 0; e < row.size(); ++e) {
      const double same = weight_between(b, place[static_cast<std::size_t>(u)],
                                         place[static_cast<std::size_t>(row[e])]);
      must(same == weight(a, u, e), what);
    }
  }
}

void check_round_trip(const Graph& given) {
  constexpr Index largest = 2000;  // a header alone can state a million nodes
  if (given.num_nodes() > largest) return;
  const Graph graph = with_given_names(given);
  for (const char* const name :
       {"back.txt", "back.csv.gz", "back.mtx", "back.graph", "back.npz", "back.rgraph"}) {
    try {
      write_graph(graph, path(name));
    } catch (const InvalidInput&) {
      continue;  // a name with control characters
    }
    must_be_same(graph, read_graph(path(name)).graph, name);
  }
}

}  // namespace repsc::fuzz

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  repsc::set_num_threads(1);
  std::atexit(repsc::fuzz::remove_folder);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    repsc::fuzz::read_and_check(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const repsc::InvalidInput&) {
  } catch (const repsc::IoError&) {
  }
  return 0;
}
