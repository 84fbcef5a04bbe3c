// What the methods have in common: from options to a query, from eigenvectors to a result.
#pragma once

#include <optional>

#include "repsc/cluster.hpp"
#include "repsc/constraint.hpp"

namespace repsc {

/// The paper's step 1: Y, held as the projector P = YY', for R exact or at rank r. None where the
/// constraint is to be soft: asked for, or automatic and R not met exactly at little cost.
std::optional<Constraint> representation_constraint(const Graph& R, int K, const Vector& scale,
                                                    const ClusterOptions& options);

/// The leading eigenvectors of R, whether one rank needs them or a path of ranks.
std::shared_ptr<const RepresentationSpectrum> leading_spectrum(const Graph& R, Index rank, int K,
                                                               const ClusterOptions& options);

/// The Laplacian with the regularization asked for, which the unnormalized one refuses.
Laplacian laplacian_of(const Graph& A, Normalization normalization, const ClusterOptions& options);

/// What k-means sees of the eigenvectors: one row a node.
using Embedding = std::function<Matrix(const Matrix& X)>;

/// The K lowest eigenvectors of L within the constraint: to the tolerance, or, where none is set,
/// until the labels of `embedding` have settled. `start`: vectors near them, if known.
Eigenpairs lowest_eigenvectors(const Laplacian& L, const Constraint& constraint, int K,
                               const ClusterOptions& options, const Embedding& embedding,
                               const Matrix& start = {});

/// The same for a penalized Laplacian, which products find harder: above the nodes whose labels are
/// waited for, the start is a short plain iteration (`L`, without the penalty), and the iteration
/// also ends where the objective has settled.
Eigenpairs lowest_soft_eigenvectors(const Laplacian& L, const Laplacian& M, int K,
                                    const ClusterOptions& options);

/// The rows that the options ask for, or `standard`: H itself, T = D^-1/2 X, or either with rows of
/// length 1. Refers to L.
Embedding embedding_of(const Laplacian& L, EmbeddingRows standard, const ClusterOptions& options);

/// The last step, k-means on the rows of `embedding`; fills everything but the method's name and
/// the seconds of earlier stages.
Clustering cluster_rows(Matrix embedding, const Eigenpairs& pairs, const Constraint& constraint,
                        int K, const ClusterOptions& options);

/// L + strength C, within the memory limit.
Laplacian penalized(const Laplacian& L, const Graph& R, int K, const ClusterOptions& options);

/// cluster_rows() for the eigenvectors of a penalized Laplacian.
Clustering cluster_soft_rows(const Laplacian& M, const Eigenpairs& pairs, int K,
                             const ClusterOptions& options);

/// Refuses K outside [2, N] and graphs of different sizes.
void check_sizes(const Graph& A, Index other_nodes, int K, const char* other);

}  // namespace repsc
