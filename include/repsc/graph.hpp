// Graphs: an immutable symmetric CSR matrix with node names; building and matching; and who
// represents whom, as a graph or as groups.
//
//   const repsc::BuiltGraph built = repsc::build_graph(names, edges, weights, SelfLoops::drop);
//   built.graph.num_nodes();
//   std::cerr << describe(built.changes);   // "dropped 3 self-loops, merged 12 duplicates"
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Names of nodes. Either given one by one, or implied: first, first + 1, ... Cheap to copy.
class NodeNames {
 public:
  NodeNames() = default;
  /// Implied names first, first + 1, ..., first + count - 1.
  NodeNames(Index count, Index first) : count_(count), first_(first) {}
  /// Given names; throws InvalidInput if one is empty or appears twice.
  explicit NodeNames(const std::vector<std::string>& names);

  [[nodiscard]] Index size() const { return count_; }
  [[nodiscard]] bool implied() const { return table_ == nullptr; }
  [[nodiscard]] Index first() const { return first_; }  ///< the first implied name
  [[nodiscard]] std::string operator[](Index node) const;
  /// A given name without copying it; "" if names are implied. `node` is not checked.
  [[nodiscard]] std::string_view view(Index node) const;
  /// The node of that name; O(1) expected.
  [[nodiscard]] std::optional<Index> find(std::string_view name) const;
  [[nodiscard]] bool operator==(const NodeNames& other) const;

  struct Table;  ///< one buffer of characters, where each name ends, and a hash index
  explicit NodeNames(std::shared_ptr<const Table> table);

 private:
  Index count_ = 0;
  Index first_ = 0;
  std::shared_ptr<const Table> table_;
};

/// How the neighbours of a graph are stored if they are not an array in memory: packed into few
/// bytes, read from a file in passes, or both (src/graph/row_storage.hpp).
class RowStorage;

/// Where a graph also lies: in the memory of a CUDA device (repsc/cuda.hpp).
struct ArraysOnDevice;

/// An undirected graph: row i lists the neighbours of node i in ascending order, every edge appears
/// in both rows, a self-loop once. Unweighted graphs store no values. Cheap to copy.
class Graph {
 public:
  Graph() = default;
  /// Takes finished arrays: offsets.size() = N + 1, rows sorted, symmetric, weights empty or > 0.
  /// Checks only what takes O(N) time; use build_graph() for unsorted or unchecked data.
  Graph(std::vector<Offset> offsets, std::vector<Index> neighbors, std::vector<double> weights,
        NodeNames names);
  /// Views arrays that `owner` keeps alive (no copy): for callers that have a CSR matrix already.
  Graph(std::span<const Offset> offsets, std::span<const Index> neighbors,
        std::span<const double> weights, std::shared_ptr<const void> owner, NodeNames names);
  /// The same for arrays whose self-loops were counted before: reads the offsets only. With a
  /// `storage` that packs the neighbours, `neighbors` is empty.
  Graph(std::span<const Offset> offsets, std::span<const Index> neighbors,
        std::span<const double> weights, std::shared_ptr<const void> owner, NodeNames names,
        Offset num_self_loops, std::shared_ptr<const RowStorage> storage = nullptr);

  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(offsets_.size() - 1); }
  [[nodiscard]] Offset num_entries() const { return offsets_.back(); }
  [[nodiscard]] Offset num_self_loops() const { return num_self_loops_; }
  /// Undirected edges, a self-loop counting one.
  [[nodiscard]] Offset num_edges() const { return (num_entries() + num_self_loops_) / 2; }
  [[nodiscard]] bool weighted() const { return !weights_.empty(); }

  /// Whether the neighbours are packed. Products, metrics and components unpack some rows at a
  /// time; whoever asks for neighbors() makes the graph unpack all of them, once for all copies.
  [[nodiscard]] bool packed() const { return packed_; }
  /// Whether every pass over the rows reads them from a mapped file, and releases what it has read.
  [[nodiscard]] bool streamed() const;
  /// nullptr: arrays in memory.
  [[nodiscard]] const RowStorage* storage() const { return storage_.get(); }

  [[nodiscard]] std::span<const Offset> offsets() const { return offsets_; }
  /// Throws MemoryLimitExceeded if the neighbours are packed and there is no room to unpack them.
  [[nodiscard]] std::span<const Index> neighbors() const {
    return packed_ ? unpacked() : neighbors_;
  }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }  ///< empty: all 1
  [[nodiscard]] std::span<const Index> neighbors(Index node) const {
    return neighbors().subspan(begin(node), size(node));
  }
  /// The number of entries in a row, which needs no unpacking.
  [[nodiscard]] Index num_neighbors(Index node) const { return static_cast<Index>(size(node)); }
  [[nodiscard]] std::span<const double> weights(Index node) const {
    return weighted() ? weights_.subspan(begin(node), size(node)) : weights_;
  }
  [[nodiscard]] bool has_edge(Index u, Index v) const;
  /// Sum of the weights of each row.
  [[nodiscard]] Vector degrees() const;
  [[nodiscard]] const NodeNames& names() const { return names_; }

  /// The same graph with its arrays on a device, which are not checked; null: on the host alone.
  [[nodiscard]] Graph also_on_device(std::shared_ptr<const ArraysOnDevice> arrays) const;
  /// nullptr: it is on the host alone, as are all graphs that are made from others.
  [[nodiscard]] const ArraysOnDevice* on_device() const { return on_device_.get(); }

 private:
  [[nodiscard]] std::size_t begin(Index node) const {
    return static_cast<std::size_t>(offsets_[static_cast<std::size_t>(node)]);
  }
  [[nodiscard]] std::size_t size(Index node) const {
    return static_cast<std::size_t>(offsets_[static_cast<std::size_t>(node) + 1]) - begin(node);
  }
  [[nodiscard]] std::span<const Index> unpacked() const;

  static constexpr Offset no_nodes[1] = {0};
  std::span<const Offset> offsets_{no_nodes};
  std::span<const Index> neighbors_;
  std::span<const double> weights_;
  std::shared_ptr<const void> owner_;
  Offset num_self_loops_ = 0;
  NodeNames names_;
  std::shared_ptr<const RowStorage> storage_;
  bool packed_ = false;
  std::shared_ptr<const ArraysOnDevice> on_device_;
};

