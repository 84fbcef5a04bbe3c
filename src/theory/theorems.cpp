// The conditions and bounds of Theorems 4.1 and 4.2.
#include <algorithm>
#include <cmath>

#include "repsc/theory.hpp"

namespace repsc {
namespace {

void require_parameters(const RppModel& model, const TheoremParameters& parameters) {
  constexpr double most_nodes = 1e18;  // beyond, squares of eigengaps lose their meaning
  require_option(model.num_nodes >= 2 && model.num_nodes <= most_nodes, "num_nodes",
                 model.num_nodes, "it must be from 2 to ", most_nodes);
  require_option(model.p > 0, "p", model.p, "it must be above 0, or the graph has no edges");
  require_option(std::isfinite(parameters.C) && parameters.C > 0, "C", parameters.C,
                 "it must be a number above 0");
  require_option(std::isfinite(parameters.alpha) && parameters.alpha > 0, "alpha", parameters.alpha,
                 "it must be a number above 0");
  require_option(std::isfinite(parameters.epsilon) && parameters.epsilon > 0, "epsilon",
                 parameters.epsilon, "it must be a number above 0");
}

UnnormalizedTheorem unnormalized_theorem(const RppModel& model, double epsilon, double gamma) {
  const double noise = (2 + epsilon) * model.p * model.num_nodes * std::log(model.num_nodes);
  return {.gamma = gamma,
          .largest_constant = gamma * gamma / (noise * model.num_clusters),
          .bound = noise / (gamma * gamma)};
}

NormalizedTheorem normalized_theorem(const RppModel& model, const TheoremParameters& parameters,
                                     double gamma) {
  const double N = model.num_nodes;
  const double K = model.num_clusters;
  const double degree = expected_eigenvalues(model).lambda_1 - model.p;
  const double x = std::sqrt(model.p * N * std::log(N)) / degree;
  // [8 const_3 sqrt(K) / gamma + const_1] for both constants 1.
  const double bracket = 8 * std::sqrt(K) / gamma + 1;
  const double factor = 16 * (2 + parameters.epsilon);
  return {.gamma = gamma,
          .x = x,
          .first = x * (x + 1 / (6 * std::sqrt(parameters.C))),
          .first_limit = 1 / (16 * (parameters.alpha + 1)),
          // Condition 3 divided by N: factor const^2 bracket^2 x^2 < 1 / K.
          .largest_constant = 1 / (bracket * x * std::sqrt(factor * K)),
          .bound = 2 * factor * bracket * bracket * x * x};
}

}  // namespace

Theorems theorems(const RppModel& model, const TheoremParameters& parameters,
                  double unnormalized_gamma, double normalized_gamma) {
  require_parameters(model, parameters);
  const double N = model.num_nodes;
  const double largest_C = model.p * N / std::log(N);
  return {.largest_C = largest_C,
          .dense_enough = parameters.C <= largest_C,
          .probability = std::max(0.0, 1 - 2 * std::pow(N, -parameters.alpha)),
          .random_error = 2 * (1 - 1 / model.num_clusters),
          .unnormalized = unnormalized_theorem(model, parameters.epsilon, unnormalized_gamma),
          .normalized = normalized_theorem(model, parameters, normalized_gamma)};
}

Theorems theorems(const RppModel& model, const TheoremParameters& parameters) {
  require_parameters(model, parameters);
  return theorems(model, parameters, eigengap_bounds(model, false).lower,
                  eigengap_bounds(model, true).lower);
}

Matrix expected_eigenvectors(const Labels& clusters, int num_clusters) {
  const int K = num_clusters;
  require_option(K >= 1, "num_clusters", K, "it must be at least 1");
  const auto N = static_cast<Index>(clusters.size());
  std::vector<Index> sizes(static_cast<std::size_t>(K));
  for (const Label label : clusters) {
    require(0 <= label && label < K, "the label ", label, " is not one of 0 to ", K - 1);
    ++sizes[static_cast<std::size_t>(label)];
  }
  const bool equal =
      std::all_of(sizes.begin(), sizes.end(), [&](Index size) { return size == sizes.front(); });
  require(equal && N > 0, "Lemma D.3 is about clusters of equal size");
  const double size = static_cast<double>(N) / K;
  Matrix Y = Matrix::Zero(N, K);
  Y.col(0).setConstant(1 / std::sqrt(static_cast<double>(N)));
  for (int k = 1; k < K; ++k) {
    const double scale = std::sqrt(size * (K - k) * (K - k + 1));
    for (Index i = 0; i < N; ++i) {
      const Label label = clusters[static_cast<std::size_t>(i)];
      if (label < k - 1) continue;
      Y(i, k) = (label == k - 1 ? K - k : -1) / scale;
    }
  }
  return Y;
}

}  // namespace repsc
