// Representation-aware spectral clustering: the one call most users need.
//
//   const repsc::Clustering result = repsc::cluster(similarity, representation, 5);
//   result.labels[i];      // the cluster of node i
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repsc/eigensolver.hpp"
#include "repsc/graph.hpp"
#include "repsc/refine.hpp"

namespace repsc {

enum class Method {
  /// nsc without fairness input, nfairsc with groups, nrepsc with R. With R the constraint is exact
  /// if that is possible and cheap, else soft with strength 1, followed by refinement. If less than
  /// half of the dimensions satisfy the constraint exactly and the clusters are not balanced, both
  /// run and the better result is returned (docs/beyond.md).
  automatic,
  usc,      ///< Algorithm 1: plain, unnormalized
  nsc,      ///< Algorithm 3: plain, normalized
  urepsc,   ///< Algorithm 2: representation-aware, unnormalized
  nrepsc,   ///< Algorithm 4: representation-aware, normalized
  ufairsc,  ///< Kleindessner et al. 2019: fair to groups, unnormalized
  nfairsc,  ///< the same, normalized
};

[[nodiscard]] std::string name(Method method);
/// "auto", "usc", ...; throws InvalidInput that lists the names.
[[nodiscard]] Method method_by_name(const std::string& name);
[[nodiscard]] bool is_normalized(Method method);

/// The part of R that the constraint uses: all of it, or its best approximation of rank r.
struct Rank {
  enum class Kind { automatic, exact, given } kind = Kind::automatic;
  Index value = 0;  ///< for Kind::given

