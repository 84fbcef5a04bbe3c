// The search for a target: refinement of several starts, mu by bisection, and a last descent with
// the target as a constraint.
#include "repsc/targets.hpp"

#include <algorithm>
#include <cmath>

#include "refine/settle.hpp"
#include "repsc/metrics.hpp"
#include "targets/starts.hpp"

namespace repsc {
namespace {

// Ascending; the search stops at the first value that meets the target. At the last ones the cut
// hardly matters.
constexpr double mu_grid[] = {0.5, 1, 2, 4, 8, 16, 64, 1024};
constexpr int bisections = 4;

double most_even(Index representatives, int K) {
  if (representatives == 0) return 1;
  const Index least = representatives / K;
  const Index most = (representatives + K - 1) / K;
  return static_cast<double>(least) / static_cast<double>(most);
}

/// Labels with their cut and balance.
struct Point {
  Labels labels;
  std::size_t start = 0;
  double mu = 0;
  double cut = 0;
  double average = 0;
  Index below = 0;  ///< nodes below alpha that could reach it
};

class TargetSearch {
 public:
  TargetSearch(Pipeline& data, int K, CutKind cut, const TargetOptions& options)
      : targets_(options.targets),
        starts_(candidate_starts(data, K, cut, options.cluster)),
        problem_{.G = data.similarity(),
                 .R = data.representation().graph(),
                 .K = K,
                 .cut = cut,
                 .min_cluster_size = options.min_cluster_size,
                 .max_rounds = 10,
                 .anneal = false,  // the search makes dozens of refinements, so each must be fast
                 .seed = options.cluster.seed,
                 .progress = options.cluster.progress} {
    if (targets_.individual_balance) {
      unreachable_ = unreachable_nodes(problem_.R, K, *targets_.individual_balance);
      ignored_.assign(static_cast<std::size_t>(problem_.R.num_nodes()), false);
      for (const UnreachableNode& node : unreachable_) {
        ignored_[static_cast<std::size_t>(node.node)] = true;
      }
      problem_.score = {.alpha = *targets_.individual_balance, .ignored = ignored_};
    }
  }

  TargetResult run() {
    plain_cut_ = measured(starts_.front().clustering.labels, 0, 0).cut;
    for (std::size_t s = 0; s < starts_.size(); ++s) search_from(s);
    return result();
  }

 private:
  [[nodiscard]] bool wants_balance() const {
    return targets_.average_balance || targets_.individual_balance;
  }
  [[nodiscard]] double most_cut() const {
    return plain_cut_ * (1 + targets_.max_cut_increase.value_or(0));
  }
  [[nodiscard]] bool balance_met(const Point& point) const {
    if (targets_.individual_balance) return point.below == 0;
    return !targets_.average_balance || point.average >= *targets_.average_balance;
  }
  [[nodiscard]] bool cut_met(const Point& point) const {
    constexpr double rounding = 1e-12;
    return !targets_.max_cut_increase || point.cut <= most_cut() * (1 + rounding);
  }

  Point measured(const Labels& labels, std::size_t start, double mu) {
    ++tried_;
    RefinementProblem plain = problem_;
    plain.score = {};
    const Vector rho = balance(problem_.R, labels, problem_.K);
    Point point{.labels = labels, .start = start, .mu = mu};
    point.cut = plain.partition(labels).cut();
    point.average = rho.size() > 0 ? rho.mean() : 0;
    if (targets_.individual_balance) {
      for (Index i = 0; i < rho.size(); ++i) {
        if (!ignored_[static_cast<std::size_t>(i)] && rho[i] < *targets_.individual_balance) {
          ++point.below;
        }
      }
    }
    return point;
  }

  /// Orders points: first by the targets they meet, then by the quantity to optimize.
  [[nodiscard]] bool better(const Point& x, const Point& y) const {
    if (balance_met(x) != balance_met(y)) return balance_met(x);
    if (cut_met(x) != cut_met(y)) return cut_met(x);
    if (!wants_balance()) return x.average > y.average;
    if (balance_met(x)) return x.cut < y.cut;
    if (targets_.individual_balance && x.below != y.below) return x.below < y.below;
    return x.average != y.average ? x.average > y.average : x.cut < y.cut;
  }

  void consider(const Point& point) {
    if (!best_ || better(point, *best_)) best_ = point;
  }

  /// Whether mu is large enough, or, if only the cut is limited, too large.
  [[nodiscard]] bool enough(const Point& point) const {
    return wants_balance() ? balance_met(point) : !cut_met(point);
  }

