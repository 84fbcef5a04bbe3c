// Graphs from .rgraph files: views of their arrays or of their packed rows, or unpacked rows.
//
// A file whose checksums are right may still be forged, so that the rows are checked as well.
// Nothing is allocated that is larger than a small multiple of the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "graph/finished.hpp"
#include "graph/names.hpp"
#include "graph/row_storage.hpp"
#include "graph/self_loops.hpp"
#include "io/formats.hpp"
#include "io/rgraph_file.hpp"

namespace repsc {
namespace {

// What the arrays of a graph are in.
struct OpenGraph {
  explicit OpenGraph(const std::string& path) : file(path) {}
  RgraphFile file;
  std::vector<Offset> offsets;  // of packed rows; empty if they are in the file
};

NodeNames read_names(const RgraphFile& file) {
  if (!file.with(rgraph::named)) {
    return {file.num_nodes(), static_cast<Index>(file.header().first_name)};
  }
  const auto ends = file.values<std::uint64_t>("name-ends");
  const auto characters = file.values<char>("names");
  auto table = std::make_shared<NodeNames::Table>();
  std::uint64_t begin = 0;
  for (std::size_t node = 0; node < ends.size(); ++node) {
    const std::uint64_t end = ends[node];
    if (end <= begin || end > characters.size()) {
      file.fail("name-ends",
                fmt::format("the name of node {} begins at {} and ends at {}", node, begin, end));
    }
    const std::string_view name(characters.data() + begin, static_cast<std::size_t>(end - begin));
    if (has_control_character(name)) {
      file.fail("names", "a control character in the name " + in_quotes(name));
    }
    if (static_cast<std::size_t>(table->insert(name)) != node) {
      file.fail("names", "the name " + in_quotes(name) + " appears twice");
    }
    begin = end;
  }
  if (begin != characters.size()) file.fail("names", "more characters than the names have");
  return NodeNames(std::shared_ptr<const NodeNames::Table>(std::move(table)));
}

void add_up_degrees(OpenGraph& open) {
  const RgraphFile& file = open.file;
  const auto degrees = file.values<Index>("degrees");
  open.offsets.reserve(degrees.size() + 1);
  open.offsets.push_back(0);
  for (std::size_t node = 0; node < degrees.size(); ++node) {
    const Offset end = open.offsets.back() + degrees[node];
    if (degrees[node] < 0 || end > file.num_entries()) {
      file.fail("degrees", fmt::format("node {} has {} neighbours but {} are left", node,
                                       degrees[node], file.num_entries() - open.offsets.back()));
    }
    open.offsets.push_back(end);
  }
  if (open.offsets.back() != file.num_entries()) {
    file.fail("degrees", fmt::format("their sum is {} but {} is expected", open.offsets.back(),
                                     file.num_entries()));
  }
}

PackedRows packed_rows(OpenGraph& open) {
  const RgraphFile& file = open.file;
  if (!file.with(rgraph::with_gaps)) return {};
  const auto gaps = file.values<std::byte>("gaps");
  const auto places = file.values<std::uint64_t>("places");
  // A neighbour takes at least a byte.
  if (static_cast<std::uint64_t>(file.num_entries()) > gaps.size()) {
    file.fail("gaps", fmt::format("{} bytes for {} entries", gaps.size(), file.num_entries()));
  }
  if (places.front() != 0 || places.back() != gaps.size() ||
      !std::is_sorted(places.begin(), places.end())) {
    file.fail("places", "they do not ascend from 0 to the size of block gaps");
  }
  add_up_degrees(open);
  return {gaps, places};
}

CsrArrays arrays_of(const std::shared_ptr<OpenGraph>& open) {
  const RgraphFile& file = open->file;
  const auto weights =
      file.with(rgraph::weighted) ? file.values<double>("weights") : std::span<const double>();
  if (file.with(rgraph::with_gaps)) return {open->offsets, {}, weights, open};
  return {file.values<Offset>("offsets"), file.values<Index>("neighbors"), weights, open};
}

void check_offsets(const CsrArrays& arrays, const RgraphFile& file) {
  const std::span<const Offset> offsets = arrays.offsets;
  if (offsets.front() == 0 && offsets.back() == file.num_entries() &&
      std::is_sorted(offsets.begin(), offsets.end())) {
    return;
  }
  file.fail("offsets", "they do not ascend from 0 to the number of entries");
}

// Throws: what is wrong with rows that are no graph.
[[noreturn]] void explain(const Graph& graph, const RgraphFile& file) {
  const char* const block = graph.packed() ? "gaps" : "neighbors";
  for (Index node = 0; node < graph.num_nodes() && !graph.packed(); ++node) {
    Index before = -1;
    for (const Index neighbor : graph.neighbors(node)) {
      if (neighbor <= before || neighbor >= file.num_nodes()) {
        file.fail(block, fmt::format("node {} has neighbour {}, but neighbours ascend from 0 to {}",
                                     node, neighbor, file.num_nodes() - 1));
      }
      before = neighbor;
    }
  }
  const std::span<const double> weights = graph.weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0 && std::isfinite(weights[i])) continue;
    file.fail("weights", fmt::format("entry {} has weight {}, but weights are finite and above 0",
                                     i, weights[i]));
  }
  file.fail(graph.weighted() ? "weights" : block, "the matrix is not symmetric");
}

