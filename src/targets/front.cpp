// The front of cut and balance, by a schedule that depends on the problem alone:
//
//   1. from each start, descents at rising mu, each from the labels of the one before
//   2. at each mu of a grid, escapes from the best labels so far
//   3. for each level of the average balance, a descent of the cut that stays above the level
//   4. phases 2 and 3 again, between those mu whose best labels differ most
//   5. for each alpha, rho_i >= alpha for every node that can reach it, then a descent of the cut
//      that keeps it so
//
// Every state that phases 1 to 4 visit is a candidate, which makes the front dense. The searches of
// one phase start from what the phases before have found, so they can run in parallel.
#include "targets/front.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "core/parallel.hpp"
#include "refine/settle.hpp"
#include "repsc/metrics.hpp"
#include "targets/archive.hpp"
#include "targets/starts.hpp"

namespace repsc {
namespace {

// Below the first mu plain clusters hardly change; at the last ones the cut hardly matters.
constexpr double descent_mus[] = {0.03125, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 64, 1024};
constexpr double escape_mus[] = {0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16};
// Escapes between two mu are worth their time if the average balance differs by more than this.
constexpr double widest_gap = 0.02;
constexpr std::size_t most_new_mus = 8;  // of one pass
constexpr int levels = 64;               // of the average balance
constexpr std::int64_t levels_of_a_task = 8;
// The largest balance that a node can have is 0, 1/2, 2/3, 3/4, ... or 1.
constexpr double alphas[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 0.9, 1};
constexpr double alpha_mus[] = {1, 8, 64, 1024};

// Sums that are updated move by move have smaller rounding errors than this, and real shortfalls
// are larger.
constexpr double rounding = 1e-9;

/// How much is searched: more where a sweep is cheap.
struct Effort {
  int passes = 1;        ///< of phases 2 and 3
  int rounds = 1;        ///< of escapes at each mu
  int alpha_rounds = 0;  ///< the same of phase 5
  int alpha_chains = 1;  ///< starts of phase 5
};

Effort effort_for(const Graph& G, const Representation& R, int K) {
  const double entries =
      static_cast<double>(G.num_entries()) + static_cast<double>(R.num_entries()) * K;
  if (entries < 1e4) return {.passes = 4, .rounds = 10, .alpha_rounds = 10, .alpha_chains = 2};
  if (entries < 5e5) return {.passes = 4, .rounds = 3, .alpha_rounds = 1, .alpha_chains = 2};
  if (entries < 5e6) return {.passes = 2, .rounds = 3};
  return {};
}

/// Thrown on threads that must not call the caller's progress function, after it has thrown.
struct Stopped {};

class FrontSearch {
 public:
  FrontSearch(Pipeline& data, int K, CutKind cut, const TargetOptions& options)
      : given_(data.input().similarity),
        starts_(candidate_starts(data, K, cut, options.cluster)),
        problem_{.G = data.similarity(),
                 .R = data.representation().representation(),
                 .K = K,
                 .cut = cut,
                 .min_cluster_size = options.min_cluster_size,
                 .anneal = false,  // the search makes dozens of refinements, so each must be fast
                 .seed = options.cluster.seed,
                 .deadline = options.cluster.deadline},
        effort_(effort_for(problem_.G, problem_.R, K)),
        progress_(options.cluster.progress),
        archive_(problem_.G.num_nodes()) {
    problem_.progress = [this](const Progress&) { report(); };
    planned_ = static_cast<std::int64_t>(starts_.size()) + 2 +
               effort_.passes * (std::int64_t{std::size(escape_mus)} + levels / levels_of_a_task);
  }

  TargetFront run() {
    descend_from_starts();
    std::vector<double> mus(std::begin(escape_mus), std::end(escape_mus));
    std::vector<double> done;
    for (int pass = 0; pass < effort_.passes && !mus.empty(); ++pass) {
      escape(mus);
      descend_at_levels();
      done.insert(done.end(), mus.begin(), mus.end());
      std::sort(done.begin(), done.end());
      mus = between_distant(done);
    }
    balance_every_node();
    return result();
  }

 private:
  /// Reports progress from the caller's thread, the only one that may.
  void report() {
    if (stopped_) throw Stopped();
    if (!progress_ || std::this_thread::get_id() != caller_) return;
    try {
      progress_({"front", std::min<std::int64_t>(done_, planned_), planned_,
                 static_cast<double>(tried_)});
    } catch (...) {
      stopped_ = true;
      throw;
    }
  }

  /// Runs the tasks of a phase, and calls then(task) in their order.
  void run_tasks(std::int64_t count, const std::function<void(std::int64_t)>& task,
                 const std::function<void(std::int64_t)>& then) {
    const auto work = [&](std::int64_t i) {
      if (problem_.deadline.passed()) {
        skipped_ = true;
        return;
      }
      report();
      task(i);
      ++done_;
    };
    // A large graph keeps all threads busy within one search, and needs the memory.
    constexpr Index large = 20'000;
    if (problem_.G.num_nodes() < large) return parallel_in_order(count, work, then);
    for (std::int64_t i = 0; i < count; ++i) {
      work(i);
      then(i);
    }
  }

