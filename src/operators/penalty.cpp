// Products with the penalty of the soft constraint.
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "repsc/operators.hpp"

namespace repsc {
namespace {

/// sum_i w_i X_i (w = 1 if empty) over the rows, in double precision.
template <typename Block>
Eigen::RowVectorXd weighted_row_sum(const Block& X, const Vector& w) {
  return parallel_sum(X.rows(), row_grain, Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(X.cols())),
                      [&](auto begin, auto end) {
                        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(X.cols());
                        for (auto i = begin; i < end; ++i)
                          sum += (w.size() > 0 ? w[i] : 1.0) * X.row(i).template cast<double>();
                        return sum;
                      });
}

/// Z = RJU, from U.
template <typename Block>
void centered_product(const Representation& R, const Vector& sums, const Block& U, Block& Z) {
  using Scalar = typename Block::Scalar;
  const Eigen::Matrix<Scalar, 1, Eigen::Dynamic> mean =
      (weighted_row_sum(U, Vector()) / static_cast<double>(U.rows())).template cast<Scalar>();
  multiply(R, U, Z);
  parallel_ranges(Z.rows(), row_grain, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) Z.row(i) -= static_cast<Scalar>(sums[i]) * mean;
  });
}

template <typename Block>
struct Product {
  const Representation& R;
  const Vector& sums;
  const Vector& inverse;

  /// Y += factor S J R diag(inverse) R J U.
  void add(const Block& U, double factor, const Vector& scale, Block& Y) const {
    using Scalar = typename Block::Scalar;
    Block Z;
    centered_product(R, sums, U, Z);
    parallel_ranges(Z.rows(), row_grain, [&](auto begin, auto end) {
      for (auto i = begin; i < end; ++i) Z.row(i) *= static_cast<Scalar>(inverse[i]);
    });
    // The mean of the rows of RZ is r'Z / N.
    const Eigen::Matrix<Scalar, 1, Eigen::Dynamic> mean =
        (weighted_row_sum(Z, sums) / static_cast<double>(Z.rows())).template cast<Scalar>();
    Block RZ;
    multiply(R, Z, RZ);
    parallel_ranges(Z.rows(), row_grain, [&](auto begin, auto end) {
      for (auto i = begin; i < end; ++i) {
        const auto weight = static_cast<Scalar>(factor * (scale.size() > 0 ? scale[i] : 1.0));
        Y.row(i) += weight * (RZ.row(i) - mean);
      }
    });
  }
};

}  // namespace

RepresentationPenalty::RepresentationPenalty(Representation representation, double trace)
    : representation_(std::move(representation)),
      sums_(representation_.sums()),
      inverse_(sums_.size()) {
  const Vector squared_sums = representation_.squared_sums();
  double squares = 0;  // ||WR||_F^2
  double means = 0;    // the part that J removes: ||WR 11'/N||_F^2
  for (Index i = 0; i < num_nodes(); ++i) {
    inverse_[i] = sums_[i] > 0 ? 1 / sums_[i] : 0;
    squares += squared_sums[i] * inverse_[i];
    means += sums_[i] / num_nodes();
  }
  frobenius_norm_ = std::sqrt(squares);
  const double own = squares - means;
  const bool any = own > 8.0 * num_nodes() * std::numeric_limits<double>::epsilon() * squares;
  tau_ = any ? trace / own : 0;
}

void RepresentationPenalty::add_product(const Matrix& U, double factor, const Vector& scale,
                                        Matrix& Y) const {
  Product<Matrix>{representation_, sums_, inverse_}.add(U, factor * tau_, scale, Y);
}

void RepresentationPenalty::add_product(const FloatMatrix& U, double factor, const Vector& scale,
                                        FloatMatrix& Y) const {
  Product<FloatMatrix>{representation_, sums_, inverse_}.add(U, factor * tau_, scale, Y);
}

bool RepresentationPenalty::fits_single() const {
  if (sums_.size() == 0) return true;
  const double largest = sums_.maxCoeff();
  return largest < 1e12 && tau_ < 1e24 && inverse_.maxCoeff() < 1e12;
}

double RepresentationPenalty::residual(const Matrix& H) const {
  if (frobenius_norm_ == 0) return 0;
  Matrix Z;
  centered_product(representation_, sums_, H, Z);
  double squares = 0;
  for (Eigen::Index i = 0; i < Z.rows(); ++i) squares += inverse_[i] * Z.row(i).squaredNorm();
  return std::sqrt(squares) / frobenius_norm_;
}

}  // namespace repsc
