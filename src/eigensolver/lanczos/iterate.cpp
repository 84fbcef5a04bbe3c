// What Lanczos computes, and when it ends, wherever its blocks are: in single precision first, then
// in double precision if the tolerance needs it. If settled labels are enough, the first products
// with a dense graph are in 16 bits, and Lanczos on a sparse one continues with a polynomial of L.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "eigensolver/lanczos/place.hpp"

namespace repsc {
namespace {

/// Residuals (relative to ||L||) that single precision reaches safely.
constexpr double single_limit = 2e-5;

/// Residuals below this multiple of the error of a product in 16 bits are not reliable.
constexpr double coarse_margin = 4;

/// The iteration calls the caller's stopping rule only when the subspace is nearly correct: its
/// error is near residual / gap (Davis and Kahan).
constexpr double largest_error = 0.3;

/// In earlier products the sum of the values decreases irregularly, and what a doubtful start
/// lacks has not grown yet.
constexpr int fewest_products = 12;

/// The wanted values have stalled if their sum has fallen by less than this share of itself over
/// the last third of the products.
constexpr double stalled_share = 4e-3;

/// Products before the filter: enough to see where the lower end of the spectrum is.
constexpr int products_before_filtering = 16;

/// Residual, in units of the gap, at which labels will settle soon.
constexpr double nearly_settled = 0.5;

/// On a sparse graph blocks narrower than the wanted vectors are faster, because a row of 8 numbers
/// lies in one cache line and orthogonalization costs less. Not where a whole block is near the
/// end.
constexpr double far_from_settled = 4;  // residual in units of the gap
std::optional<Index> narrow_block(Index count) {
  if (count <= 8 || count > 40) return std::nullopt;
  return count <= 16 ? 8 : count <= 28 ? 12 : 16;
}
/// With narrow blocks the filter pays earlier, except where the iteration might be slow: it is
/// asked for that after all products_before_filtering.
constexpr int products_before_narrowing = 12;
constexpr double not_slow_share = 0.9;

/// A Krylov space has as many copies of a multiple eigenvalue as its block has columns, and no
/// more. So where copies are missing, a whole block of wanted values is (nearly) equal: closer to
/// each other than this share of the distance to the next value.
constexpr double nearly_equal = 0.05;
bool copies_may_be_missing(const Vector& wanted, double next, Index block) {
  for (Index i = 0; i + block <= wanted.size(); ++i) {
    if (wanted[i + block - 1] - wanted[i] <= nearly_equal * (next - wanted[i])) return true;
  }
  return false;
}

/// Growth of the filter at the last wanted value, as an exponent: a larger one saves
/// orthogonalizations and spends products that the Krylov space would not need.
constexpr double filter_growth = 3;
constexpr int least_degree = 3;
constexpr int largest_degree = 12;

/// Residuals of a filtered operator, whose norm is 1, that single precision reaches safely.
constexpr double filtered_limit = 1e-5;

/// Where the spectrum has no gap near its lower end, the wanted values fall as the inverse square
/// of the products, by 1.25 of themselves over the last third. Then the end is not in sight.
constexpr double slow_share = 1.2;
constexpr double slow_share_before_filtering = 1.15;
constexpr int fewest_before_slow = 56;

/// How much of itself a sum of Ritz values has lost over the last third of the products. Relative,
/// so that the iteration does not end while all of them still converge to zero.
class Fall {
 public:
  double operator()(int products, double sum) {
    sums_.emplace_back(products, sum);
    const auto before = std::find_if(sums_.rbegin(), sums_.rend(), [&](const auto& entry) {
      return 3 * entry.first <= 2 * products;
    });
    const bool known = products >= fewest_products && before != sums_.rend() && sum > 0;
    return known ? std::abs(before->second - sum) / sum : 1;
  }

 private:
  std::vector<std::pair<int, double>> sums_;  ///< products, and the sum there
};

class Iteration {
 public:
  Iteration(const IteratedMatrix& L, const EigenQuery& query, const solver::Lanczos& how,
            LanczosPlace& place)
      : L_(L),
        query_(query),
        how_(how),
        place_(place),
        tolerance_(query.tolerance * L.residual_unit / L.norm),
        next_(query.next.value_or(std::numeric_limits<double>::infinity())) {}

