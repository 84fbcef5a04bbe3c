// Products with a Laplacian, and with a polynomial of it, on rows that are spread over ranks.
#include "distributed/place.hpp"

#include "distributed/lanczos.hpp"

namespace repsc {
namespace {

/// Y = p(P L P) X, for X within the range of P: the recurrence of FilteredLaplacian.
void apply_filtered(const DistributedOperator& A, const ChebyshevFilter& filter, const Matrix& X,
                    Matrix& Y) {
  const double e = filter.half_width();
  double sigma = -e / filter.center();
  const double tau = 2 / sigma;
  // Z = factor P (L - c) W + other V.
  const auto step = [&](double factor, const Matrix& W, double other, const Matrix& V, Matrix& Z) {
    A.multiply(W, Z);
    Z = factor * (Z - filter.center() * W) + other * V;
    A.satisfy(Z);
  };
  Matrix before = X;
  step(sigma / e, before, 0, before, Y);
  Matrix Z;
  for (int degree = 2; degree <= filter.degree(); ++degree) {
    const double next = 1 / (tau - sigma);
    step(2 * next / e, Y, -sigma * next, before, Z);
    std::swap(before, Y);
    std::swap(Y, Z);
    sigma = next;
  }
}

}  // namespace

SpreadPlace::SpreadPlace(const DistributedOperator& A) : A_(A), filtering_pays_(A.filter_pays()) {}

KrylovOperator SpreadPlace::krylov(double norm,
                                   std::function<void(const Matrix& X, Matrix& Y)> apply) const {
  return {.size = A_.rows().num_nodes(),
          .dimension = A_.dimension(),
          .norm = norm,
          .apply = std::move(apply),
          .project = [this](Matrix& X) { A_.project(X); }};
}

KrylovResult SpreadPlace::run_double(const KrylovOptions& how) {
  return spread_lanczos(
      A_.rows(), krylov(A_.norm(), [this](const Matrix& X, Matrix& Y) { A_.multiply(X, Y); }), how);
}

KrylovResult SpreadPlace::run_coarsely(const KrylovOptions& how, double& error) {
  error = 0;
  return run_double(how);
}

KrylovResult SpreadPlace::run_filtered(const KrylovOptions& how, const ChebyshevFilter& filter) {
  return spread_lanczos(
      A_.rows(), krylov(1, [&](const Matrix& X, Matrix& Y) { apply_filtered(A_, filter, X, Y); }),
      how);
}

Vector SpreadPlace::known(std::span<const Index> nodes) const {
  if (nodes.empty()) return A_.known();
  return A_.rows().rows(A_.known(), nodes);
}

}  // namespace repsc
