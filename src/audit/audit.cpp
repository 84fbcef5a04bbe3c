// What clusters mean for each person.
#include <algorithm>
#include <map>
#include <numeric>

#include "audit/people.hpp"
#include "audit/steps.hpp"
#include "metrics/labels.hpp"
#include "repsc/audit.hpp"

namespace repsc {
namespace {

std::size_t bin_of(double balance) {
  const auto bin = static_cast<std::size_t>(balance * num_bins);
  return std::min<std::size_t>(bin, num_bins - 1);
}

/// Counts as shares.
std::vector<double> shares(std::vector<double> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (total > 0) {
    for (double& count : counts) count /= total;
  }
  return counts;
}

void check(const Graph& G, const Representation& R, const Labels& labels, int K,
           const std::optional<Labels>& groups) {
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  check_labels(labels, G.num_nodes(), K, "label");
  if (groups) check_partition(*groups, labels, "group");
}

Matrix links_between(const Graph& G, const Labels& labels, int K) {
  Matrix links = Matrix::Zero(K, K);
  for (Index i = 0; i < G.num_nodes(); ++i) {
    const auto neighbors = G.neighbors(i);
    const auto weights = G.weights(i);
    const Label a = labels[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      if (neighbors[k] < i) continue;  // every edge once
      const Label b = labels[static_cast<std::size_t>(neighbors[k])];
      const double weight = weights.empty() ? 1 : weights[k];
      links(a, b) += weight;
      if (a != b) links(b, a) += weight;
    }
  }
  return links;
}

class Auditor {
 public:
  Auditor(const Graph& similarity, const Representation& representation, const Labels& labels,
          int num_clusters, const std::optional<Labels>& groups, const AuditOptions& options)
      : G_(similarity),
        R_(representation),
        labels_(labels),
        K_(num_clusters),
        options_(options),
        counts_(representation, labels, num_clusters),
        sizes_(cluster_sizes(labels, num_clusters)) {
    if (groups) {
      groups_ = compact_in_order(*groups);
      result_.group_numbers = groups_->numbers;
    }
  }

  Audit run() {
    result_.num_nodes = G_.num_nodes();
    result_.num_clusters = K_;
    result_.threshold = options_.threshold;
    result_.metrics = evaluate(G_, R_, labels_, K_);
    result_.links = links_between(G_, labels_, K_);
    describe_clusters();
    count_people();
    if (groups_) count_groups();
    list_worst();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Label label(Index node) const { return labels_[static_cast<std::size_t>(node)]; }

  void describe_clusters() {
    const Metrics& metrics = result_.metrics;
    result_.clusters.resize(sizes_.size());
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      ClusterAudit& cluster = result_.clusters[k];
      cluster.size = sizes_[k];
      cluster.internal_share = metrics.cluster_internal_shares[k];
      cluster.conductance = metrics.conductance[k];
      cluster.cut = (1 - cluster.internal_share) / 2;
    }
  }

  void count_people() {
    std::vector<double> bins(num_bins);
    std::vector<std::vector<double>> by_group(result_.group_numbers.size(),
                                              std::vector<double>(num_bins));
    Offset links = 0;
    for (Index i = 0; i < result_.num_nodes; ++i) {
      const double balance = counts_.balance(i);
      const bool below = balance < options_.threshold;
      result_.num_isolated += counts_.isolated(i) ? 1 : 0;
      result_.num_missing += counts_.missing(i) ? 1 : 0;
      result_.num_below += below ? 1 : 0;
      const double limit = balance_limit(counts_.num_representatives(i), K_);
      result_.num_out_of_reach += below && limit < options_.threshold ? 1 : 0;
      result_.clusters[static_cast<std::size_t>(label(i))].poorly_represented += below ? 1 : 0;
      bins[bin_of(balance)] += 1;
      if (groups_) {
        by_group[static_cast<std::size_t>(groups_->labels[static_cast<std::size_t>(i)])]
                [bin_of(balance)] += 1;
      }
      for (int k = 0; k < K_; ++k) {
        result_.clusters[static_cast<std::size_t>(k)].representatives += counts_(i, k);
        links += counts_(i, k);
      }
    }
    for (ClusterAudit& cluster : result_.clusters) {
      cluster.expected_representatives =
          static_cast<double>(links) * cluster.size / std::max<Index>(1, result_.num_nodes);
    }
    result_.histogram = shares(std::move(bins));
    for (std::vector<double>& each : by_group) {
      result_.histogram_by_group.push_back(shares(std::move(each)));
    }
  }

