// Builds constraints from groups, from a spectrum at rank r and from R itself, and measures them.
#include "repsc/constraint.hpp"
#include "core/numerical_failure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraint/shared.hpp"
#include "core/compact_labels.hpp"
#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "linalg/cholesky_qr.hpp"
#include "linalg/dense.hpp"
#include "linalg/small_factors.hpp"

namespace repsc {
namespace {

/// g = ||V'1||^2 / N is 1 within rounding: 1 lies in span(V).
bool contains_ones(double mean_share) { return 1 - mean_share < 1e-12; }

/// C'C, each panel of columns against those up to it: half the work of a full product, and little
/// memory for partial sums. Only the lower triangle is filled.
Matrix lower_gram(const Matrix& C) {
  constexpr Eigen::Index panel = 128;
  Matrix gram = Matrix::Zero(C.cols(), C.cols());
  for (Eigen::Index begin = 0; begin < C.cols(); begin += panel) {
    const Eigen::Index width = std::min(panel, C.cols() - begin);
    gram.block(begin, 0, width, begin + width) =
        transposed_product(C.middleCols(begin, width), C.leftCols(begin + width));
  }
  return gram;
}

/// V' J S^2 J V, lower triangle, for the leading `rank` eigenvectors.
Matrix weighted_gram(const RepresentationSpectrum& spectrum, Index rank, const Vector& scale) {
  Matrix C = spectrum.vectors.leftCols(rank);
  center_columns(C);
  parallel_ranges(C.rows(), 1024, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) C.row(i) *= scale[i];
  });
  return lower_gram(C);
}

Matrix cholesky_factor(Matrix gram) {
  std::optional<Matrix> lower = cholesky_lower(std::move(gram));
  if (!lower) throw NumericalFailure("the constraint's Gram matrix is not positive definite");
  return std::move(*lower);
}

/// Orthonormal basis of { X : S X in null(RJ) }: of S^-1 Y, by three rounds of Cholesky QR.
Matrix orthonormal_basis(Matrix Y) {
  for (int round = 0; round < 3; ++round) {
    if (!cholesky_qr(Y))
      throw NumericalFailure("the null space's Gram matrix is not positive definite");
  }
  return Y;
}

/// Basis of null(RJ) = span(1) + (null(R) within 1-perp) (docs/numerics.md, fact 1), from the
/// eigenvectors of eigenvalue zero. A Householder reflection turns them so that only the first has
/// a non-zero mean.
Matrix null_space(const RepresentationSpectrum& spectrum, Index rank, bool ones_in_range) {
  const Index N = static_cast<Index>(spectrum.vectors.rows());
  const Index nullity = N - rank;
  Matrix V0 = spectrum.vectors.rightCols(nullity);
  Matrix Y(N, nullity + (ones_in_range ? 1 : 0));
  Y.col(0).setConstant(1 / std::sqrt(static_cast<double>(N)));
  if (ones_in_range) {
    center_columns(V0);  // removes the rounding error of V0'1 = 0
    Y.rightCols(nullity) = V0;
  } else {
    Vector w = (column_means(V0) * static_cast<double>(N)).transpose();
    w[0] += std::copysign(w.norm(), w[0]);
    w.normalize();
    V0 -= 2 * (V0 * w) * w.transpose();
    center_columns(V0);
    Y.rightCols(nullity - 1) = V0.rightCols(nullity - 1);
  }
  return Y;
}

/// Dense matrices for small graphs, and for R so dense and with so many different rows that QR
/// would fill in completely.
bool use_dense_matrices(const Graph& R) {
  constexpr Index small = 2000;
  const Index N = R.num_nodes();
  if (N <= small) return true;
  const bool dense = R.num_entries() > Offset{N} * N / 10;
  return dense && N <= max_dense_nodes && num_different_rows(R) > N / 4;
}