  /// The same for tasks that find labels. Each has an archive of its own, so that none depends on
  /// another.
  void find_in_tasks(std::int64_t count,
                     const std::function<void(std::int64_t task, Archive& found)>& search) {
    const Index N = problem_.G.num_nodes();
    const Archive known = archive_.outline();
    std::vector<Archive> found(static_cast<std::size_t>(count), Archive(N, &known));
    run_tasks(
        count, [&](std::int64_t task) { search(task, found[static_cast<std::size_t>(task)]); },
        [&](std::int64_t task) {
          Archive& own = found[static_cast<std::size_t>(task)];
          for (const auto& [cell, visited] : own.cells()) archive_.offer(visited);
          own = Archive(N, &known);
        });
  }

  /// The problem of a search whose visits are recorded in `found`.
  [[nodiscard]] RefinementProblem recorded(Archive& found, std::size_t start, const double& mu,
                                           int rounds) const {
    RefinementProblem problem = problem_;
    problem.max_rounds = rounds;
    // On a large graph a move changes little, and copying its labels takes long.
    const Index stride = std::max<Index>(1, problem.G.num_nodes() / 4096);
    problem.visit = [&found, start, &mu, stride, moves = Index{0}](const Partition& P) mutable {
      if (++moves % stride == 0) found.offer(P, start, mu);
    };
    return problem;
  }

  Labels searched(const RefinementProblem& problem, const Labels& labels, double mu) {
    ++tried_;
    return search_at(problem, labels, mu).labels;
  }

  /// Lowers the cut while the score stays at least `least`.
  void lower_cut(const RefinementProblem& problem, Partition& P, double least) {
    ++tried_;
    Search(P, {problem.weights(0).cut, 0},
           {.min_cluster_size = problem.min_cluster_size,
            .seed = problem.seed,
            .bounds = {.least_score = least},
            .pulse = [this] { report(); },
            .visit = problem.visit,
            .deadline = problem.deadline})
        .descend();
    P.add_up();
  }

  [[nodiscard]] const Visited& best_at(double mu) const {
    return archive_.lowest(problem_.weights(0).cut, mu);
  }

  void descend_from_starts() {
    std::vector<Labels> from;  // also what is left if the deadline has passed already
    for (std::size_t s = 0; s < starts_.size(); ++s) {
      from.push_back(fill_small_clusters(problem_, starts_[s].clustering.labels));
      archive_.offer(problem_.partition(from.back()), s, 0);
      others_.push_back({from.back(), s});
    }
    find_in_tasks(static_cast<std::int64_t>(from.size()), [&](std::int64_t task, Archive& found) {
      const auto s = static_cast<std::size_t>(task);
      double mu = 0;
      const RefinementProblem problem = recorded(found, s, mu, 0);
      Labels labels = from[s];
      for (const double next : descent_mus) {
        mu = next;
        labels = searched(problem, labels, mu);
        found.offer(problem.partition(labels), s, mu);
      }
    });
  }

  void escape(const std::vector<double>& mus) {
    std::vector<Visited> from;
    from.reserve(mus.size());
    for (const double mu : mus) from.push_back(best_at(mu));
    find_in_tasks(static_cast<std::int64_t>(mus.size()), [&](std::int64_t task, Archive& found) {
      const auto at = static_cast<std::size_t>(task);
      const std::size_t start = from[at].start;
      const double mu = mus[at];
      const RefinementProblem problem = recorded(found, start, mu, effort_.rounds);
      const Labels labels = searched(problem, from[at].labels, mu);
      found.offer(problem.partition(labels), start, mu);
    });
  }

  /// The means of those neighbouring mu whose best labels differ most.
  [[nodiscard]] std::vector<double> between_distant(const std::vector<double>& mus) const {
    std::vector<std::pair<double, double>> gaps;  // minus the width, and the mean
    for (std::size_t i = 1; i < mus.size(); ++i) {
      const double width = best_at(mus[i]).average - best_at(mus[i - 1]).average;
      if (width > widest_gap) gaps.emplace_back(-width, std::sqrt(mus[i - 1] * mus[i]));
    }
    std::sort(gaps.begin(), gaps.end());
    gaps.resize(std::min(gaps.size(), most_new_mus));
    std::vector<double> result;
    result.reserve(gaps.size());
    for (const auto& gap : gaps) result.push_back(gap.second);
    return result;
  }

