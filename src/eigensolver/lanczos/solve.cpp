// Thick-restart block Lanczos on P L P, within the range of P and orthogonal to the known vector:
// in single precision first, then in double precision if the tolerance needs it. If settled labels
// are enough, the first products with the graph are in 16 bits.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "eigensolver/backends.hpp"
#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"

namespace repsc {
namespace {

/// Residuals (relative to ||L||) that single precision reaches safely.
constexpr double single_limit = 2e-5;

/// Residuals below this multiple of the error of a product in 16 bits are not reliable.
constexpr double coarse_margin = 4;

/// The iteration calls the caller's stopping rule only when the subspace is nearly correct: its
/// error is near residual / gap (Davis and Kahan).
constexpr double largest_error = 0.3;

/// In earlier products the sum of the values decreases irregularly.
constexpr int fewest_products = 12;

/// The wanted values have stalled if their sum has fallen by less than this share of itself over
/// the last third of the products.
constexpr double stalled_share = 4e-3;

template <typename Block, typename Apply>
BlockOperator<Block> within(const ConstrainedLaplacian& A, const Block& known, const Apply& apply) {
  return {.size = A.num_nodes(),
          .dimension = A.projector.dimension() - 1,
          .norm = A.laplacian.norm(),
          .apply = apply,
          .project = [&A, &known](Block& X) {
            A.projector.apply(X);
            subtract_product(X, known, transposed_product(known, X));
          }};
}

/// Blocks of a multiple of four fill vector registers and cache lines.
Index default_block(Index count) { return std::max<Index>(4, (count + 3) / 4 * 4); }

/// Longer bases save few products and cost more in orthogonalization (docs/solvers.md).
Index default_basis(Index count, Index block) { return std::max<Index>(32, 2 * count + 4 * block); }

class Iteration {
 public:
  Iteration(const ConstrainedLaplacian& A, const EigenQuery& query, const solver::Lanczos& how)
      : A_(A), query_(query), how_(how), known_(A.laplacian.null_vector()) {}

  Eigenpairs run() {
    const bool single = how_.single && A_.laplacian.fits_single();
    if (single) {
      const FloatMatrix known = known_.cast<float>();
      // Useful only if the labels may settle before the rounding error matters.
      if (query_.stopping_rule != nullptr && A_.laplacian.coarse_products_pay())
        run_coarsely(known);
      if (!ended() && iterations_left() > 0) run_in(known, single_limit);
    }
    const bool enough = ended() || (single && query_.tolerance >= 2 * single_limit);
    if (!enough && iterations_left() > 0 && !query_.deadline.passed()) run_in(Matrix(known_), 0);
    Eigenpairs result;
    result.values = Vector::Zero(query_.count);
    result.values.tail(query_.count - 1) = pairs_.values;
    result.vectors = with_known(pairs_.vectors);
    result.iterations = pairs_.iterations;
    result.settled = settled_;
    result.stalled = stalled_;
    if (pairs_.next > 0) result.next = pairs_.next;
    return result;
  }

 private:
  [[nodiscard]] bool ended() const { return settled_ || stalled_; }
  [[nodiscard]] int iterations_left() const { return query_.max_iterations - pairs_.iterations; }

  template <typename Block>
  void run_in(const Block& known, double limit) {
    const auto apply = [this](const Block& X, Block& Y) { A_.laplacian.apply(X, Y); };
    keep(thick_restart_lanczos(within(A_, known, apply),
                               options(std::max(limit, 0.5 * query_.tolerance))));
  }

  /// Products in 16 bits, until the labels have settled or the residual is near their error.
  void run_coarsely(const FloatMatrix& known) {
    double error = 0;
    const auto apply = [&](const FloatMatrix& X, FloatMatrix& Y) {
      error = std::max(error, A_.laplacian.apply_coarsely(X, Y));
    };
    KrylovOptions how = options(std::max(single_limit, 0.5 * query_.tolerance));
    how.settled = [&](const RitzPairs& at) {
      return at.residual <= coarse_margin * error * A_.laplacian.norm() || settled(at);
    };
    keep(thick_restart_lanczos(within(A_, known, apply), how));
  }

  [[nodiscard]] KrylovOptions options(double tolerance) {
    const Index count = query_.count - 1;
    const Index block = how_.block_size.value_or(default_block(count));
    const Matrix& start = pairs_.vectors.size() > 0 ? pairs_.vectors : query_.start;
    return {.count = count,
            .wanted = Wanted::smallest,
            .tolerance = tolerance,
            .max_iterations = iterations_left(),
            .block_size = block,
            .basis_size = how_.basis_size.value_or(default_basis(count, block)),
            .seed = query_.seed,
            .start = start.size() > 0 ? &start : nullptr,
            .stage = "eigen",
            .progress = query_.progress,
            .deadline = query_.deadline,
            .settled = query_.stopping_rule != nullptr || query_.objective_tolerance > 0
                           ? [this](const RitzPairs& at) { return settled(at); }
                           : std::function<bool(const RitzPairs&)>()};
  }

  bool settled(const RitzPairs& at) {
    const int products = pairs_.iterations + at.iterations;
    const double fall = fall_of_objective(products, at.values.head(query_.count - 1).sum());
    settled_ = query_.objective_tolerance > 0 && fall <= query_.objective_tolerance;
    if (query_.stopping_rule != nullptr && !settled_) ask_stopping_rule(at, products, fall);
    return ended();
  }

  /// How much of itself the sum of the wanted values has lost over the last third of the products.
  /// Relative, so that the iteration does not end while all of them still converge to zero.
  double fall_of_objective(int products, double sum) {
    sums_.emplace_back(products, sum);
    const auto before = std::find_if(sums_.rbegin(), sums_.rend(), [&](const auto& entry) {
      return 3 * entry.first <= 2 * products;
    });
    const bool known = products >= fewest_products && before != sums_.rend() && sum > 0;
    return known ? std::abs(before->second - sum) / sum : 1;
  }

  void ask_stopping_rule(const RitzPairs& at, int products, double fall) {
    const Index last = query_.count - 2;  // index of the last wanted pair, without the known one
    const double gap = at.values[last + 1] - at.values[last];
    if (at.residual <= largest_error * gap) {
      if (at.iterations < next_question_) return;
      next_question_ = at.iterations + std::max(1, at.iterations / 16);
      settled_ = query_.stopping_rule->good_enough(with_known(at.vectors()), at.residual);
    } else if (fall <= stalled_share && products >= next_doubt_) {
      next_doubt_ = products + std::max(1, products / 16);
      stalled_ = query_.stopping_rule->hopeless(with_known(at.vectors()));
    }
  }

  void keep(KrylovResult found) {
    found.iterations += pairs_.iterations;
    pairs_ = std::move(found);
  }

  [[nodiscard]] Matrix with_known(const Matrix& others) const {
    Matrix X(A_.num_nodes(), query_.count);
    X << known_, others;  // eigenvalue 0, satisfies every constraint (docs/numerics.md, fact 6)
    return X;
  }

  const ConstrainedLaplacian& A_;
  const EigenQuery& query_;
  const solver::Lanczos& how_;
  Vector known_;
  KrylovResult pairs_;
  int next_question_ = 0;
  int next_doubt_ = 0;
  std::vector<std::pair<int, double>> sums_;  ///< products, and the sum of the wanted values there
  bool settled_ = false;
  bool stalled_ = false;
};

}  // namespace

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how) {
  if (query.count == 1) {
    return {.values = Vector::Zero(1), .vectors = Matrix(A.laplacian.null_vector())};
  }
  return Iteration(A, query, how).run();
}

}  // namespace repsc
