// The eigenvalues and the eigengap of the R-PP model under Assumption 4.1, as in Theorems 4.1 and
// 4.2 of the paper, and what these say about a model.
//
//   const repsc::RppModel model{.num_nodes = 1200, .num_clusters = 5, .degree = 40,
//                               .p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1};
//   repsc::eigengap_bounds(model, /*normalized=*/false).lower;  // 24, the smallest of any such R
#pragma once

#include "repsc/graph.hpp"

namespace repsc {

/// An R-PP model under Assumption 4.1 with equal clusters. 1 <= K <= d <= N and
/// 1 >= p >= q >= r >= s >= 0. All are real numbers, so that a curve over N or d = log N needs
/// no rounding.
struct RppModel {
  double num_nodes = 0;     ///< N
  double num_clusters = 0;  ///< K
  double degree = 0;        ///< d, of R, self-loop included
  double p = 0, q = 0, r = 0, s = 0;
};

/// Eigenvalues of the expected adjacency matrix with p on its diagonal (Lemma D.2). Every expected
/// degree is lambda_1 - p.
struct ExpectedEigenvalues {
  double lambda_1 = 0;  ///< of the vector of ones
  double lambda_2 = 0;  ///< of u_1, ..., u_{K-1}; the paper's lambda_{1+k}
};
[[nodiscard]] ExpectedEigenvalues expected_eigenvalues(const RppModel& model);

/// gamma = mu_{K+1} - mu_K of Theorem 4.1 (of 4.2 for `normalized`). mu_{K+1} depends on R beyond d
/// unless p - q = r - s: `lower` and `upper` hold for every R of Assumption 4.1 for which
/// mu_{K+1} exists.
struct EigengapBounds {
  double lower = 0;
  double upper = 0;
};
[[nodiscard]] EigengapBounds eigengap_bounds(const RppModel& model, bool normalized);

/// gamma of a concrete R and its clusters, computed with dense matrices from the definition:
/// O(N^3), for at most 5,000 nodes. R need not satisfy Assumption 4.1, so model.degree is
/// ignored; num_nodes and num_clusters must agree with R and `clusters`. NaN if null(RJ) has
/// no more than K dimensions: then there is no mu_{K+1}.
[[nodiscard]] double eigengap(const Graph& representation, const Labels& clusters,
                              const RppModel& model, bool normalized);

/// y_1, ..., y_K of Lemma D.3, one column each: an orthonormal basis of the K lowest eigenvectors
/// of the expected Laplacian. Clusters must be 0, ..., K-1 and of equal size.
[[nodiscard]] Matrix expected_eigenvectors(const Labels& clusters, int num_clusters);

/// The expected similarity graph: every pair of nodes with its probability as weight, no loops. The
/// methods find the clusters exactly on it (Lemma D.4). At most 5,000 nodes.
[[nodiscard]] Graph expected_similarity(const Graph& representation, const Labels& clusters,
                                        const RppModel& model);

/// What the theorems leave to whoever applies them. The paper proves that the constants const(C,
/// alpha), const_1, const_2 and const_3 exist and gives no values, so that conditions and bounds
/// are reported per unit of the constant.
struct TheoremParameters {
  double C = 1;        ///< of p >= C ln N / N
  double alpha = 1;    ///< the bound holds with probability 1 - 2 N^-alpha
  double epsilon = 1;  ///< k-means is (1 + epsilon)-approximate
};

/// Theorem 4.1 for one eigengap gamma.
struct UnnormalizedTheorem {
  double gamma = 0;
  /// The condition gamma^2 >= const (2 + epsilon) p N K ln N holds for constants up to this.
  double largest_constant = 0;
  double bound = 0;  ///< of M, for const = 1: (2 + epsilon) p N ln N / gamma^2
};

/// Theorem 4.2 for one eigengap gamma. x = sqrt(p N ln N) / (lambda_1 - p).
struct NormalizedTheorem {
  double gamma = 0;
  double x = 0;  ///< condition 2: at most const_2
  /// Condition 1: x (x + 1 / (6 sqrt(C))) and its limit 1 / (16 (alpha + 1)). It has no constant.
  double first = 0;
  double first_limit = 0;
  [[nodiscard]] bool first_holds() const { return first <= first_limit; }
  /// Condition 3 holds for const_1 = const_3 below this.
  double largest_constant = 0;
  /// Of M, for const_1 = const_3 = 1: 32 (2 + epsilon) (8 sqrt(K) / gamma + 1)^2 x^2.
  double bound = 0;
};

struct Theorems {
  double largest_C = 0;       ///< p >= C ln N / N holds up to this
  bool dense_enough = false;  ///< whether it holds for the given C
  double probability = 0;     ///< 1 - 2 N^-alpha, with which the bounds hold; at least 0
  /// M of labels drawn at random, 2 (1 - 1/K): a bound that is not below it says nothing.
  double random_error = 0;
  UnnormalizedTheorem unnormalized;
  NormalizedTheorem normalized;
};
/// With the smallest gamma of any R under Assumption 4.1 (eigengap_bounds), so that what holds here
/// holds for all of them; or with the gammas of a concrete R.
[[nodiscard]] Theorems theorems(const RppModel& model, const TheoremParameters& parameters = {});
[[nodiscard]] Theorems theorems(const RppModel& model, const TheoremParameters& parameters,
                                double unnormalized_gamma, double normalized_gamma);

}  // namespace repsc