/// Who represents whom: a representation graph R, or groups. The R of groups links the nodes of
/// each group, every node with itself included; it is never built, because all nodes of a group
/// have the same row. Cheap to copy.
class Representation {
 public:
  Representation() = default;
  /// Implicit, so that a graph can be given wherever representatives are asked for.
  Representation(Graph graph) : graph_(std::move(graph)) {}  // NOLINT(google-explicit-constructor)
  /// The group of each node, any numbers of at least 0; throws InvalidInput for others.
  explicit Representation(const Labels& groups);

  [[nodiscard]] bool by_groups() const { return groups_ != nullptr; }
  /// R; without nodes if the representatives are groups.
  [[nodiscard]] const Graph& graph() const { return graph_; }
  /// The groups, numbered 0, 1, ... in the order of their first nodes; none is empty. Empty for a
  /// graph.
  [[nodiscard]] const Labels& groups() const;
  [[nodiscard]] Index num_nodes() const;
  /// R1: the sum of each row.
  [[nodiscard]] Vector sums() const;
  /// The sum over j of R_ij^2, for each i.
  [[nodiscard]] Vector squared_sums() const;

  // Sets of representatives: one per node, or one per group, shared by its nodes.

  [[nodiscard]] Index num_sets() const {
    return by_groups() ? static_cast<Index>(groups_->sizes.size()) : graph_.num_nodes();
  }
  /// The set of the representatives of a node.
  [[nodiscard]] Index set_of(Index node) const {
    return by_groups() ? groups_->labels[static_cast<std::size_t>(node)] : node;
  }
  /// The sets that contain a node, ascending.
  [[nodiscard]] std::span<const Index> sets_with(Index node) const {
    return by_groups() ? std::span<const Index>(&groups_->labels[static_cast<std::size_t>(node)], 1)
                       : graph_.neighbors(node);
  }
  /// How many nodes share a set.
  [[nodiscard]] Index num_sharing(Index set) const {
    return by_groups() ? groups_->sizes[static_cast<std::size_t>(set)] : 1;
  }
  /// The number of representatives in a set.
  [[nodiscard]] Index set_size(Index set) const {
    return by_groups() ? groups_->sizes[static_cast<std::size_t>(set)] : graph_.num_neighbors(set);
  }
  /// The sum of all set sizes: what a pass over all sets reads.
  [[nodiscard]] Offset num_entries() const {
    return by_groups() ? num_nodes() : graph_.num_entries();
  }

 private:
  struct Groups {
    Labels labels;
    std::vector<Index> sizes;
  };
  Graph graph_;
  std::shared_ptr<const Groups> groups_;
};

enum class SelfLoops {
  drop,  ///< similarity graphs
  keep,  ///< as given
  add,   ///< representation graphs: R_ii = 1 for every node (Assumption 4.1), whatever was given
};

/// Arrays of a CSR matrix that are owned by the caller.
struct CsrArrays {
  std::span<const Offset> offsets;    ///< one more than there are rows
  std::span<const Index> neighbors;   ///< the columns
  std::span<const double> weights;    ///< empty: all 1
  std::shared_ptr<const void> owner;  ///< keeps them alive
};

/// A graph that views `arrays` (no copy), if build_graph() would change nothing: rows strictly
/// ascending and in range, weights finite and above 0, symmetric, self-loops as requested.
/// Otherwise nothing. Throws InvalidInput for 2^31 rows or more. Two passes over the arrays on all
/// threads; nodes are named 0, 1, ...
///
/// Symmetry is detected from two sums of 64-bit fingerprints of the entries above and below the
/// diagonal. For a matrix that is not symmetric both agree with probability 2^-128.
[[nodiscard]] std::optional<Graph> view_graph(const CsrArrays& arrays, SelfLoops self_loops);

/// The graph with self-loops as requested, like those of build_graph(): the graph itself if they
/// are so already, otherwise a copy.
[[nodiscard]] Graph with_self_loops(const Graph& graph, SelfLoops self_loops);

