// The three-term recurrence of the Chebyshev filter, scaled so that nothing overflows (Zhou and
// Saad, SIAM J. Matrix Anal. Appl. 29, 2007).
#include "eigensolver/lanczos/chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "graph/product.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 2048;  // rows

/// X = diag(scale) X, or diag(scale)^-1 X.
void scale_rows(const Eigen::VectorXf& scale, bool inverse, FloatMatrix& X) {
  if (scale.size() == 0) return;
  const std::int64_t columns = X.cols();
  parallel_ranges(X.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float factor = inverse ? 1 / scale[i] : scale[i];
      float* const row = X.data() + i * columns;
      for (std::int64_t j = 0; j < columns; ++j) row[j] *= factor;
    }
  });
}

}  // namespace

ChebyshevFilter::ChebyshevFilter(double lower, double upper, int degree)
    : center_((lower + upper) / 2),
      half_width_((upper - lower) / 2),
      degree_(degree),
      largest_(std::cosh(degree * std::acosh(center_ / half_width_))) {}

double ChebyshevFilter::at(double value) const {
  const double argument = std::max(1.0, (center_ - value) / half_width_);
  return std::cosh(degree_ * std::acosh(argument)) / largest_;
}

double ChebyshevFilter::inverse(double filtered) const {
  const double scaled = std::max(1.0, filtered * largest_);
  return center_ - half_width_ * std::cosh(std::acosh(scaled) / degree_);
}

bool can_be_filtered(const Laplacian& L, double densest) {
  return L.penalty() == nullptr && L.normalization() == Normalization::symmetric &&
         static_cast<double>(L.graph().num_entries()) <= densest * L.num_nodes();
}

FilteredLaplacian::FilteredLaplacian(const ConstrainedLaplacian& A, const ChebyshevFilter& filter)
    : A_(A), filter_(filter), scale_(A.laplacian.scale().cast<float>()) {
  if (scale_.size() == 0) diagonal_ = A.laplacian.degrees().cast<float>();
}

void FilteredLaplacian::combine(double factor, const FloatMatrix& W, double other,
                                const FloatMatrix& V, FloatMatrix& Z) const {
  const auto f = static_cast<float>(factor);
  const auto o = static_cast<float>(other);
  const auto c = static_cast<float>(filter_.center());
  const std::int64_t columns = Z.cols();
  const bool symmetric = scale_.size() > 0;
  const double tau = A_.laplacian.regularization();
  Eigen::RowVectorXf everywhere;
  if (tau > 0) everywhere = static_cast<float>(tau) * W.colwise().mean();
  parallel_ranges(Z.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float own = f * ((symmetric ? 1 : diagonal_[i]) - c);
      const float weight = f * (symmetric ? scale_[i] * scale_[i] : 1);
      const float* const w = W.data() + i * columns;
      const float* const v = V.data() + i * columns;
      float* const z = Z.data() + i * columns;
      for (std::int64_t j = 0; j < columns; ++j) z[j] = own * w[j] - weight * z[j] + o * v[j];
      if (tau > 0) {
        for (std::int64_t j = 0; j < columns; ++j) z[j] -= weight * everywhere[j];
      }
    }
  });
  project(Z);
}

void FilteredLaplacian::project(FloatMatrix& W) const {
  if (A_.projector.rank() == 0) return;
  scale_rows(scale_, true, W);
  A_.projector.apply(W);
  scale_rows(scale_, false, W);
}

void FilteredLaplacian::apply(const FloatMatrix& X, FloatMatrix& Y) const {
  const Graph& graph = A_.laplacian.graph();
  const double e = filter_.half_width();
  double sigma = -e / filter_.center();
  const double tau = 2 / sigma;
  FloatMatrix before = X;
  scale_rows(scale_, false, before);
  multiply(graph, before, Y);
  combine(sigma / e, before, 0, before, Y);
  FloatMatrix Z;
  for (int step = 2; step <= filter_.degree(); ++step) {
    const double next = 1 / (tau - sigma);
    multiply(graph, Y, Z);
    combine(2 * next / e, Y, -sigma * next, before, Z);
    std::swap(before, Y);
    std::swap(Y, Z);
    sigma = next;
  }
  scale_rows(scale_, true, Y);
}

}  // namespace repsc
