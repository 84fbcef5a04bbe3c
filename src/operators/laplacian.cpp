// Products with a Laplacian. Degrees scale the vectors, so that the graph needs no values
// (docs/numerics.md, fact 10).
#include <algorithm>
#include <cmath>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "repsc/operators.hpp"

namespace repsc {
namespace {

/// Throws for the first node without a positive degree.
void refuse_isolated_node(const Graph& graph, const Vector& degrees) {
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    if (degrees[i] > 0) continue;
    throw InvalidInput(
        Fault{.what = joined("node ", graph.names()[i],
                             " has no edges in the similarity graph, but the normalized methods "
                             "need positive degrees"),
              .remedies = {{Remedy::Action::use, "isolated", "drop"},
                           {Remedy::Action::advice, "", "use an unnormalized method"}}});
  }
}

/// D^-1/2; throws if a degree is zero.
Vector inverse_square_roots(const Graph& graph, const Vector& degrees) {
  Vector result(degrees.size());
  ask_for_large_pages(result.data(), static_cast<std::size_t>(result.size()) * sizeof(double));
  const Index without =
      parallel_sum(degrees.size(), row_grain, Index{0}, [&](auto begin, auto end) {
        Index count = 0;
        for (auto i = begin; i < end; ++i) {
          count += degrees[i] > 0 ? 0 : 1;
          result[i] = 1 / std::sqrt(degrees[i]);
        }
        return count;
      });
  if (without > 0) refuse_isolated_node(graph, degrees);
  return result;
}

/// The penalty term of a Laplacian.
struct Added {
  const RepresentationPenalty* penalty;
  double strength;

  template <typename Block>
  void to(const Block& U, const Vector& scale, Block& Y) const {
    if (penalty != nullptr && strength > 0) penalty->add_product(U, strength, scale, Y);
  }
};

/// Y = D X - A X, plus the penalty; multiply_graph(X, Y) is Y = A X.
template <typename Block, typename Product>
void apply_plain(const Product& multiply_graph, const Vector& degrees, const Added& added,
                 const Block& X, Block& Y) {
  using Scalar = typename Block::Scalar;
  multiply_graph(X, Y);
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i)
      Y.row(i) = static_cast<Scalar>(degrees[i]) * X.row(i) - Y.row(i);
  });
  added.to(X, Vector(), Y);
}

/// Y = X - S Y.
template <typename Block>
void subtract_scaled(const Vector& scale, const Block& X, Block& Y) {
  using Scalar = typename Block::Scalar;
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) {
      Y.row(i) = X.row(i) - static_cast<Scalar>(scale[i]) * Y.row(i);
    }
  });
}

/// Y = X - S (A + tau/N 11') S X, S = D^-1/2, plus the penalty.
template <typename Block, typename Product>
void apply_symmetric(const Product& multiply_graph, const Vector& scale, double tau,
                     const Added& added, const Block& X, Block& Y, Block& scaled) {
  using Scalar = typename Block::Scalar;
  if (scaled.rows() != X.rows() || scaled.cols() != X.cols()) {
    scaled = Block(X.rows(), X.cols());
    // Its rows are gathered in random order.
    ask_for_large_pages(scaled.data(), static_cast<std::size_t>(scaled.size()) * sizeof(Scalar));
  }
  parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) scaled.row(i) = static_cast<Scalar>(scale[i]) * X.row(i);
  });
  Eigen::Matrix<Scalar, 1, Eigen::Dynamic> everywhere;
  if (tau > 0) everywhere = (tau * column_means(scaled)).template cast<Scalar>();
  multiply_graph(scaled, Y);
  subtract_scaled(scale, X, Y);
  if (tau > 0) {
    parallel_ranges(X.rows(), row_grain, [&](auto begin, auto end) {
      for (auto i = begin; i < end; ++i) Y.row(i) -= static_cast<Scalar>(scale[i]) * everywhere;
    });
  }
  added.to(scaled, scale, Y);
}

}  // namespace

void check_regularization(double regularization, Normalization normalization) {
  require_option(regularization >= 0 && std::isfinite(regularization), "regularization",
                 regularization, "it must be a finite number of at least 0");
  if (regularization != 0 && normalization != Normalization::symmetric) {
    throw InvalidInput(
        Fault{.what = "it is for the normalized methods nsc, nrepsc and nfairsc",
              .option = "regularization",
              .value = joined(regularization),
              .remedies = {{Remedy::Action::leave_out, "regularization"},
                           {Remedy::Action::advice, "", "use a normalized method"}}});
  }
}

Laplacian::Laplacian(Graph graph, Normalization normalization, double regularization)
    : graph_(std::move(graph)),
      normalization_(normalization),
      regularization_(regularization),
      degrees_(graph_.degrees()) {
  check_regularization(regularization, normalization);
  if (normalization == Normalization::none) return;
  if (regularization > 0) degrees_.array() += regularization;
  scale_ = inverse_square_roots(graph_, degrees_);
}