  Eigenpairs run() {
    const bool single = how_.single && L_.fits_single;
    if (single) {
      // Both are useful only if the labels may settle before the rounding error matters.
      const bool filter = query_.stopping_rule != nullptr && place_.filtering_pays();
      const int products = filter ? products_before_filtering : iterations_left();
      if (filter) fills_block_ = true;
      may_narrow_ = filter && !how_.block_size && narrow_block(query_.count - 1);
      if (query_.stopping_rule != nullptr && L_.coarse_products) {
        run_coarsely(products);
      } else if (filter) {
        run_in_single(products);
      }
      slow_ =
          filter && !ended() && last_fall_ > slow_share_before_filtering && asked_to_end(products);
      if (filter && !ended() && iterations_left() > 0) {
        // Each step with the filter is worth several products; a few of them may be enough.
        if (residual_in_gaps_ <= nearly_settled) run_in_single(products);
        if (!ended() && iterations_left() > 0) run_filtered();
      }
      if (!ended() && iterations_left() > 0) run_in_single(iterations_left());
    }
    const bool enough = ended() || (single && tolerance_ >= 2 * single_limit);
    if (!enough && iterations_left() > 0 && !query_.deadline.passed())
      keep(place_.run_double(options(0.5 * tolerance_)));
    Eigenpairs result;
    result.values = Vector::Zero(query_.count);
    result.values.tail(query_.count - 1) = pairs_.values;
    result.vectors = without_spare(std::move(pairs_.vectors));
    result.iterations = pairs_.iterations;
    result.settled = settled_;
    result.stalled = stalled_;
    result.slow = slow_;
    if (pairs_.next > 0) result.next = std::min(pairs_.next, next_);
    return result;
  }

 private:
  [[nodiscard]] bool ended() const { return settled_ || stalled_ || slow_; }
  [[nodiscard]] int iterations_left() const { return query_.max_iterations - pairs_.iterations; }

  [[nodiscard]] Matrix without_spare(Matrix vectors) const {
    const Index wanted = query_.count - 1;
    return vectors.cols() <= wanted ? std::move(vectors) : Matrix(vectors.leftCols(wanted));
  }

  [[nodiscard]] bool asked_to_end(int products) const {
    return query_.end_if_slow && query_.end_if_slow(products);
  }

  void run_in_single(int products) {
    KrylovOptions how = options(std::max(single_limit, 0.5 * tolerance_));
    how.max_iterations = std::min(products, how.max_iterations);
    keep(place_.run_single(how));
  }

  void run_filtered() {
    if (is_to_narrow()) narrow_ = narrow_block(query_.count - 1);
    may_narrow_ = false;
    run_filter();
    narrow_.reset();
    if (std::exchange(missing_, false) && iterations_left() > 0 && !query_.deadline.passed()) {
      pairs_.vectors = Matrix();  // the missing copies are orthogonal to them
      place_.forget();
      run_filter();
    }
  }

  [[nodiscard]] bool is_to_narrow() const {
    return may_narrow_ && residual_in_gaps_ > far_from_settled;
  }

  /// Lanczos on a polynomial of L, until the labels have settled or single precision is exhausted.
  void run_filter() {
    const std::optional<ChebyshevFilter> filter = chosen_filter();
    if (!filter) return;
    const int degree = filter->degree();
    KrylovOptions how = options(filtered_limit);
    how.look_always = true;
    how.wanted = Wanted::largest_magnitude;
    how.max_iterations = std::max(1, how.max_iterations / degree);
    how.settled = [&](const RitzPairs& of_p) {
      const int products = pairs_.iterations + of_p.iterations * degree;
      Vector wanted(query_.count - 1);
      for (Index k = 0; k < wanted.size(); ++k) wanted[k] = filter->inverse(of_p.values[k]);
      const double fall = fall_of_objective_(products, wanted.sum());
      // Residual and gap are both those of p(L), whose eigenvectors are those of L.
      next_ = std::min(next_, filter->inverse(of_p.values[query_.count - 1]));
      missing_ = narrow_ && copies_may_be_missing(wanted, next_, *narrow_);
      if (missing_) return true;
      const double gap = of_p.values[query_.count - 2] - of_p.values[query_.count - 1];
      ask_stopping_rule(of_p, gap, products, fall);
      slow_looks_ = fall > slow_share ? slow_looks_ + 1 : 0;
      slow_ = products >= fewest_before_slow && slow_looks_ > 1 && asked_to_end(products);
      return ended();
    };
    KrylovResult found = place_.run_filtered(how, *filter);
    found.iterations *= degree;
    for (double& value : found.values) value = filter->inverse(value);
    found.next = filter->inverse(found.next);
    keep(std::move(found));
  }

