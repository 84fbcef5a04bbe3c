// Small graphs for tests, each with what is known about it. Made without the library's samplers.
#pragma once

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc::samples {

/// A graph from the upper triangle of a dense symmetric matrix; entries 0 are no edges.
inline Graph from_dense(const Matrix& dense) {
  const auto N = static_cast<Index>(dense.rows());
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  std::vector<double> weights;
  bool weighted = false;
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) {
      if (dense(i, j) == 0) continue;
      neighbors.push_back(j);
      weights.push_back(dense(i, j));
      weighted = weighted || dense(i, j) != 1;
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  if (!weighted) weights.clear();
  return Graph(std::move(offsets), std::move(neighbors), std::move(weights), NodeNames(N, 1));
}

/// The dense adjacency matrix, read through the public accessors.
inline Matrix to_dense(const Graph& graph) {
  Matrix dense = Matrix::Zero(graph.num_nodes(), graph.num_nodes());
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    for (std::size_t e = 0; e < graph.neighbors(i).size(); ++e)
      dense(i, graph.neighbors(i)[e]) = graph.weighted() ? graph.weights(i)[e] : 1.0;
  }
  return dense;
}

/// Each pair is an edge with probability `density` plus `bonus` if labels agree.
inline Matrix random_dense(const Labels& labels, double density, double bonus, unsigned seed,
                           bool weighted = false) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  const auto N = static_cast<Index>(labels.size());
  Matrix A = Matrix::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double p = density + (labels[i] == labels[j] ? bonus : 0);
      if (uniform(random) < p) A(i, j) = A(j, i) = weighted ? 0.1 + uniform(random) : 1.0;
    }
    // A chain keeps the graph connected, so that normalized methods have no isolated node.
    if (i > 0 && A(i, i - 1) == 0) A(i, i - 1) = A(i - 1, i) = 1.0;
  }
  return A;
}

/// label i mod count, shuffled.
inline Labels shuffled_labels(Index N, int count, unsigned seed) {
  Labels labels(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) labels[i] = i % count;
  std::shuffle(labels.begin(), labels.end(), std::mt19937(seed));
  return labels;
}

/// R_ij = 1 if the groups agree, otherwise 0.
inline Matrix block_representation(const Labels& groups) {
  const auto N = static_cast<Index>(groups.size());
  Matrix R = Matrix::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) R(i, j) = groups[i] == groups[j] ? 1 : 0;
  }
  return R;
}

/// A representation graph of rank at most `classes` that is no union of cliques: nodes of a class
/// have equal rows, and classes are linked by a random symmetric pattern with ones on its diagonal.
inline Matrix quotient_representation(Index N, int classes, double density, unsigned seed) {
  const Labels part = shuffled_labels(N, classes, seed);
  std::mt19937 random(seed + 1);
  std::bernoulli_distribution linked(density);
  Matrix pattern = Matrix::Identity(classes, classes);
  for (int a = 0; a < classes; ++a) {
    for (int b = 0; b < a; ++b) pattern(a, b) = pattern(b, a) = linked(random) ? 1 : 0;
  }
  Matrix R(N, N);
  for (Index i = 0; i < N; ++i) {
    for (Index j = 0; j < N; ++j) R(i, j) = pattern(part[i], part[j]);
  }
  return R;
}

/// R of Assumption 4.1 for clusters of consecutive nodes: one circulant pattern in every block.
inline Matrix circulant_representation(Index N, int K, Index degree) {
  const Index n = N / K;
  const Index half = (degree / K - 1) / 2;  // degree / K odd: symmetric around the diagonal
  Matrix R = Matrix::Zero(N, N);
  for (Index i = 0; i < N; ++i) {
    for (int block = 0; block < K; ++block) {
      for (Index shift = -half; shift <= half; ++shift)
        R(i, block * n + ((i % n) + shift + n) % n) = 1;
    }
  }
  return R;
}

/// Any random R with self-loops: full rank as a rule.
inline Matrix random_representation(Index N, double density, unsigned seed) {
  Matrix R = random_dense(Labels(static_cast<std::size_t>(N), 0), density, 0, seed);
  R.diagonal().setOnes();
  return R;
}

/// `parts` copies of a random connected graph of n nodes: eigenvalue 0 and every other one `parts`
/// times.
inline Matrix repeated_components(Index n, int parts, double density, unsigned seed) {
  const Matrix one = random_dense(Labels(static_cast<std::size_t>(n), 0), density, 0, seed);
  Matrix A = Matrix::Zero(n * parts, n * parts);
  for (int p = 0; p < parts; ++p) A.block(p * n, p * n, n, n) = one;
  return A;
}

}  // namespace repsc::samples
