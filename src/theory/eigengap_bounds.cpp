// Eigenvalues of the expected R-PP matrices, and bounds for the eigengap gamma = mu_{K+1} - mu_K.
//
//   A~      expected adjacency matrix with p on its diagonal
//   R_[k]   rows and columns of cluster k in R
//   x_[k]   entries of cluster k in x
//   c       (p - q) - (r - s)
//
// Lemma D.2 gives A~ 1 = lambda_1 1 and A~ u_k = lambda_2 u_k. D = (lambda_1 - p) I, so the
// remaining eigenvalues of Y'LY are lambda_1 minus those of A~ compressed to W, the rest of
// null(RJ). For x in W, R x = 0 and 1'x_[k] = 0 for every k, so that Equation (16) leaves
//
//   x' A~ x = c sum_k x_[k]' R_[k] x_[k] = c theta,   |x| = 1.
//
// R_[k] is I plus a (d/K - 1)-regular graph, so that
//
//   2 - d/K <= theta <= d/K.
//
// Where 1'x_[k] = 0, R_[k] acts as -(11' - R_[k]), minus an (N - d)/K-regular graph, so that
//
//   -(N - d)/K <= theta <= (N - d)/K.
//
// The second pair shows c theta <= lambda_2 for every sign of c (the paper's proof of Lemma D.4
// treats c >= 0), so mu_K = lambda_1 - lambda_2 and gamma = lambda_2 - max c theta over W. With c =
// 0, as for the paper's p, q, r, s = 0.4, 0.3, 0.2, 0.1, gamma = lambda_2. With c > 0 the lower
// bound is reached by disjoint cliques that each take d/K nodes of every cluster (2d <= N). For
// Theorem 4.2 Q = sqrt(lambda_1 - p) I divides every mu by lambda_1 - p.
#include <algorithm>
#include <cmath>

#include "models/checks.hpp"
#include "repsc/theory.hpp"
#include "theory/checks.hpp"

namespace repsc {

ExpectedEigenvalues expected_eigenvalues(const RppModel& model) {
  const auto& [N, K, d, p, q, r, s] = model;
  require_option(std::isfinite(N) && N >= 1, "num_nodes", N, "it must be a number of at least 1");
  require_option(1 <= K && K <= N, "num_clusters", K, "it must be from 1 to the number of nodes, ",
                 N);
  require_option(K <= d && d <= N, "degree", d, "it must be from the number of clusters, ", K,
                 ", to the number of nodes, ", N);
  require_ordered({.p = p, .q = q, .r = r, .s = s});
  const double lambda_2 = (p - q) * d / K + (r - s) * (N - d) / K;
  return {q * d + s * (N - d) + lambda_2, lambda_2};
}

EigengapBounds eigengap_bounds(const RppModel& model, bool normalized) {
  const auto& [N, K, d, p, q, r, s] = model;
  const auto [lambda_1, lambda_2] = expected_eigenvalues(model);
  require_option(N >= 2 * K, "num_nodes", N, "it must be at least two nodes per cluster, ", 2 * K,
                 ", because with fewer mu_{K+1} does not exist");
  if (normalized) require_positive_degree(lambda_1 - p);

  double lower = lambda_1;
  double upper = lambda_1;
  // With one cluster R_[1] = R, so that theta = 0, and mu_1 = 0 takes the place of lambda_2.
  if (K > 1) {
    const double theta_min = std::max(2 - d / K, -(N - d) / K);
    const double theta_max = std::min(d, N - d) / K;
    const double c = (p - q) - (r - s);
    lower = lambda_2 - std::max(c * theta_min, c * theta_max);
    upper = lambda_2 - std::min(c * theta_min, c * theta_max);
  }
  const double scale = normalized ? lambda_1 - p : 1;
  return {lower / scale, upper / scale};
}

}  // namespace repsc
