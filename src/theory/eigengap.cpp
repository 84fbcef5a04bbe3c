// The eigengap of a concrete representation graph, from the definitions in Theorems 4.1 and 4.2.
//
//   A   expected adjacency matrix (zero diagonal)
//   L   = D - A, its Laplacian
//   J   = I - 11'/N
//   Y   orthonormal basis of null(RJ)
//   mu  eigenvalues of Y'LY, or of the pencil (Y'LY, Y'DY), which are those of Q^-1 Y'LY Q^-1
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/checks.hpp"
#include "repsc/theory.hpp"
#include "theory/checks.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

constexpr Index max_nodes = 5000;  // a few dense matrices of 200 MB each; takes minutes

Dense expected_adjacency(const Graph& R, const Labels& clusters, const RppModel& model) {
  const Index N = R.num_nodes();
  const auto same = [&](Index i, Index j) {
    return clusters[static_cast<std::size_t>(i)] == clusters[static_cast<std::size_t>(j)];
  };
  Dense A(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) A(i, j) = same(i, j) ? model.r : model.s;
    for (const Index j : R.neighbors(i)) A(i, j) = same(i, j) ? model.p : model.q;
    A(i, i) = 0;
  }
  return A;
}

/// null(RJ) is the complement of range(JR): the last columns of Q in a rank-revealing QR of JR.
Dense null_space(const Graph& R) {
  const Index N = R.num_nodes();
  Dense JR = Dense::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    const auto weights = R.weights(i);
    std::size_t at = 0;
    for (const Index j : R.neighbors(i)) JR(i, j) = weights.empty() ? 1 : weights[at++];
  }
  JR.rowwise() -= JR.colwise().mean().eval();
  Eigen::ColPivHouseholderQR<Dense> qr(JR);
  // Far above rounding errors, and far below the entries, which are mostly whole numbers.
  qr.setThreshold(1e-10);
  const Dense Q = qr.householderQ();
  return Q.rightCols(N - qr.rank());
}

void require_agreement(const Graph& R, const Labels& clusters, const RppModel& model) {
  require_ordered({.p = model.p, .q = model.q, .r = model.r, .s = model.s});
  if (R.num_nodes() < 1 || R.num_nodes() > max_nodes) {
    throw InvalidInput(Fault{.what = joined("the representation graph has ", R.num_nodes(),
                                            " nodes, but the eigengap is computed with dense "
                                            "matrices for 1 to ",
                                            max_nodes),
                             .remedies = {advice("use the bounds of the eigengap, which have no "
                                                 "such limit")}});
  }
  require(clusters.size() == static_cast<std::size_t>(R.num_nodes()), "clusters: ", clusters.size(),
          " labels for a representation graph with ", R.num_nodes(), " nodes");
  require_option(model.num_nodes == R.num_nodes(), "num_nodes", model.num_nodes,
                 "the representation graph has ", R.num_nodes(), " nodes");
  const auto [smallest, largest] = std::minmax_element(clusters.begin(), clusters.end());
  require_option(*smallest >= 0 && model.num_clusters == 1.0 + *largest, "num_clusters",
                 model.num_clusters, "the labels go from ", *smallest, " to ", *largest);
}

}  // namespace

Graph expected_similarity(const Graph& representation, const Labels& clusters,
                          const RppModel& model) {
  require_agreement(representation, clusters, model);
  const Dense A = expected_adjacency(representation, clusters, model);
  const Index N = representation.num_nodes();
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  std::vector<double> weights;
  offsets.reserve(static_cast<std::size_t>(N) + 1);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) {
      if (A(i, j) <= 0) continue;
      neighbors.push_back(j);
      weights.push_back(A(i, j));
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  return {std::move(offsets), std::move(neighbors), std::move(weights), representation.names()};
}

double eigengap(const Graph& representation, const Labels& clusters, const RppModel& model,
                bool normalized) {
  require_agreement(representation, clusters, model);
  const Dense Y = null_space(representation);
  const auto K = static_cast<Eigen::Index>(model.num_clusters);
  if (Y.cols() <= K) return std::numeric_limits<double>::quiet_NaN();

  const Dense A = expected_adjacency(representation, clusters, model);
  const Eigen::VectorXd degrees = A.rowwise().sum();
  const Dense L = Dense(degrees.asDiagonal()) - A;
  const Dense YLY = Y.transpose() * L * Y;
  Eigen::VectorXd mu;
  if (normalized) {
    require_positive_degree(degrees.minCoeff());
    const Dense YDY = Y.transpose() * degrees.asDiagonal() * Y;
    mu = Eigen::GeneralizedSelfAdjointEigenSolver<Dense>(YLY, YDY, Eigen::EigenvaluesOnly)
             .eigenvalues();
  } else {
    mu = Eigen::SelfAdjointEigenSolver<Dense>(YLY, Eigen::EigenvaluesOnly).eigenvalues();
  }
  return mu[K] - mu[K - 1];
}

}  // namespace repsc
