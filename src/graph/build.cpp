// Edges in any order -> symmetric CSR with sorted rows.
//
// Each pair u <= v is put into row u of an upper triangle as v and one bit for the direction it was
// given in; rows are sorted, which brings copies of a pair together; copies are merged in place;
// the triangle is unfolded. In addition to the edges this needs 4 bytes (12 with weights) per edge;
// then the result replaces the edges.
//
// Most of the time goes into writing to rows in random order. Each thread owns a range of rows,
// looks at all edges and writes those of its own: the order within a row is that of the edges,
// whatever the number of threads.
#include "graph/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "graph/build_on_disk.hpp"
#include "graph/merge_edges.hpp"

namespace repsc {
namespace {

std::size_t at(Offset i) { return static_cast<std::size_t>(i); }

// The arguments of build_graph() with the interface of an EdgeStore.
struct EdgeVectors {
  std::vector<Edge> edges;
  std::vector<double> weights;

  [[nodiscard]] bool weights_given() const { return !weights.empty(); }
  [[nodiscard]] bool weighted() const { return !weights.empty(); }

  template <typename Visit>
  void visit(const Visit& visit) const {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      visit(edges[i].from, edges[i].to, weights.empty() ? 1.0 : weights[i]);
    }
  }
};

// A neighbour v >= u in row u. The last bit says that the edge was given as (v, u): 31 + 1 bits.
using Entry = std::uint32_t;
Entry entry(Index neighbor, bool reversed) {
  return (static_cast<Entry>(neighbor) << 1U) | static_cast<Entry>(reversed);
}
Index neighbor(Entry entry) { return static_cast<Index>(entry >> 1U); }
bool reversed(Entry entry) { return (entry & 1U) != 0; }

struct Triangle {
  std::vector<Offset> offsets;
  std::vector<Entry> entries;
  std::vector<double> weights;  // empty: all 1

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(offsets.size() - 1); }
};

// Restores the offsets after each cursor has advanced to the end of its row.
void rewind(std::vector<Offset>& cursors) {
  std::copy_backward(cursors.begin(), cursors.end() - 1, cursors.end());
  cursors.front() = 0;
}

// counts[i + 1] -> where row i begins.
void accumulate(std::vector<Offset>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

// Calls body(first, last) for a range of rows per thread; `ends` are the ends of the ranges.
template <typename Body>
void for_ranges_of_rows(const std::vector<Index>& ends, const Body& body) {
  parallel_chunks(static_cast<std::int64_t>(ends.size()), [&](std::int64_t part) {
    body(part == 0 ? 0 : ends[at(part - 1)], ends[at(part)]);
  });
}

// The ends of ranges of rows with about equal numbers of entries.
std::vector<Index> even_ranges(const std::vector<Offset>& offsets) {
  const int parts = num_threads();
  std::vector<Index> ends;
  for (int part = 1; part < parts; ++part) {
    const Offset goal = offsets.back() / parts * part;
    const auto row = std::lower_bound(offsets.begin(), offsets.end() - 1, goal);
    ends.push_back(static_cast<Index>(row - offsets.begin()));
  }
  ends.push_back(static_cast<Index>(offsets.size() - 1));
  return ends;
}

// The same before offsets are known, for an upper triangle: as if all pairs were equally likely.
std::vector<Index> triangle_ranges(Index num_nodes) {
  const int parts = num_threads();
  std::vector<Index> ends;
  for (int part = 1; part < parts; ++part) {
    ends.push_back(static_cast<Index>(num_nodes * (1 - std::sqrt(1 - double(part) / parts))));
  }
  ends.push_back(num_nodes);
  return ends;
}

struct Dropped {
  Offset loops = 0;
  Offset zeros = 0;
};

// Counts the edges of rows [first, last) into offsets[row + 1].
template <typename Edges>
Dropped count_rows(const Edges& edges, SelfLoops self_loops, Index first, Index last,
                   std::vector<Offset>& offsets) {
  Dropped dropped;
  edges.visit([&](Index from, Index to, double weight) {
    const Index row = std::min(from, to);
    if (row < first || row >= last) return;
    switch (outcome(from, to, weight, self_loops)) {
      case EdgeOutcome::keep:
        ++offsets[at(row) + 1];
        break;
      case EdgeOutcome::loop:
        ++dropped.loops;
        break;
      case EdgeOutcome::zero:
        ++dropped.zeros;
        break;
      case EdgeOutcome::placeholder:
        break;
    }
  });
  return dropped;
}

template <typename Edges>
Triangle scatter(Index num_nodes, Edges& edges, SelfLoops self_loops, GraphChanges& changes) {
  Triangle upper;
  std::vector<Offset>& offsets = upper.offsets;
  offsets.assign(at(num_nodes) + 1, 0);
  std::atomic<Offset> loops = 0;
  std::atomic<Offset> zeros = 0;
  for_ranges_of_rows(triangle_ranges(num_nodes), [&](Index first, Index last) {
    const Dropped dropped = count_rows(edges, self_loops, first, last, offsets);
    loops += dropped.loops;
    zeros += dropped.zeros;
  });
  changes.self_loops_dropped += loops;
  changes.zero_weights_dropped += zeros;
  accumulate(offsets);
  upper.entries.resize(at(offsets.back()));
  const bool weighted = edges.weighted();
  if (weighted) upper.weights.resize(upper.entries.size());
  for_ranges_of_rows(even_ranges(offsets), [&](Index first, Index last) {
    edges.visit([&](Index from, Index to, double weight) {
      const Index row = std::min(from, to);
      if (row < first || row >= last || outcome(from, to, weight, self_loops) != EdgeOutcome::keep)
        return;
      const std::size_t place = at(offsets[at(row)]++);
      upper.entries[place] = entry(std::max(from, to), from > to);
      if (weighted) upper.weights[place] = weight;
    });
  });
  edges = Edges();
  rewind(offsets);
  return upper;
}

// Stable, so that equal pairs keep the order in which they were given and sums are reproducible.
void sort_rows(Triangle& upper) {
  constexpr std::int64_t rows_at_once = 1024;
  parallel_ranges(upper.num_nodes(), rows_at_once, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::pair<Entry, double>> row;
    for (std::int64_t u = first; u < last; ++u) {
      const std::size_t begin = at(upper.offsets[at(u)]);
      const std::size_t end = at(upper.offsets[at(u) + 1]);
      if (upper.weights.empty()) {
        std::sort(upper.entries.data() + begin, upper.entries.data() + end);
        continue;
      }
      row.clear();
      for (std::size_t i = begin; i < end; ++i)
        row.emplace_back(upper.entries[i], upper.weights[i]);
      std::stable_sort(row.begin(), row.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = begin; i < end; ++i) {
        std::tie(upper.entries[i], upper.weights[i]) = row[i - begin];
      }
    }
  });
}