  void descend_at_levels() {
    const double N = std::max<double>(1, problem_.G.num_nodes());
    std::vector<Visited> from;  // descending levels
    std::vector<double> least;
    for (int level = levels; level >= 0; --level) {
      const double average = static_cast<double>(level) / levels;
      const Visited* const visited = archive_.at_least(average);
      if (visited == nullptr) continue;
      from.push_back(*visited);
      least.push_back(average);
    }
    const auto count = static_cast<std::int64_t>(from.size());
    const auto search = [&](std::int64_t task, Archive& found) {
      const std::int64_t end = std::min(count, (task + 1) * levels_of_a_task);
      for (std::int64_t i = task * levels_of_a_task; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Visited* const own = found.at_least(least[at]);  // of a level above
        const Visited start = own != nullptr && own->cut < from[at].cut ? *own : from[at];
        const RefinementProblem problem = recorded(found, start.start, start.mu, 0);
        Partition P = problem.partition(start.labels);
        lower_cut(problem, P, least[at] * N + rounding);
        found.offer(P, start.start, start.mu);
      }
    };
    find_in_tasks((count + levels_of_a_task - 1) / levels_of_a_task, search);
  }

  /// Labels that bring every node to alpha, for rising alpha, each from those of the one before.
  void balance_from(Visited current, std::vector<Visited>& found) {
    bool reached = true;
    for (const double alpha : alphas) {
      if (problem_.deadline.passed()) return;
      RefinementProblem problem = problem_;
      problem.max_rounds = effort_.alpha_rounds;
      problem.score = {
          .alpha = alpha,
          .ignored = std::vector<bool>(static_cast<std::size_t>(problem.R.num_sets()), false)};
      for (const UnreachableNode& node : unreachable_nodes(problem.R, problem.K, alpha)) {
        problem.score.ignored[static_cast<std::size_t>(problem.R.set_of(node.node))] = true;
      }
      const auto met = [&](const Labels& labels) {
        return problem.partition(labels).score() > -rounding;
      };
      Visited next = current;
      for (const double mu : alpha_mus) {
        // Where a lower alpha was out of reach, only the fewest nodes below alpha are searched.
        if (!reached && mu < std::end(alpha_mus)[-1]) continue;
        next.mu = mu;
        next.labels = searched(problem, next.labels, mu);
        if (met(next.labels)) break;
      }
      reached = met(next.labels);
      if (reached) {
        Partition P = problem.partition(next.labels);
        lower_cut(problem, P, -rounding);
        next.labels = P.labels();
        current = next;
      }
      found.push_back(std::move(next));
    }
  }

  void balance_every_node() {
    std::vector<Visited> from{best_at(std::end(alpha_mus)[-1])};
    if (effort_.alpha_chains > 1) from.push_back(best_at(alpha_mus[0]));
    std::vector<std::vector<Visited>> found(from.size());
    run_tasks(
        static_cast<std::int64_t>(from.size()),
        [&](std::int64_t task) {
          const auto at = static_cast<std::size_t>(task);
          balance_from(from[at], found[at]);
        },
        [&](std::int64_t task) {
          for (Visited& visited : found[static_cast<std::size_t>(task)]) {
            others_.push_back(std::move(visited));
          }
        });
  }

  [[nodiscard]] FrontPoint measured(Visited visited) const {
    const Metrics metrics = evaluate(given_, problem_.R, visited.labels, problem_.K);
    return {.labels = std::move(visited.labels),
            .start = visited.start,
            .mu = visited.mu,
            .cut = cut_of(metrics),
            .average_balance = metrics.average_balance};
  }

  [[nodiscard]] double cut_of(const Metrics& metrics) const {
    return problem_.cut == CutKind::ratio ? metrics.ratio_cut : metrics.normalized_cut;
  }

  TargetFront result() {
    TargetFront front;
    front.representation = problem_.R;
    front.num_clusters = problem_.K;
    front.cut_kind = problem_.cut;
    front.plain_cut = cut_of(evaluate(given_, starts_.front().clustering.labels, problem_.K));
    front.balance_limit = average_balance_limit(problem_.R, problem_.K);
    front.points.reserve(others_.size() + archive_.cells().size());
    for (const auto& [cell, visited] : archive_.cells()) front.points.push_back(measured(visited));
    for (Visited& visited : others_) front.points.push_back(measured(std::move(visited)));
    std::stable_sort(front.points.begin(), front.points.end(),
                     [](const FrontPoint& x, const FrontPoint& y) {
                       if (x.cut != y.cut) return x.cut < y.cut;
                       return x.average_balance > y.average_balance;
                     });
    front.starts = std::move(starts_);
    front.tried = tried_ + static_cast<int>(front.starts.size());
    front.out_of_time = skipped_ || problem_.deadline.passed();
    return front;
  }

  Graph given_;  ///< cuts are reported in its unit
  std::vector<FrontStart> starts_;
  RefinementProblem problem_;
  Effort effort_;
  ProgressFn progress_;
  Archive archive_;
  std::vector<Visited> others_;  // the starts, and labels that bring every node to some alpha
  std::int64_t planned_ = 0;     // tasks
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::int64_t> done_ = 0;
  std::atomic<int> tried_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> skipped_ = false;
};

}  // namespace

TargetFront search_front(Pipeline& data, int num_clusters, CutKind cut,
                         const TargetOptions& options) {
  const Stopwatch watch;
  TargetFront front = FrontSearch(data, num_clusters, cut, options).run();
  front.seconds = watch.seconds();
  return front;
}

}  // namespace repsc
