// Targets: what no clustering can reach, and the answers from a front.
#include "repsc/targets.hpp"

#include <algorithm>
#include <cmath>

#include "cluster/warnings.hpp"
#include "refine/settle.hpp"
#include "repsc/metrics.hpp"
#include "targets/front.hpp"

namespace repsc {
namespace {

Index representatives_of(const Representation& R, Index node) { return R.set_size(R.set_of(node)); }

/// A point of a front as an answer to the targets.
struct Candidate {
  const FrontPoint* point = nullptr;
  Index below = 0;  ///< nodes below alpha that could reach it
};

/// Chooses among the points of a front. The choice depends on nothing else, so an answer to one
/// target that also meets another one is never better than the answer to that one.
class Choice {
 public:
  Choice(const TargetFront& front, const Targets& targets) : front_(front), targets_(targets) {
    if (!targets_.individual_balance) return;
    unreachable_ =
        unreachable_nodes(front.representation, front.num_clusters, *targets_.individual_balance);
    ignored_.assign(static_cast<std::size_t>(front.representation.num_nodes()), false);
    for (const UnreachableNode& node : unreachable_) {
      ignored_[static_cast<std::size_t>(node.node)] = true;
    }
  }

  [[nodiscard]] TargetResult answer() const {
    Candidate best;
    for (const FrontPoint& point : front_.points) {
      const Candidate candidate{.point = &point, .below = static_cast<Index>(below(point).size())};
      if (best.point == nullptr || better(candidate, best)) best = candidate;
      // In ascending order of cut, the first that meets a balance has the lowest cut.
      if (wants_balance() && balance_met(best)) break;
    }
    return result(best);
  }

 private:
  [[nodiscard]] bool wants_balance() const {
    return targets_.average_balance || targets_.individual_balance;
  }
  [[nodiscard]] bool balance_met(const Candidate& x) const {
    if (targets_.individual_balance) return x.below == 0;
    return !targets_.average_balance || x.point->average_balance >= *targets_.average_balance;
  }
  [[nodiscard]] bool cut_met(const Candidate& x) const {
    constexpr double cut_rounding = 1e-12;
    if (!targets_.max_cut_increase) return true;
    return x.point->cut <= front_.plain_cut * (1 + *targets_.max_cut_increase) * (1 + cut_rounding);
  }

  /// Orders points: first by the targets they meet, then by the quantity to optimize.
  [[nodiscard]] bool better(const Candidate& x, const Candidate& y) const {
    const FrontPoint& p = *x.point;
    const FrontPoint& q = *y.point;
    if (balance_met(x) != balance_met(y)) return balance_met(x);
    if (cut_met(x) != cut_met(y)) return cut_met(x);
    if (wants_balance() && balance_met(x)) return p.cut < q.cut;
    if (targets_.individual_balance && x.below != y.below) return x.below < y.below;
    if (cut_met(x) && p.average_balance != q.average_balance) {
      return p.average_balance > q.average_balance;
    }
    return p.cut < q.cut;
  }

  /// Nodes below alpha that could reach it.
  [[nodiscard]] std::vector<Index> below(const FrontPoint& point) const {
    std::vector<Index> nodes;
    if (!targets_.individual_balance) return nodes;
    const Vector rho = balance(front_.representation, point.labels, front_.num_clusters);
    for (Index i = 0; i < rho.size(); ++i) {
      if (rho[i] < *targets_.individual_balance && !ignored_[static_cast<std::size_t>(i)]) {
        nodes.push_back(i);
      }
    }
    return nodes;
  }