// Throws InvalidInput if the rows are no graph. Returns whether all weights are 1.
bool check_all(const Graph& graph, const RgraphFile& file) {
  const std::optional<RowFacts> facts = check_rows(graph);
  if (!facts) explain(graph, file);
  if (facts->self_loops != graph.num_self_loops()) {
    file.fail("header", fmt::format("it states {} self-loops but there are {}",
                                    graph.num_self_loops(), facts->self_loops));
  }
  return facts->all_one;
}

// What is kept, if nobody says so: results do not depend on it.
GraphStorage chosen_storage(const RgraphFile& file, const ReadOptions& options) {
  const bool gaps = file.with(rgraph::with_gaps);
  if (options.storage == GraphStorage::in_place) {
    return gaps ? GraphStorage::packed : GraphStorage::plain;
  }
  if (options.storage) {
    if (gaps || *options.storage != GraphStorage::packed) return *options.storage;
    throw InvalidInput(Fault{.what = "the file is not compressed, so that nothing is packed",
                             .option = "storage",
                             .value = "packed",
                             .remedies = {{Remedy::Action::leave_out, "storage"},
                                          advice("convert the graph with compression")}});
  }
  const std::int64_t small = free_memory_bytes() / 4;
  const std::int64_t weights =
      file.with(rgraph::weighted) ? file.num_entries() * std::int64_t{sizeof(double)} : 0;
  const std::int64_t plain = file.num_entries() * std::int64_t{sizeof(Index)} + weights;
  if (plain <= small) return GraphStorage::plain;
  if (!gaps) return GraphStorage::streamed;
  const auto packed = static_cast<std::int64_t>(file.values<std::byte>("gaps").size()) + weights;
  return packed <= small ? GraphStorage::packed : GraphStorage::streamed;
}

// The graph in the file, with its self-loops.
Graph whole_graph(const std::shared_ptr<OpenGraph>& open, NodeNames names, GraphStorage kept,
                  const ReadOptions& options) {
  const RgraphFile& file = open->file;
  const PackedRows packed = packed_rows(*open);
  const CsrArrays arrays = arrays_of(open);
  check_offsets(arrays, file);
  const Streaming streaming{kept == GraphStorage::streamed, options.read_ahead};
  const auto storage = std::make_shared<RowStorage>(packed, streaming, file.path(), file.bytes());
  const auto loops = static_cast<Offset>(file.header().num_self_loops);
  const auto with = [&](std::span<const double> weights) {
    return Graph(arrays.offsets, arrays.neighbors, weights, open, names, loops, storage);
  };
  Graph graph = with(arrays.weights);
  if (!options.trusted && check_all(graph, file)) graph = with({});
  if (kept != GraphStorage::plain || !graph.packed()) return graph;
  const auto owner = std::make_shared<Graph>(graph);
  return {owner->offsets(), owner->neighbors(), owner->weights(), owner, std::move(names), loops};
}

}  // namespace

BuiltGraph read_rgraph(const std::string& path, const ReadOptions& options) {
  const auto open = std::make_shared<OpenGraph>(path);
  const GraphStorage kept = chosen_storage(open->file, options);
  if (!options.trusted) {
    open->file.check_sums(options.progress, /*streamed=*/kept == GraphStorage::streamed);
  }
  const Graph graph = whole_graph(open, read_names(open->file), kept, options);
  const Offset loops = graph.num_self_loops();

  BuiltGraph built{with_self_loops(graph, options.self_loops), {}};
  if (options.self_loops == SelfLoops::drop) {
    built.changes.self_loops_dropped = loops;
  } else if (options.self_loops == SelfLoops::add) {
    built.changes.self_loops_dropped = self_loops_other_than_one(graph);
    built.changes.self_loops_added = graph.num_nodes() - loops + built.changes.self_loops_dropped;
  }
  return built;
}

}  // namespace repsc
