// Graphs on which products converge slowly, and that one process can hold.
#pragma once

#include "distributed/constraint.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

/// Entries of a graph that rank 0 takes over: as many as it factorizes within seconds or minutes.
inline constexpr Offset most_gathered_entries = Offset{1} << 24U;

/// smallest_eigenpairs() on rank 0, which gathers the graph; vectors have the own rows. P is none,
/// or by groups. Called by every rank; the stopping rule is asked by rank 0 alone.
[[nodiscard]] Eigenpairs gathered_pairs(const DistributedGraph& graph, Normalization normalization,
                                        const DistributedProjector& P, const EigenQuery& query);

}  // namespace repsc
