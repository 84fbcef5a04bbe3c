// Writes graphs that are never in memory as a whole.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// Appends the neighbours of a node, strictly ascending. Called on any thread.
using RowSource = std::function<void(Index node, std::vector<Index>& neighbors)>;

/// Writes a compressed .rgraph file of an unweighted graph, row by row, whose nodes are named 0, 1,
/// ...: `row` is called once for each node and must describe a symmetric matrix. In memory are 4
/// bytes per node and a few groups of rows.
void write_rows(const std::string& path, Index num_nodes, const RowSource& row);

}  // namespace repsc