Laplacian Laplacian::penalized(const SoftConstraint& soft, double strength) const {
  require_option(strength >= 0 && std::isfinite(strength), "strength", strength,
                 "it must be a finite number of at least 0");
  constexpr double largest = 1e15;
  require_option(strength <= largest, "strength", strength, "it must be at most ", largest,
                 ", because the rounding errors of a larger penalty hide the graph");
  require(soft.penalty != nullptr && soft.penalty->num_nodes() == num_nodes(),
          "the soft constraint was made for another graph");
  Laplacian result = *this;
  result.soft_ = soft;
  result.strength_ = strength;
  return result;
}

template <typename Block, typename Product>
void Laplacian::apply_with(const Product& multiply_graph, const Block& X, Block& Y,
                           Block& scaled) const {
  const Added added{penalty(), strength_};
  if (normalization_ == Normalization::none)
    return apply_plain(multiply_graph, degrees_, added, X, Y);
  apply_symmetric(multiply_graph, scale_, regularization_, added, X, Y, scaled);
}

void Laplacian::apply(const Matrix& X, Matrix& Y, Matrix& scaled) const {
  apply_with([&](const Matrix& from, Matrix& to) { multiply(graph_, from, to); }, X, Y, scaled);
}

void Laplacian::apply(const FloatMatrix& X, FloatMatrix& Y, FloatMatrix& scaled) const {
  apply_with([&](const FloatMatrix& from, FloatMatrix& to) { multiply(graph_, from, to); }, X, Y,
             scaled);
}

void Laplacian::apply(const Matrix& X, Matrix& Y) const {
  Matrix scaled;
  apply(X, Y, scaled);
}

void Laplacian::apply(const FloatMatrix& X, FloatMatrix& Y) const {
  FloatMatrix scaled;
  apply(X, Y, scaled);
}

double Laplacian::apply_coarsely(const FloatMatrix& X, FloatMatrix& Y) const {
  double step = 0;
  if (scale_.size() > 0 && regularization_ == 0 && penalty() == nullptr) {
    step = multiply_coarsely(graph_, X, Y, scale_);  // no copy of X is scaled
    subtract_scaled(scale_, X, Y);
  } else {
    FloatMatrix scaled;
    apply_with([&](const FloatMatrix& from,
                   FloatMatrix& to) { step = multiply_coarsely(graph_, from, to); },
               X, Y, scaled);
  }
  return coarse_error(step);
}

double Laplacian::coarse_error(double step) const {
  // An error e in D^-1/2 x is an error D^1/2 e in x. The norm of A is at most max D, that of the
  // scaled A at most 1.
  const bool plain = normalization_ == Normalization::none;
  const double error =
      plain ? degrees_.maxCoeff() * std::sqrt(num_nodes() / 12.0) : std::sqrt(degrees_.sum() / 12);
  return step * error / norm();
}

bool Laplacian::coarse_products_pay() const {
  constexpr double entries_per_row = 20;  // docs/performance.md
  // The error of a vector that lies on a few nodes grows with the root of their number, and ends
  // the products in 16 bits before they have been of use.
  constexpr Index most_nodes = Index{1} << 22U;
  if (graph_.weighted() || num_nodes() >= most_nodes) return false;
  return static_cast<double>(graph_.num_entries()) > entries_per_row * num_nodes();
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
  if (strength_ > 0) add_dense_penalty(L);
  return L;
}

/// A few columns at a time, so that no second N x N matrix is needed.
void Laplacian::add_dense_penalty(Matrix& L) const {
  constexpr Index width = 64;
  for (Index first = 0; first < num_nodes(); first += width) {
    const Index columns = std::min(width, num_nodes() - first);
    Matrix U = Matrix::Zero(num_nodes(), columns);
    for (Index c = 0; c < columns; ++c) U(first + c, c) = scale_.size() > 0 ? scale_[first + c] : 1;
    Matrix CU = Matrix::Zero(num_nodes(), columns);
    soft_.penalty->add_product(U, strength_, scale_, CU);
    L.middleCols(first, columns) += CU;
  }
}

Vector Laplacian::null_vector() const {
  const bool plain = normalization_ == Normalization::none;
  const double squares = plain ? num_nodes() : degrees_.sum();
  const double factor = squares > 0 ? 1 / std::sqrt(squares) : 1;
  Vector v(num_nodes());
  parallel_ranges(v.size(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) v[i] = factor * (plain ? 1 : std::sqrt(degrees_[i]));
  });
  return v;
}

double Laplacian::graph_norm() const {
  if (normalization_ == Normalization::symmetric) return 1;
  const double largest = num_nodes() > 0 ? degrees_.maxCoeff() : 0;
  return largest > 0 ? largest : 1;  // a graph without edges: L = 0
}

double Laplacian::norm() const { return std::max(graph_norm(), strength_ * soft_.norm); }

double Laplacian::residual_unit() const { return std::max(graph_norm(), least_unit * norm()); }

bool Laplacian::fits_single() const {
  const double size = norm();
  const bool added = soft_.penalty == nullptr || soft_.penalty->fits_single();
  return added && size > 1e-12 && size < 1e12;  // squares do not overflow or underflow
}

void ConstrainedLaplacian::apply(const Matrix& X, Matrix& Y) const {
  laplacian.apply(X, Y);
  projector.apply(Y);
}

}  // namespace repsc
