// The lowest part of a spectrum: one eigenproblem, of which every K uses the leading columns.
#pragma once

#include "repsc/choose_k.hpp"

namespace repsc {

/// Of the soft constraint. Weak, so that the noise of R does not hide the clusters.
inline constexpr double choice_strength = 0.01;

struct LowSpectrum {
  Vector values;     ///< ascending
  Matrix rows;       ///< T = D^-1/2 X, one row per node
  double error = 0;  ///< of a value, at most
  bool out_of_time = false;
};

/// The `count` lowest eigenvectors of the normalized Laplacian of data.similarity(): plain (none),
/// within the exact constraint, or with the penalty of the soft one.
[[nodiscard]] LowSpectrum low_spectrum(Pipeline& data, ConstraintSource constraint, Index count,
                                       const ChooseKOptions& options);

/// The graph with every weight times a random factor, uniform between 0 and 2. That is about as
/// much noise as leaving out every fourth edge, but no node loses all its edges and no component
/// falls apart.
[[nodiscard]] Graph perturbed(const Graph& graph, std::uint64_t seed);

}  // namespace repsc