/// What building a graph changed in the data it was given.
struct GraphChanges {
  Offset self_loops_dropped = 0;
  Offset self_loops_added = 0;      ///< a self-loop that is set to 1 counts as dropped and added
  Offset duplicates_merged = 0;     ///< repeated pairs
  Offset directions_merged = 0;     ///< pairs given in both directions, with different weights
  Offset zero_weights_dropped = 0;  ///< without self-loops: `u u 0` only names a node
  bool header_skipped = false;      ///< the first line of an edge list named its columns
  /// Pairs given in one direction only, if others were given in both: the data are directed.
  Offset directions_dropped = 0;
  std::string header = {};           ///< that line
  std::string columns_ignored = {};  ///< names of columns that are neither nodes nor weights
  char separator = '\0';             ///< of an edge list: ',', ';', a tab or a blank
};

/// The changes in words, "" if there were none.
[[nodiscard]] std::string describe(const GraphChanges& changes);

struct Edge {
  Index from = 0;
  Index to = 0;
};

struct BuiltGraph {
  Graph graph;
  GraphChanges changes;
};

/// Builds a graph from a list of edges: direction and zero weights are dropped, duplicates merged.
/// `weights` is empty or as long as `edges`. The same pair again in the same direction: weights add
/// up (unweighted: one edge). Both directions: the larger weight, so that a symmetric matrix stored
/// whole keeps its values. If all resulting weights are 1, the graph is unweighted. Throws
/// InvalidInput for a node outside [0, N), a negative, infinite or NaN weight, or a sum that is
/// infinite.
[[nodiscard]] BuiltGraph build_graph(NodeNames names, std::vector<Edge> edges,
                                     std::vector<double> weights, SelfLoops self_loops);

enum class NodeMatch {
  strict,        ///< the same names in both graphs
  intersection,  ///< the nodes that are in both
  united,        ///< the nodes of both
  rows,          ///< names are numbers, from 0 or from 1 in each graph: the first matches the first
};

struct MatchedGraphs {
  Graph similarity;
  Graph representation;  ///< the same nodes in the same order
};

/// Brings two graphs to the same nodes, by name, in the order of `similarity` (then, with `united`,
/// those only in `representation`). strict: throws InvalidInput with the number of nodes that are
/// in one graph only and the first of them. `self_loops` is what `representation` was read with:
/// for SelfLoops::add, nodes that `united` adds to it get a self-loop. Where one graph numbers its
/// nodes from 0 and the other from 1, matching by name would pair each node with its neighbour in
/// the numbering: strict says so, and `rows` matches 0 with 1, 1 with 2, ...
[[nodiscard]] MatchedGraphs match_graphs(const Graph& similarity, const Graph& representation,
                                         NodeMatch match = NodeMatch::strict,
                                         SelfLoops self_loops = SelfLoops::add);

/// 0 or 1 if the names are the whole numbers 0..N-1 or 1..N, in any order; otherwise nothing.
[[nodiscard]] std::optional<Index> numbered_from(const NodeNames& names);

/// Whether one of the two counts its nodes from 0 and the other from 1: all names are whole
/// numbers, the smallest is 0 in one and 1 in the other, and so the largest differ by 1 as well.
[[nodiscard]] bool counted_differently(const NodeNames& one, const NodeNames& other);

/// How the nodes of two graphs match by name.
struct NodeOverlap {
  Index common = 0;
  Index only_first = 0;
  Index only_second = 0;
  bool counted_differently = false;  ///< see counted_differently()
};
[[nodiscard]] NodeOverlap overlap(const NodeNames& first, const NodeNames& second);

/// What `repsc graph info` says about a graph. Degrees count neighbours other than the node itself.
struct GraphSummary {
  Index nodes = 0;
  Offset edges = 0;  ///< with self-loops, each counting one
  Offset self_loops = 0;
  bool weighted = false;
  double smallest_weight = 1;
  double largest_weight = 1;
  Index smallest_degree = 0;
  Index largest_degree = 0;
  double mean_degree = 0;
  Index isolated = 0;
  Index components = 0;
  Index largest_component = 0;
  std::optional<Index> numbered_from = {};  ///< see numbered_from()
  /// All rows have the same sum, self-loops included.
  bool regular = false;
};
[[nodiscard]] GraphSummary summarize(const Graph& graph);

/// The number of different rows of the adjacency matrix, an upper bound of its rank. Rows are told
/// apart by 64-bit fingerprints, so that the number can be too small with probability N^2 / 2^65.
[[nodiscard]] Index distinct_rows(const Graph& graph);

/// The graph on the nodes with keep[i], in their old order.
[[nodiscard]] Graph induced_subgraph(const Graph& graph, const std::vector<bool>& keep);

/// Nodes without a neighbour other than themselves.
[[nodiscard]] std::vector<Index> isolated_nodes(const Graph& graph);

/// Component number of each node, counted from 0 in order of the first node.
[[nodiscard]] Labels connected_components(const Graph& graph);

}  // namespace repsc
