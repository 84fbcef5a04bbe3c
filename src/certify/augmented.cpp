// A penalized Laplacian in a sparse form.
#include "certify/augmented.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "operators/upper_triangle.hpp"

namespace repsc {
namespace {

bool has_penalty(const Laplacian& M) {
  return M.penalty() != nullptr && M.strength() > 0 && M.penalty()->tau() > 0;
}

/// One set of representatives: all nodes with this row of R.
struct SetWeights {
  Vector sums;     ///< r, the sum of the row
  Vector weights;  ///< (number of nodes / r)^1/2, the rows of W that they share
};

SetWeights weights_of(const Representation& R) {
  const Index Q = R.num_sets();
  SetWeights result{Vector(Q), Vector(Q)};
  if (R.by_groups()) {
    for (Index k = 0; k < Q; ++k) result.sums[k] = R.set_size(k);
  } else {
    result.sums = R.sums();
  }
  for (Index k = 0; k < Q; ++k) {
    const double sum = result.sums[k];
    result.weights[k] = sum > 0 ? std::sqrt(R.num_sharing(k) / sum) : 0;
  }
  return result;
}

/// Adds the columns of B_0, and -gamma below them.
void append_sets(const Laplacian& M, const Vector& weights, double gamma, SparseColumns& upper) {
  const Representation& R = M.penalty()->representation();
  std::int64_t end = upper.starts.back();
  upper.starts.reserve(upper.starts.size() + static_cast<std::size_t>(R.num_sets()));
  std::vector<std::size_t> next;
  next.reserve(static_cast<std::size_t>(R.num_sets()));
  for (Index k = 0; k < R.num_sets(); ++k) {
    next.push_back(static_cast<std::size_t>(end));
    end += R.set_size(k) + 1;
    upper.starts.push_back(end);
  }
  upper.rows.resize(static_cast<std::size_t>(end));
  upper.values.resize(upper.rows.size(), -gamma);
  for (Index j = 0; j < M.num_nodes(); ++j) {
    const auto sets = R.sets_with(j);
    const auto links = R.by_groups() ? std::span<const double>() : R.graph().weights(j);
    for (std::size_t e = 0; e < sets.size(); ++e) {
      const Index k = sets[e];
      const std::size_t at = next[static_cast<std::size_t>(k)]++;
      const double scale = M.scale().size() > 0 ? M.scale()[j] : 1;
      upper.rows[at] = j;
      upper.values[at] = scale * (links.empty() ? 1 : links[e]) * weights[k];
    }
  }
  for (Index k = 0; k < R.num_sets(); ++k) {
    upper.rows[next[static_cast<std::size_t>(k)]] = M.num_nodes() + k;
  }
}

}  // namespace

double augmented_density(const Laplacian& M) {
  double entries = static_cast<double>(M.graph().num_edges()) + M.num_nodes();
  double rows = M.num_nodes();
  if (has_penalty(M)) {
    const Representation& R = M.penalty()->representation();
    entries += static_cast<double>(R.num_entries()) + R.num_sets();
    rows += R.num_sets();
  }
  return entries / rows;
}

AugmentedLaplacian augmented(const Laplacian& M) {
  AugmentedLaplacian result{.num_nodes = M.num_nodes(), .upper = upper_triangle(M, 0)};
  if (!has_penalty(M)) return result;
  const Index N = M.num_nodes();
  const Representation& R = M.penalty()->representation();
  result.num_sets = R.num_sets();
  result.gamma = M.normalization() == Normalization::none ? M.degrees().maxCoeff() : 1;
  const double factor = std::sqrt(result.gamma * M.strength() * M.penalty()->tau());
  const SetWeights sets = weights_of(R);
  append_sets(M, factor * sets.weights, result.gamma, result.upper);
  result.u = Vector::Zero(N + result.num_sets);
  result.v = Vector::Zero(N + result.num_sets);
  result.u.head(N) = M.scale().size() > 0 ? M.scale() : Vector(Vector::Ones(N));
  result.v.tail(result.num_sets) = factor / N * sets.weights.cwiseProduct(sets.sums);
  return result;
}

}  // namespace repsc