// Whether a row contains two consecutive entries that are `alike`.
template <typename Alike>
bool has_neighbors_alike(const Triangle& upper, const Alike& alike) {
  std::atomic<bool> found = false;
  parallel_ranges(upper.num_nodes(), 4096, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t u = first; u < last && !found; ++u) {
      const auto begin = upper.entries.begin() + upper.offsets[at(u)];
      const auto end = upper.entries.begin() + upper.offsets[at(u) + 1];
      if (std::adjacent_find(begin, end, alike) != end) found = true;
    }
  });
  return found;
}

// Whether a pair was given twice in the same direction.
bool has_copies(const Triangle& upper) {
  return has_neighbors_alike(upper, [](Entry a, Entry b) { return a == b; });
}

// Whether a pair was given twice, in whatever directions.
bool has_pairs_twice(const Triangle& upper) {
  return has_neighbors_alike(upper, [](Entry a, Entry b) { return neighbor(a) == neighbor(b); });
}

// The first pair of two different nodes. Each pair was given once.
std::optional<Edge> first_pair(const Triangle& upper) {
  for (Index u = 0; u < upper.num_nodes(); ++u) {
    for (Offset i = upper.offsets[at(u)]; i < upper.offsets[at(u) + 1]; ++i) {
      const Index v = neighbor(upper.entries[at(i)]);
      if (v != u) return reversed(upper.entries[at(i)]) ? Edge{v, u} : Edge{u, v};
    }
  }
  return std::nullopt;
}

void forget_directions(Triangle& upper) {
  parallel_ranges(static_cast<std::int64_t>(upper.entries.size()), 1 << 16,
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i)
                      upper.entries[at(i)] = entry(neighbor(upper.entries[at(i)]), false);
                  });
}

// Merges the copies of each pair in place: the write position never passes the read position.
void merge_copies(Triangle& upper, const Merged& merged) {
  const bool weighted = !upper.weights.empty();
  Offset write = 0;
  Offset read = 0;
  for (Index u = 0; u < upper.num_nodes(); ++u) {
    const Offset end = upper.offsets[at(u) + 1];
    upper.offsets[at(u)] = write;
    while (read < end) {
      const Index v = neighbor(upper.entries[at(read)]);
      Copies copies;
      for (; read < end && neighbor(upper.entries[at(read)]) == v; ++read) {
        const int direction = reversed(upper.entries[at(read)]) ? 1 : 0;
        ++copies.count[direction];
        if (weighted) {
          copies.weight[direction] += upper.weights[at(read)];
        } else {
          copies.weight[direction] = 1;
        }
      }
      const double weight = merged(u, v, copies);
      upper.entries[at(write)] = entry(v, false);
      if (weighted) upper.weights[at(write)] = weight;
      ++write;
    }
  }
  upper.offsets.back() = write;
  upper.entries.resize(at(write));
  if (weighted) upper.weights.resize(at(write));
}

