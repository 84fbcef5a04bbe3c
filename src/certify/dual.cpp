// The dual function at one strength.
#include "certify/dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Relative to the norm of the matrix: rounding errors allow no more.
constexpr double finest_tolerance = 1e-14;

/// Of one step of the search, see products_per_step(), and of the whole search in such steps:
/// below ten times plain clustering on a million edges, where clusters are clear.
constexpr double entries_per_step = 1e8;
constexpr double most_steps = 5;

/// T: the indicators of the clusters, scaled so that T'T = I, or T'DT = I.
Matrix scaled_indicators(const Laplacian& L, const Labels& labels, int K) {
  const bool normalized = L.normalization() == Normalization::symmetric;
  Vector sizes = Vector::Zero(K);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sizes[labels[i]] += normalized ? L.degrees()[static_cast<Eigen::Index>(i)] : 1;
  }
  Matrix T = Matrix::Zero(L.num_nodes(), K);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    T(static_cast<Eigen::Index>(i), labels[i]) = 1 / std::sqrt(sizes[labels[i]]);
  }
  return T;
}

/// Only what Pipeline needs to know to build the matrices.
Plan plan_of_matrices(int K, const CertifyOptions& options) {
  Plan plan;
  plan.num_clusters = K;
  plan.method = options.cut == CutKind::normalized ? Method::nrepsc : Method::urepsc;
  plan.options.memory_limit = options.memory_limit;
  return plan;
}

double cut_of_labels(const Graph& G, const Labels& labels, int K, CutKind kind) {
  return kind == CutKind::normalized ? normalized_cut(G, labels, K) : ratio_cut(G, labels, K);
}

}  // namespace

Dual::Dual(Pipeline& data, const Labels& labels, int num_clusters, const CertifyOptions& options)
    : num_clusters_(num_clusters),
      options_(options),
      plain_(data.laplacian(plan_of_matrices(num_clusters, options))) {
  labels_.cut = cut_of_labels(data.similarity(), labels, num_clusters, options.cut);
  if (data.has_representation()) {
    soft_ = data.penalized_laplacian(plan_of_matrices(num_clusters, options), 1).soft_constraint();
    labels_.deviation = penalty_of(scaled_indicators(plain_, labels, num_clusters));
  }
  const SolverChoice first = choose_solver(plain_.num_nodes(), num_clusters);
  dense_ = std::holds_alternative<solver::Lapack>(first.solver);
}

Laplacian Dual::matrix(double strength) const {
  return strength > 0 ? plain_.penalized(soft_, strength) : plain_;
}

/// tr(U'CU).
double Dual::penalty_of(const Matrix& U) const {
  Matrix CU = Matrix::Zero(U.rows(), U.cols());
  soft_.penalty->add_product(U, 1, Vector(), CU);
  return std::max(0.0, U.cwiseProduct(CU).sum());
}

double Dual::entries_of_a_product(double strength) const {
  auto entries = static_cast<double>(plain_.graph().num_entries());
  if (strength > 0) {  // two products with R
    entries += 2 * static_cast<double>(soft_.penalty->representation().num_entries());
  }
  return std::max(entries, 1.0);
}

/// Products of one step of the search: enough for an answer in seconds on graphs of a million
/// edges, and practically no limit on small ones.
int Dual::products_per_step() const {
  constexpr double fewest = 16;
  const double products = entries_per_step / entries_of_a_product(has_penalty() ? 1 : 0);
  return static_cast<int>(std::clamp(products, fewest, 1000.0));
}

bool Dual::has_done(double part) const {
  return entries_read_ > part * most_steps * entries_per_step;
}

Eigenpairs Dual::lowest_pairs(const Laplacian& M, EigenQuery query) {
  constexpr Index dense_if_slow = 1500;
  const Constraint none = no_constraint(M.num_nodes());
  if (!dense_) {
    // Without a penalty factors can help, which the library decides.
    const bool penalized = M.strength() > 0;
    Eigenpairs pairs =
        smallest_eigenpairs({M, none.projector}, query,
                            penalized ? std::optional<Solver>(solver::Lanczos{}) : std::nullopt);
    dense_ = pairs.solver == solver::Lapack::name ||
             (!pairs.converged && !pairs.out_of_time && M.num_nodes() <= dense_if_slow);
    if (!dense_) return pairs;
  }
  // There the eigenvalue after the wanted ones costs nothing.
  const Index K = query.count;
  query.count = std::min<Index>(K + 1, M.num_nodes());
  Eigenpairs pairs = smallest_eigenpairs({M, none.projector}, query, solver::Lapack{});
  if (query.count > K) pairs.next = pairs.values[K];
  return pairs;
}

DualPoint Dual::solve(double strength, const DualPrecision& precision, const Matrix& start,
                      std::uint64_t seed) {
  const int K = num_clusters_;
  const Laplacian M = matrix(strength);
  const Index N = M.num_nodes();
  // Relative to L, because the norm of the penalty can be many times that of L, and says nothing
  // about the low end of the spectrum.
  const double tolerance =
      std::max(finest_tolerance * M.norm(), precision.tolerance * plain_.norm()) /
      M.residual_unit();
  const int products =
      strength > 0 ? precision.share * products_per_step() : options_.max_iterations;
  const Matrix near = start.cols() > 0 ? Matrix(start.rightCols(K - 1)) : Matrix();
  const Eigenpairs pairs =
      lowest_pairs(M, {.count = K,
                       .tolerance = tolerance,
                       .max_iterations = std::min(options_.max_iterations, products),
                       .seed = options_.seed + seed,
                       .start = &near,
                       .progress = options_.progress,
                       .deadline = options_.deadline,
                       .memory_limit = options_.memory_limit});
  ++num_solved_;
  if (strength > 0 && !dense_) entries_read_ += pairs.iterations * entries_of_a_product(strength);

  DualPoint point{
      .strength = strength, .vectors = pairs.vectors.leftCols(K), .out_of_time = pairs.out_of_time};
  RitzPairsOf& ritz = point.ritz;
  ritz.values = pairs.values.head(K);
  ritz.complete = N == K;
  ritz.next = pairs.next;
  const double norm = (M.penalty() != nullptr ? 4 : 2) * M.norm();
  ritz.rounding = 8 * epsilon * std::sqrt(static_cast<double>(N)) * norm;
  ritz.shift_error = 32 * epsilon * N * norm;
  Matrix residual;
  plain_.apply(point.vectors, residual);
  double penalty = 0;
  if (has_penalty()) {
    const Vector& scale = plain_.scale();
    const Matrix& X = point.vectors;
    Matrix CX = Matrix::Zero(N, K);  // D^-1/2 C D^-1/2 X
    soft_.penalty->add_product(scale.size() > 0 ? Matrix(scale.asDiagonal() * X) : X, 1, scale, CX);
    penalty = X.cwiseProduct(CX).sum();
    residual += strength * CX;
  }
  residual -= point.vectors * ritz.values.asDiagonal();
  ritz.residuals = residual.colwise().norm().transpose().array() + ritz.rounding;
  point.at_zero = ritz.values.sum() - strength * penalty;
  point.slope = penalty - labels_.deviation;
  return point;
}

double Dual::lower_value(const DualPoint& point, double sum) const {
  // The deviation, too, is a sum of products with C, whose errors are those of the Ritz values.
  const double rounding = num_clusters_ * point.ritz.rounding;
  return sum - point.strength * labels_.deviation * (1 + 64 * epsilon) -
         (point.strength > 0 ? rounding : 0);
}

}  // namespace repsc
