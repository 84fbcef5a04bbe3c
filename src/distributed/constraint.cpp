// Projections by groups and by a basis of what R of low rank removes.
#include "distributed/constraint.hpp"

#include <cmath>
#include <limits>

#include "constraint/shared.hpp"
#include "distributed/exact_sum.hpp"
#include "distributed/lanczos.hpp"

namespace repsc {
namespace {

Matrix scaled(const Vector& scale, const Matrix& X) {
  return scale.size() == 0 ? X : Matrix(scale.asDiagonal() * X);
}

/// Leading eigenpairs of R by absolute value.
KrylovResult leading_pairs(const DistributedRepresentation& R,
                           const DistributedProjector::LowRank& how, double norm) {
  const SpreadRows& rows = R.rows();
  const KrylovOperator A{.size = rows.num_nodes(),
                         .dimension = rows.num_nodes(),
                         .norm = norm,
                         .apply = [&](const Matrix& X, Matrix& Y) { R.multiply(X, Y); }};
  KrylovResult found =
      spread_lanczos(rows, A,
                     {.count = how.rank,
                      .wanted = Wanted::largest_magnitude,
                      .tolerance = how.tolerance,
                      .max_iterations = how.max_iterations,
                      .block_size = spectrum_block_size(how.rank),
                      .basis_size = spectrum_basis_size(rows.num_nodes(), how.rank),
                      .seed = how.seed,
                      .stage = "constraint",
                      .progress = how.progress});
  if (!found.converged) {
    throw InvalidInput(Fault{
        .what =
            joined("the ", how.rank, " leading eigenvectors of the representation graph did not ",
                   "converge in ", how.max_iterations, " iterations"),
        .option = "rank",
        .value = joined(how.rank),
        .remedies = {{Remedy::Action::raise, "max_iterations"}, {Remedy::Action::lower, "rank"}}});
  }
  return found;
}

/// An orthonormal basis of the span of B, whose dependent directions are dropped: the eigenvectors
/// of B'B, twice, since one pass leaves errors of the size of their squared condition.
Matrix orthonormal_basis(const SpreadRows& rows, Matrix B) {
  constexpr double dependent = 1e-12;  // of squared lengths
  for (int pass = 0; pass < 2; ++pass) {
    const SymmetricEigen gram = symmetric_eigen(rows.gram(B, B));
    const Eigen::Index count = gram.values.size();
    Eigen::Index first = 0;
    while (first < count && gram.values[first] <= dependent * gram.values[count - 1]) ++first;
    const Matrix T = gram.vectors.rightCols(count - first) *
                     gram.values.tail(count - first).cwiseSqrt().cwiseInverse().asDiagonal();
    Matrix next(B.rows(), count - first);
    rows.assign(next, B, T);
    B = std::move(next);
  }
  return B;
}

}  // namespace

DistributedProjector DistributedProjector::of_groups(const SpreadRows& rows,
                                                     const DistributedGroups& groups,
                                                     const DistributedLaplacian& L) {
  DistributedProjector result(rows);
  Groups kind{.groups = &groups, .scale = L.scale(), .sizes = {}, .weights = {}, .denominator = 1};
  kind.sizes = Vector(groups.count());
  for (Index g = 0; g < groups.count(); ++g) {
    kind.sizes[g] = static_cast<double>(groups.sizes[static_cast<std::size_t>(g)]);
  }
  kind.weights = kind.sizes;
  if (L.normalized()) {
    const Matrix squares = kind.scale.cwiseAbs2();
    kind.weights =
        exact_sums_by_key(rows.ranks(), groups.own, groups.count(), squares, rows.num_nodes())
            .col(0);
  }
  kind.denominator = kind.sizes.cwiseAbs2().cwiseQuotient(kind.weights).sum();
  result.groups_ = std::move(kind);
  result.rank_ = groups.count() - 1;
  result.used_ = groups.count();
  return result;
}

DistributedProjector DistributedProjector::of_rank(const DistributedRepresentation& R,
                                                   const DistributedLaplacian& L,
                                                   const LowRank& how) {
  const SpreadRows& rows = R.rows();
  const Vector sums = R.sums();
  double norm[1] = {sums.size() > 0 ? sums.maxCoeff() : 0};  // ||R|| <= largest row sum
  rows.ranks().max(norm);
  require(norm[0] > 0, "the representation graph has no edges, so it constrains nothing");
  KrylovResult pairs = leading_pairs(R, how, norm[0]);
  const double largest = std::abs(pairs.values[0]);
  const double error = std::max(
      how.tolerance * norm[0], rows.num_nodes() * std::numeric_limits<double>::epsilon() * largest);
  const auto found = static_cast<Index>((pairs.values.array().abs() > error).count());
  DistributedProjector result(rows);
  const double next =
      found < pairs.values.size() ? std::abs(pairs.values[found]) : std::abs(pairs.next);
  result.unique_ = next <= error || std::abs(pairs.values[found - 1]) - next > error;
  result.used_ = found;
  Basis kind{.Q = {},
             .V = pairs.vectors.leftCols(found),
             .values = pairs.values.head(found),
             .scale = L.scale()};
  Matrix JV = kind.V;
  JV.rowwise() -= rows.column_sums(kind.V) / rows.num_nodes();
  kind.Q = orthonormal_basis(rows, scaled(kind.scale, JV));
  result.rank_ = static_cast<Index>(kind.Q.cols());
  result.basis_ = std::move(kind);
  return result;
}

void DistributedProjector::apply(Matrix& X) const {
  if (groups_) apply_groups(X);
  if (basis_) rows_->subtract(X, basis_->Q, rows_->gram(basis_->Q, X));
}

// See apply_groups() of constraint/projector.cpp for the formula.
void DistributedProjector::apply_groups(Matrix& X) const {
  const DistributedGroups& groups = *groups_->groups;
  Matrix b = exact_sums_by_key(rows_->ranks(), groups.own, groups.count(),
                               scaled(groups_->scale, X), rows_->num_nodes());
  const Vector n_over_w = groups_->sizes.cwiseQuotient(groups_->weights);
  const Eigen::RowVectorXd mu = (n_over_w.transpose() * b) / groups_->denominator;
  b -= groups_->sizes * mu;
  b.array().colwise() /= groups_->weights.array();
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const double s = groups_->scale.size() == 0 ? 1.0 : groups_->scale[i];
    X.row(i) -= s * b.row(groups.own[static_cast<std::size_t>(i)]);
  }
}

