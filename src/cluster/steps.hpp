// Steps that the methods share: from a plan to eigenvectors, from eigenvectors to labels.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/numerical_failure.hpp"
#include "repsc/cluster.hpp"
#include "repsc/constraint.hpp"

namespace repsc {

/// A failure of the arithmetic, with the weights that cause it. No NumericalFailure any more, so
/// that callers of callers do not add them again.
[[nodiscard]] InvalidInput with_weights(const NumericalFailure& failure, const ClusterInput& input);

[[nodiscard]] Normalization normalization_of(Method method);

/// When runs of k-means end. Where nodes are few, not before no label changes: where a run that has
/// not arrived ends depends on how its points were rounded, and so do its clusters.
[[nodiscard]] double kmeans_tolerance(Index num_nodes, int num_clusters);
/// Without visible clusters k-means moves nodes to and fro for hundreds of iterations, which hardly
/// lowers its objective.
inline constexpr double tolerance_without_clusters = 1e-4;

/// Only how to compute (solver, precision, seed, limits), not what: for a clustering of its own
/// within another one.
[[nodiscard]] ClusterOptions numerical_options(const ClusterOptions& given);

/// How R is decomposed.
[[nodiscard]] SpectrumOptions spectrum_options(const Plan& plan);

/// Throws MemoryLimitExceeded if a constraint of this rank does not fit.
void require_rank_memory(const Representation& R, Index rank, const Plan& plan);

/// From eigenvectors to the rows that k-means clusters, one per node.
using RowMap = std::function<Matrix(const Matrix& X)>;

/// H itself, T = D^-1/2 X, or either with rows of length 1. Refers to L.
[[nodiscard]] RowMap rows_of(const Laplacian& L, EmbeddingRows rows);
/// The same, given D^-1/2 of the rows, or nothing if L is not normalized.
[[nodiscard]] RowMap rows_of(Vector scale, EmbeddingRows rows);

struct StartVectors {
  Matrix X = {};          ///< near the wanted ones; empty: random
  bool doubtful = false;  ///< see EigenQuery::doubtful_start
};

/// The K lowest eigenvectors of L within the constraint: to the tolerance, or until the labels of
/// their rows have settled, as the plan says.
[[nodiscard]] Eigenpairs lowest_eigenvectors(const Laplacian& L, const Constraint& constraint,
                                             const Plan& plan, StartVectors start = {},
                                             bool leave_on_device = false);

/// Eigenvectors, the rows that k-means clusters, and how well they satisfy the constraint.
struct SpectralEmbedding {
  Eigenpairs pairs;  ///< if they are on a device, its matrix has the rows in place of the vectors
  Matrix rows;
  Index constraint_rank = 0;
  double constraint_residual = 0;
  std::optional<double> strength = {};  ///< of a soft constraint
  bool rank_unique = true;
  std::vector<Warning> warnings = {};
  double seconds = 0;
};

/// The embedding of eigenvectors of L within a constraint, or of a penalized L without one.
[[nodiscard]] SpectralEmbedding embedded(Eigenpairs pairs, const Laplacian& L,
                                         const Constraint& constraint, const Plan& plan);

/// What an iteration starts from.
struct EmbeddingStart {
  Matrix rows = {};  ///< near those of T = D^-1/2 X, without the known column; empty: random
  double seconds = 0;
};

/// The lowest eigenvectors of L within the constraint, embedded.
[[nodiscard]] SpectralEmbedding embed(const Laplacian& L, const Constraint& constraint,
                                      const Plan& plan, EmbeddingStart start = {});

/// The same for a penalized Laplacian M, whose iteration converges more slowly. If settled labels
/// are enough, it starts from a short iteration with `L`, without the penalty, and also ends when
/// the objective has settled.
[[nodiscard]] SpectralEmbedding embed_softly(const Laplacian& L, const Laplacian& M,
                                             const Plan& plan);

/// The last step, k-means on the rows; of runs that are equally good the one with the lowest
/// normalized cut. Fills everything but the method and the seconds of the constraint.
[[nodiscard]] Clustering cluster_rows(const Graph& similarity, SpectralEmbedding embedding,
                                      const Plan& plan);

/// `found`, whose rows are as they are, with rows of length 1 in their place. Its seconds are those
/// of k-means alone.
[[nodiscard]] Clustering with_unit_rows(const Graph& similarity, const Clustering& found,
                                        const Plan& plan);

/// Refines the labels, and keeps the labels of k-means as well.
void refine_clustering(Pipeline& data, const RefineOptions& how, Clustering& found);

}  // namespace repsc