void check_sums(const Triangle& upper, const NodeNames& names, const std::string& source) {
  for (Index u = 0; u < upper.num_nodes() && !upper.weights.empty(); ++u) {
    for (Offset i = upper.offsets[at(u)]; i < upper.offsets[at(u) + 1]; ++i) {
      require_finite_sum(upper.weights[at(i)], u, neighbor(upper.entries[at(i)]), names, source);
    }
  }
}

// R_ii = 1 for every node: loops that are there are set to 1, unfold() adds the others.
void set_loops(Triangle& upper, GraphChanges& changes) {
  for (Index u = 0; u < upper.num_nodes(); ++u) {
    const Offset first = upper.offsets[at(u)];
    const bool loop = first < upper.offsets[at(u) + 1] && neighbor(upper.entries[at(first)]) == u;
    if (loop && (upper.weights.empty() || upper.weights[at(first)] == 1)) continue;
    ++changes.self_loops_added;
    if (!loop) continue;
    ++changes.self_loops_dropped;
    upper.weights[at(first)] = 1;
  }
}

// Row i is [u < i ascending, i itself, v > i ascending]. With u in ascending order, the first part
// of row u is complete before its own entries are added, so nothing has to be sorted again.
Graph unfold(const Triangle& upper, bool add_loops, NodeNames names) {
  const Index num_nodes = upper.num_nodes();
  const bool weighted = std::any_of(upper.weights.begin(), upper.weights.end(),
                                    [](double weight) { return weight != 1; });
  // put(row, column, weight) for the rows [first, last) of the result.
  const auto for_each_entry = [&](Index first, Index last, const auto& put) {
    for (Index u = 0; u < last; ++u) {
      const auto begin = upper.entries.begin() + upper.offsets[at(u)];
      const auto end = upper.entries.begin() + upper.offsets[at(u) + 1];
      const bool own = u >= first;
      if (own && add_loops) put(u, u, 1.0);
      // Columns below `first` are skipped; those above `last` are needed only in rows of the range.
      auto place = own ? begin : std::lower_bound(begin, end, entry(first, false));
      for (; place != end; ++place) {
        const Index v = neighbor(*place);
        if (v >= last && !own) break;
        if (v == u && add_loops) continue;
        const double weight = weighted ? upper.weights[at(place - upper.entries.begin())] : 1.0;
        if (own) put(u, v, weight);
        if (v != u && v < last) put(v, u, weight);
      }
    }
  };
  std::vector<Offset> offsets(at(num_nodes) + 1, 0);
  // Row u has the entries of its row and of its column in the triangle, so that all rows have about
  // the same number.
  std::vector<Index> ranges;
  for (int part = 1; part < num_threads(); ++part) {
    ranges.push_back(static_cast<Index>(std::int64_t{num_nodes} * part / num_threads()));
  }
  ranges.push_back(num_nodes);
  for_ranges_of_rows(ranges, [&](Index first, Index last) {
    for_each_entry(first, last, [&](Index row, Index, double) { ++offsets[at(row) + 1]; });
  });
  accumulate(offsets);
  std::vector<Index> neighbors(at(offsets.back()));
  std::vector<double> weights(weighted ? neighbors.size() : 0);
  for_ranges_of_rows(even_ranges(offsets), [&](Index first, Index last) {
    for_each_entry(first, last, [&](Index row, Index column, double weight) {
      const std::size_t place = at(offsets[at(row)]++);
      neighbors[place] = column;
      if (weighted) weights[place] = weight;
    });
  });
  rewind(offsets);
  return {std::move(offsets), std::move(neighbors), std::move(weights), std::move(names)};
}

template <typename Edges>
Assembled put_together(NodeNames names, Edges& edges, SelfLoops self_loops,
                       const std::string& source) {
  Assembled result;
  GraphChanges& changes = result.built.changes;
  const bool weights_given = edges.weights_given();
  Triangle upper = scatter(names.size(), edges, self_loops, changes);
  sort_rows(upper);
  // Weights that are all 1 are not stored. Those of repeated pairs must still be added: 1 + 1 = 2.
  if (weights_given && upper.weights.empty() && has_copies(upper)) {
    upper.weights.assign(upper.entries.size(), 1.0);
  }
  if (has_pairs_twice(upper)) {
    Offset in_both_directions = 0;
    merge_copies(upper, {changes, result.one_sided, in_both_directions});
    // Edges that are all given in one direction may well have none.
    if (in_both_directions == 0) changes.directions_dropped = 0;
  } else {
    result.one_sided = first_pair(upper);
    forget_directions(upper);
  }
  check_sums(upper, names, source);
  const bool add_loops = self_loops == SelfLoops::add;
  if (add_loops) set_loops(upper, changes);
  result.built.graph = unfold(upper, add_loops, std::move(names));
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
