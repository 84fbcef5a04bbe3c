// Shift-invert: block Lanczos on the inverse of L + sigma I within the constraint, by sparse
// Cholesky factors. Small eigenvalues of L, however close, are large and far apart in the
// inverse.
//
//   M = L + sigma I              C  orthonormal basis of what the constraint removes, N x r
//   M y = x - C mu, C'y = 0      the inverse within the constraint: a bordered system, solved as
//   y = z - Z (C'Z)^-1 C'z       with z = M^-1 x and Z = M^-1 C
//
// The penalty of groups is of low rank, too: with C_g = S (1_g - n_g/N 1) for the group g of n_g
// nodes it is f CC', f = strength tau, and the inverse of M + f CC' has (C'Z + I/f)^-1 in place of
// (C'Z)^-1 (Woodbury).
#include <Eigen/Cholesky>
#include <functional>
#include <limits>
#include <memory>

#include "core/numerical_failure.hpp"
#include "eigensolver/backends.hpp"
#include "linalg/cholesky_qr.hpp"
#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"
#include "linalg/random_block.hpp"
#include "linalg/sparse_factor.hpp"
#include "operators/upper_triangle.hpp"

namespace repsc {
namespace {

/// Borders wider than this cost more than the factors they surround.
constexpr Index widest_border = 1000;

/// Relative to ||L|| without the penalty: keeps M definite where G has several components. Smaller
/// ones tell small eigenvalues apart in fewer steps, and cost digits of those near 1.
constexpr double shift = 1e-5;

/// f: 0 without a penalty.
double penalty_factor(const Laplacian& L) {
  return L.penalty() == nullptr ? 0 : L.strength() * L.penalty()->tau();
}

/// An orthonormal basis of what P removes: I - P of as many random vectors.
Matrix removed_basis(const Projector& P, std::uint64_t seed) {
  Matrix C = random_block<Matrix>(P.num_nodes(), P.rank(), seed);
  for (int pass = 0; pass < 3; ++pass) {  // random vectors are well conditioned: thrice is plenty
    Matrix kept = C;
    P.apply(kept);
    C -= kept;
    if (!cholesky_qr(C)) throw NumericalFailure("the constraint's directions are dependent");
  }
  return C;
}

/// S (1_g - n_g/N 1) for each group g.
Matrix centered_groups(const Representation& groups, const Vector& scale) {
  Matrix C(groups.num_nodes(), groups.num_sets());
  Eigen::RowVectorXd shares(C.cols());
  for (Index g = 0; g < groups.num_sets(); ++g)
    shares[g] = static_cast<double>(groups.set_size(g)) / groups.num_nodes();
  for (Index i = 0; i < groups.num_nodes(); ++i) {
    C.row(i) = -shares;
    C(i, groups.groups()[static_cast<std::size_t>(i)]) += 1;
    if (scale.size() > 0) C.row(i) *= scale[i];
  }
  return C;
}

/// The inverse of L + sigma I within the constraint, or with the penalty of groups.
class ConstrainedInverse {
 public:
  ConstrainedInverse(SparseCholesky& factors, const ConstrainedLaplacian& A, std::uint64_t seed)
      : factors_(factors) {
    const double factor = penalty_factor(A.laplacian);
    if (factor > 0) {
      C_ = centered_groups(A.laplacian.penalty()->representation(), A.laplacian.scale());
    } else if (A.projector.rank() > 0) {
      C_ = removed_basis(A.projector, seed);
    } else {
      return;
    }
    Z_ = factors_.solve(C_);
    Eigen::MatrixXd border = transposed_product(C_, Z_);
    if (factor > 0) border.diagonal().array() += 1 / factor;
    border_.compute(border);
  }

  void apply(const Matrix& X, Matrix& Y) {
    Y = factors_.solve(X);
    if (C_.cols() == 0) return;
    const Matrix multipliers = border_.solve(Eigen::MatrixXd(transposed_product(C_, Y)));
    subtract_product(Y, Z_, multipliers);
  }

