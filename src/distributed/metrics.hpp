// Metrics of labels, of which each rank holds those of its rows.
#pragma once

#include "distributed/problem.hpp"

namespace repsc {

/// evaluate() of all rows.
[[nodiscard]] Metrics evaluate_spread(const DistributedProblem& problem, const Labels& own,
                                      int num_clusters);

/// The cut and the average balance alone.
[[nodiscard]] Outcome outcome_of(const DistributedProblem& problem, const Labels& own,
                                 int num_clusters);

/// The number of nodes of each cluster.
[[nodiscard]] std::vector<Index> spread_sizes(const SpreadRows& rows, const Labels& own,
                                              int num_clusters);
/// The nodes of each group (row) in each cluster (column).
[[nodiscard]] CountMatrix spread_group_table(const SpreadRows& rows,
                                             const DistributedGroups& groups, const Labels& own,
                                             int num_clusters);

/// draw_lots(), with labels from a keyed permutation of the nodes in place of a shuffled list: no
/// rank needs the labels of all nodes.
[[nodiscard]] Lots draw_spread_lots(const DistributedProblem& problem, int num_clusters,
                                    std::uint64_t seed);

/// The label of a node in one draw of lots: place of the node in a random order, modulo K.
[[nodiscard]] Label lot_of(Index node, Index num_nodes, int num_clusters, std::uint64_t key);

/// See average_balance_limit().
[[nodiscard]] double spread_balance_limit(const DistributedProblem& problem, int num_clusters);

}  // namespace repsc
