// Products with a Laplacian. Degree scaling is on the vectors, so that the graph keeps no values.
#include <cmath>

#include "core/dense.hpp"
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

/// Y = D X - A X; multiply_graph(X, Y) is Y = A X.
template <typename Block, typename Product>
void apply_plain(const Product& multiply_graph, const Vector& degrees, const Block& X, Block& Y) {
  using Scalar = typename Block::Scalar;
  multiply_graph(X, Y);
  parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i)
      Y.row(i) = static_cast<Scalar>(degrees[i]) * X.row(i) - Y.row(i);
  });
}

/// Y = X - S (A + tau/N 11') S X, S = D^-1/2.
template <typename Block, typename Product>
void apply_symmetric(const Product& multiply_graph, const Vector& scale, double tau, const Block& X,
                     Block& Y) {
  using Scalar = typename Block::Scalar;
  Block scaled(X.rows(), X.cols());
  parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) scaled.row(i) = static_cast<Scalar>(scale[i]) * X.row(i);
  });
  Eigen::Matrix<Scalar, 1, Eigen::Dynamic> everywhere;
  if (tau > 0)
    everywhere = (tau * column_means(Matrix(scaled.template cast<double>()))).cast<Scalar>();
  multiply_graph(scaled, Y);
  parallel_ranges(X.rows(), grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) {
      const auto s = static_cast<Scalar>(scale[i]);
      Y.row(i) = X.row(i) - s * Y.row(i);
      if (tau > 0) Y.row(i) -= s * everywhere;
    }
  });
}

}  // namespace

Laplacian::Laplacian(Graph graph, Normalization normalization, double regularization)
    : graph_(std::move(graph)),
      normalization_(normalization),
      regularization_(regularization),
      degrees_(graph_.degrees()) {
  require(regularization >= 0 && std::isfinite(regularization), "regularization: ", regularization,
          " but it must be a number from 0");
  require(
      regularization == 0 || normalization == Normalization::symmetric,
      "regularization: the unnormalized methods have none; use nsc, nrepsc or nfairsc, or leave "
      "--regularize out");
  if (normalization == Normalization::none) return;
  degrees_.array() += regularization;
  scale_ = inverse_square_roots(graph_, degrees_);
}

template <typename Block, typename Product>
void Laplacian::apply_with(const Product& multiply_graph, const Block& X, Block& Y) const {
  if (normalization_ == Normalization::none) return apply_plain(multiply_graph, degrees_, X, Y);
  apply_symmetric(multiply_graph, scale_, regularization_, X, Y);
}

void Laplacian::apply(const Matrix& X, Matrix& Y) const {
  apply_with([&](const Matrix& from, Matrix& to) { multiply(graph_, from, to); }, X, Y);
}

void Laplacian::apply(const FloatMatrix& X, FloatMatrix& Y) const {
  apply_with([&](const FloatMatrix& from, FloatMatrix& to) { multiply(graph_, from, to); }, X, Y);
}

double Laplacian::apply_coarsely(const FloatMatrix& X, FloatMatrix& Y) const {
  double step = 0;
  apply_with(
      [&](const FloatMatrix& from, FloatMatrix& to) { step = multiply_coarsely(graph_, from, to); },
      X, Y);
  // An error e of D^-1/2 x is one of D^1/2 e in x, and ||L|| is at most twice norm().
  const bool plain = normalization_ == Normalization::none;
  return step * std::sqrt((plain ? double(num_nodes()) : degrees_.sum()) / 12);
}

bool Laplacian::coarse_products_pay() const {
  constexpr double entries_a_row = 20;  // docs/performance.md
  return !graph_.weighted() &&
         static_cast<double>(graph_.num_entries()) > entries_a_row * num_nodes();
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
  if (regularization_ > 0) L.noalias() -= regularization_ / N * scale_ * scale_.transpose();
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