 private:
  SparseCholesky& factors_;
  Matrix C_;
  Matrix Z_;
  Eigen::LDLT<Eigen::MatrixXd> border_;  // the columns of groups add up to 0
};

/// Columns of C.
Index border_width(const ConstrainedLaplacian& A) {
  const bool soft = penalty_factor(A.laplacian) > 0;
  return soft ? A.laplacian.penalty()->representation().num_sets() : A.projector.rank();
}

/// What the border adds to the factors.
double border_bytes(const ConstrainedLaplacian& A) {
  return 3.0 * 8.0 * A.num_nodes() * border_width(A);
}

/// Not with a penalty by a graph R, as R'R is never formed, or with both.
bool takes_penalty(const ConstrainedLaplacian& A) {
  return penalty_factor(A.laplacian) == 0 ||
         (A.laplacian.penalty()->representation().by_groups() && A.projector.rank() == 0);
}

bool applies(const ConstrainedLaplacian& A) {
  return takes_penalty(A) && border_width(A) <= widest_border && A.laplacian.regularization() == 0;
}

/// The matrix that is factored.
SparseColumns shifted(const Laplacian& L) { return upper_triangle(L, shift * L.graph_norm()); }

/// Throws an error about this solver; the last remedy is another one.
template <typename Error = InvalidInput>
[[noreturn]] void refuse(std::string what, std::vector<Remedy> remedies = {}) {
  remedies.push_back({Remedy::Action::use, "solver", solver::Lanczos::name});
  throw Error(Fault{.what = std::move(what),
                    .option = "solver",
                    .value = solver::Cholesky::name,
                    .remedies = std::move(remedies)});
}

/// The time of a factorization and its solutions in products of the graph with a block: a gathered
/// entry is taken to cost as much as ten operations of the factorization, and an entry of L in a
/// solution as much as a gathered one. Rough, for a decision between 1 and 400 products.
double products_worth(const ConstrainedLaplacian& A, const SparseCholesky& factors) {
  const double solutions = 40 + border_width(A) / 4.0;  // two triangles each
  const auto gathered = static_cast<double>(A.laplacian.graph().num_entries()) + A.num_nodes();
  return (factors.flops() / 10 + solutions * factors.entries()) / gathered;
}

/// Whether the error of the subspace, near residual / gap (Davis and Kahan), moves no labels.
std::function<bool(const RitzPairs&)> far_below_the_gap(double norm, Index count) {
  constexpr double error = 1e-4;
  return [norm, count](const RitzPairs& at) {
    // The residual is relative to the values, times the norm.
    return at.residual / norm <= error * (1 - at.values[count] / at.values[count - 1]);
  };
}

Index block_for(Index count) { return std::max<Index>(4, (count + 3) / 4 * 4); }

/// The inverse leaves rounding errors of the size of its norm, 1 / sigma at worst. They are all
/// over the spectrum of L, where a few products with L itself find and remove them.
KrylovResult polish(const ConstrainedLaplacian& A, const KrylovOperator& within,
                    const EigenQuery& query, const Matrix& vectors) {
  const KrylovOperator direct{
      .size = A.num_nodes(),
      .dimension = within.dimension,
      .norm = A.laplacian.norm(),
      .apply = [&](const Matrix& V, Matrix& LV) { A.laplacian.apply(V, LV); },
      .project = within.project};
  return thick_restart_lanczos(
      direct, {.count = query.count - 1,
               .tolerance = 0.5 * query.tolerance * A.laplacian.residual_unit() / direct.norm,
               .max_iterations = 10,
               .block_size = block_for(query.count - 1),
               .seed = query.seed,
               .start = &vectors});
}

Eigenpairs solve_with(SparseCholesky& factors, const ConstrainedLaplacian& A,
                      const EigenQuery& query) {
  if (query.progress) query.progress({"eigen"});
  factors.factorize();
  if (query.progress) query.progress({"eigen"});
  ConstrainedInverse inverse(factors, A, query.seed);

  const Matrix known = A.laplacian.null_vector();
  KrylovOperator within{.size = A.num_nodes(),
                        .dimension = A.projector.dimension() - 1,
                        .norm = 0,
                        .apply = [&](const Matrix& X, Matrix& Y) { inverse.apply(X, Y); },
                        .project =
                            [&](Matrix& X) {
                              A.projector.apply(X);
                              subtract_product(X, known, transposed_product(known, X));
                            }};
  // The largest eigenvalue from below, by a step from a vector near its own, or three from any.
  const bool has_start = query.start != nullptr && query.start->size() > 0;
  Matrix X = has_start ? Matrix(query.start->leftCols(1))
                       : random_block<Matrix>(A.num_nodes(), 1, query.seed);
  for (int step = has_start ? 2 : 0; step < 3; ++step) {
    within.project(X);
    X /= std::max(X.norm(), std::numeric_limits<double>::min());
    Matrix Y;
    inverse.apply(X, Y);
    within.norm = std::max(within.norm, Y.norm());
    X = std::move(Y);
  }
  const Index count = query.count - 1;
  // Settled labels need no more digits of an eigenvalue than this.
  constexpr double enough = 1e-6;
  const bool for_labels = query.stopping_rule != nullptr && query.tolerance >= enough;
  const double tolerance = for_labels ? enough : std::min(1e-9, 1e-2 * query.tolerance);
  const KrylovResult found = thick_restart_lanczos(
      within, {.count = count,
               .wanted = Wanted::largest_magnitude,
               .tolerance = tolerance,
               .relative = true,  // a component of G adds an eigenvalue 1 / sigma, far above others
               .max_iterations = query.max_iterations,
               .block_size = block_for(count),
               .seed = query.seed,
               .start = has_start ? query.start : nullptr,
               .stage = "eigen",
               .progress = query.progress,
               .deadline = query.deadline,
               .settled = for_labels ? far_below_the_gap(within.norm, count)
                                     : std::function<bool(const RitzPairs&)>()});
  Eigenpairs result;
  result.values = Vector::Zero(query.count);
  result.vectors.resize(A.num_nodes(), query.count);
  result.iterations = found.iterations;
  result.settled = for_labels && found.converged;
  if (result.settled) {
    result.vectors << known, found.vectors;
    return result;
  }
  const KrylovResult polished = polish(A, within, query, found.vectors);
  result.values.tail(count) = polished.values;
  result.vectors << known, polished.vectors;
  result.iterations += polished.iterations;
  return result;
}

}  // namespace

std::optional<SymbolicCholesky> analyze(const ConstrainedLaplacian& A, const EigenQuery& query,
                                        Ordering ordering) {
  if (!applies(A) || query.count == 1) return std::nullopt;
  auto factors = std::make_unique<SparseCholesky>(shifted(A.laplacian), ordering);
  const double bytes = factors->bytes() + border_bytes(A);
  const double products = products_worth(A, *factors);
  return SymbolicCholesky{std::move(factors), bytes, products};
}

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 SymbolicCholesky& symbolic) {
  return solve_with(*symbolic.factors, A, query);
}

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Cholesky&) {
  if (!takes_penalty(A)) {
    refuse(
        "it factors the Laplacian, and the soft constraint's part R'R is never formed unless R is "
        "given by groups");
  }
  if (!applies(A)) {
    refuse(joined("it takes constraints of rank up to ", widest_border, " (this one has ",
                  border_width(A), ") and no regularization"));
  }
  if (query.count == 1) {
    return {.values = Vector::Zero(1), .vectors = Matrix(A.laplacian.null_vector())};
  }
  SparseCholesky factors(shifted(A.laplacian));
  const double needed = factors.bytes() + border_bytes(A);
  const double limit = memory_limit_bytes(query);
  if (needed > limit) {
    refuse<MemoryLimitExceeded>(joined("its factors need about ", std::ceil(needed / 1e6),
                                       " MB, the limit is ", std::floor(limit / 1e6), " MB"),
                                {{Remedy::Action::raise, "memory_limit"}});
  }
  return solve_with(factors, A, query);
}

}  // namespace repsc
