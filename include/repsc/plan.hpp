// The policy: which method, constraint, solver and refinement run, and why. Decided once, here,
// from the input and the options; all other code only carries it out.
//
//   const repsc::Plan chosen = repsc::plan({G, R}, 5, {.strength = 3});
//   std::cout << describe(chosen);   // a line per decision, with its reason
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "repsc/eigensolver.hpp"
#include "repsc/refine.hpp"

namespace repsc {

enum class Method {
  usc,      ///< Algorithm 1: plain, unnormalized
  nsc,      ///< Algorithm 3: plain, normalized
  urepsc,   ///< Algorithm 2: representation-aware, unnormalized
  nrepsc,   ///< Algorithm 4: representation-aware, normalized
  ufairsc,  ///< Kleindessner et al. 2019: fair to groups, unnormalized
  nfairsc,  ///< the same, normalized
};

[[nodiscard]] std::string name(Method method);
/// "usc", ...; throws InvalidOptions that lists the names.
[[nodiscard]] Method method_by_name(const std::string& name);
[[nodiscard]] const std::vector<Method>& all_methods();
[[nodiscard]] bool is_normalized(Method method);
/// Plain spectral clustering: usc and nsc.
[[nodiscard]] bool is_plain(Method method);
/// Constrained by a representation graph: urepsc and nrepsc.
[[nodiscard]] bool is_representation_aware(Method method);
/// Constrained by groups: ufairsc and nfairsc.
[[nodiscard]] bool is_fair_to_groups(Method method);
/// The cut that a method lowers: the ratio cut for usc, urepsc and ufairsc, else the normalized
/// cut.
[[nodiscard]] CutKind cut_of(Method method);

/// The part of R that a hard constraint uses: all of it, or its best approximation of rank r.
struct Rank {
  std::optional<Index> value = {};  ///< r; none: all of it

