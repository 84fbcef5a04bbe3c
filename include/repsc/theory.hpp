// The eigenvalues and the eigengap of the R-PP model under Assumption 4.1, as in Theorems 4.1 and
// 4.2 of the paper.
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

}  // namespace repsc
