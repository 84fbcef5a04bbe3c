// From eigenvectors to the points of k-means, where the vectors are in the memory of a device: only
// the points come back.
#pragma once

#include "cluster/steps.hpp"

namespace repsc {

/// Whether the steps below can follow eigenvectors of L within this constraint: there is no
/// penalty, and at most a constraint by groups.
[[nodiscard]] bool embeds_on_device(const Laplacian& L, const Constraint& constraint);

/// Turns result.pairs.on_device into points, copies them to result.rows if somebody needs them
/// there, and measures how well they satisfy the constraint. Warns of vectors that describe a few
/// nodes only.
void embed_on_device(const Laplacian& L, const Constraint& constraint, const Plan& plan,
                     SpectralEmbedding& result);

}  // namespace repsc
