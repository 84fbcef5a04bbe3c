// Representation-aware spectral clustering: the one call most users need.
//
//   const repsc::Clustering result = repsc::cluster(similarity, representation, 5);
//   result.labels[i];      // the cluster of node i
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "repsc/baselines.hpp"
#include "repsc/plan.hpp"

namespace repsc {

struct StageSeconds {
  double constraint = 0;
  double eigen = 0;
  double kmeans = 0;
  double refine = 0;
  double search = 0;  ///< of a search among candidates, without the stages above
};

/// What the user of a result should know about it.
struct Warning {
  std::string code;  ///< stable, for programs: "small_clusters"
  std::string what;
  std::vector<Remedy> remedies = {};
};

/// How a search among candidates ended.
struct SearchFacts {
  std::string start;  ///< the candidate before refinement: "nsc", "nrepsc of strength 0.1", ...
  int tried = 0;      ///< candidates, refined ones included
  bool met = true;    ///< whether the level of structure or fairness was reached
};

struct Clustering {
  Labels labels;  ///< labels[i] in [0, num_clusters) for node i
  int num_clusters = 0;
  Method method = Method::nsc;  ///< the one that ran
  Matrix embedding;             ///< row i is the point that k-means clustered for node i
  Vector eigenvalues;           ///< ascending
  double inertia = 0;           ///< k-means objective at the returned labels
  bool converged = false;       ///< the residual met the tolerance, or the labels settled
  bool settled = false;         ///< the labels settled before the residual did
  double residual = 0;          ///< see Eigenpairs::residual
  Index constraint_rank = 0;    ///< dimensions that the constraint removes
  /// See Constraint::residual. Soft: ||WRJH||_F / ||WR||_F, see RepresentationPenalty; H = T for
  /// nrepsc, scaled to T'DT = mean(D) I, which is length 1 if all degrees are equal.
  double constraint_residual = 0;
  std::optional<double> strength;  ///< of the soft constraint, if there was one
  int iterations = 0;
  std::string solver;  ///< the one that ran
  Labels groups;       ///< ufairsc, nfairsc: the groups used
  /// If the labels were refined; it contains the labels, too.
  std::optional<Refinement> refinement = {};
  Labels before_refinement = {};  ///< if refined: the labels of k-means
  /// False: the eigenvalues have no gap after the first K, labels do not settle, and the iteration
  /// was ended because it no longer improved them. Only looked for if labels may settle.
  bool clusters_visible = true;
  std::optional<double> eigengap = {};  ///< between eigenvalues K and K + 1, if both are known
  bool rank_unique = true;              ///< false: R has other best approximations of the rank
  std::vector<Warning> warnings = {};
  /// What the labels are measured against; after a search, or after place().
  std::optional<Baselines> baselines = {};
  std::optional<double> structure_kept = {};   ///< s, see repsc/baselines.hpp
  std::optional<double> fairness_gained = {};  ///< f; none without representatives
  std::optional<SearchFacts> search = {};      ///< if the plan had a search
  bool out_of_time = false;                    ///< the deadline ended a stage before it was done
  std::string device = "cpu";                  ///< where the eigenvectors were computed
  std::optional<Index> num_components = {};    ///< of G, if they were counted on the way
  StageSeconds seconds;
};

/// Splits the nodes of a similarity graph into clusters, as plan() says. Throws what plan() throws,
/// and InvalidInput if the constraint leaves fewer than `num_clusters` dimensions.
[[nodiscard]] Clustering cluster(const ClusterInput& input, int num_clusters,
                                 const ClusterOptions& options = {});

/// Plain spectral clustering: usc or nsc.
[[nodiscard]] Clustering cluster(const Graph& similarity, int num_clusters,
                                 const ClusterOptions& options = {});

/// Clusters over which every node's neighbours in `representation` are spread in proportion to
/// cluster size. Both graphs share their node numbering.
[[nodiscard]] Clustering cluster(const Graph& similarity, const Graph& representation,
                                 int num_clusters, const ClusterOptions& options = {});

/// The same with protected groups: labels from 0, none empty.
[[nodiscard]] Clustering cluster(const Graph& similarity, const Labels& groups, int num_clusters,
                                 const ClusterOptions& options = {});

/// The input of a clustering with these representatives.
[[nodiscard]] ClusterInput cluster_input(const Graph& similarity,
                                         const Representation& representation);

/// One point of a path, and the clustering at this point.
struct PathStep {
  Index rank = 0;                 ///< 0: a soft constraint, of clustering.strength
  Clustering clustering;          ///< seconds.constraint is without what steps share
  std::optional<double> mu = {};  ///< of the refinement that followed, if there was one
};

struct RankPath {
  /// Ascending ranks, then ascending strengths, each once; then the refinements of each of them at
  /// ascending mu.
  std::vector<PathStep> steps;
  double decomposition_seconds = 0;
  /// The deadline ended the path: later points are missing. The first one is there in any case.
  bool out_of_time = false;
};

/// The points of a path: ranks from 1 to N - K and strengths of the soft constraint of at least 0,
/// in any order; and the values of mu, at least 0, at which the labels of each point are also
/// refined.
struct PathPoints {
  std::vector<Index> ranks = {};
  std::vector<double> strengths = {};
  std::vector<double> mus = {};
};

/// urepsc or nrepsc at each of the points; the options for rank, constraint, strength and refine
/// have no effect. All ranks share one decomposition of R, of the largest rank, and one Gram
/// matrix; all strengths share one penalty; and each step starts from the eigenvectors of the
/// previous one. Every step is what cluster() gives at that point, to within the tolerance; if
/// eigenvalues r and r + 1 of R have equal size, the best approximation of rank r is not unique,
/// and the two functions may use different ones.
[[nodiscard]] RankPath path(const Graph& similarity, const Representation& representation,
                            int num_clusters, PathPoints points,
                            const ClusterOptions& options = {});

/// The same over ranks alone.
[[nodiscard]] RankPath path(const Graph& similarity, const Representation& representation,
                            int num_clusters, std::vector<Index> ranks,
                            const ClusterOptions& options = {});

/// A representation graph, or groups, with its decompositions, computed on demand. Each
/// decomposition is computed once, for the largest rank or number of groups that was announced.
class RepresentationWork {
 public:
  explicit RepresentationWork(const Representation& representation);