/// Constraint::residual() for groups; no copy of X is made.
double residual_of_groups(const GroupComplement& groups, const Vector& scale, const Matrix& X) {
  const Eigen::RowVectorXd zero = Eigen::RowVectorXd::Zero(X.cols());
  const Eigen::RowVectorXd squares =
      parallel_sum(X.rows(), 4096, zero, [&](std::int64_t begin, std::int64_t end) {
        Eigen::RowVectorXd own = zero;
        for (std::int64_t i = begin; i < end; ++i) {
          const double factor = scale.size() > 0 ? scale[i] : 1;
          own += (factor * X.row(i)).cwiseAbs2();
        }
        return own;
      });
  return group_residual(
      groups, group_sums(groups.groups, static_cast<Index>(groups.sizes.size()), X, scale),
      squares);
}

/// A copy by all threads, because there is one number per node.
Vector copy_of(const Vector& x) {
  Vector result(x.size());
  ask_for_large_pages(result.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
  parallel_ranges(x.size(), row_grain, [&](auto begin, auto end) {
    result.segment(begin, end - begin) = x.segment(begin, end - begin);
  });
  return result;
}

}  // namespace

/// R = FF', so that ||R J H||_F^2 = sum_g n_g ||F_g' J H||^2 and ||R||_F^2 = sum_g n_g^2.
double group_residual(const GroupComplement& groups, Matrix sums, const Vector& squares) {
  const Eigen::RowVectorXd mean = sums.colwise().sum() / groups.sizes.sum();
  sums -= groups.sizes * mean;
  for (Eigen::Index k = 0; k < sums.cols(); ++k) {
    if (squares[k] > 0) sums.col(k) /= std::sqrt(squares[k]);
  }
  const double squared = (groups.sizes.array() * sums.rowwise().squaredNorm().array()).sum();
  return std::sqrt(squared) / groups.sizes.norm();
}

bool takes_whole_spectrum(const Representation& given) {
  if (given.by_groups()) return false;
  const Graph& representation = given.graph();
  return clique_groups(representation).empty() && use_dense_matrices(representation);
}

void require_enough_dimensions(Index N, Index rank, Index removed, int K) {
  require(rank >= 1, "the representation graph has no edges");
  if (N - removed >= K) return;
  throw InvalidInput(
      Fault{.what = joined("rank(R) = ", rank, " is above N - K = ", N - K,
                           ", so the exact constraint leaves too few dimensions for ", K,
                           " clusters among ", N, " nodes"),
            .option = "rank",
            .value = "exact",
            .remedies = {{Remedy::Action::use, "rank", joined(N - K)},
                         {Remedy::Action::leave_out, "rank"}}});
}

Constraint no_constraint(Index num_nodes) {
  return {Projector(num_nodes, 0, Unconstrained{}), Vector(), Graph(), nullptr, 0};
}

Constraint group_constraint(const Labels& groups, const Vector& scale) {
  const auto N = static_cast<Index>(groups.size());
  require_option(N > 0, "groups", "", "there are no nodes");
  require(scale.size() == 0 || scale.size() == N, "scale for ", scale.size(), " nodes, groups for ",
          N);
  const LabelExtent labels = extent_of(groups);
  require_option(labels.least >= 0, "groups", "", "label ", labels.least,
                 " is below 0; labels start at 0");
  const Index P = labels.most + 1;
  GroupComplement kind{copy_of(groups), copy_of(scale), Vector::Zero(P), Vector::Zero(P), 0};
  // Few, large ranges, because each has a table of sums.
  const Index ranges = P <= 4096 && N >= Index{1} << 22U ? 64 : 8;
  const Index grain = std::max(4096, (N + ranges - 1) / ranges);
  const Matrix zero = Matrix::Zero(P, 2);
  const Matrix sums = parallel_sum(N, grain, zero, [&](std::int64_t begin, std::int64_t end) {
    Matrix own = zero;
    for (std::int64_t i = begin; i < end; ++i) {
      const Label g = groups[static_cast<std::size_t>(i)];
      own(g, 0) += 1;
      own(g, 1) += scale.size() > 0 ? scale[i] * scale[i] : 1;
    }
    return own;
  });
  kind.sizes = sums.col(0);
  kind.weights = sums.col(1);
  for (Index g = 0; g < P; ++g) {
    require_option(kind.sizes[g] > 0, "groups", "", "label ", g, " has no nodes");
  }
  kind.denominator = kind.sizes.cwiseAbs2().cwiseQuotient(kind.weights).sum();
  return {Projector(N, P - 1, std::move(kind)), copy_of(scale), Graph(), nullptr, 0};
}

