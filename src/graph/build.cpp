// Edges in any order -> symmetric CSR with sorted rows, on all threads.
//
// Each pair u <= v is put into the bucket of row u of an upper triangle as v and one bit for the
// direction it was given in; buckets are sorted by rows, which brings copies of a pair together;
// copies are merged in place; then the entries are put into buckets of their columns, in the order
// of their rows, and row i of the result is column i of the triangle followed by its row i.
//
// Memory per edge: the edges and 6 bytes (14 with weights) while they are put into buckets, of
// which the edges are freed part by part; then 10 bytes (26), which the result of 8 bytes (24)
// replaces bucket by bucket.
#include "graph/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "graph/at.hpp"
#include "graph/build_on_disk.hpp"
#include "graph/merge_edges.hpp"
#include "graph/triangle.hpp"
#include "graph/unfold.hpp"

namespace repsc {
namespace {

// The arguments of build_graph() with the interface of an EdgeStore.
struct EdgeVectors {
  static constexpr std::size_t part_size = std::size_t{1} << 16U;
  std::vector<Edge> edges;
  std::vector<double> weights;

  [[nodiscard]] bool weights_given() const { return !weights.empty(); }
  [[nodiscard]] bool weighted() const { return !weights.empty(); }
  [[nodiscard]] std::size_t num_parts() const { return (edges.size() + part_size - 1) / part_size; }
  void release_part(std::size_t /*part*/) {}

  template <typename Visit>
  void visit_part(std::size_t part, const Visit& visit) const {
    const std::size_t end = std::min(edges.size(), (part + 1) * part_size);
    for (std::size_t i = part * part_size; i < end; ++i) {
      visit(edges[i].from, edges[i].to, weights.empty() ? 1.0 : weights[i]);
    }
  }
};

// What a run of edges holds: how many entries go to each cell, and what is left out.
struct RunCounts {
  std::vector<Offset> rows;     // by the cell of the smaller node
  std::vector<Offset> columns;  // by the cell of the larger node
  Offset loops = 0;
  Offset zeros = 0;
};

template <typename Edges>
RunCounts count_run(const Edges& edges, std::size_t first, std::size_t last, SelfLoops self_loops,
                    const RowCells& cells) {
  RunCounts counts{.rows = std::vector<Offset>(cells.count()),
                   .columns = std::vector<Offset>(cells.count())};
  for (std::size_t part = first; part < last; ++part) {
    edges.visit_part(part, [&](Index from, Index to, double weight) {
      switch (outcome(from, to, weight, self_loops)) {
        case EdgeOutcome::keep:
          ++counts.rows[cells.of(std::min(from, to))];
          ++counts.columns[cells.of(std::max(from, to))];
          break;
        case EdgeOutcome::loop:
          ++counts.loops;
          break;
        case EdgeOutcome::zero:
          ++counts.zeros;
          break;
        case EdgeOutcome::placeholder:
          break;
      }
    });
  }
  return counts;
}

RowBuckets make_buckets(const RowCells& cells, const std::vector<RunCounts>& runs) {
  std::vector<Offset> entries(cells.count());
  for (const RunCounts& run : runs) {
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      entries[cell] += run.rows[cell] + run.columns[cell];
    }
  }
  return {cells, entries};
}

// Writes the entries of a run to their places in the buckets, and frees its edges.
template <typename Edges>
void place_run(Edges& edges, std::size_t first, std::size_t last, SelfLoops self_loops,
               Triangle& upper, Offset* places) {
  for (std::size_t part = first; part < last; ++part) {
    edges.visit_part(part, [&](Index from, Index to, double weight) {
      if (outcome(from, to, weight, self_loops) != EdgeOutcome::keep) return;
      const Index row = std::min(from, to);
      const std::size_t bucket = upper.buckets.of(row);
      const std::size_t place = at(places[bucket]++);
      upper.rows[place] = upper.buckets.within(bucket, row);
      upper.entries[place] = entry(std::max(from, to), from > to);
      if (!upper.weights.empty()) upper.weights[place] = weight;
    });
    edges.release_part(part);
  }
}

template <typename Edges>
Triangle collect(Index num_nodes, Edges& edges, SelfLoops self_loops, GraphChanges& changes) {
  const std::vector<std::size_t> runs = even_runs(std::vector<Offset>(edges.num_parts(), 1));
  const RowCells cells(num_nodes);
  std::vector<RunCounts> counts(runs.size());
  for_runs(runs, [&](std::size_t run, std::size_t first, std::size_t last) {
    counts[run] = count_run(edges, first, last, self_loops, cells);
  });
  RowBuckets buckets = make_buckets(cells, counts);
  BucketPlaces places(runs.size(), buckets.count());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      places.of(run)[buckets.of_cell(cell)] += counts[run].rows[cell];
    }
    changes.self_loops_dropped += counts[run].loops;
    changes.zero_weights_dropped += counts[run].zeros;
  }
  places.settle();
  const std::size_t size = places.size();
  Triangle upper{.buckets = std::move(buckets),
                 .places = std::move(places),
                 .rows = Pages<RowBuckets::Row>(size),
                 .entries = Pages<Entry>(size),
                 .weights = Pages<double>(edges.weighted() ? size : 0),
                 .lengths = Pages<Offset>(at(num_nodes))};
  for_runs(runs, [&](std::size_t run, std::size_t first, std::size_t last) {
    place_run(edges, first, last, self_loops, upper, upper.places.of(run));
  });
  edges = Edges();
  return upper;
}

