// The input as ranks hold it: rows of G, and rows of R or the groups of the own rows.
#pragma once

#include <optional>

#include "distributed/graph.hpp"

namespace repsc {

/// Groups of the own rows, numbered as in Representation.
struct DistributedGroups {
  Labels own;
  std::vector<std::int64_t> sizes;  ///< of all rows

  [[nodiscard]] Index count() const { return static_cast<Index>(sizes.size()); }
};

/// Who represents whom: R, or groups, whose R is never built.
class DistributedRepresentation {
 public:
  DistributedRepresentation(const SpreadRows& rows, DistributedGraph graph)
      : rows_(&rows), graph_(std::move(graph)) {}
  DistributedRepresentation(const SpreadRows& rows, DistributedGroups groups)
      : rows_(&rows), groups_(std::move(groups)) {}

  [[nodiscard]] const SpreadRows& rows() const { return *rows_; }
  [[nodiscard]] const DistributedGraph* graph() const { return graph_ ? &*graph_ : nullptr; }
  [[nodiscard]] const DistributedGroups* groups() const { return groups_ ? &*groups_ : nullptr; }
  void multiply(const Matrix& X, Matrix& Y) const;  ///< Y = R X
  [[nodiscard]] Vector sums() const;                ///< of the own rows of R
  [[nodiscard]] Vector squared_sums() const;        ///< the same of the squares

 private:
  const SpreadRows* rows_;
  std::optional<DistributedGraph> graph_;
  std::optional<DistributedGroups> groups_;
};

struct DistributedProblem {
  std::unique_ptr<SpreadRows> rows;  ///< apart, because graphs refer to it
  std::optional<DistributedGraph> similarity;
  std::optional<DistributedRepresentation> representation;
  std::optional<DistributedGroups> groups;  ///< as given, also beside R
  NodeNames names;                          ///< of the own rows
  Offset num_entries = 0;                   ///< of G, all rows
  bool has_graph = false;                   ///< R was given as a graph
};

/// The part of rank 0's numbers, one per node, that this rank holds.
[[nodiscard]] Labels scatter(const SpreadRows& rows, const Labels& at_root);

/// Cuts the input into rows: that of rank 0, which sends them, or, if every rank has the whole
/// input (`everywhere`), each its own. A representation graph that is a union of cliques becomes
/// groups.
[[nodiscard]] DistributedProblem distribute(const Communicator& ranks, const ClusterInput& input,
                                            bool everywhere = false,
                                            std::optional<Exchange> exchange = {});

}  // namespace repsc
