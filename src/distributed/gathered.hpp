// Graphs on which products converge slowly, and that one process can hold.
#pragma once

#include "distributed/constraint.hpp"
#include "repsc/eigensolver.hpp"

namespace repsc {

/// Entries of a graph that rank 0 takes over: as many as it factorizes within seconds or minutes.
inline constexpr Offset most_gathered_entries = Offset{1} << 24U;

/// Whether rank 0 alone can solve for these pairs: a constraint, hard or soft, is by groups.
[[nodiscard]] bool can_be_gathered(const DistributedLaplacian& L, const DistributedProjector& P);

/// smallest_eigenpairs() on rank 0, which gathers the graph; vectors have the own rows, and so has
/// the start of the query. Called by every rank; the stopping rule is asked by rank 0 alone.
[[nodiscard]] Eigenpairs gathered_pairs(const DistributedGraph& graph,
                                        const DistributedLaplacian& L,
                                        const DistributedProjector& P, const EigenQuery& query);

}  // namespace repsc
