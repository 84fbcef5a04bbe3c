// What clusters mean for each person: representatives found and expected in every cluster, the
// reason of a low balance, the single step that would help most, and the groups of every cluster
// against chance (docs/report.md).
//
//   const repsc::Audit audit = repsc::audit(G, R, labels, 5);
//   audit.people.front().reason;     // of the person who is represented worst
//   repsc::explain(G, R, labels, 5, {17});
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repsc/baselines.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

/// Why a balance is below 1.
enum class Shortfall {
  none,
  isolated,      ///< no representatives besides oneself
  too_few,       ///< fewer representatives than clusters: no clustering gives one in each
  one_cluster,   ///< all representatives are in one cluster
  some_missing,  ///< some cluster has none
  uneven         ///< every cluster has some, but not equally many
};

/// One node changes its cluster, or two nodes swap theirs.
struct HelpfulStep {
  enum class Kind { none, move, swap };
  Kind kind = Kind::none;
  Index node = 0;         ///< who moves
  Label from = 0;         ///< that node's cluster
  Label to = 0;           ///< where it moves
  Index other = 0;        ///< of a swap: who moves back
  double balance = 0;     ///< of the person afterwards
  double cut_change = 0;  ///< of the normalized cut
};

struct Person {
  Index node = 0;
  Label cluster = 0;
  double balance = 1;  ///< rho_i
  double limit = 1;    ///< the largest balance that the number of representatives allows
  Index num_representatives = 0;
  std::vector<std::int32_t> found;  ///< representatives in each cluster
  std::vector<double> expected;     ///< in proportion to the sizes of the clusters
  Shortfall reason = Shortfall::none;
  HelpfulStep help;  ///< of all steps the one with the largest balance, then with the lowest cut
};

/// One cluster.
struct ClusterAudit {
  Index size = 0;
  double internal_share = 1;  ///< see Metrics
  double conductance = 0;
  double cut = 0;                       ///< its term of the normalized cut
  Offset representatives = 0;           ///< links to representatives that end in this cluster
  double expected_representatives = 0;  ///< in proportion to its size
  Index poorly_represented = 0;         ///< members whose balance is below the threshold
};

/// A group in a cluster, against random assignment of the same numbers: the hypergeometric
/// distribution.
struct GroupCell {
  Label group = 0;  ///< a place in Audit::group_numbers
  Label cluster = 0;
  Index count = 0;
  double expected = 0;
  Index low = 0;  ///< the interval that holds with a probability of at least 95 %
  Index high = 0;
  [[nodiscard]] int beyond_chance() const { return count < low ? -1 : count > high ? 1 : 0; }
};

/// The four-fifths rule of US employment law: a rate below 4/5 of the highest one counts as
/// evidence of adverse impact. The default, not a definition of fairness.
inline constexpr double four_fifths = 0.8;
inline constexpr int num_bins = 20;  ///< of histograms of balance over [0, 1]

struct AuditOptions {
  double threshold = four_fifths;  ///< people with a lower balance are counted
  std::size_t most_people = 1000;  ///< the worst represented are listed
  /// A swap is looked for among all nodes up to this size of the graph, above among the
  /// nodes of each cluster that move at the lowest price.
  Index every_swap = 5000;
};

struct Audit {
  Index num_nodes = 0;
  int num_clusters = 0;
  Metrics metrics;
  Index num_isolated = 0;      ///< without representatives besides themselves
  Index num_missing = 0;       ///< with no representative in some cluster
  Index num_below = 0;         ///< with a balance below the threshold
  Index num_out_of_reach = 0;  ///< of these, whose limit is below it, too
  double threshold = four_fifths;
  std::vector<ClusterAudit> clusters;
  Matrix links;                           ///< the weight between clusters; inside on the diagonal
  std::vector<Label> group_numbers = {};  ///< as they were given, ascending
  std::vector<GroupCell> groups = {};     ///< group by group; empty without groups
  std::vector<double> histogram;          ///< shares of people by balance
  std::vector<std::vector<double>> histogram_by_group = {};
  std::vector<Person> people;  ///< the worst represented first
};

/// `groups`: protected groups to be counted in each cluster, also if R is a graph. Throws
/// InvalidInput for labels or groups that do not fit.
[[nodiscard]] Audit audit(const Graph& similarity, const Representation& representation,
                          const Labels& labels, int num_clusters,
                          const std::optional<Labels>& groups = {},
                          const AuditOptions& options = {});

/// The same for given people alone, with every swap tried.
[[nodiscard]] std::vector<Person> explain(const Graph& similarity,
                                          const Representation& representation,
                                          const Labels& labels, int num_clusters,
                                          const std::vector<Index>& nodes);

/// The mean histogram of the balance of lots.
[[nodiscard]] std::vector<double> lots_histogram(const Representation& representation,
                                                 int num_clusters, std::uint64_t seed = 0);

/// An interval of counts of a random sample without replacement: `drawn` of `total`, of which
/// `marked` are marked. Below the first and above the second value lies at most 2.5 % each.
struct CountInterval {
  Index low = 0;
  Index high = 0;
};
[[nodiscard]] CountInterval chance_interval(Index total, Index marked, Index drawn);

/// Two clusterings of the same people.
struct Comparison {
  Metrics before;
  Metrics after;
  Index num_gained = 0;  ///< people whose balance is higher afterwards
  Index num_lost = 0;
  double mean_gain = 0;  ///< of those who gain
  double mean_loss = 0;  ///< of those who lose, a positive number
  double agreement = 0;  ///< adjusted Rand index of the labels
  struct Change {
    Index node = 0;
    double before = 0;
    double after = 0;
  };
  std::vector<Change> losers = {};   ///< the largest losses first
  std::vector<Change> gainers = {};  ///< the largest gains first
  struct OfGroup {
    Label number = 0;  ///< as it was given
    Index num_nodes = 0;
    double before = 0;  ///< average balance
    double after = 0;
  };
  std::vector<OfGroup> groups = {};
};
/// The numbers of clusters may differ. At most `most_people` losers and gainers are listed.
[[nodiscard]] Comparison compare(const Graph& similarity, const Representation& representation,
                                 const Labels& before, int num_before, const Labels& after,
                                 int num_after, const std::optional<Labels>& groups = {},
                                 std::size_t most_people = 1000);

/// Other clusters that were possible: plain clustering, the library's default if `with_default`,
/// and what moves and swaps make of these and of the given labels, at growing weights of the
/// balance. Ascending balance, none of them beaten by another or by the given labels, which are not
/// among them.
struct Alternative {
  std::string name;
  std::string what;
  Labels labels;
};
[[nodiscard]] std::vector<Alternative> alternatives(Pipeline& data, const Labels& labels,
                                                    int num_clusters, std::uint64_t seed = 0,
                                                    bool with_default = true);

/// What the numbers say, in whole sentences. Nothing is called fair or unfair without its number.
struct VerdictFacts {
  std::optional<Baselines> baselines = {};
  std::optional<double> price_at_least = {};  ///< of the certificate
  bool threshold_given = false;               ///< by the user
};
[[nodiscard]] std::vector<std::string> verdict(const Audit& audit, const VerdictFacts& facts);

/// "no representative in some cluster", ...
[[nodiscard]] std::string in_words(Shortfall reason);

}  // namespace repsc
