// Products with a Laplacian. Degree scaling is on the vectors, so that the graph keeps no values.
#include <cmath>

#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "repsc/operators.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 4096;

/// D^-1/2; throws where a degree is zero.
Vector inverse_square_roots(const Graph& graph, const Vector& degrees) {
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    require(degrees[i] > 0, "node ", graph.names()[i],
            " has no edges in the similarity graph, which the normalized methods cannot place; use "
            "--isolated drop, or an unnormalized method");
  }
  return degrees.cwiseSqrt().cwiseInverse();
}

}  // namespace

Laplacian::Laplacian(Graph graph, Normalization normalization)
    : graph_(std::move(graph)), normalization_(normalization), degrees_(graph_.degrees()) {
  if (normalization == Normalization::symmetric) scale_ = inverse_square_roots(graph_, degrees_);
}

void Laplacian::apply(const Matrix& X, Matrix& Y) const {
  if (normalization_ == Normalization::none) {
    multiply(graph_, X, Y);
    parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
      for (auto i = begin; i < end; ++i) Y.row(i) = degrees_[i] * X.row(i) - Y.row(i);
    });
    return;
  }
  Matrix scaled(X.rows(), X.cols());
  parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) scaled.row(i) = scale_[i] * X.row(i);
  });
  multiply(graph_, scaled, Y);
  parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) Y.row(i) = X.row(i) - scale_[i] * Y.row(i);
  });
}

Matrix Laplacian::dense() const {
  const Index N = num_nodes();
  const bool symmetric = normalization_ == Normalization::symmetric;
  Matrix L = Matrix::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    const auto neighbors = graph_.neighbors(i);
    const auto weights = graph_.weights(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      const Index j = neighbors[e];
      const double weight = weights.empty() ? 1 : weights[e];
      L(i, j) -= symmetric ? scale_[i] * weight * scale_[j] : weight;
    }
    L(i, i) += symmetric ? 1 : degrees_[i];
  }
  return L;
}

Vector Laplacian::null_vector() const {
  const Vector v = normalization_ == Normalization::none ? Vector(Vector::Ones(num_nodes()))
                                                         : Vector(degrees_.cwiseSqrt());
  return v.normalized();
}

double Laplacian::norm() const {
  if (normalization_ == Normalization::symmetric) return 1;
  const double largest = num_nodes() > 0 ? degrees_.maxCoeff() : 0;
  return largest > 0 ? largest : 1;  // a graph without edges: L = 0
}

void ConstrainedLaplacian::apply(const Matrix& X, Matrix& Y) const {
  laplacian.apply(X, Y);
  projector.apply(Y);
}

}  // namespace repsc
