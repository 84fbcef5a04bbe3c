// Cut and balance by sums over dense matrices, for the tests of refinement: shares no code with
// src/refine or src/metrics.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "metrics/random_case.hpp"
#include "repsc/refine.hpp"
#include "support/samples.hpp"

namespace repsc {

struct DenseCase {
  int N = 0;
  int K = 0;
  Labels labels;  ///< no cluster is empty
  Matrix A;
  Matrix R;
  Graph similarity;
  Graph representation;
};

inline DenseCase dense_case(bool weighted, std::uint64_t seed, int least_nodes = 4,
                            int most_nodes = 14, int most_clusters = 4) {
  RandomStream random(seed);
  DenseCase c;
  c.N = least_nodes +
        static_cast<int>(random.below(static_cast<std::uint64_t>(most_nodes - least_nodes + 1)));
  c.K = 2 + static_cast<int>(
                random.below(static_cast<std::uint64_t>(std::min(c.N, most_clusters) - 1)));
  c.labels = random_labels(c.N, c.K, random);
  for (Label k = 0; k < c.K; ++k) c.labels[static_cast<std::size_t>(k)] = k;
  c.A = random_symmetric(c.N, 0.5, weighted, false, random);
  c.R = random_symmetric(c.N, 0.6, weighted, true, random);
  c.similarity = samples::from_dense(c.A);
  c.representation = samples::from_dense(c.R);
  return c;
}

inline int dense_count(const DenseCase& c, const Labels& labels, Index node, Label cluster) {
  int count = 0;
  for (Index j = 0; j < c.N; ++j) {
    if (c.R(node, j) != 0 && labels[static_cast<std::size_t>(j)] == cluster) ++count;
  }
  return count;
}

/// rho_i = min over k, l of c_ik / c_il, 0/0 = 1: all pairs.
inline Vector dense_balances(const DenseCase& c, const Labels& labels) {
  Vector rho = Vector::Ones(c.N);
  for (Index i = 0; i < c.N; ++i) {
    for (Label k = 0; k < c.K; ++k) {
      for (Label l = 0; l < c.K; ++l) {
        const double above = dense_count(c, labels, i, k);
        const double below = dense_count(c, labels, i, l);
        if (below > 0) rho[i] = std::min(rho[i], above / below);
      }
    }
  }
  return rho;
}

inline double dense_cut(const DenseCase& c, const Labels& labels, CutKind kind) {
  double sum = 0;
  for (Label k = 0; k < c.K; ++k) {
    double cut = 0;
    double size = 0;
    for (Index i = 0; i < c.N; ++i) {
      if (labels[static_cast<std::size_t>(i)] != k) continue;
      size += kind == CutKind::ratio ? 1 : c.A.row(i).sum();
      for (Index j = 0; j < c.N; ++j) {
        if (labels[static_cast<std::size_t>(j)] != k) cut += c.A(i, j) / 2;
      }
    }
    if (size > 0) sum += cut / size;
  }
  return sum;
}

inline double dense_scale(const DenseCase& c, CutKind kind) {
  return (c.K - 1) / 2.0 * (kind == CutKind::ratio ? c.A.sum() / c.N : 1);
}

inline double dense_objective(const DenseCase& c, const Labels& labels, CutKind kind, double mu) {
  const double scale = dense_scale(c, kind);
  return (scale > 0 ? dense_cut(c, labels, kind) / scale : 0) -
         mu * dense_balances(c, labels).mean();
}

/// Calls visit(labels) for every labelling without an empty cluster.
template <typename Visit>
void for_every_labelling(int N, int K, const Visit& visit) {
  Labels labels(static_cast<std::size_t>(N), 0);
  for (;;) {
    std::vector<int> sizes(static_cast<std::size_t>(K), 0);
    for (const Label label : labels) ++sizes[static_cast<std::size_t>(label)];
    if (*std::min_element(sizes.begin(), sizes.end()) > 0) visit(labels);
    std::size_t i = 0;
    while (i < labels.size() && labels[i] == K - 1) labels[i++] = 0;
    if (i == labels.size()) return;
    ++labels[i];
  }
}

}  // namespace repsc