RankConstraints::RankConstraints(std::shared_ptr<const RepresentationSpectrum> spectrum,
                                 Index largest, Vector scale)
    : spectrum_(std::move(spectrum)),
      asked_(largest),
      largest_(std::min(largest, spectrum_->rank())),
      scale_(std::move(scale)) {
  require_option(asked_ >= 1 && spectrum_->suffices_for(asked_), "rank", asked_,
                 "it must be from 1 to the number of eigenvectors that were computed, ",
                 spectrum_->values.size());
  require(largest_ >= 1, "the representation graph has no edges");
  const auto N = static_cast<double>(spectrum_->vectors.rows());
  sums_ = column_means(spectrum_->vectors.leftCols(largest_)).transpose() * N;
  first_with_ones_ = 1;
  for (double squares = 0; first_with_ones_ <= largest_; ++first_with_ones_) {
    squares += sums_[first_with_ones_ - 1] * sums_[first_with_ones_ - 1];
    if (contains_ones(squares / N)) break;
  }
  const bool here = spectrum_->on_device == nullptr;  // else the device does it
  if (here && scale_.size() > 0) factorize_gram();
}

void RankConstraints::factorize_gram() {
  const Index below = first_with_ones_ - 1;
  // C u = 0 from there on, so the Gram matrix is singular along u. Adding any positive multiple of
  // uu' makes it definite and changes nothing, because C'x is orthogonal to u.
  const Vector u = sums_.normalized();
  const double multiple = scale_.cwiseAbs2().mean();
  Matrix gram = weighted_gram(*spectrum_, largest_, scale_);
  if (below > 0) factor_ = cholesky_factor(gram.topLeftCorner(below, below));
  if (below == largest_) return;
  gram += multiple * u * u.transpose();
  factor_with_ones_ = cholesky_factor(std::move(gram));
}

Constraint RankConstraints::at(Index asked) const {
  require_option(asked >= 1 && asked <= asked_, "rank", asked, "it must be from 1 to ", asked_);
  const Index rank = std::min(asked, largest_);
  const auto N = static_cast<Index>(spectrum_->vectors.rows());
  const Vector sums = sums_.head(rank);
  SpectralComplement kind{.spectrum = spectrum_,
                          .rank = rank,
                          .scale = scale_,
                          .mean_direction = {},
                          .mean_share = std::min(1.0, sums.squaredNorm() / N),
                          .contains_ones = rank >= first_with_ones_,
                          .cholesky = {}};
  if (kind.mean_share > 0) kind.mean_direction = sums.normalized();
  if (scale_.size() > 0 && spectrum_->on_device == nullptr) {
    const Matrix& factor = kind.contains_ones ? factor_with_ones_ : factor_;
    kind.cholesky = factor.topLeftCorner(rank, rank);
  }
  const Index removed = rank - (kind.contains_ones ? 1 : 0);
  return {.projector = Projector(N, removed, std::move(kind)),
          .scale = scale_,
          .representation = {},
          .spectrum = spectrum_,
          .spectrum_rank = rank,
          .rank_asked = asked,
          .unique = spectrum_->unique_at(rank)};
}

Constraint rank_constraint(std::shared_ptr<const RepresentationSpectrum> spectrum, Index rank,
                           const Vector& scale) {
  return RankConstraints(std::move(spectrum), rank, scale).at(rank);
}

