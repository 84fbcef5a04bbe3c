// A path over ranks: URepSC or NRepSC at several ranks of R for little more than the price of one.
//
//   V  the leading eigenvectors of R, decomposed once for the largest rank
//   X  the K lowest eigenvectors within the constraint of one rank: where the next rank starts.
//      Constraints of rising rank are nested, so a vector that stays allowed stays among the
//      lowest.
#include <algorithm>

#include "cluster/steps.hpp"
#include "core/timer.hpp"

namespace repsc {
namespace {

/// Ascending, each once. All are checked, so that the value in the message is one that was given.
std::vector<Index> checked_ranks(std::vector<Index> ranks, Index N, int K) {
  require(!ranks.empty(), "ranks: none were given");
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const Index wrong = ranks.front() < 1 ? ranks.front() : ranks.back();
  require(wrong >= 1 && wrong <= N - K, "ranks: ", wrong,
          " but they must be from 1 to N - K = ", N - K, " so that ", K, " dimensions are left");
  return ranks;
}

Method checked_method(Method method) {
  if (method == Method::automatic) return Method::nrepsc;
  require(method == Method::urepsc || method == Method::nrepsc,
          "method: a path over ranks of R is ", "for urepsc and nrepsc, not for ", name(method));
  return method;
}

/// A dense solver cannot use the last step's vectors; where `auto` took one because the problem is
/// small, the iterative solver is tried first from here on. A basis that would fill a good part of
/// the space is left to LAPACK.
bool iterate_instead(const Clustering& last, Index N, int K, const ClusterOptions& options) {
  return std::holds_alternative<solver::Auto>(options.solver) &&
         last.solver == solver::Lapack::name && K <= N / 25;
}

Eigenpairs next_eigenvectors(const Laplacian& L, const Constraint& constraint, int K,
                             const ClusterOptions& options, const Embedding& embedding,
                             const Matrix& start, bool iterate) {
  if (iterate) {
    ClusterOptions tried = options;
    tried.solver = solver::Lanczos{};
    tried.max_iterations = std::min(options.max_iterations, 100);
    Eigenpairs pairs = lowest_eigenvectors(L, constraint, K, tried, embedding, start);
    if (pairs.converged) return pairs;
  }
  return lowest_eigenvectors(L, constraint, K, options, embedding, start);
}

}  // namespace

RankPath path(const Graph& A, const Graph& R, int K, std::vector<Index> given,
              const ClusterOptions& options) {
  check_sizes(A, R.num_nodes(), K, "representation graph");
  const Method method = checked_method(options.method);
  const std::vector<Index> ranks = checked_ranks(std::move(given), A.num_nodes(), K);
  const Laplacian L = laplacian_of(
      A, is_normalized(method) ? Normalization::symmetric : Normalization::none, options);
  const Embedding embedding = is_normalized(method) ? unscaled(L.scale()) : as_it_is;

  RankPath result;
  const Timer decomposition_timer;
  const RankConstraints constraints(leading_spectrum(R, ranks.back(), K, options), ranks.back(),
                                    L.scale());
  result.decomposition_seconds = decomposition_timer.seconds();

  Matrix start;
  bool iterate = false;
  for (const Index rank : ranks) {
    const Timer constraint_timer;
    const Constraint constraint = constraints.at(rank);
    const double constraint_seconds = constraint_timer.seconds();

    const Timer eigen_timer;
    const Eigenpairs pairs =
        next_eigenvectors(L, constraint, K, options, embedding, start, iterate);
    const double eigen_seconds = eigen_timer.seconds();

    Clustering step = cluster_rows(embedding(pairs.vectors), pairs, constraint, K, options);
    step.method = method;
    step.seconds.constraint = constraint_seconds;
    step.seconds.eigen = eigen_seconds;
    start = pairs.vectors.rightCols(K - 1);  // the first is known and needs no start
    iterate = iterate || iterate_instead(step, A.num_nodes(), K, options);
    result.steps.push_back({rank, std::move(step)});
  }
  return result;
}

}  // namespace repsc