template <typename Edges>
Assembled put_together(NodeNames names, Edges& edges, SelfLoops self_loops,
                       const std::string& source) {
  Assembled result;
  GraphChanges& changes = result.built.changes;
  const bool weights_given = edges.weights_given();
  Triangle upper = collect(names.size(), edges, self_loops, changes);
  sort_rows(upper);
  // Weights that are all 1 are not stored. Those of repeated pairs must still be added: 1 + 1 = 2.
  if (weights_given && upper.weights.empty() && upper.has_copies) {
    upper.weights = Pages<double>(upper.entries.size());
    parallel_ranges(static_cast<std::int64_t>(upper.weights.size()), 1 << 16,
                    [&](std::int64_t first, std::int64_t last) {
                      std::fill(upper.weights.data() + first, upper.weights.data() + last, 1.0);
                    });
  }
  const bool add_loops = self_loops == SelfLoops::add;
  MergeResult merged = merge_copies(upper, add_loops, names, source);
  changes.self_loops_dropped += merged.changes.self_loops_dropped;
  changes.self_loops_added += merged.changes.self_loops_added;
  changes.duplicates_merged += merged.changes.duplicates_merged;
  changes.directions_merged += merged.changes.directions_merged;
  changes.directions_dropped += merged.changes.directions_dropped;
  result.one_sided = merged.one_sided;
  result.built.graph = unfold(upper, merged, add_loops, std::move(names));
  return result;
}

}  // namespace

Assembled assemble(NodeNames names, EdgeStore&& edges, SelfLoops self_loops,
                   const std::string& source) {
  EdgeStore used = std::move(edges);
  if (used.exceeds_memory()) {
    return assemble_on_disk(std::move(names), std::move(used), self_loops, source);
  }
  return put_together(std::move(names), used, self_loops, source);
}

BuiltGraph build_graph(NodeNames names, std::vector<Edge> edges, std::vector<double> weights,
                       SelfLoops self_loops) {
  require(weights.empty() || weights.size() == edges.size(), "edges: ", edges.size(), " but ",
          weights.size(), " weights");
  const Index num_nodes = names.size();
  const auto inside = [&](Index node) { return node >= 0 && node < num_nodes; };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    require(inside(edges[i].from) && inside(edges[i].to), "edge ", i, ": (", edges[i].from, ", ",
            edges[i].to, ") but nodes are numbered from 0 to ", num_nodes - 1);
    if (weights.empty()) continue;
    require(std::isfinite(weights[i]) && weights[i] >= 0, "edge ", i, ": weight ", weights[i],
            " but weights must be finite and at least 0");
  }
  EdgeVectors given{std::move(edges), std::move(weights)};
  return put_together(std::move(names), given, self_loops, "").built;
}

std::string describe(const GraphChanges& changes) {
  std::string text;
  const auto say = [&](const char* verb, Offset count, const char* one, const char* many) {
    if (count == 0) return;
    text +=
        fmt::format("{}{} {} {}", text.empty() ? "" : ", ", verb, count, count == 1 ? one : many);
  };
  if (changes.header_skipped) {
    text = changes.header.empty() ? "skipped the header line"
                                  : "skipped the header " + in_quotes(changes.header);
  }
  if (!changes.columns_ignored.empty()) {
    text +=
        fmt::format("{}ignored the columns {}", text.empty() ? "" : ", ", changes.columns_ignored);
  }
  say("dropped", changes.self_loops_dropped, "self-loop", "self-loops");
  say("added", changes.self_loops_added, "self-loop", "self-loops");
  say("merged", changes.duplicates_merged, "duplicate", "duplicates");
  say("merged the directions of", changes.directions_merged, "edge (larger weight kept)",
      "edges (larger weights kept)");
  say("dropped the direction of", changes.directions_dropped, "edge", "edges");
  say("dropped", changes.zero_weights_dropped, "edge of weight 0", "edges of weight 0");
  return text;
}

}  // namespace repsc