  /// Damps what lies above the Ritz values that were found. They are too large, so that no wanted
  /// value is damped. None if they are all near zero, as with many components.
  [[nodiscard]] std::optional<ChebyshevFilter> chosen_filter() const {
    const double upper = 2 * L_.norm;
    if (last_values_.size() < query_.count) return std::nullopt;
    const double lower = last_values_[last_values_.size() - 1];
    if (!(lower > 1e-6 * upper && lower < 0.9 * upper)) return std::nullopt;
    // p grows by about exp(2 m sqrt(distance / width)) below the damped interval.
    const double distance = std::max(lower - last_values_[query_.count - 2], 1e-3 * lower);
    const double ideal = filter_growth / (2 * std::sqrt(distance / (upper - lower)));
    const int degree = static_cast<int>(
        std::clamp(std::ceil(ideal), double{least_degree}, double{largest_degree}));
    return ChebyshevFilter(lower, upper, degree);
  }

  /// Products in 16 bits, until the labels have settled or the residual is near their error.
  void run_coarsely(int products) {
    double error = 0;
    KrylovOptions how = options(std::max(single_limit, 0.5 * tolerance_));
    how.settled = [&](const RitzPairs& at) {
      return at.residual <= coarse_margin * error * L_.norm || settled(at);
    };
    how.max_iterations = std::min(products, how.max_iterations);
    const double next = next_;
    keep(place_.run_coarsely(how, error));
    next_ = next;  // values of rounded products may lie below the eigenvalues
  }

  [[nodiscard]] KrylovOptions options(double tolerance) {
    const Index count = query_.count - 1;
    const Index usual = how_.block_size.value_or(place_.default_block(count));
    const Index block = narrow_.value_or(usual);
    const Matrix* const start = pairs_.vectors.size() > 0 ? &pairs_.vectors : query_.start;
    return {.count = count,
            .wanted = Wanted::smallest,
            .tolerance = tolerance,
            .max_iterations = iterations_left(),
            .block_size = block,
            .basis_size = how_.basis_size.value_or(default_basis(L_.num_nodes, count, block)),
            .seed = query_.seed,
            .start = start != nullptr && start->size() > 0 ? start : nullptr,
            .started = [this] { free_start(); },
            .stage = "eigen",
            .progress = query_.progress,
            .deadline = query_.deadline,
            .spare = fills_block_ ? std::max<Index>(0, usual - count) : 0,
            .settled = query_.stopping_rule != nullptr || query_.objective_tolerance > 0
                           ? [this](const RitzPairs& at) { return settled(at); }
                           : std::function<bool(const RitzPairs&)>()};
  }

  /// A run takes what the last one left, or what was given.
  void free_start() {
    pairs_.vectors = Matrix();
    if (query_.started) query_.started();
  }

  bool settled(const RitzPairs& at) {
    const int products = pairs_.iterations + at.iterations;
    const double fall = fall_of_objective_(products, at.values.head(query_.count - 1).sum());
    const Index few = std::min<Index>(query_.count + 3, static_cast<Index>(at.values.size()));
    last_fall_ = std::min(fall, fall_of_spectrum_(products, at.values.head(few).sum()));
    settled_ = query_.objective_tolerance > 0 && fall <= query_.objective_tolerance;
    last_values_ = Vector(at.values);     // moved: safe where memory runs out
    const Index last = query_.count - 2;  // index of the last wanted pair, without the known one
    next_ = std::min<double>(next_, at.values[last + 1]);
    const double gap = next_ - at.values[last];
    residual_in_gaps_ = gap > 0 ? at.residual / gap : std::numeric_limits<double>::infinity();
    if (query_.stopping_rule != nullptr && !settled_) ask_stopping_rule(at, gap, products, fall);
    return ended() || (products >= products_before_narrowing && last_fall_ <= not_slow_share &&
                       is_to_narrow());
  }