  [[nodiscard]] TargetResult result(const Candidate& best) const {
    const FrontPoint& point = *best.point;
    const FrontStart& start = front_.starts[point.start];
    TargetResult found;
    found.clustering = start.clustering;
    found.clustering.labels = point.labels;
    replace_size_warnings(found.clustering);
    found.start = start.name;
    found.mu = point.mu;
    found.met = balance_met(best) && cut_met(best);
    found.cut_kind = front_.cut_kind;
    found.cut = point.cut;
    found.plain_cut = front_.plain_cut;
    found.average_balance = point.average_balance;
    found.tried = front_.tried;
    found.balance_limit = front_.balance_limit;
    found.seconds = front_.seconds;
    found.out_of_time = front_.out_of_time;
    if (!targets_.individual_balance) return found;
    const Vector rho = balance(front_.representation, point.labels, front_.num_clusters);
    found.satisfied = static_cast<Index>((rho.array() >= *targets_.individual_balance).count());
    found.below = below(point);
    found.unreachable = unreachable_;
    return found;
  }

  /// The start's warnings about small clusters were about its own labels.
  static void replace_size_warnings(Clustering& found) {
    std::erase_if(found.warnings,
                  [](const Warning& warning) { return warning.code == "small_clusters"; });
    for (Warning& warning :
         size_warnings(cluster_sizes(found.labels, found.num_clusters), found.method)) {
      found.warnings.push_back(std::move(warning));
    }
  }

  const TargetFront& front_;
  const Targets& targets_;
  std::vector<UnreachableNode> unreachable_;
  std::vector<bool> ignored_;
};

void check_balance(const std::optional<double>& value, const char* option) {
  require_option(!value || (*value >= 0 && *value <= 1), option, value.value_or(0),
                 "a balance must be from 0 to 1");
}

void check(const Targets& targets) {
  if (!targets.average_balance && !targets.individual_balance && !targets.max_cut_increase) {
    throw InvalidOptions(Fault{.what = "no target was given",
                               .remedies = {{Remedy::Action::use, "average_balance"},
                                            {Remedy::Action::use, "individual_balance"},
                                            {Remedy::Action::use, "max_cut_increase"}}});
  }
  if (targets.average_balance && targets.individual_balance) {
    throw InvalidOptions(
        Fault{.what = "an average and an individual balance cannot both be targets",
              .option = "individual_balance",
              .value = joined(*targets.individual_balance),
              .remedies = {{Remedy::Action::leave_out, "average_balance"},
                           {Remedy::Action::leave_out, "individual_balance"}}});
  }
  check_balance(targets.average_balance, "average_balance");
  check_balance(targets.individual_balance, "individual_balance");
  const double increase = targets.max_cut_increase.value_or(0);
  require_option(increase >= 0 && std::isfinite(increase), "max_cut_increase", increase,
                 "it must be a finite number of at least 0");
}

void check(const Graph& G, const Representation& R, int K, Index min_cluster_size) {
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  require_option(K >= 2 && K <= G.num_nodes(), "num_clusters", K,
                 "it must be from 2 to the number of nodes, ", G.num_nodes());
  check_min_cluster_size(min_cluster_size, K, G.num_nodes());
}

}  // namespace

std::vector<UnreachableNode> unreachable_nodes(const Representation& representation,
                                               int num_clusters, double alpha) {
  std::vector<UnreachableNode> found;
  for (Index i = 0; i < representation.num_nodes(); ++i) {
    const Index representatives = representatives_of(representation, i);
    const double best = balance_limit(representatives, num_clusters);
    if (best < alpha) found.push_back({i, representatives, best});
  }
  return found;
}

TargetFront target_front(const Graph& similarity, const Representation& representation,
                         int num_clusters, const TargetOptions& options) {
  const CutKind cut = choose_target_cut(
      {.representation = !representation.by_groups(), .groups = representation.by_groups()},
      options.cluster);
  check(similarity, representation, num_clusters, options.min_cluster_size);
  Pipeline data(cluster_input(similarity, representation));
  return search_front(data, num_clusters, cut, options);
}

TargetResult cluster_to_target(const TargetFront& front, const Targets& targets) {
  check(targets);
  require(!front.points.empty(), "the front has no points");
  return Choice(front, targets).answer();
}

TargetResult cluster_to_target(const Graph& similarity, const Representation& representation,
                               int num_clusters, const TargetOptions& options) {
  check(options.targets);
  return cluster_to_target(target_front(similarity, representation, num_clusters, options),
                           options.targets);
}

}  // namespace repsc
