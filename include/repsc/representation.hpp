// Representation graphs from groups, attributes, rules and layers of a multiplex network.
//
//   const repsc::Table people = repsc::read_table("people.csv");
//   const repsc::Graph R =
//       repsc::representation_by_rule(people, {.within = {{"age", 5}}, .same = {"school"}});
//
// Every graph made here has a self-loop at each node (R_ii = 1, Assumption 4.1), unless
// MultiplexOptions says otherwise. A graph of more than 2e9 entries is refused with InvalidInput
// before memory is allocated for it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// A CSV table of attributes: one column names the nodes, the others are words or numbers.
struct Table {
  struct Column {
    std::string name;
    std::vector<std::string> words;  ///< per node, as in the file; "" is a missing value
    std::vector<double> numbers;     ///< per node, NaN if missing; empty: not a numeric column
    [[nodiscard]] bool numeric() const { return !numbers.empty(); }
  };
  NodeNames names;
  std::vector<Column> columns;
  std::string header = {};  ///< the line that was taken as a header; "": none

  /// The column of that name; throws InvalidInput with the names of all columns if there is none.
  [[nodiscard]] const Column& column(const std::string& name) const;
};

struct TableOptions {
  /// The column that names the nodes; "": the first. "row" and "row0", where no column is called
  /// so: the table has no such column, and its rows are the nodes 1, 2, ... or 0, 1, ...
  std::string node_column = {};
  /// Columns that the caller will ask for: the table then must have a header that names them.
  std::vector<std::string> columns = {};
};

/// Reads a table of attributes. Separators, quotes and header are recognized as for every table
/// (docs/formats.md); without a header the columns are called by their numbers, from 1. A column is
/// numeric if it has a value and all of them are finite numbers; "" and NA are missing there.
/// Blanks around a value without quotes are dropped. Errors name the file and the line.
[[nodiscard]] Table read_table(const std::string& path, const TableOptions& options = {});

/// Two nodes are linked if their groups agree. Dense inside groups: sum of size^2 entries.
/// Groups are any numbers >= 0.
[[nodiscard]] Graph representation_from_groups(const Labels& groups, const NodeNames& names);

struct NeighborOptions {
  std::vector<std::string> columns = {};      ///< empty: all columns
  std::vector<std::string> categorical = {};  ///< numeric-looking columns to compare as words
  int num_neighbors = 10;                     ///< at least 1; all other nodes if there are fewer
};

/// Each node is linked to its nearest neighbours (one of the two nodes suffices for a link).
/// Numeric columns are scaled to standard deviation 1 (over all N nodes), and a constant column is
/// ignored; a categorical column adds 1 to the squared distance if the words differ. Of
/// squared distances that agree to twelve digits the earlier node counts as nearer. The search is
/// exact. It takes about N log N steps with few numeric columns and few combinations of words, N^2
/// at worst. Throws InvalidInput with the node and the column if a value is missing.
[[nodiscard]] Graph representation_from_neighbors(const Table& table,
                                                  const NeighborOptions& options);

struct RepresentationRule {
  /// Numeric columns: |difference| <= value, up to rounding of decimal fractions: 3.2 is within 0.2
  /// of 3.0, although the binary numbers differ by more.
  std::vector<std::pair<std::string, double>> within = {};
  std::vector<std::string> same = {};  ///< equal words
};

/// Two nodes are linked if every part of the rule holds ("age within five years and the same
/// school"). A missing value never matches. Cost: O(N log N + links + candidate pairs of the most
/// selective part), which is below O(N^2) if the rule is selective.
[[nodiscard]] Graph representation_by_rule(const Table& table, const RepresentationRule& rule);

/// How much u and v exchange, seen from u. W(u, v): sum of the weights of a layer's lines `u v`.
enum class Volume {
  sum,       ///< W(u, v) + W(v, u)
  larger,    ///< max(W(u, v), W(v, u))
  outgoing,  ///< W(u, v)
  incoming,  ///< W(v, u)
};

struct MultiplexOptions {
  std::vector<std::pair<Index, Index>> layers = {};  ///< inclusive ranges; empty: all
  int nearest = 0;              ///< 0: union of the layers' edges; n: n nearest in each layer first
  Volume volume = Volume::sum;  ///< ranks partners; equal ones are ordered by node name
  SelfLoops self_loops = SelfLoops::add;
};

/// Reads `layer u v [w]` lines and joins layers into one unweighted graph: two nodes are linked if
/// they are in at least one chosen layer (after keeping each node's `nearest` partners of largest
/// volume there). Its nodes are those of the whole file, so that graphs from other layers match;
/// they are in ascending order if all names are whole numbers, otherwise in order of the file. A
/// line of weight 0 only names its nodes. Self-loops of the data are not partners. Throws
/// InvalidInput for a layer that the file does not have.
[[nodiscard]] Graph graph_from_multiplex(const std::string& path, const MultiplexOptions& options);

/// "1-182" or "7,4,1" or "1-3,8" as inclusive ranges. Throws InvalidInput for anything else.
[[nodiscard]] std::vector<std::pair<Index, Index>> parse_layers(const std::string& text);

}  // namespace repsc
