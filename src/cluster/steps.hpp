// What the methods have in common: from options to a query, from eigenvectors to a result.
#pragma once

#include "repsc/cluster.hpp"
#include "repsc/constraint.hpp"

namespace repsc {

/// The paper's step 1: Y, held as the projector P = YY', for R exact or at rank r.
Constraint representation_constraint(const Graph& R, int K, const Vector& scale,
                                     const ClusterOptions& options);

/// The leading eigenvectors of R, whether one rank needs them or a path of ranks.
std::shared_ptr<const RepresentationSpectrum> leading_spectrum(const Graph& R, Index rank, int K,
                                                               const ClusterOptions& options);

/// The K lowest eigenvectors of L within the constraint. `start`: vectors near them, if known.
Eigenpairs lowest_eigenvectors(const Laplacian& L, const Constraint& constraint, int K,
                               const ClusterOptions& options, const Matrix& start = {});

/// T = D^-1/2 X.
Matrix unscaled(const Matrix& X, const Vector& scale);

/// The last step, k-means on the rows of `embedding`; fills everything but the method's name and
/// the seconds of earlier stages.
Clustering cluster_rows(Matrix embedding, const Eigenpairs& pairs, const Constraint& constraint,
                        int K, const ClusterOptions& options);

/// Refuses K outside [2, N] and graphs of different sizes.
void check_sizes(const Graph& A, Index other_nodes, int K, const char* other);

}  // namespace repsc
