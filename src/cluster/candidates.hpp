// A search among candidates: plain clustering, the exact constraint, soft constraints, each of them
// refined.
#pragma once

#include <string>
#include <vector>

#include "repsc/cluster.hpp"

namespace repsc {

/// A clustering that is a candidate itself and that refinements start from.
struct Start {
  std::string name;
  Clustering clustering;
  bool even = false;  ///< as fair as sizes and shares of groups can be: refinement gives structure
};

/// Plain normalized clustering; with both scalings of the rows if the plan says so, the one of the
/// lower cut first.
struct PlainStarts {
  std::vector<Start> starts;
  Matrix vectors;  ///< the eigenvectors without the first, if the rows are as they are
};
[[nodiscard]] PlainStarts plain_starts(Pipeline& data, const Plan& plan);

/// The same search or method with plain clustering in its place.
[[nodiscard]] Plan plain_plan(const Plan& plan);

/// The exact constraint, if the plan allows it and it can be satisfied.
[[nodiscard]] std::vector<Start> exact_starts(Pipeline& data, const Plan& plan);

/// The constraints of low rank of the plan.
[[nodiscard]] std::vector<Start> rank_starts(Pipeline& data, const Plan& plan);

/// The soft constraints of the plan. `vectors` are those of plain clustering, if known.
[[nodiscard]] std::vector<Start> soft_starts(Pipeline& data, const Plan& plan, Matrix vectors);

/// The strongest constraint of the plan on the regularized graph.
[[nodiscard]] std::vector<Start> regularized_starts(Pipeline& data, const Plan& plan);

/// The embeddings of the given starts, rounded to clusters with equal shares of the groups or, if R
/// is a graph, of equal size.
[[nodiscard]] std::vector<Start> even_starts(Pipeline& data, const Plan& plan,
                                             const std::vector<Start>& of);

/// `found`, or the same with rows of length 1, whichever has the lower normalized cut; with other
/// roundings and moves if the plan says so.
struct BetterRows {
  Clustering clustering;
  double kmeans_cut = 0;  ///< the lower one of k-means alone
};
[[nodiscard]] BetterRows better_rows(Clustering found, const Graph& similarity, const Plan& plan);

/// The candidate that the plan's search seeks.
[[nodiscard]] Clustering search_candidates(Pipeline& data, const Plan& plan);

}  // namespace repsc
