// Products with a Laplacian, row by row.
#include "distributed/laplacian.hpp"

#include <cmath>
#include <limits>

#include "distributed/lanczos.hpp"

namespace repsc {

DistributedLaplacian::DistributedLaplacian(const DistributedGraph& graph,
                                           Normalization normalization)
    : graph_(graph),
      normalized_(normalization == Normalization::symmetric),
      num_entries_(graph.num_entries()),
      degrees_(graph.degrees()) {
  rows().ranks().sum(std::span(&num_entries_, 1));
  double extremes[2] = {0, -std::numeric_limits<double>::infinity()};  // largest, minus smallest
  if (degrees_.size() > 0) {
    extremes[0] = degrees_.maxCoeff();
    extremes[1] = -degrees_.minCoeff();
  }
  rows().ranks().max(extremes);
  if (!normalized_) {
    norm_ = graph_norm_ = extremes[0] > 0 ? extremes[0] : 1;
    return;
  }
  if (!(extremes[1] < 0)) {
    throw InvalidInput(Fault{
        .what = "a node has no edges in the similarity graph, but the normalized methods need "
                "positive degrees",
        .remedies = {{Remedy::Action::use, "isolated", "drop"},
                     advice("use an unnormalized method")}});
  }
  scale_ = degrees_.cwiseSqrt().cwiseInverse();
}

double DistributedLaplacian::trace() const {
  return rows().sum(1, [&](Index i, auto&& part) {
    part[0] += degrees_[i];
    const auto neighbors = graph_.neighbors(i);
    const auto weights = graph_.weights(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      if (neighbors[e] == graph_.column_of(i)) part[0] -= weights.empty() ? 1 : weights[e];
    }
  })[0];
}

void DistributedLaplacian::penalize(const DistributedRepresentation& representation,
                                    double strength) {
  Penalty penalty{.representation = &representation,
                  .strength = strength,
                  .sums = representation.sums(),
                  .inverse = {}};
  penalty.inverse = (penalty.sums.array() > 0).select(penalty.sums.cwiseInverse(), 0.0);
  const Vector squared = representation.squared_sums();
  const double N = rows().num_nodes();
  // ||WR||_F^2, and the part that J removes, ||WR 11'/N||_F^2.
  const Vector found = rows().sum(2, [&](Index i, auto&& part) {
    part[0] += squared[i] * penalty.inverse[i];
    part[1] += penalty.sums[i] / N;
  });
  penalty.frobenius_norm = std::sqrt(found[0]);
  const double own = found[0] - found[1];
  const bool any = own > 8 * N * std::numeric_limits<double>::epsilon() * found[0];
  penalty.tau = any ? trace() / own : 0;
  penalty_ = std::move(penalty);
  if (any && strength > 0) norm_ = std::max(norm_, strength * penalty_norm());
}

double DistributedLaplacian::penalty_norm() const {
  const auto N = rows().num_nodes();
  const KrylovOperator C{.size = N, .dimension = N, .apply = [this](const Matrix& X, Matrix& Y) {
                           Y = Matrix::Zero(X.rows(), X.cols());
                           add_penalty(!normalized_ ? X : Matrix(scale_.asDiagonal() * X), 1, Y);
                         }};
  return spread_lanczos(rows(), C,
                        {.count = 1,
                         .wanted = Wanted::largest_magnitude,
                         .tolerance = 0.05,
                         .relative = true,
                         .max_iterations = 12,
                         .block_size = 2})
      .values[0];
}

Vector DistributedLaplacian::null_vector() const {
  Vector v = !normalized_ ? Vector(Vector::Ones(rows().stored())) : Vector(degrees_.cwiseSqrt());
  const double squares = rows().sum(1, [&](Index i, auto&& part) { part[0] += v[i] * v[i]; })[0];
  return v / std::sqrt(squares);
}

void DistributedLaplacian::apply(const Matrix& X, Matrix& Y) const {
  if (!normalized_) {
    graph_.multiply(X, Y);
    Y = degrees_.asDiagonal() * X - Y;
    if (penalty_) add_penalty(X, penalty_->strength, Y);
    return;
  }
  const Matrix scaled = scale_.asDiagonal() * X;
  graph_.multiply(scaled, Y);
  Y = X - scale_.asDiagonal() * Y;
  if (penalty_) add_penalty(scaled, penalty_->strength, Y);
}

void DistributedLaplacian::centered_product(const Matrix& U, Matrix& Z) const {
  const Eigen::RowVectorXd mean = rows().column_sums(U) / rows().num_nodes();
  penalty_->representation->multiply(U, Z);
  Z.noalias() -= penalty_->sums * mean;
}

void DistributedLaplacian::add_penalty(const Matrix& U, double factor, Matrix& Y) const {
  if (penalty_->tau == 0 || factor == 0) return;
  Matrix Z;
  centered_product(U, Z);
  Z = penalty_->inverse.asDiagonal() * Z;
  // The mean of the rows of RZ is r'Z / N.
  const Eigen::RowVectorXd mean =
      rows().column_sums(penalty_->sums.asDiagonal() * Z) / rows().num_nodes();
  Matrix RZ;
  penalty_->representation->multiply(Z, RZ);
  RZ.rowwise() -= mean;
  const double weight = factor * penalty_->tau;
  if (!normalized_) {
    Y += weight * RZ;
  } else {
    Y += (weight * scale_).asDiagonal() * RZ;
  }
}

double DistributedLaplacian::penalty_residual(const Matrix& X) const {
  if (penalty_->frobenius_norm == 0) return 0;
  Matrix H = X;
  if (normalized_) {
    const double degrees = rows().sum(1, [&](Index i, auto&& part) { part[0] += degrees_[i]; })[0];
    H = (std::sqrt(degrees / rows().num_nodes()) * scale_).asDiagonal() * X;
  }
  Matrix Z;
  centered_product(H, Z);
  const double squares = rows().sum(1, [&](Index i, auto&& part) {
    part[0] += penalty_->inverse[i] * Z.row(i).squaredNorm();
  })[0];
  return std::sqrt(squares) / penalty_->frobenius_norm;
}

}  // namespace repsc
