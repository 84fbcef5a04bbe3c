// Edges in any order -> symmetric CSR with sorted rows, by two external sorts.
//
// 1. Every pair u <= v is sorted by (u, v, direction), which brings its copies together in the
//    order in which they were given, as in memory.
// 2. The copies are merged into an upper triangle. It comes out sorted by (u, v), one run, and its
//    mirror image (v, u) goes into a second sort.
// 3. Both are merged by row: [columns before the diagonal, the diagonal, columns behind it].
#include "graph/build_on_disk.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "graph/external_sort.hpp"
#include "graph/merge_edges.hpp"

namespace repsc {
namespace {

using Key = std::uint64_t;

Key key_of(Index row, Key rest) { return (static_cast<Key>(row) << 32U) | rest; }
Index row_of(Key key) { return static_cast<Index>(key >> 32U); }
Index column_of(Key key) { return static_cast<Index>(key & 0xffffffffU); }

// A pair u <= v with the direction it was given in as the last bit: 31 + 32 bits.
Key pair_key(Index from, Index to) {
  const Key reversed = from > to ? 1 : 0;
  return key_of(std::min(from, to), (static_cast<Key>(std::max(from, to)) << 1U) | reversed);
}
Index second_of(Key pair) { return static_cast<Index>((pair & 0xffffffffU) >> 1U); }

// Values that are written one after the other.
template <typename Value>
class ValueWriter {
 public:
  explicit ValueWriter(const std::string& folder) : file_(folder) { values_.reserve(at_once); }

  void put(Value value) {
    if (values_.size() == at_once) flush();
    values_.push_back(value);
  }
  [[nodiscard]] Mapping finish() {
    flush();
    return file_.map();
  }

 private:
  static constexpr std::size_t at_once = (std::size_t{1} << 20U) / sizeof(Value);

  void flush() {
    file_.append(values_.data(), values_.size() * sizeof(Value));
    values_.clear();
  }

  ScratchFile file_;
  std::vector<Value> values_;
};

template <typename Value>
std::span<const Value> values_in(const Mapping& mapping) {
  return {reinterpret_cast<const Value*>(mapping.data()), mapping.size() / sizeof(Value)};
}

// The arrays of the graph.
struct ArraysOnDisk {
  std::vector<Offset> offsets;
  Mapping neighbors;
  Mapping weights;
};

class BuilderOnDisk {
 public:
  BuilderOnDisk(NodeNames names, SelfLoops self_loops, const std::string& source,
                const SortOnDisk& on_disk, bool weights_given)
      : names_(std::move(names)),
        self_loops_(self_loops),
        source_(source),
        on_disk_(on_disk),
        weights_given_(weights_given),
        upper_file_(on_disk.folder),
        upper_(upper_file_, weights_given),
        mirrored_(on_disk.memory / 2, on_disk.folder, weights_given) {}

  Assembled build(EdgeStore&& edges) {
    {
      ExternalSort sorted(on_disk_.memory, on_disk_.folder, edges.weighted());
      sort_pairs(std::move(edges), sorted);
      merge_pairs(sorted.finish());
    }
    result_.built.graph = unfold();
    return std::move(result_);
  }

 private:
  void sort_pairs(EdgeStore&& edges, ExternalSort& sorted) {
    const EdgeStore consumed = std::move(edges);  // freed as soon as all edges are sorted
    GraphChanges& changes = result_.built.changes;
    consumed.visit([&](Index from, Index to, double weight) {
      switch (outcome(from, to, weight, self_loops_)) {
        case EdgeOutcome::keep:
          sorted.add(pair_key(from, to), weight);
          break;
        case EdgeOutcome::loop:
          ++changes.self_loops_dropped;
          break;
        case EdgeOutcome::zero:
          ++changes.zero_weights_dropped;
          break;
        case EdgeOutcome::placeholder:
          break;
      }
    });
  }