  /// R, with all weights times a power of two if they are extremely large or small: that changes
  /// no constraint and no balance.
  [[nodiscard]] const Representation& representation() const { return R_; }
  /// The largest rank and number of groups that will be needed.
  void announce(Index rank, int num_groups);

  /// The `rank` leading eigenpairs of R, or more. Throws InvalidInput if they do not converge,
  /// MemoryLimitExceeded if they do not fit.
  [[nodiscard]] std::shared_ptr<const RepresentationSpectrum> spectrum(
      Index rank, const SpectrumOptions& options);
  /// Groups by plain spectral clustering of R, a graph, of the plan's family, as the paper makes
  /// them.
  [[nodiscard]] const Labels& groups(int num_groups, const Plan& plan);

  /// Seconds of the decompositions so far.
  [[nodiscard]] double spectrum_seconds() const { return spectrum_seconds_; }
  [[nodiscard]] double groups_seconds(bool normalized) const {
    return groups_seconds_[normalized ? 1 : 0];
  }
  /// How many decompositions were made.
  [[nodiscard]] int num_decompositions() const { return num_decompositions_; }

 private:
  [[nodiscard]] const Matrix& laplacian_vectors(int count, const Plan& plan);

  Representation R_;
  Index announced_rank_ = 0;
  int announced_groups_ = 0;
  std::shared_ptr<const RepresentationSpectrum> spectrum_;
  Matrix laplacian_vectors_[2];
  std::map<std::pair<bool, int>, Labels> groups_;
  double spectrum_seconds_ = 0;
  double groups_seconds_[2] = {0, 0};
  int num_decompositions_ = 0;
};

/// A similarity graph, with a representation graph or groups, and the data that runs on them share:
/// Laplacians, the decomposition of R, the penalty of the soft constraint. cluster(), path(),
/// targets and experiments all go through here.
class Pipeline {
 public:
  explicit Pipeline(ClusterInput input);
  /// Without a copy of the input, which has to exist as long as the pipeline.
  explicit Pipeline(const ClusterInput* input);
  /// With a representation graph whose decompositions other pipelines share.
  Pipeline(const Graph& similarity, std::shared_ptr<RepresentationWork> representation);

