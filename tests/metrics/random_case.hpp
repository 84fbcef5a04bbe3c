// A random clustering problem for the tests of metrics: dense matrices, and the same as graphs.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "core/random.hpp"
#include "repsc/metrics.hpp"
#include "support/samples.hpp"

namespace repsc {

struct RandomCase {
  int N = 0;
  int K = 0;
  Labels labels;
  Labels groups;
  Matrix A;  ///< similarity: symmetric, weights >= 0, zero diagonal
  Matrix R;  ///< representation: symmetric, self-loops here and there
};

inline Labels random_labels(int count, int values, RandomStream& random) {
  Labels labels(static_cast<std::size_t>(count));
  for (Label& label : labels) {
    label = static_cast<Label>(random.below(static_cast<std::uint64_t>(values)));
  }
  return labels;
}

inline Matrix random_symmetric(int N, double density, bool weighted, bool loops,
                               RandomStream& random) {
  Matrix M = Matrix::Zero(N, N);
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j <= (loops ? i : i - 1); ++j) {
      if (random.uniform() < density) M(i, j) = M(j, i) = weighted ? 0.1 + random.uniform() : 1.0;
    }
  }
  return M;
}

inline RandomCase random_case(bool weighted, std::uint64_t seed, int most_nodes = 12) {
  RandomStream random(seed);
  RandomCase c;
  c.N = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most_nodes)));
  c.K = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(std::min(c.N, 4))));
  c.labels = random_labels(c.N, c.K, random);
  c.groups = random_labels(c.N, 1 + static_cast<int>(random.below(4)), random);
  c.A = random_symmetric(c.N, 0.5, weighted, false, random);
  c.R = random_symmetric(c.N, 0.6, weighted, true, random);
  return c;
}

inline std::vector<double> sizes_of(const Labels& labels, int K) {
  std::vector<double> sizes(static_cast<std::size_t>(K), 0.0);
  for (const Label label : labels) sizes[static_cast<std::size_t>(label)] += 1;
  return sizes;
}

/// H_ij = 1/sqrt|C_j| for node i in cluster j, else 0 (the paper's membership matrix).
inline Matrix membership(const Labels& labels, int K) {
  const std::vector<double> sizes = sizes_of(labels, K);
  Matrix H = Matrix::Zero(static_cast<Eigen::Index>(labels.size()), K);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    H(static_cast<Eigen::Index>(i), labels[i]) =
        1 / std::sqrt(sizes[static_cast<std::size_t>(labels[i])]);
  }
  return H;
}

}  // namespace repsc