  void search_from(std::size_t start) {
    const Labels& labels = starts_[start].clustering.labels;
    const Labels begin = fill_small_clusters(problem_, labels);
    std::optional<Point> local;  // the best from this start
    const auto look = [&](const Labels& found, double mu) {
      Point point = measured(found, start, mu);
      consider(point);
      if (!local || better(point, *local)) local = point;
      return point;
    };
    look(begin, 0);
    double low = 0;
    double high = 0;
    for (const double mu : mu_grid) {
      if (enough(look(search_at(problem_, begin, mu).labels, mu))) {
        high = mu;
        break;
      }
      low = mu;
    }
    for (int step = 0; high > 0 && step < bisections; ++step) {
      const double mu = low > 0 ? std::sqrt(low * high) : high / 2;
      (enough(look(search_at(problem_, begin, mu).labels, mu)) ? high : low) = mu;
    }
    consider(measured(descend_within_targets(*local), start, local->mu));
  }

  /// Starting from labels that meet the target, lowers the cut, or raises the balance, while the
  /// target stays met.
  [[nodiscard]] Labels descend_within_targets(const Point& from) const {
    if (!balance_met(from) || !cut_met(from)) return from.labels;
    // The rounding error of sums that are updated move by move is smaller than this, and a real
    // shortfall is larger.
    constexpr double rounding = 1e-9;
    const double N = std::max<double>(1, problem_.G.num_nodes());
    Partition P = problem_.partition(from.labels);
    const double least = targets_.individual_balance
                             ? -rounding
                             : targets_.average_balance.value_or(0) * N + rounding;
    const Bounds bounds =
        wants_balance() ? Bounds{.least_score = least} : Bounds{.most_cut = most_cut()};
    const Weights weights =
        wants_balance() ? Weights{problem_.weights(0).cut, 0} : Weights{0, 1 / N};
    Search(P, weights,
           {.min_cluster_size = problem_.min_cluster_size, .seed = problem_.seed, .bounds = bounds})
        .descend();
    return P.labels();
  }

  TargetResult result() {
    TargetResult found;
    Start& start = starts_[best_->start];
    found.clustering = std::move(start.clustering);
    found.clustering.labels = best_->labels;
    found.start = start.name;
    found.mu = best_->mu;
    found.met = balance_met(*best_) && cut_met(*best_);
    found.cut_kind = problem_.cut;
    found.cut = best_->cut;
    found.plain_cut = plain_cut_;
    found.average_balance = best_->average;
    found.tried = tried_;
    if (!targets_.individual_balance) return found;
    const Vector rho = balance(problem_.R, best_->labels, problem_.K);
    for (Index i = 0; i < rho.size(); ++i) {
      if (rho[i] >= *targets_.individual_balance) {
        ++found.satisfied;
      } else if (!ignored_[static_cast<std::size_t>(i)]) {
        found.below.push_back(i);
      }
    }
    found.unreachable = unreachable_;
    return found;
  }

  const Targets& targets_;
  std::vector<Start> starts_;
  RefinementProblem problem_;
  std::vector<UnreachableNode> unreachable_;
  std::vector<bool> ignored_;
  std::optional<Point> best_;
  double plain_cut_ = 0;
  int tried_ = 0;
};

void check_balance(const std::optional<double>& value, const char* option) {
  require_option(!value || (*value >= 0 && *value <= 1), option, value.value_or(0),
                 "a balance must be from 0 to 1");
}

void check(const Graph& G, const Graph& R, int K, const TargetOptions& options) {
  const Targets& targets = options.targets;
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
  require(G.num_nodes() == R.num_nodes(), "the similarity graph has ", G.num_nodes(),
          " nodes, the representation graph ", R.num_nodes());
  require_option(K >= 2 && K <= G.num_nodes(), "num_clusters", K,
                 "it must be from 2 to the number of nodes, ", G.num_nodes());
  check_min_cluster_size(options.min_cluster_size, K, G.num_nodes());
}

}  // namespace

std::vector<UnreachableNode> unreachable_nodes(const Graph& representation, int num_clusters,
                                               double alpha) {
  std::vector<UnreachableNode> found;
  for (Index i = 0; i < representation.num_nodes(); ++i) {
    const auto representatives = static_cast<Index>(representation.neighbors(i).size());
    const double best = most_even(representatives, num_clusters);
    if (best < alpha) found.push_back({i, representatives, best});
  }
  return found;
}

TargetResult cluster_to_target(const Graph& similarity, const Graph& representation,
                               int num_clusters, const TargetOptions& options) {
  const CutKind cut = choose_target_cut({.representation = true}, options.cluster);
  check(similarity, representation, num_clusters, options);
  Pipeline data(ClusterInput{similarity, representation});
  return TargetSearch(data, num_clusters, cut, options).run();
}

}  // namespace repsc
