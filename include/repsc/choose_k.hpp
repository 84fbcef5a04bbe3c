// How many clusters? Three signs for every number K: the eigengap, the cut against that of lots,
// and the stability of the labels; and a recommendation, or none (docs/methods.md, "How many
// clusters?").
//
//   const repsc::ClusterCount found = repsc::choose_k({similarity});
//   if (found.recommended) repsc::cluster(similarity, *found.recommended);
//   else std::cerr << found.reason;
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repsc/cluster.hpp"

namespace repsc {

struct ChooseKOptions {
  int from = 2;            ///< at least 2
  int to = 20;             ///< at least `from`; no more than N - 1 are tried
  std::uint64_t seed = 0;  ///< same seed, same answer, on any number of threads
  std::optional<std::int64_t> memory_limit = {};  ///< bytes of constraint and solver
  ProgressFn progress = {};
  Deadline deadline = {};  ///< what is not known by then is missing, and nothing is recommended
};

/// The signs of one K in one spectrum of the normalized Laplacian: the plain or the constrained
/// one.
struct KSigns {
  double eigenvalue = 0;  ///< number K
  double eigengap = 0;    ///< eigenvalue K + 1 minus eigenvalue K
  /// The gap divided by the largest of the gaps behind it, as far as the spectrum is known. 0 if
  /// the gap is not above the error of the eigenvalues, or if fewer than two gaps are known behind
  /// it.
  double gap_ratio = 0;
  double cut = 0;    ///< normalized, of k-means on K columns, the better of both row scalings
  double z = 0;      ///< (c_random - cut) / spread of lots
  double share = 0;  ///< (c_random - cut) / c_random
  Index smallest_cluster = 0;  ///< its nodes
  /// Mean adjusted Rand index of the labels with those of perturbed graphs. None if another
  /// spectrum decides, or if the deadline came first.
  std::optional<double> stability = {};
};

struct KRow {
  int num_clusters = 0;
  Lots random = {};  ///< without balance
  KSigns plain = {};
  std::optional<KSigns> constrained = {};  ///< with R or groups
  bool clear = false;  ///< every sign of the deciding spectrum speaks for this K

  /// Those that decide: constrained with R or groups, else plain.
  [[nodiscard]] const KSigns& deciding() const { return constrained ? *constrained : plain; }
};

struct ClusterCount {
  std::vector<KRow> rows = {};                           ///< ascending K
  std::optional<int> recommended = {};                   ///< none: no clear K
  std::string reason = {};                               ///< a sentence
  std::vector<int> candidates = {};                      ///< at most three, the best first
  Index num_components = 1;                              ///< of the similarity graph
  ConstraintSource constraint = ConstraintSource::none;  ///< none, exact or soft
  double strength = 0;                                   ///< of a soft constraint
  bool out_of_time = false;                              ///< the deadline ended it
};

/// The signs of every K of the range, and what they say. Throws InvalidInput if a node of G is
/// isolated, if G has fewer than four nodes, or for a range that has no K below N.
[[nodiscard]] ClusterCount choose_k(const ClusterInput& input, const ChooseKOptions& options = {});

}  // namespace repsc
