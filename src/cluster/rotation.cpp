// Rounding an embedding by rotating it.
//
//   T   rows of the embedding, N x K
//   Q   an orthogonal K x K matrix; row i of TQ says how near node i is to each cluster
#include "cluster/rotation.hpp"

#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/small_factors.hpp"

namespace repsc {
namespace {

/// K rows, each as far as possible from the span of those before it: the pivots of a QR
/// decomposition of T'.
Matrix distant_rows(const Matrix& T) {
  const Eigen::Index K = T.cols();
  Matrix rest = T;
  Matrix found(K, K);
  for (Eigen::Index k = 0; k < K; ++k) {
    Eigen::Index farthest = 0;
    const double length = rest.rowwise().squaredNorm().maxCoeff(&farthest);
    found.row(k) = T.row(farthest);
    if (!(length > 0)) continue;
    const Vector direction = rest.row(farthest).transpose() / std::sqrt(length);
    const Vector along = rest * direction;
    rest.noalias() -= along * direction.transpose();
  }
  return found;
}

/// The column of the largest entry of each row.
Labels largest_columns(const Matrix& Y) {
  Labels labels(static_cast<std::size_t>(Y.rows()));
  for (Eigen::Index i = 0; i < Y.rows(); ++i) {
    Eigen::Index column = 0;
    Y.row(i).maxCoeff(&column);
    labels[static_cast<std::size_t>(i)] = static_cast<Label>(column);
  }
  return labels;
}

/// T'E, E the indicators of the labels.
Matrix sums_by_label(const Matrix& T, const Labels& labels) {
  Matrix sums = Matrix::Zero(T.cols(), T.cols());
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    sums.col(labels[static_cast<std::size_t>(i)]) += T.row(i).transpose();
  }
  return sums;
}

Matrix with_unit_length(const Matrix& T) {
  Vector lengths = T.rowwise().norm();
  lengths = (lengths.array() > 0).select(lengths, 1.0);
  return T.array().colwise() / lengths.array();
}

}  // namespace

std::vector<Labels> labels_by_rotation(const Matrix& rows) {
  constexpr int most_iterations = 30;
  const Matrix first = nearest_rotation(distant_rows(rows).transpose());
  Matrix turned(rows.rows(), rows.cols());
  assign_product(turned, rows, first);
  std::vector<Labels> found{largest_columns(turned.cwiseAbs())};

  const Matrix unit = with_unit_length(rows);
  Matrix Q = nearest_rotation(distant_rows(unit).transpose());
  Labels labels;
  for (int i = 0; i < most_iterations; ++i) {
    assign_product(turned, unit, Q);
    Labels next = largest_columns(turned);
    if (next == labels) break;
    labels = std::move(next);
    Q = nearest_rotation(sums_by_label(unit, labels));
  }
  found.push_back(std::move(labels));
  return found;
}

}  // namespace repsc
