// The work that methods on the same graphs share: one decomposition of R serves every rank, one of
// its Laplacian every number of groups.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "experiments/experiment.hpp"
#include "repsc/constraint.hpp"
#include "repsc/graph.hpp"
#include "repsc/operators.hpp"

namespace repsc::experiments {

/// A representation graph with what was computed about it so far. `max_rank` and `max_groups` are
/// the largest that will be asked for.
class RepresentationWork {
 public:
  RepresentationWork(Graph R, std::uint64_t seed, Index max_rank, int max_groups);
  /// Those of the settings.
  RepresentationWork(const Graph& R, std::uint64_t seed, std::span<const Setting> settings);

  [[nodiscard]] const Graph& graph() const { return R_; }
  /// The leading max_rank eigenpairs of R; "exact" methods need all.
  [[nodiscard]] std::shared_ptr<const RepresentationSpectrum> spectrum();
  /// P groups by plain spectral clustering of R, as the paper makes them (Section 5).
  [[nodiscard]] const Labels& groups(bool normalized, int P);

  [[nodiscard]] double spectrum_seconds() const { return spectrum_seconds_; }
  [[nodiscard]] double groups_seconds(bool normalized) const {
    return vectors_seconds_[normalized];
  }
  /// How many decompositions were made: at most three.
  [[nodiscard]] int num_decompositions() const { return num_decompositions_; }

 private:
  [[nodiscard]] const Matrix& laplacian_vectors(bool normalized);

  Graph R_;
  std::uint64_t seed_;
  Index max_rank_;
  int max_groups_;
  std::shared_ptr<const RepresentationSpectrum> spectrum_;
  std::optional<Matrix> vectors_[2];
  std::map<std::pair<bool, int>, Labels> groups_;
  double spectrum_seconds_ = 0;
  double vectors_seconds_[2] = {0, 0};
  int num_decompositions_ = 0;
};

/// A similarity graph with both of its Laplacians, and the true clusters where they are known.
class SimilarityWork {
 public:
  SimilarityWork(Graph G, Labels truth) : G_(std::move(G)), truth_(std::move(truth)) {}
  [[nodiscard]] const Graph& graph() const { return G_; }
  [[nodiscard]] const Labels& truth() const { return truth_; }
  [[nodiscard]] const Laplacian& laplacian(bool normalized);

 private:
  Graph G_;
  Labels truth_;  // empty: not known
  std::optional<Laplacian> laplacians_[2];
};

/// Runs the method of `setting`: SC, FairSC on groups found in R, RepSC at a rank, exact, soft, or
/// soft and refined. Where the method cannot answer (too few dimensions left), the metrics are NaN
/// and `converged` is false.
[[nodiscard]] Outcome run_method(const Setting& setting, SimilarityWork& G, RepresentationWork& R);

}  // namespace repsc::experiments