  [[nodiscard]] static Rank exact() { return {Kind::exact, 0}; }
  [[nodiscard]] static Rank of(Index r) { return {Kind::given, r}; }
};

/// Kind of the constraint of urepsc and nrepsc.
enum class ConstraintKind {
  automatic,  ///< hard if a rank is given or the exact constraint is possible and cheap, else soft
  hard,       ///< R J H = 0, or the same for an approximation of R: the paper's constraint
  soft,       ///< deviations from R J H = 0 are penalized: eigenvectors of L + strength C
};

/// The rows that k-means clusters: those of H, or of T for the normalized methods.
enum class EmbeddingRows {
  automatic,  ///< unit for nsc and for soft constraints, plain for all else
  plain,  ///< as they are: Algorithms 1, 2 and 4 (nsc: D^-1/2 H, as nrepsc without a constraint)
  unit,   ///< scaled to length 1: Algorithm 3
};

/// Whether the labels of k-means are refined (repsc/refine.hpp), which needs R.
enum class Refining {
  automatic,  ///< yes if Method::automatic chose to try a soft constraint
  no,
  yes,
};

inline constexpr double automatic_regularization = -1;

struct ClusterOptions {
  Method method = Method::automatic;
  Rank rank = {};                                         ///< urepsc, nrepsc; see automatic_rank()
  ConstraintKind constraint = ConstraintKind::automatic;  ///< urepsc, nrepsc
  double strength = 1;  ///< of a soft constraint; 0 is plain clustering; see Laplacian::penalized
  EmbeddingRows embedding_rows = EmbeddingRows::automatic;
  Refining refine = Refining::automatic;
  /// Of refinement. Its seed and progress are those below, its cut the one that the method lowers:
  /// the ratio cut for usc, urepsc and ufairsc, else the normalized cut.
  RefineOptions refinement = {};
  int num_groups = 0;  ///< ufairsc, nfairsc with R: groups to find in R; 0: K
  Solver solver = solver::Auto{};
  /// Largest residual of an eigenvector, relative to ||L||. 0: automatic, which is 1e-8 up to 2000
  /// nodes; above, the iteration ends when the labels have settled (docs/solvers.md).
  double tolerance = 0;
  int max_iterations = 1000;  ///< of the eigensolver: products with a block
  int kmeans_restarts = 10;
  /// nsc, nrepsc, nfairsc: tau, see Laplacian; automatic_regularization: the average degree.
  double regularization = 0;
  std::uint64_t seed = 0;         ///< same seed, same labels, on any number of threads
  std::int64_t memory_limit = 0;  ///< of constraint and solver, in bytes; 0: 80 % of free memory
  ProgressFn progress = {};
};

struct StageSeconds {
  double constraint = 0;
  double eigen = 0;
  double kmeans = 0;
  double refine = 0;
};

struct Clustering {
  Labels labels;  ///< labels[i] in [0, num_clusters) for node i
  int num_clusters = 0;
  Method method = Method::automatic;  ///< the one that ran
  Matrix embedding;                   ///< row i is the point of node i that k-means clustered
  Vector eigenvalues;                 ///< ascending
  double inertia = 0;                 ///< k-means objective at the returned labels
  bool converged = false;             ///< the residual met `tolerance`, or the labels settled
  bool settled = false;               ///< the labels settled before the residual did
  double residual = 0;                ///< see Eigenpairs::residual
  Index constraint_rank = 0;          ///< dimensions that the constraint removes
  /// See Constraint::residual. Soft: ||WRJH||_F / ||WR||_F, see RepresentationPenalty; H = T for
  /// nrepsc, scaled to T'DT = mean(D) I, which is length 1 where all degrees are equal.
  double constraint_residual = 0;
  std::optional<double> strength;  ///< of the soft constraint, where there was one
  int iterations = 0;
  std::string solver;  ///< the one that ran
  Labels groups;       ///< ufairsc, nfairsc: the groups used
  /// If the labels were refined; it contains the refined labels, too.
  std::optional<Refinement> refinement = {};
  Labels before_refinement = {};  ///< if the labels were refined: the labels of k-means
  StageSeconds seconds;
};

/// Plain spectral clustering: usc or nsc.
[[nodiscard]] Clustering cluster(const Graph& similarity, int num_clusters,
                                 const ClusterOptions& options = {});

/// Splits the nodes of `similarity` into clusters over which every node's neighbours in
/// `representation` are spread in proportion to cluster size. Both graphs share their node
/// numbering. Throws InvalidInput if the constraint leaves fewer than `num_clusters` dimensions.
[[nodiscard]] Clustering cluster(const Graph& similarity, const Graph& representation,
                                 int num_clusters, const ClusterOptions& options = {});

/// The same with protected groups: labels from 0, none empty.
[[nodiscard]] Clustering cluster(const Graph& similarity, const Labels& groups, int num_clusters,
                                 const ClusterOptions& options = {});

/// One point of a path and its clustering.
struct PathStep {
  Index rank = 0;                 ///< 0: a soft constraint, of clustering.strength
  Clustering clustering;          ///< seconds.constraint excludes the work that all steps share
  std::optional<double> mu = {};  ///< of the refinement of the labels, if there was one
  double refine_seconds = 0;
};

struct RankPath {
  std::vector<PathStep> steps;  ///< ascending ranks, then ascending strengths, each once
  double decomposition_seconds = 0;
};

/// The points of a path, in any order: ranks from 1 to N - K, strengths of the soft constraint from
/// 0.
struct PathPoints {
  std::vector<Index> ranks = {};
  std::vector<double> strengths = {};
};

/// urepsc or nrepsc (automatic: nrepsc) at each of the points; options.rank, constraint, strength
/// and refine are ignored. All ranks share one decomposition of R and one Gram matrix, those of the
/// largest rank; all strengths share one penalty; each step starts from the eigenvectors of the
/// step before. Every step gives the result of cluster() at that point, up to the tolerance. If a
/// rank separates two eigenvalues of R of equal size, the best approximation is not unique, and
/// path() and cluster() may use different ones.
[[nodiscard]] RankPath path(const Graph& similarity, const Graph& representation, int num_clusters,
                            PathPoints points, const ClusterOptions& options = {});

/// The same over ranks alone.
[[nodiscard]] RankPath path(const Graph& similarity, const Graph& representation, int num_clusters,
                            std::vector<Index> ranks, const ClusterOptions& options = {});

/// The residual that counts as converged, settled labels aside: `tolerance`, or where that is 0,
/// 1e-8 up to 2000 nodes and 1e-6 above.
[[nodiscard]] double tolerance_for(Index num_nodes, const ClusterOptions& options);

/// The rank that Rank::automatic means if the constraint is hard but not exact: N/10, the paper's
/// own choice (Section 5), at most 128 above 5000 nodes, at most N - K.
[[nodiscard]] Index automatic_rank(Index num_nodes, int num_clusters);

}  // namespace repsc
