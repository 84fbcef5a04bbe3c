// Y = A X: the product of a graph's adjacency matrix with a block of vectors, the inner loop of it
// all.
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// Y = A X for X with one row a node. Y is resized; it may not be X.
void multiply(const Graph& A, const Matrix& X, Matrix& Y);
void multiply(const Graph& A, const FloatMatrix& X, FloatMatrix& Y);

}  // namespace repsc