  void count_groups() {
    const std::size_t num_groups = groups_->numbers.size();
    std::vector<Index> total(num_groups);
    std::vector<Index> table(num_groups * sizes_.size());
    for (Index i = 0; i < result_.num_nodes; ++i) {
      const auto g = static_cast<std::size_t>(groups_->labels[static_cast<std::size_t>(i)]);
      ++total[g];
      ++table[g * sizes_.size() + static_cast<std::size_t>(label(i))];
    }
    for (std::size_t g = 0; g < num_groups; ++g) {
      for (std::size_t k = 0; k < sizes_.size(); ++k) {
        const CountInterval chance = chance_interval(result_.num_nodes, total[g], sizes_[k]);
        result_.groups.push_back(
            {.group = static_cast<Label>(g),
             .cluster = static_cast<Label>(k),
             .count = table[g * sizes_.size() + k],
             .expected = static_cast<double>(total[g]) * sizes_[k] / result_.num_nodes,
             .low = chance.low,
             .high = chance.high});
      }
    }
  }

  /// The worst represented: the lowest balance, then the most that could be gained. Isolated
  /// people, whose balance is 1 by definition if nobody represents them, come first, too.
  void list_worst() {
    struct Rank {
      double balance;
      double limit;
      Index node;
      bool operator<(const Rank& other) const {
        if (balance != other.balance) return balance < other.balance;
        return limit != other.limit ? limit > other.limit : node < other.node;
      }
    };
    std::vector<Rank> order;
    order.reserve(static_cast<std::size_t>(result_.num_nodes));
    for (Index i = 0; i < result_.num_nodes; ++i) {
      order.push_back({counts_.isolated(i) ? 0 : counts_.balance(i),
                       balance_limit(counts_.num_representatives(i), K_), i});
    }
    const std::size_t count = std::min(order.size(), options_.most_people);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end());
    order.resize(count);
    const StepFinder steps(G_, R_, labels_, K_, result_.num_nodes <= options_.every_swap);
    std::map<Index, HelpfulStep> of_groups;  // everybody in a group has the same representatives
    for (const Rank& rank : order) {
      Person person = counts_.person(rank.node, label(rank.node), sizes_);
      const Index set = R_.set_of(rank.node);
      const auto known = of_groups.find(set);
      person.help = known != of_groups.end() ? known->second : steps.best(rank.node, person.found);
      if (R_.by_groups()) of_groups.emplace(set, person.help);
      result_.people.push_back(std::move(person));
    }
  }

  const Graph& G_;
  const Representation& R_;
  const Labels& labels_;
  int K_;
  AuditOptions options_;
  Counts counts_;
  std::vector<Index> sizes_;
  std::optional<NumberedLabels> groups_ = {};
  Audit result_ = {};
};

}  // namespace

Audit audit(const Graph& similarity, const Representation& representation, const Labels& labels,
            int num_clusters, const std::optional<Labels>& groups, const AuditOptions& options) {
  check(similarity, representation, labels, num_clusters, groups);
  require_option(options.threshold >= 0 && options.threshold <= 1, "threshold", options.threshold,
                 "it must be from 0 to 1");
  return Auditor(similarity, representation, labels, num_clusters, groups, options).run();
}

std::vector<Person> explain(const Graph& similarity, const Representation& representation,
                            const Labels& labels, int num_clusters,
                            const std::vector<Index>& nodes) {
  check(similarity, representation, labels, num_clusters, {});
  const Counts counts(representation, labels, num_clusters);
  const std::vector<Index> sizes = cluster_sizes(labels, num_clusters);
  const StepFinder steps(similarity, representation, labels, num_clusters, true);
  std::vector<Person> people;
  people.reserve(nodes.size());
  for (const Index node : nodes) {
    require_option(node >= 0 && node < similarity.num_nodes(), "node", node,
                   "there are nodes 0 to ", similarity.num_nodes() - 1);
    people.push_back(counts.person(node, labels[static_cast<std::size_t>(node)], sizes));
    people.back().help = steps.best(node, people.back().found);
  }
  return people;
}

std::vector<double> lots_histogram(const Representation& representation, int num_clusters,
                                   std::uint64_t seed) {
  constexpr double affordable = 1e7;  // entries of R
  const auto entries = static_cast<double>(representation.num_entries());
  const int draws = std::clamp(static_cast<int>(affordable / std::max(1.0, entries)), 1, 20);
  std::vector<double> bins(num_bins);
  for (int draw = 0; draw < draws; ++draw) {
    const Labels labels = deal_lots(representation.num_nodes(), num_clusters,
                                    seed + static_cast<std::uint64_t>(draw));
    for (const double rho : balance(representation, labels, num_clusters)) bins[bin_of(rho)] += 1;
  }
  return shares(std::move(bins));
}

}  // namespace repsc