/// J S X, columns scaled to length 1 before.
Matrix DistributedProjector::centered(const Matrix& X, const Vector& scale) const {
  Matrix H = scaled(scale, X);
  const Vector squares = rows_->sum(static_cast<Index>(H.cols()),
                                    [&](Index i, auto&& part) { part += H.row(i).cwiseAbs2(); });
  const Eigen::RowVectorXd means = rows_->column_sums(H) / rows_->num_nodes();
  H.rowwise() -= means;
  for (Eigen::Index j = 0; j < H.cols(); ++j) {
    if (squares[j] > 0) H.col(j) /= std::sqrt(squares[j]);
  }
  return H;
}

double DistributedProjector::residual(const Matrix& X) const {
  if (groups_) {
    const DistributedGroups& groups = *groups_->groups;
    const Matrix sums = exact_sums_by_key(rows_->ranks(), groups.own, groups.count(),
                                          centered(X, groups_->scale), rows_->num_nodes());
    const double RJH = groups_->sizes.dot(sums.rowwise().squaredNorm());
    return std::sqrt(RJH) / groups_->sizes.norm();
  }
  if (basis_) {
    const Matrix VJH = rows_->gram(basis_->V, centered(X, basis_->scale));
    return (basis_->values.asDiagonal() * VJH).norm() / basis_->values.norm();
  }
  return 0;
}

}  // namespace repsc