  [[nodiscard]] static Rank exact() { return {}; }
  [[nodiscard]] static Rank of(Index r) { return {r}; }
  [[nodiscard]] bool operator==(const Rank&) const = default;
};

/// How R constrains urepsc and nrepsc.
enum class ConstraintKind {
  hard,  ///< R J H = 0, or the same for an approximation of R: the paper's
  soft,  ///< deviations from R J H = 0 are penalized: the lowest eigenvectors of L + strength C
};

/// The rows of the eigenvectors that k-means clusters: those of H, or of T for the normalized
/// methods.
enum class EmbeddingRows {
  plain,  ///< its rows: Algorithms 1, 2 and 4 (nsc: D^-1/2 H, as nrepsc without a constraint)
  unit,   ///< its rows scaled to length 1: Algorithm 3
};

/// Options of a clustering. An empty std::optional leaves the choice to plan().
struct ClusterOptions {
  std::optional<Method> method = {};
  std::optional<Rank> rank = {};                  ///< urepsc, nrepsc with a hard constraint
  std::optional<ConstraintKind> constraint = {};  ///< urepsc, nrepsc
  /// Strength of a soft constraint, at least 0 (plain clustering); implies ConstraintKind::soft.
  /// See Laplacian::penalized.
  std::optional<double> strength = {};
  std::optional<EmbeddingRows> embedding_rows = {};
  /// Whether the labels of k-means are refined (repsc/refine.hpp), which needs R.
  std::optional<bool> refine = {};
  /// Of the refinement. Its cut, seed and progress are those of the method and of these options.
  std::optional<RefineOptions> refinement = {};
  /// If method and constraint are left to the library: at least this much structure (s, see
  /// repsc/baselines.hpp), then as fair as possible.
  std::optional<double> keep_structure = {};
  /// The same: at least this much fairness (f), then as much structure as possible.
  std::optional<double> fairness = {};
  std::optional<int> num_groups = {};  ///< ufairsc, nfairsc with R: groups to find in R
  std::optional<Solver> solver = {};
  /// Largest residual of an eigenvector, relative to ||L||, in (0, 1).
  std::optional<double> tolerance = {};
  int max_iterations = 1000;  ///< of the eigensolver: products with a block
  int kmeans_restarts = 10;
  /// nsc, nrepsc, nfairsc: tau, see Laplacian. None: the average degree.
  std::optional<double> regularization = 0.0;
  std::uint64_t seed = 0;  ///< same seed, same labels, on any number of threads
  std::optional<std::int64_t> memory_limit = {};  ///< bytes of constraint and solver
  ProgressFn progress = {};
  /// What was found by then is returned, and marked. Labels then depend on the speed of the
  /// machine.
  Deadline deadline = {};
  /// Where the eigensolver and k-means run. None: on a CUDA device if there is one and G is large.
  std::optional<DeviceChoice> device = {};
  /// Whether Clustering::embedding is needed. If not, it may be left out where that saves time: the
  /// rows then stay in the memory of the device that computed them.
  bool keep_embedding = true;
};

/// The input of a clustering.
struct ClusterInput {
  Graph similarity;
  std::optional<Graph> representation = {};  ///< the same nodes in the same order
  std::optional<Labels> groups = {};         ///< protected groups: labels from 0, none empty
};

/// The same without the data: which inputs are given besides a similarity graph.
struct InputKinds {
  bool representation = false;
  bool groups = false;
};

/// Where the constraint comes from.
enum class ConstraintSource {
  none,
  given_groups,
  found_groups,  ///< groups found in R by plain spectral clustering of R
  exact,         ///< R itself
  low_rank,      ///< the best approximation of R of some rank
  soft,          ///< a penalty on deviations from R
};

struct ConstraintPlan {
  ConstraintSource source = ConstraintSource::none;
  Index rank = 0;       ///< of low_rank, or of low_rank as the alternative
  double strength = 0;  ///< of soft, or of soft as the alternative
  int num_groups = 0;   ///< of found_groups
  /// exact only: the alternative if R leaves fewer than K dimensions, which the decomposition of R
  /// shows. None: that is an error.
  std::optional<ConstraintSource> otherwise = {};
};

/// What a search among candidates looks for. The candidates are plain clustering, the exact
/// constraint where it can be satisfied and soft constraints of several strengths, each of them
/// refined at several mu.
enum class Goal {
  bargain,    ///< the largest s min(f, 1): the fair bargain
  structure,  ///< the largest balance with s of at least the level
  fairness,   ///< the largest s with f of at least the level
  objective,  ///< the lowest objective of refinement at the mu that was given
};

struct SearchPlan {
  Goal goal = Goal::bargain;
  double level = 0;               ///< of structure and fairness
  std::vector<double> strengths;  ///< of the soft constraints
  std::vector<Index> ranks = {};  ///< of the hard constraints of low rank
  /// Of a further candidate, if the others are worth little: plain clusters of sparse graphs are
  /// often a few nodes each, which no refinement makes fair.
  double regularization = 0;
  /// Whether embeddings are also rounded to clusters with equal shares of the groups, or of equal
  /// size, from which refinement wins structure.
  bool equal_shares = false;
  bool exact = false;  ///< whether the exact constraint is a candidate, if the decomposition of R
                       ///< shows that it can be satisfied
};

/// One decision and its reason.
struct Decision {
  std::string what;    ///< "method", "constraint", ...
  std::string choice;  ///< "nrepsc", "exact, otherwise soft of strength 1"
  std::string reason;
};

/// Everything that was decided. `options` says how it is carried out (seed, limits, progress); what
/// it leaves to the library is decided in the other fields.
struct Plan {
  int num_clusters = 0;
  Method method = Method::nsc;
  CutKind cut = CutKind::normalized;
  ConstraintPlan constraint;
  EmbeddingRows embedding_rows = EmbeddingRows::plain;
  EmbeddingRows settling_rows = EmbeddingRows::plain;  ///< whose labels have to settle
  double tolerance = 1e-8;
  bool until_labels_settle = false;  ///< the eigensolver may stop before the tolerance is met
  /// Above 0: the eigensolver starts from vectors of one in this many edges; 0: random ones.
  int sampled_start = 0;
  double regularization = 0;
  bool better_rows = false;  ///< both scalings of the rows are tried; that of the lower cut is kept
  bool lowers_cut = false;   ///< plain clusters: single moves follow k-means and lower the cut
  /// A search among candidates, in place of one method; `constraint` then has no effect.
  std::optional<SearchPlan> search = {};
  bool refines = false;
  RefineOptions refine = {};                ///< complete: with cut, seed and progress
  std::shared_ptr<CudaDevice> device = {};  ///< of the eigensolver and k-means; none: the CPU
  /// Bytes of it that G may take; what is beyond them is copied for each product.
  std::int64_t device_room = std::numeric_limits<std::int64_t>::max();
  ClusterOptions options;            ///< as given
  std::vector<std::string> ignored;  ///< options and inputs that were given and have no effect
  std::vector<Decision> decisions;
};

/// Decides. Pure: looks at sizes and at whether R is a union of cliques, decomposes nothing. Throws
/// InvalidOptions if options contradict each other or the input, InvalidInput if they do not fit
/// the graphs.
[[nodiscard]] Plan plan(const ClusterInput& input, int num_clusters,
                        const ClusterOptions& options = {});

/// The plan with another constraint, and the settings that depend on it. Used when the
/// decomposition of R has shown which of two alternatives runs.
[[nodiscard]] Plan with_constraint(Plan plan, const ConstraintPlan& constraint);

/// The part of plan() that needs no graph: which method runs. Throws InvalidOptions as plan() does.
[[nodiscard]] Method choose_method(const InputKinds& given, const ClusterOptions& options);

/// The method of a path over ranks and strengths: urepsc or nrepsc, whichever is named.
[[nodiscard]] Method choose_path_method(const ClusterOptions& options);

/// The cut that a search for a target lowers; the method names the family. Throws InvalidOptions
/// for options that the search chooses by itself.
[[nodiscard]] CutKind choose_target_cut(const InputKinds& given, const ClusterOptions& options);

/// A line per decision: what, choice and reason.
[[nodiscard]] std::string describe(const Plan& plan);

/// The residual that counts as converged, settled labels aside: the tolerance that was given, else
/// 1e-8 up to 2000 nodes and 1e-6 above.
[[nodiscard]] double tolerance_for(Index num_nodes, const ClusterOptions& options);

/// The rank of a hard constraint if none is given and R is not used exactly: N/10, the paper's
/// own choice (Section 5), at most 128 above 5000 nodes, at most N - K.
[[nodiscard]] Index automatic_rank(Index num_nodes, int num_clusters);

/// Plan::sampled_start of nsc, and of nfairsc with groups that are given, on the CPU, if no solver
/// is named: 8 from 2^22 nodes on if they have 32 neighbours on average, else 0.
[[nodiscard]] int automatic_sample(Index num_nodes, Offset num_entries);

}  // namespace repsc
