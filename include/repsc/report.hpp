// Results as text: JSON and CSV, and the files that contain them. Computes no metrics.
//
//   const repsc::Clustering result = repsc::cluster(G, R, 5);
//   const repsc::Metrics metrics = repsc::evaluate(G, R, result.labels, 5);
//   repsc::write_text_file("result.json", repsc::cluster_json(result, metrics, {}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repsc/audit.hpp"
#include "repsc/certify.hpp"
#include "repsc/choose_k.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/refine.hpp"
#include "repsc/targets.hpp"

namespace repsc {

/// A refinement and its options; the labels themselves are reported elsewhere.
struct RefinementFacts {
  Refinement refinement;
  CutKind cut = CutKind::normalized;
  Index min_cluster_size = 1;
  Metrics start;  ///< of the labels before refinement
  double seconds = 0;
};

/// Targets and their result; the clustering itself is reported elsewhere.
struct TargetFacts {
  Targets targets;
  TargetResult result;
  NodeNames names;  ///< of the nodes that `result` lists
};

/// A graph file as it was read.
struct GraphFileFacts {
  std::string file;
  std::string format;  ///< "edge list", "MatrixMarket", "METIS", "SciPy npz", "rgraph"
  Index nodes = 0;
  Offset edges = 0;
  bool weighted = false;
  GraphChanges changes;
};

/// A table of groups as it was read.
struct TableFileFacts {
  std::string file;
  std::string column;      ///< "": the only one
  std::string header;      ///< the line that was taken as a header; "": none
  Offset other_nodes = 0;  ///< lines about nodes that are not in the graph
};

/// What reading and matching the input changed.
struct InputFacts {
  GraphFileFacts similarity;
  std::optional<GraphFileFacts> representation = {};
  std::optional<TableFileFacts> groups = {};
  Index only_in_similarity = 0;      ///< nodes without one of that name in R
  Index only_in_representation = 0;  ///< nodes without one of that name in G
  Index nodes_dropped = 0;           ///< because they were in one graph only, or isolated
  Index components = 0;              ///< of the similarity graph that was clustered
  Index isolated_nodes = 0;          ///< of the same
};

/// A run on several processes, ranks, each of which holds some rows. What was sent is that of the
/// clustering, without metrics and baselines.
struct DistributedFacts {
  Index nodes = 0;  ///< of all ranks
  int ranks = 1;
  std::int64_t exchanges = 0;      ///< of rows that others need: products with G or R
  std::int64_t messages = 0;       ///< of these exchanges, all ranks
  std::int64_t bytes_sent = 0;     ///< the same
  std::int64_t reductions = 0;     ///< sums and maxima over all ranks
  std::int64_t reduced_bytes = 0;  ///< the length of what they combined
  std::int64_t ghosts = 0;         ///< rows of G that a rank needs from others, all ranks
  // The largest of a rank:
  std::int64_t most_rows = 0;
  std::int64_t most_entries = 0;  ///< of G
  std::int64_t most_ghosts = 0;
  std::int64_t most_messages = 0;
  std::int64_t most_bytes_sent = 0;
  std::int64_t most_peak_memory_bytes = 0;
  /// Rows are read from memory that all ranks share: there are no ghosts and no messages.
  bool shared_memory = false;
  /// Rank 0 clustered alone, because the problem is small; all ranks measured the result.
  bool root_alone = false;
};

/// Facts about a run that its result does not contain.
struct RunFacts {
  std::uint64_t seed = 0;
  Index dropped_nodes = 0;  ///< isolated in G and left out
  double load_seconds = 0;
  double evaluate_seconds = 0;  ///< of the metrics
  double write_seconds = 0;     ///< of all files but the JSON itself
  double total_seconds = 0;
  std::int64_t peak_memory_bytes = 0;
  std::optional<RefinementFacts> refinement = {};
  std::optional<TargetFacts> target = {};
  std::optional<Certificate> certificate = {};
  bool interrupted = false;  ///< by the user: only what was finished by then is reported
  std::optional<InputFacts> input = {};
  std::optional<Baselines> baselines = {};           ///< of a path or a refinement
  std::optional<ClusterCount> chosen_clusters = {};  ///< if the number of clusters was not given
  std::optional<DistributedFacts> distributed = {};  ///< if several processes ran
};

/// The JSON of `repsc cluster`, one field per line. The order of the fields is stable: new fields
/// may be added, none is renamed or removed. NaN, such as a balance without a representation, is
/// null. Numbers read back as the same double.
[[nodiscard]] std::string cluster_json(const Clustering& clustering, const Metrics& metrics,
                                       const RunFacts& facts);

/// The JSON of `repsc choose-k`: the recommendation with its reason, and the table.
[[nodiscard]] std::string choose_k_json(const ClusterCount& found, const RunFacts& facts);

/// A path over ranks and strengths with the metrics of each step, and which of the steps are on the
/// Pareto front of cut and average balance, and of cut and minimum balance.
struct PathReport {
  RankPath path;
  std::vector<Metrics> metrics;  ///< metrics[i] of path.steps[i], as the next two
  std::vector<bool> average_front;
  std::vector<bool> minimum_front;
};

/// The JSON of `repsc path`: the fields that all steps share, and `path`, which contains for each
/// step the fields of cluster_json() and its place on the fronts.
[[nodiscard]] std::string path_json(const PathReport& report, const RunFacts& facts);

/// One line per step, as CSV: metrics, residuals, seconds, eigenvalues, strength and fronts. A step
/// with a soft constraint has no rank, a step with a rank has no strength.
/// The last two columns are structure kept and fairness gained, empty without baselines.
[[nodiscard]] std::string path_csv(const PathReport& report,
                                   const std::optional<Baselines>& baselines = {});

/// "rank 12" or "strength 0.5".
[[nodiscard]] std::string step_name(const PathStep& step);
/// The time of this step, without the work that all steps share.
[[nodiscard]] double seconds_of(const PathStep& step);

/// The labels of all steps, as CSV: `node,rank_1,rank_2,...,strength_0,strength_0.5,...`.
[[nodiscard]] std::string path_labels_csv(const RankPath& path, const NodeNames& names);

/// Labels from any tool, and their metrics.
struct Evaluation {
  Index num_nodes = 0;
  std::vector<std::string> cluster_names;  ///< names[k]: what cluster k is called in the file
  Metrics metrics;
  std::optional<double> accuracy;  ///< against a truth, if one is given
  std::optional<double> adjusted_rand_index;
  std::optional<InputFacts> input = {};
  std::optional<Baselines> baselines = {};
};

/// The JSON of `repsc evaluate`: the same `metrics`, then accuracy and adjusted Rand index.
[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);

/// The JSON of `repsc refine`: the metrics of the refined labels, and a summary of the refinement.
[[nodiscard]] std::string refinement_json(const RefinementFacts& refinement, const Metrics& metrics,
                                          const std::vector<std::string>& cluster_names,
                                          const RunFacts& facts);

/// The JSON of `repsc certify`: the metrics of the labels, and `facts.certificate`.
[[nodiscard]] std::string certificate_json(const Metrics& metrics,
                                           const std::vector<std::string>& cluster_names,
                                           const RunFacts& facts);

/// What `repsc graph info` knows about R besides its summary.
struct RepresentationInfo {
  Index num_distinct_rows = 0;     ///< an upper bound of the rank
  std::optional<Index> rank = {};  ///< of R, where it is cheap to compute
  Index num_groups = 0;            ///< R is a union of this many cliques; 0: it is not
  int num_clusters = 0;            ///< K, if it was given
  std::optional<double> reachable_balance = {};  ///< mean of floor(r_i / K) / ceil(r_i / K)
};

/// One file of `repsc graph info`.
struct GraphInfo {
  GraphFileFacts file;
  GraphSummary summary;
};

/// The JSON of `repsc graph info`: one graph, or a similarity and a representation graph.
[[nodiscard]] std::string graph_info_json(const GraphInfo& similarity,
                                          const std::optional<GraphInfo>& representation,
                                          const std::optional<NodeOverlap>& nodes,
                                          const std::optional<RepresentationInfo>& constraint);

/// The balances and the representatives of each node by cluster, as CSV:
/// `node,cluster,balance,count_0,...,count_{K-1},proportional_balance`, and where `weights` are
/// given `weight_0,...,weight_{K-1}` after the counts. Node i has row count_rows[i] of `counts`, or
/// row i if count_rows is empty.
struct NodeBalances {
  NodeNames names;
  Labels labels;
  Vector balance;
  Vector proportional_balance;
  CountMatrix counts;
  Labels count_rows = {};
  Matrix weights = {};  ///< representative_weights(), for balances by weights
};
[[nodiscard]] std::string balances_csv(const NodeBalances& nodes);

/// The JSON of `repsc explain`: a card for each person.
[[nodiscard]] std::string people_json(const std::vector<Person>& people, const NodeNames& names,
                                      const std::vector<std::string>& cluster_names);

/// The JSON of `repsc compare`.
[[nodiscard]] std::string comparison_json(const Comparison& found, const NodeNames& names,
                                          const std::vector<std::string>& group_names);

/// The rows that k-means clustered, as CSV: `node,x_1,...,x_K`.
[[nodiscard]] std::string embedding_csv(const Matrix& embedding, const NodeNames& names);

}  // namespace repsc
