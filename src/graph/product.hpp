// Y = A X: the product of a graph's adjacency matrix with a block of vectors, where most of the
// time is spent.
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// Rows per task: enough entries to be worth waking a thread.
[[nodiscard]] std::int64_t rows_at_once(const Graph& A);

/// Y = A X for X with one row per node. Y is resized; it may not be X.
void multiply(const Graph& A, const Matrix& X, Matrix& Y);
void multiply(const Graph& A, const FloatMatrix& X, FloatMatrix& Y);

/// The same for some rows, whose columns may be any rows of X, which has this number of columns. Y
/// gets one row for each of them.
void multiply(const CsrArrays& A, const double* X, Index columns, Matrix& Y);

/// Y = R X. With groups: the sums of X over each group, for each of its nodes, in O(N) time.
void multiply(const Representation& R, const Matrix& X, Matrix& Y);
void multiply(const Representation& R, const FloatMatrix& X, FloatMatrix& Y);

/// Row g is the sum of scale_i X_i over the nodes i of group g (an empty scale is 1), in double
/// precision.
[[nodiscard]] Matrix group_sums(const Labels& groups, Index num_groups, const Matrix& X,
                                const Vector& scale = {});
[[nodiscard]] Matrix group_sums(const Labels& groups, Index num_groups, const FloatMatrix& X,
                                const Vector& scale = {});

/// Y = A S X for an unweighted A and S = diag(scale) (empty: I), with S X in sixteen bits: each
/// column is rounded to steps of its largest entry / 32767, and those are summed exactly. Returns
/// the largest step.
[[nodiscard]] float multiply_coarsely(const Graph& A, const FloatMatrix& X, FloatMatrix& Y,
                                      const Vector& scale = {});

}  // namespace repsc
