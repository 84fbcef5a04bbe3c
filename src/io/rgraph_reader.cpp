// Graphs from .rgraph files: views of their arrays, or decoded rows.
//
// A file whose checksums are right may still be forged, so that the rows are checked as well.
// Nothing is allocated that is larger than a small multiple of the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "graph/names.hpp"
#include "io/formats.hpp"
#include "io/gaps.hpp"
#include "io/rgraph_file.hpp"

namespace repsc {
namespace {

// What the arrays of a graph are in.
struct OpenGraph {
  explicit OpenGraph(const std::string& path) : file(path) {}
  RgraphFile file;
  std::vector<Offset> offsets;   // decoded; empty if they are in the file
  std::vector<Index> neighbors;  // the same
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
  table->shrink();
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

void decode_rows(OpenGraph& open, std::int64_t group, const std::byte* place,
                 const std::byte* end) {
  const Index num_nodes = open.file.num_nodes();
  const std::int64_t first = group * rgraph::rows_per_place;
  const std::int64_t last = std::min<std::int64_t>(num_nodes, first + rgraph::rows_per_place);
  for (std::int64_t node = first; node < last; ++node) {
    const Offset* const bounds = open.offsets.data() + node;
    const std::span<Index> row(open.neighbors.data() + bounds[0],
                               static_cast<std::size_t>(bounds[1] - bounds[0]));
    if (!get_gaps(place, end, static_cast<Index>(node), num_nodes, row)) {
      open.file.fail("gaps", fmt::format("the neighbours of node {} are not numbers below {}", node,
                                         num_nodes));
    }
  }
  if (place != end) {
    open.file.fail("gaps", fmt::format("more bytes than the rows before node {} need", last));
  }
}

void decode(OpenGraph& open) {
  const RgraphFile& file = open.file;
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
  open.neighbors.resize(static_cast<std::size_t>(file.num_entries()));
  parallel_chunks(file.num_groups(), [&](std::int64_t group) {
    const auto i = static_cast<std::size_t>(group);
    decode_rows(open, group, gaps.data() + places[i], gaps.data() + places[i + 1]);
  });
}

CsrArrays arrays_of(const std::shared_ptr<OpenGraph>& open) {
  const RgraphFile& file = open->file;
  const auto weights =
      file.with(rgraph::weighted) ? file.values<double>("weights") : std::span<const double>();
  if (!file.with(rgraph::with_gaps)) {
    return {file.values<Offset>("offsets"), file.values<Index>("neighbors"), weights, open};
  }
  decode(*open);
  return {open->offsets, open->neighbors, weights, open};
}

void check_offsets(const CsrArrays& arrays, const RgraphFile& file) {
  const std::span<const Offset> offsets = arrays.offsets;
  if (offsets.front() == 0 && offsets.back() == file.num_entries() &&
      std::is_sorted(offsets.begin(), offsets.end())) {
    return;
  }
  file.fail("offsets", "they do not ascend from 0 to the number of entries");
}

// Throws: what is wrong with arrays that are no graph, but for their offsets.
[[noreturn]] void explain(const CsrArrays& arrays, const RgraphFile& file) {
  const char* const block = file.with(rgraph::with_gaps) ? "gaps" : "neighbors";
  for (std::size_t node = 0; node + 1 < arrays.offsets.size(); ++node) {
    Index before = -1;
    for (Offset i = arrays.offsets[node]; i < arrays.offsets[node + 1]; ++i) {
      const Index neighbor = arrays.neighbors[static_cast<std::size_t>(i)];
      if (neighbor <= before || neighbor >= file.num_nodes()) {
        file.fail(block, fmt::format("node {} has neighbour {}, but neighbours ascend from 0 to {}",
                                     node, neighbor, file.num_nodes() - 1));
      }
      before = neighbor;
    }
  }
  for (std::size_t i = 0; i < arrays.weights.size(); ++i) {
    if (arrays.weights[i] > 0 && std::isfinite(arrays.weights[i])) continue;
    file.fail("weights", fmt::format("entry {} has weight {}, but weights are finite and above 0",
                                     i, arrays.weights[i]));
  }
  file.fail(file.with(rgraph::weighted) ? "weights" : block, "the matrix is not symmetric");
}

// The weights of the graph: none if all are 1. Throws InvalidInput if the arrays are no graph.
std::span<const double> check_rows(const CsrArrays& arrays, const RgraphFile& file) {
  const std::optional<Graph> graph = view_graph(arrays, SelfLoops::keep);
  if (!graph) explain(arrays, file);
  const auto stated = static_cast<Offset>(file.header().num_self_loops);
  if (graph->num_self_loops() != stated) {
    file.fail("header", fmt::format("it states {} self-loops but there are {}", stated,
                                    graph->num_self_loops()));
  }
  return graph->weights();
}

Offset loops_other_than_one(const Graph& graph) {
  Offset count = 0;
  for (Index u = 0; u < graph.num_nodes() && graph.weighted(); ++u) {
    const auto row = graph.neighbors(u);
    const auto found = std::lower_bound(row.begin(), row.end(), u);
    if (found == row.end() || *found != u) continue;
    if (graph.weights(u)[static_cast<std::size_t>(found - row.begin())] != 1) ++count;
  }
  return count;
}

}  // namespace

BuiltGraph read_rgraph(const std::string& path, const ReadOptions& options) {
  const auto open = std::make_shared<OpenGraph>(path);
  if (!options.trusted) open->file.check_sums(options.progress);
  NodeNames names = read_names(open->file);
  const CsrArrays arrays = arrays_of(open);
  check_offsets(arrays, open->file);
  const std::span<const double> weights =
      options.trusted ? arrays.weights : check_rows(arrays, open->file);
  const auto loops = static_cast<Offset>(open->file.header().num_self_loops);
  const Graph graph(arrays.offsets, arrays.neighbors, weights, open, std::move(names), loops);

  BuiltGraph built{with_self_loops(graph, options.self_loops), {}};
  if (options.self_loops == SelfLoops::drop) {
    built.changes.self_loops_dropped = loops;
  } else if (options.self_loops == SelfLoops::add) {
    built.changes.self_loops_dropped = loops_other_than_one(graph);
    built.changes.self_loops_added = graph.num_nodes() - loops + built.changes.self_loops_dropped;
  }
  return built;
}

}  // namespace repsc
