// A path over ranks and strengths: URepSC or NRepSC at several of them for little more than the
// price of one.
//
//   V  the leading eigenvectors of R, decomposed once for the largest rank
//   M  L + strength C, whose C is shared
//   X  the K lowest eigenvectors at one point: where the next one starts. Constraints of rising
//      rank are nested, so a vector that stays allowed stays among the lowest.
#include <algorithm>
#include <cmath>

#include "cluster/steps.hpp"

namespace repsc {
namespace {

template <typename Value>
std::vector<Value> ascending(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Ascending, each once. All are checked, so that the value in the message is one that was given.
std::vector<Index> checked_ranks(std::vector<Index> given, Index N, int K) {
  std::vector<Index> ranks = ascending(std::move(given));
  if (ranks.empty()) return ranks;
  const Index wrong = ranks.front() < 1 ? ranks.front() : ranks.back();
  require(wrong >= 1 && wrong <= N - K, "ranks: ", wrong,
          " but they must be from 1 to N - K = ", N - K, " so that ", K, " dimensions are left");
  return ranks;
}

std::vector<double> checked_strengths(std::vector<double> given) {
  for (const double strength : given)
    require(strength >= 0 && std::isfinite(strength), "strengths: ", strength,
            " but they must be numbers from 0");
  return ascending(std::move(given));
}

Method checked_method(Method method) {
  if (method == Method::automatic) return Method::nrepsc;
  require(method == Method::urepsc || method == Method::nrepsc,
          "method: a path over constraints of R is for urepsc and nrepsc, not for ", name(method));
  return method;
}

/// A dense solver cannot use the last step's vectors; where `auto` took one because the problem is
/// small, the iterative solver is tried first from here on. A basis that would fill a good part of
/// the space is left to LAPACK.
bool iterate_instead(const Eigenpairs& last, Index N, int K, const ClusterOptions& options) {
  return std::holds_alternative<solver::Auto>(options.solver) &&
         last.solver == solver::Lapack::name && K <= N / 25;
}

/// Goes from point to point, each eigenproblem started from the last one's answer.
class Walk {
 public:
  Walk(int K, const ClusterOptions& options) : K_(K), options_(options) {}

  Eigenpairs eigenvectors(const Laplacian& L, const Constraint& constraint,
                          const Embedding& embedding) {
    Eigenpairs pairs = solve(L, constraint, embedding);
    start_ = pairs.vectors.rightCols(K_ - 1);  // the first is known and needs no start
    iterate_ = iterate_ || iterate_instead(pairs, L.num_nodes(), K_, options_);
    return pairs;
  }

 private:
  Eigenpairs solve(const Laplacian& L, const Constraint& constraint, const Embedding& embedding) {
    if (iterate_ && !too_slow_) {
      ClusterOptions tried = options_;
      tried.solver = solver::Lanczos{};
      tried.max_iterations = std::min(options_.max_iterations, 100);
      Eigenpairs pairs = lowest_eigenvectors(L, constraint, K_, tried, embedding, start_);
      if (pairs.converged) return pairs;
      too_slow_ = true;  // the next point is no easier
    }
    return lowest_eigenvectors(L, constraint, K_, options_, embedding, start_);
  }

  int K_;
  const ClusterOptions& options_;
  Matrix start_;
  bool iterate_ = false;
  bool too_slow_ = false;
};

struct Problem {
  const Laplacian& L;
  const Graph& R;
  int K;
  Method method;
  const ClusterOptions& options;
};

void walk_ranks(const Problem& problem, const std::vector<Index>& ranks, RankPath& result) {
  const auto& [L, R, K, method, options] = problem;
  const Stopwatch decomposition_timer;
  const RankConstraints constraints(leading_spectrum(R, ranks.back(), K, options), ranks.back(),
                                    L.scale());
  result.decomposition_seconds = decomposition_timer.seconds();
  const Embedding embedding = embedding_of(L, EmbeddingRows::plain, options);
  Walk walk(K, options);
  for (const Index rank : ranks) {
    const Stopwatch constraint_timer;
    const Constraint constraint = constraints.at(rank);
    const double constraint_seconds = constraint_timer.seconds();

    const Stopwatch eigen_timer;
    const Eigenpairs pairs = walk.eigenvectors(L, constraint, embedding);
    const double eigen_seconds = eigen_timer.seconds();

    Clustering step = cluster_rows(embedding(pairs.vectors), pairs, constraint, K, options);
    step.method = method;
    step.seconds.constraint = constraint_seconds;
    step.seconds.eigen = eigen_seconds;
    result.steps.push_back({rank, std::move(step)});
  }
}

void walk_strengths(const Problem& problem, const std::vector<double>& strengths,
                    RankPath& result) {
  const auto& [L, R, K, method, options] = problem;
  const Laplacian any = penalized(L, R, K, options);
  const Constraint none = no_constraint(L.num_nodes());
  Walk walk(K, options);
  for (const double strength : strengths) {
    const Laplacian M = any.with_strength(strength);
    const Stopwatch eigen_timer;
    const Eigenpairs pairs =
        walk.eigenvectors(M, none, embedding_of(M, EmbeddingRows::unit, options));
    const double eigen_seconds = eigen_timer.seconds();
    Clustering step = cluster_soft_rows(M, pairs, K, options);
    step.method = method;
    step.seconds.eigen = eigen_seconds;
    result.steps.push_back({0, std::move(step)});
  }
}

}  // namespace

RankPath path(const Graph& A, const Graph& R, int K, PathPoints points,
              const ClusterOptions& options) {
  check_sizes(A, R.num_nodes(), K, "representation graph");
  const Method method = checked_method(options.method);
  const std::vector<Index> ranks = checked_ranks(std::move(points.ranks), A.num_nodes(), K);
  const std::vector<double> strengths = checked_strengths(std::move(points.strengths));
  require(!ranks.empty() || !strengths.empty(), "path: neither ranks nor strengths were given");
  const Laplacian L = laplacian_of(
      A, is_normalized(method) ? Normalization::symmetric : Normalization::none, options);
  const Problem problem{L, R, K, method, options};
  RankPath result;
  if (!ranks.empty()) walk_ranks(problem, ranks, result);
  if (!strengths.empty()) walk_strengths(problem, strengths, result);
  return result;
}

RankPath path(const Graph& A, const Graph& R, int K, std::vector<Index> ranks,
              const ClusterOptions& options) {
  return path(A, R, K, PathPoints{.ranks = std::move(ranks), .strengths = {}}, options);
}

}  // namespace repsc