  /// As given.
  [[nodiscard]] const ClusterInput& input() const { return *input_; }
  /// G, with all weights times a power of two if they are extremely large or small.
  [[nodiscard]] const Graph& similarity() const { return similarity_; }
  /// From the unit of weights of similarity() to that of the graph as it was given.
  [[nodiscard]] double in_given_unit(double value) const;
  [[nodiscard]] bool has_representation() const {
    return input_->representation.has_value() || input_->groups.has_value();
  }
  /// Of the representation graph, or of the groups if no graph was given. Throws InvalidInput if
  /// there is neither.
  [[nodiscard]] RepresentationWork& representation();

  /// What run() may do meanwhile; it should return soon once it is asked to stop.
  using Meanwhile = std::function<void(const std::stop_token&)>;

  /// Carries out a plan for this input. While the CPU refines labels that a device has found,
  /// `meanwhile` is called on a thread of its own, and may use this pipeline; otherwise it is not
  /// called. Its exceptions are thrown here.
  [[nodiscard]] Clustering run(const Plan& plan, const Meanwhile& meanwhile = {});

  /// The Laplacian of the plan's method.
  [[nodiscard]] const Laplacian& laplacian(const Plan& plan);
  /// The same with the penalty of the soft constraint, at this strength.
  [[nodiscard]] Laplacian penalized_laplacian(const Plan& plan, double strength);
  /// Step 2 of the paper's algorithms: Y, stored as the projector P = YY', for the constraint of
  /// the plan.
  [[nodiscard]] Constraint constraint(const Plan& plan);
  /// The normalized cut of plain clustering by this plan, if run() found it on its way.
  [[nodiscard]] std::optional<double> known_plain_cut(const Plan& plan) const;
  /// Eigenvalues in the unit of G as given, and the warnings that can be given once the labels are
  /// final: small clusters, several components.
  void finish(Clustering& found);

 private:
  void scale_similarity();
  [[nodiscard]] Clustering carry_out(const Plan& plan, const Meanwhile& meanwhile);
  void refine(const Plan& plan, const Meanwhile& meanwhile, Clustering& found);
  [[nodiscard]] Plan decided(const Plan& plan);
  [[nodiscard]] Clustering run_method(const Plan& plan);

  using LaplacianKey = std::pair<Normalization, double>;  // and the regularization
  struct PlainCut {
    Plan plan;
    double cut = 0;
  };

  std::shared_ptr<const ClusterInput> input_;
  Graph similarity_;
  int exponent_ = 0;  ///< the weights of G as given are those of similarity_ times 2^exponent
  std::shared_ptr<RepresentationWork> representation_;  ///< made when it is first asked for
  std::optional<Index> num_components_;
  std::optional<PlainCut> plain_cut_;
  std::map<LaplacianKey, Laplacian> laplacians_;
  std::map<LaplacianKey, SoftConstraint> soft_constraints_;
};

/// Plain clustering, lots and, where R's constraint can be satisfied exactly at little cost, the
/// exact method, on the scale of repsc/baselines.hpp. They depend on the graphs, the number of
/// clusters, the seed and the limits of `options` alone, not on its method. Nothing if plain
/// normalized clustering is impossible, because a node of G is isolated.
[[nodiscard]] std::optional<Baselines> baselines(Pipeline& pipeline, int num_clusters,
                                                 const ClusterOptions& options = {});

/// Places a clustering between the baselines, and adds a warning if its cut is like that of lots.
void place(const Graph& similarity, const std::optional<Representation>& representation,
           const Baselines& baselines, Clustering& found);

/// path() with the data that a pipeline has computed already.
[[nodiscard]] RankPath path(Pipeline& pipeline, int num_clusters, PathPoints points,
                            const ClusterOptions& options);

}  // namespace repsc