  void merge_pairs(const std::vector<SortedRun>& runs) {
    GraphChanges& changes = result_.built.changes;
    Offset in_both_directions = 0;
    const Merged merged{changes, result_.one_sided, in_both_directions};
    RunMerger pairs(runs, on_disk_.memory / 2);
    KeyedWeight next;
    bool more = pairs.next(next);
    while (more) {
      const Key pair = next.key >> 1U;
      Copies copies;
      for (; more && next.key >> 1U == pair; more = pairs.next(next)) {
        const Key direction = next.key & 1U;
        ++copies.count[direction];
        if (weights_given_) {
          copies.weight[direction] += next.weight;
        } else {
          copies.weight[direction] = 1;
        }
      }
      const Index u = row_of(pair << 1U);
      const Index v = second_of(pair << 1U);
      const double weight = merged(u, v, copies);
      require_finite_sum(weight, u, v, names_, source_);
      put_pair(u, v, weight);
    }
    add_loops_below(names_.size());
    // Edges that are all given in one direction may well have none.
    if (in_both_directions == 0) changes.directions_dropped = 0;
  }

  // R_ii = 1 for every node: a loop that is there is set to 1, the others are added.
  void put_pair(Index u, Index v, double weight) {
    if (self_loops_ != SelfLoops::add) return put(u, v, weight);
    add_loops_below(u);
    if (u != v) {
      add_loops_below(u + 1);
      return put(u, v, weight);
    }
    if (weight != 1) {
      ++result_.built.changes.self_loops_added;
      ++result_.built.changes.self_loops_dropped;
    }
    put(u, u, 1);
    first_without_loop_ = u + 1;
  }

  void add_loops_below(Index end) {
    if (self_loops_ != SelfLoops::add) return;
    for (; first_without_loop_ < end; ++first_without_loop_) {
      ++result_.built.changes.self_loops_added;
      put(first_without_loop_, first_without_loop_, 1);
    }
  }

  void put(Index u, Index v, double weight) {
    weighted_ = weighted_ || weight != 1;
    upper_.put({key_of(u, static_cast<Key>(v)), weight});
    if (u == v) {
      ++num_loops_;
    } else {
      mirrored_.add(key_of(v, static_cast<Key>(u)), weight);
    }
  }

  Graph unfold() {
    std::vector<SortedRun> runs = mirrored_.finish();
    runs.push_back(upper_.finish());
    RunMerger entries(runs, on_disk_.memory);
    auto arrays = std::make_shared<ArraysOnDisk>();
    arrays->offsets.assign(static_cast<std::size_t>(names_.size()) + 1, 0);
    ValueWriter<Index> neighbors(on_disk_.folder);
    ValueWriter<double> weights(on_disk_.folder);
    for (KeyedWeight entry; entries.next(entry);) {
      ++arrays->offsets[static_cast<std::size_t>(row_of(entry.key)) + 1];
      neighbors.put(column_of(entry.key));
      if (weighted_) weights.put(entry.weight);
    }
    for (std::size_t i = 1; i < arrays->offsets.size(); ++i) {
      arrays->offsets[i] += arrays->offsets[i - 1];
    }
    arrays->neighbors = neighbors.finish();
    arrays->weights = weights.finish();
    return {arrays->offsets,
            values_in<Index>(arrays->neighbors),
            values_in<double>(arrays->weights),
            arrays,
            std::move(names_),
            num_loops_};
  }

  NodeNames names_;
  SelfLoops self_loops_;
  const std::string& source_;
  const SortOnDisk& on_disk_;
  bool weights_given_;
  ScratchFile upper_file_;
  RunWriter upper_;
  ExternalSort mirrored_;
  Index first_without_loop_ = 0;
  Offset num_loops_ = 0;
  bool weighted_ = false;
  Assembled result_;
};

}  // namespace

Assembled assemble_on_disk(NodeNames names, EdgeStore&& edges, SelfLoops self_loops,
                           const std::string& source) {
  const SortOnDisk on_disk = edges.on_disk().value();
  BuilderOnDisk builder(std::move(names), self_loops, source, on_disk, edges.weights_given());
  return builder.build(std::move(edges));
}

}  // namespace repsc