Constraint exact_constraint(const Representation& given, int num_clusters, const Vector& scale,
                            const SpectrumOptions& options) {
  const Index N = given.num_nodes();
  const Graph& representation = given.graph();
  const Labels groups = given.by_groups() ? given.groups() : clique_groups(representation);
  if (!groups.empty()) {
    Constraint constraint = group_constraint(groups, scale);
    const Index cliques = constraint.projector.rank() + 1;
    require_enough_dimensions(N, cliques, constraint.projector.rank(), num_clusters);
    constraint.representation = representation;
    return constraint;
  }
  if (!use_dense_matrices(representation))
    return sparse_exact_constraint(representation, num_clusters, scale, options);
  return exact_constraint(representation, decompose(representation, N, options), num_clusters,
                          scale);
}

Constraint exact_constraint(const Graph& representation, const RepresentationSpectrum& spectrum,
                            int num_clusters, const Vector& scale) {
  require(spectrum.complete, "the exact constraint needs all eigenvectors of R, but only ",
          spectrum.values.size(), " were computed");
  const Index N = representation.num_nodes();
  const Index rank = spectrum.rank();
  const Index removed = spectrum.constraint_rank();
  require_enough_dimensions(N, rank, removed, num_clusters);
  if (removed <= N / 2) {
    RepresentationSpectrum range{.values = spectrum.values.head(rank),
                                 .vectors = spectrum.vectors.leftCols(rank),
                                 .frobenius_norm = spectrum.frobenius_norm,
                                 .precision = spectrum.precision};
    Constraint constraint = rank_constraint(
        std::make_shared<const RepresentationSpectrum>(std::move(range)), rank, scale);
    constraint.representation = representation;
    return constraint;
  }
  Matrix Y = null_space(spectrum, rank, removed < rank);
  if (scale.size() > 0) {
    for (Index i = 0; i < N; ++i) Y.row(i) /= scale[i];
    Y = orthonormal_basis(std::move(Y));
  }
  return {Projector(N, removed, KeptBasis{std::move(Y)}), scale, representation, nullptr, 0};
}

double Constraint::residual(const Matrix& X) const {
  const bool graph = representation.num_nodes() > 0;
  const auto* const groups = std::get_if<GroupComplement>(&projector.kind());
  if (!graph && !spectrum) return groups != nullptr ? residual_of_groups(*groups, scale, X) : 0;
  Matrix H = X;
  if (scale.size() > 0) {
    for (Eigen::Index i = 0; i < H.rows(); ++i) H.row(i) *= scale[i];
  }
  for (Eigen::Index k = 0; k < H.cols(); ++k) {
    const double length = H.col(k).norm();
    if (length > 0) H.col(k) /= length;
  }
  center_columns(H);
  if (graph) {
    Matrix RH;
    multiply(representation, H, RH);
    const auto weights = representation.weights();
    const double norm =
        weights.empty()
            ? std::sqrt(static_cast<double>(representation.num_entries()))
            : Eigen::Map<const Vector>(weights.data(), Eigen::Index(weights.size())).norm();
    return RH.norm() / norm;
  }
  Matrix inner = transposed_product(spectrum->vectors.leftCols(spectrum_rank), H);
  inner.array().colwise() *= spectrum->values.head(spectrum_rank).array();
  return inner.norm() / spectrum->values.head(spectrum_rank).norm();
}

Labels clique_groups(const Graph& representation) {
  const Index N = representation.num_nodes();
  if (N == 0 || representation.num_self_loops() != N) return {};
  // Cheap check first: in a union of cliques every row equals the row of its first member.
  Labels groups(static_cast<std::size_t>(N), -1);
  Label next = 0;
  for (Index i = 0; i < N; ++i) {
    const auto row = representation.neighbors(i);
    const Index first = row.front();
    if (first == i) {
      groups[static_cast<std::size_t>(i)] = next++;
      continue;
    }
    const auto other = representation.neighbors(first);
    if (first > i || !std::equal(row.begin(), row.end(), other.begin(), other.end())) return {};
    groups[static_cast<std::size_t>(i)] = groups[static_cast<std::size_t>(first)];
  }
  const auto weights = representation.weights();
  const bool equal =
      std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
  return equal ? groups : Labels{};
}

}  // namespace repsc
