// Eigenvalues below a shift, by the inertia of factors.
#include "certify/eigenvalue_count.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "certify/augmented.hpp"
#include "core/memory.hpp"
#include "linalg/random_block.hpp"
#include "linalg/symmetric_factor.hpp"

namespace repsc {
namespace {

/// Up to here dense factors take a few seconds at most.
constexpr Index dense_nodes = 4000;

/// Denser graphs fill in, and even finding the order of a factorization takes long: entries of the
/// upper triangle per row, at a size that is analyzed in a second, and above.
constexpr double densest = 12;
constexpr double densest_if_large = 5;
constexpr Index analyzed_in_a_second = 20'000;

/// Operations of sparse factors, about half a minute.
constexpr double most_operations = 2e10;

double dense_bytes(const Laplacian& M) { return 2.0 * 8 * M.num_nodes() * M.num_nodes(); }

/// An upper bound of ||M||; Laplacian::norm() is a lower one.
double norm_above(const Laplacian& M) { return (M.penalty() != nullptr ? 4 : 2) * M.norm(); }

std::string too_large(double needed, double limit) {
  if (!(needed < 9e18)) return "its factorization has too many entries";
  return joined("its factorization needs ", bytes_in_words(static_cast<std::int64_t>(needed)),
                ", more than the limit of ", bytes_in_words(static_cast<std::int64_t>(limit)));
}

}  // namespace

class EigenvalueCounter::Way {
 public:
  Way() = default;
  virtual ~Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  [[nodiscard]] virtual std::optional<EigenvalueCount> count_below(double shift) = 0;
};

/// M - sI as it is.
class EigenvalueCounter::Dense final : public Way {
 public:
  explicit Dense(const Laplacian& M) : M_(M) {}

  std::optional<EigenvalueCount> count_below(double shift) override {
    Eigen::MatrixXd S = M_.dense();
    S.diagonal().array() -= shift;
    const DenseLdl factors(std::move(S));
    const std::optional<Index> negative = factors.num_negative();
    if (!negative) return std::nullopt;
    const double error = std::max(rounding(), probed_error(factors, shift));
    if (!std::isfinite(error)) return std::nullopt;
    return EigenvalueCount{*negative, shift - error};
  }

 private:
  [[nodiscard]] double rounding() const {
    return 16 * M_.num_nodes() * std::numeric_limits<double>::epsilon() * norm_above(M_);
  }

  /// The factors are those of a matrix nearby: how near, from the residuals of solutions.
  [[nodiscard]] double probed_error(const DenseLdl& factors, double shift) const {
    constexpr Index probes = 5;
    constexpr double factor = 100;
    const Matrix B = random_block<Matrix>(M_.num_nodes(), probes, 1);
    const Matrix X = factors.solve(B);
    Matrix MX;
    M_.apply(X, MX);
    const Matrix residual = B - MX + shift * X;
    return factor * (residual.colwise().norm().array() / X.colwise().norm().array()).maxCoeff();
  }

  const Laplacian& M_;
};

/// The augmented matrix A of certify/augmented.hpp.
class EigenvalueCounter::Sparse final : public Way {
 public:
  explicit Sparse(const Laplacian& M) : A_(augmented(M)), factors_(A_.upper) { A_.upper = {}; }

  [[nodiscard]] double bytes() const { return factors_.bytes(); }
  [[nodiscard]] double flops() const { return factors_.flops(); }

  // The factors are those of A_0 + E. With e = ||E||, M - sI has at least as many eigenvalues below
  // as L - (s - e) I + BB' / (gamma - e), hence as M gamma / (gamma - e) - (s - e) I.
  std::optional<EigenvalueCount> count_below(double shift) override {
    Vector subtracted = Vector::Zero(A_.num_nodes + A_.num_sets);
    subtracted.head(A_.num_nodes).setConstant(shift);
    if (!factors_.factorize(subtracted)) return std::nullopt;
    const double error = factors_.error();
    if (!(error < 0.5 * A_.gamma)) return std::nullopt;
    Index negative = factors_.num_negative();
    if (A_.num_sets > 0) {
      const std::optional<Index> added = added_by_centering();
      if (!added) return std::nullopt;
      negative += *added - A_.num_sets;
    }
    return EigenvalueCount{negative, (shift - error) * (1 - error / A_.gamma)};
  }

 private:
  /// How many more negative eigenvalues A has than A_0. With U = (u, v) and E = (0 1; 1 0), A is
  /// the Schur complement of E in [A_0 U; U' E], and E - U'A_0^-1 U that of A_0. E has one negative
  /// eigenvalue (Haynsworth 1968).
  [[nodiscard]] std::optional<Index> added_by_centering() const {
    Eigen::MatrixXd U(A_.u.size(), 2);
    U << A_.u, A_.v;
    const Eigen::MatrixXd Z = factors_.solve(U);
    const Eigen::MatrixXd residual = U - factors_.product(Z);
    Eigen::Matrix2d G = -U.transpose() * Z;
    G(0, 1) += 1;
    G(1, 0) += 1;
    Eigen::Matrix2d uncertain = Z.transpose() * residual;
    // u and v may be scaled by c and 1/c; with diagonal entries of the same size, errors of the
    // larger one do not hide the smaller one.
    const double ratio = std::abs(G(1, 1) / G(0, 0));
    if (std::isfinite(ratio) && ratio > 0) {
      const Eigen::Vector2d scale(std::pow(ratio, 0.25), std::pow(ratio, -0.25));
      G = scale.asDiagonal() * G * scale.asDiagonal();
      uncertain = scale.asDiagonal() * uncertain * scale.asDiagonal();
    }
    const double limit = 100 * uncertain.norm() + 1e-12 * G.norm();
    const Eigen::Vector2d values =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(0.5 * (G + G.transpose())).eigenvalues();
    if (!(values.cwiseAbs().minCoeff() > limit)) return std::nullopt;
    return static_cast<Index>((values.array() < 0).count()) - 1;
  }

  AugmentedLaplacian A_;
  SparseLdl factors_;
};

EigenvalueCounter::EigenvalueCounter(const Laplacian& M, const CountOptions& options) {
  using Wanted = CountOptions::Way;
  const double limit = options.memory_limit ? static_cast<double>(*options.memory_limit)
                                            : 0.8 * static_cast<double>(free_memory_bytes());
  const bool dense = options.way == Wanted::dense ||
                     (options.way == Wanted::automatic && M.num_nodes() <= dense_nodes);
  if (dense && dense_bytes(M) <= limit) {
    way_ = std::make_unique<Dense>(M);
    return;
  }
  if (options.way == Wanted::dense) {
    obstacle_ = too_large(dense_bytes(M), limit);
    return;
  }
  const double most = M.num_nodes() > analyzed_in_a_second ? densest_if_large : densest;
  if (options.way == Wanted::automatic && augmented_density(M) > most) {
    obstacle_ = "the graphs have too many edges per node for a sparse factorization";
    return;
  }
  auto sparse = std::make_unique<Sparse>(M);
  if (!(sparse->bytes() <= limit)) {
    obstacle_ = too_large(sparse->bytes(), limit);
  } else if (sparse->flops() > most_operations) {
    obstacle_ = joined("its factorization takes ", sparse->flops(), " operations, more than ",
                       most_operations);
  } else {
    way_ = std::move(sparse);
  }
}

EigenvalueCounter::~EigenvalueCounter() = default;

std::optional<EigenvalueCount> EigenvalueCounter::count_below(double shift) {
  return way_->count_below(shift);
}

}  // namespace repsc