  void ask_stopping_rule(const RitzPairs& at, double gap, int products, double fall) {
    if (query_.doubtful_start && products < fewest_products) return;
    if (gap > 0 && at.residual <= largest_error * gap) {
      if (products < next_question_) return;
      next_question_ = products + std::max(1, products / 16);
      settled_ = query_.stopping_rule->good_enough(watched(at), at.residual / gap);
    } else if (fall <= stalled_share && products >= next_doubt_) {
      next_doubt_ = products + std::max(1, products / 16);
      stalled_ = query_.stopping_rule->hopeless(watched(at));
    }
  }

  void keep(KrylovResult found) {
    found.iterations += pairs_.iterations;
    pairs_ = std::move(found);
  }

  /// The vectors that the stopping rule looks at; the known one is the first (docs/numerics.md,
  /// fact 6).
  [[nodiscard]] Matrix watched(const RitzPairs& at) {
    const std::span<const Index> nodes = query_.stopping_rule->nodes();
    if (nodes.empty()) return with_known(place_.known(nodes), at.vectors());
    if (known_rows_.size() == 0) known_rows_ = place_.known(nodes);
    return with_known(known_rows_, at.rows_of_vectors(nodes));
  }

  const IteratedMatrix L_;
  const EigenQuery& query_;
  const solver::Lanczos& how_;
  LanczosPlace& place_;
  double tolerance_;  ///< of the query, relative to ||L|| with the penalty
  KrylovResult pairs_;
  Vector known_rows_;   ///< of the known vector, for the nodes that the stopping rule looks at
  Vector last_values_;  ///< Ritz values at the last look
  /// The smallest Ritz value so far that is not wanted: the eigenvalue after the wanted ones is no
  /// larger (Courant and Fischer), whereas a run that has just begun finds much larger ones.
  double next_;
  double residual_in_gaps_ = std::numeric_limits<double>::infinity();
  double last_fall_ = 0;  ///< the smaller one of both, at the last look at L itself
  int slow_looks_ = 0;    ///< looks in a row at which the values fell as without a gap
  int next_question_ = 0;
  int next_doubt_ = 0;
  Fall fall_of_objective_;       ///< of the wanted values
  Fall fall_of_spectrum_;        ///< of a few more, which is less a matter of luck
  std::optional<Index> narrow_;  ///< the block where it is narrower than the wanted vectors
  /// Whether a run leaves vectors for the whole block of the next. On sparse graphs with K = 2 and
  /// 3 they save a tenth of the products, and labels settle at the right ones more often.
  bool fills_block_ = false;
  bool may_narrow_ = false;
  bool missing_ = false;  ///< copies of a multiple eigenvalue, as the block is too narrow
  bool settled_ = false;
  bool stalled_ = false;
  bool slow_ = false;
};

}  // namespace

// Longer bases save few products and cost more in orthogonalization (docs/solvers.md). From
// `large_nodes` on the memory of the basis counts: by the number of nodes and not by the memory of
// the machine, so that labels do not depend on it.
Index default_basis(Index num_nodes, Index count, Index block) {
  constexpr Index large_nodes = Index{1} << 22U;
  if (num_nodes >= large_nodes) return std::max<Index>(24, count + 2 * block);
  return std::max<Index>(32, 2 * count + 4 * block);
}

Matrix with_known(const Eigen::Ref<const Vector>& known, const Matrix& others) {
  Matrix X(known.size(), 1 + others.cols());
  parallel_ranges(X.rows(), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) X.row(i) << known[i], others.row(i);
  });
  return X;
}

IteratedMatrix iterated_matrix(const Laplacian& L) {
  return {.num_nodes = L.num_nodes(),
          .norm = L.norm(),
          .residual_unit = L.residual_unit(),
          .fits_single = L.fits_single(),
          .coarse_products = L.coarse_products_pay()};
}

Eigenpairs iterate(const IteratedMatrix& L, const EigenQuery& query, const solver::Lanczos& how,
                   LanczosPlace& place) {
  return Iteration(L, query, how, place).run();
}

}  // namespace repsc
