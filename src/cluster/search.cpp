// The search among candidates.
//
//   1. plain clustering, lots and the exact constraint: the baselines
//   2. soft constraints, and on small graphs one of low rank; some of the embeddings are also
//      rounded to clusters with equal shares of the groups
//   3. from each of the most promising of these, refinements at rising mu until they are fairer
//      than the goal asks for, or, from equal shares, at falling mu while they are; then bisection
//      over log mu
//   4. on small graphs, escapes from the best of what was found
//
// Every state that a refinement visits is a candidate.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cluster/candidates.hpp"
#include "cluster/device_fallback.hpp"
#include "cluster/goal.hpp"
#include "cluster/steps.hpp"
#include "cluster/warnings.hpp"
#include "refine/settle.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr double smallest_mu = 1.0 / 32;
constexpr double largest_mu = 128;
constexpr double mu_step = 4;
/// A bargain of this value needs no further candidates where each of them takes long, ...
constexpr double good_bargain = 0.9;
/// ... and one below this value needs more.
constexpr double poor_bargain = 0.5;

/// How much is searched: more where a sweep is cheap.
struct Effort {
  std::size_t starts = 1;    ///< that are refined at rising mu
  std::size_t bisected = 1;  ///< of these, the best, between two mu
  int bisections = 2;
  int rounds = 0;            ///< of escapes from local optima at each mu
  std::size_t polished = 0;  ///< of these, with more escapes
  std::size_t annealed = 0;  ///< of these, with annealing among them
  bool all = false;          ///< further starts are tried even if the first gives a good bargain
  double least_gain = 30;    ///< of a sweep, relative to that of refine()
};

Effort effort_for(const Graph& G, const Representation& R, int K) {
  const double entries =
      static_cast<double>(G.num_entries()) + static_cast<double>(R.num_entries()) * K;
  if (entries < 2e5 && G.num_nodes() < 1000) {
    const bool tiny = entries < 2e4;
    return {.starts = 100,
            .bisected = tiny ? 100U : 6U,
            .bisections = tiny ? 6 : 4,
            .rounds = tiny ? 3 : 1,
            .polished = tiny ? 5U : 3U,
            .annealed = tiny ? 1U : 0U,
            .all = true,
            .least_gain = 1};
  }
  if (entries < 2e6) return {.starts = 3, .bisected = 1, .bisections = 3, .least_gain = 3};
  return {.starts = 2, .bisected = 1, .bisections = 2};
}

class CandidateSearch {
 public:
  CandidateSearch(Pipeline& data, const Plan& plan)
      : data_(data),
        plan_(plan),
        K_(plan.num_clusters),
        problem_{.G = data.similarity(),
                 .R = data.representation().representation(),
                 .K = plan.num_clusters,
                 .cut = CutKind::normalized,
                 .min_cluster_size = plan.refine.min_cluster_size,
                 .anneal = false,  // there are dozens of refinements, so each must be fast
                 .seed = plan.options.seed,
                 .progress = plan.options.progress,
                 .deadline = plan.options.deadline},
        effort_(effort_for(problem_.G, problem_.R, plan.num_clusters)),
        value_(plan, problem_.weights(0).cut),
        kept_(value_, plan.search->goal) {
    // Each of many refinements may stop a little early; the last steps gain little.
    problem_.least_gain_scale = effort_.least_gain;
    check_min_cluster_size(problem_.min_cluster_size, K_, problem_.G.num_nodes());
  }

  Clustering run() {
    const Stopwatch watch;
    PlainStarts plain = plain_starts(data_, plan_);
    starts_ = std::move(plain.starts);
    append(exact_starts(data_, plan_));
    value_.set_baselines(measured_baselines(starts_));
    append(soft_starts(data_, plan_, std::move(plain.vectors)));
    append(rank_starts(data_, plan_));
    if (plan_.search->equal_shares) append(even_starts(data_, plan_, starts_to_even()));
    for (std::size_t i = 0; i < starts_.size(); ++i) raw_.push_back(offered(i));
    const Stopwatch refinement;
    if (plan_.refines) refine_starts();
    refine_seconds_ = refinement.seconds();
    Clustering found = result();
    const StageSeconds& of = found.seconds;
    found.seconds.search =
        std::max(0.0, watch.seconds() - of.constraint - of.eigen - of.kmeans - of.refine);
    return found;
  }

  Baselines baselines_alone() {
    starts_ = plain_starts(data_, plan_).starts;
    append(exact_starts(data_, plan_));
    return measured_baselines(starts_);
  }

 private:
  /// The first of the starts is plain clustering; those with a constraint are exact.
  [[nodiscard]] Baselines measured_baselines(const std::vector<Start>& starts) {
    Baselines found;
    found.plain = outcome(starts.front().clustering.labels);
    found.random = draw_lots(problem_.G, problem_.R, K_, plan_.options.seed, plan_.device);
    found.random.ratio_cut = data_.in_given_unit(found.random.ratio_cut);
    found.fair_balance = found.random.average_balance;
    found.reachable_balance = average_balance_limit(problem_.R, K_);
    for (const Start& start : starts) {
      if (start.clustering.method == Method::nsc) continue;
      const Outcome own = outcome(start.clustering.labels);
      if (!found.exact || own.average_balance > found.exact->average_balance) found.exact = own;
    }
    if (found.exact) {
      found.fair_balance = std::max(found.fair_balance, found.exact->average_balance);
    }
    return found;
  }

  /// Of every kind of start the first: plain clustering and the exact constraint.
  [[nodiscard]] std::vector<Start> starts_to_even() const {
    std::vector<Start> found{starts_.front()};
    for (const Start& start : starts_) {
      if (start.clustering.method != Method::nsc) {
        found.push_back(start);
        break;
      }
    }
    return found;
  }

  void append(std::vector<Start> more) {
    for (Start& start : more) starts_.push_back(std::move(start));
  }

  [[nodiscard]] Outcome outcome(const Labels& labels) const {
    return {.cut = normalized_cut(problem_.G, labels, K_, plan_.device),
            .average_balance = average_balance(problem_.R, labels, K_, plan_.device)};
  }

  Candidate offered(std::size_t start) {
    const Labels labels = fill_small_clusters(problem_, starts_[start].clustering.labels);
    const Outcome own = outcome(labels);
    ++tried_;
    Candidate candidate{
        .start = start, .labels = labels, .cut = own.cut, .balance = own.average_balance};
    kept_.keep(candidate);
    return candidate;
  }

  /// The labels after a refinement at mu; every state on the way is a candidate.
  Candidate refined(const Candidate& from, double mu, int rounds, bool anneal = false) {
    RefinementProblem problem = problem_;
    problem.max_rounds = rounds;
    problem.anneal = anneal;
    const double N = problem.G.num_nodes();
    // On a large graph a move changes little, and copying its labels takes long.
    const Index stride = std::max<Index>(1, problem.G.num_nodes() / 512);
    problem.visit = [&, moves = Index{0}](const Partition& P) mutable {
      if (++moves % stride != 0) return;
      const double cut = P.cut();
      const double average = P.score() / N;
      if (value_(cut, average) <= kept_.best_value()) return;
      kept_.keep({from.start, mu, P.labels(), cut, average});
    };
    ++tried_;
    const SearchResult found = search_at(problem, from.labels, mu);
    const Outcome own = outcome(found.labels);
    Candidate result{from.start, mu, found.labels, own.cut, own.average_balance};
    kept_.keep(result);
    return result;
  }

  /// Refinements from one start, of which the one below is not yet fair enough and the one above
  /// is.
  struct Bracket {
    Candidate below;
    Candidate above = {};
    double low = smallest_mu / mu_step;
    double high = smallest_mu;
    Candidate best;
  };

  void note(const Candidate& at, Bracket& bracket) const {
    if (value_(at) > value_(bracket.best)) bracket.best = at;
  }

  /// Rising mu, each refinement from the labels of the one before.
  [[nodiscard]] Bracket climb(const Candidate& start) {
    Bracket bracket{.below = start, .best = start};
    Candidate at = refined(start, bracket.high, effort_.rounds);
    note(at, bracket);
    while (!value_.fair_enough(at) && bracket.high < largest_mu && !problem_.deadline.passed()) {
      bracket.below = std::move(at);
      bracket.low = bracket.high;
      bracket.high *= mu_step;
      at = refined(bracket.below, bracket.high, effort_.rounds);
      note(at, bracket);
    }
    bracket.above = std::move(at);
    return bracket;
  }

  /// From a fair start: falling mu, each refinement from the labels of the one before. At a small
  /// mu at once, the moves would give up fairness for a cut that better moves reach, too.
  [[nodiscard]] Bracket relax(const Candidate& start) {
    constexpr double first_mu = 0.5;
    constexpr double step = 2;
    Bracket bracket{
        .below = {}, .above = start, .low = first_mu, .high = step * first_mu, .best = start};
    Candidate at = refined(start, bracket.low, effort_.rounds);
    note(at, bracket);
    while (value_.fair_enough(at) && bracket.low > smallest_mu && !problem_.deadline.passed()) {
      bracket.above = std::move(at);
      bracket.high = bracket.low;
      bracket.low /= step;
      at = refined(bracket.above, bracket.low, effort_.rounds);
      note(at, bracket);
    }
    bracket.below = std::move(at);
    return bracket;
  }

  void bisect(Bracket& bracket) {
    for (int step = 0; step < effort_.bisections && !problem_.deadline.passed(); ++step) {
      const double mu = std::sqrt(bracket.low * bracket.high);
      const bool from_above =
          value_.objective(bracket.above, mu) < value_.objective(bracket.below, mu);
      Candidate at = refined(from_above ? bracket.above : bracket.below, mu, effort_.rounds);
      note(at, bracket);
      if (value_.fair_enough(at)) {
        bracket.high = mu;
        bracket.above = std::move(at);
      } else {
        bracket.low = mu;
        bracket.below = std::move(at);
      }
    }
  }

  /// Escapes from local optima, at this mu and at others nearby.
  void polish(const Bracket& bracket, bool anneal) {
    constexpr int rounds = 5;
    const double mu = bracket.best.mu > 0 ? bracket.best.mu : bracket.high;
    for (const double factor : {1.0, 0.7, 1.4}) {
      if (!problem_.deadline.passed()) (void)refined(bracket.best, mu * factor, rounds);
    }
    if (anneal && !problem_.deadline.passed()) (void)refined(bracket.best, mu, 1, true);
  }

  /// Descends from every start, and refines the best as refine() does.
  void refine_at_given_mu(const std::vector<Candidate>& starts) {
    const double mu = plan_.refine.mu.value_or(default_mu);
    std::optional<Candidate> best;
    for (const Candidate& start : starts) {
      if (best && problem_.deadline.passed()) break;
      Candidate at = refined(start, mu, 0);
      if (!best || value_(at) > value_(*best)) best = std::move(at);
    }
    const Refinement found = refine(problem_.G, problem_.R, best->labels, K_, plan_.refine);
    const Outcome own = outcome(found.labels);
    ++tried_;
    kept_.keep({best->start, found.mu, found.labels, own.cut, own.average_balance});
  }

  [[nodiscard]] bool is_enough() const {
    return !effort_.all && plan_.search->goal == Goal::bargain &&
           kept_.best_value() >= good_bargain;
  }
  [[nodiscard]] bool is_poor() const {
    return plan_.search->goal == Goal::bargain && kept_.best_value() < poor_bargain &&
           plan_.regularization == 0 && !problem_.deadline.passed();
  }

  /// Starts on the regularized graph.
  [[nodiscard]] std::vector<Candidate> regularized() {
    const std::size_t known = starts_.size();
    append(regularized_starts(data_, plan_));
    if (plan_.search->equal_shares && starts_.size() > known)
      append(even_starts(data_, plan_, {starts_[known]}));
    std::vector<Candidate> found;
    for (std::size_t i = known; i < starts_.size(); ++i) found.push_back(offered(i));
    return found;
  }

  [[nodiscard]] Bracket explored(const Candidate& start) {
    return starts_[start.start].even ? relax(start) : climb(start);
  }

  void refine_starts() {
    std::vector<Candidate> promising = raw_;
    std::stable_sort(promising.begin(), promising.end(),
                     [&](const Candidate& x, const Candidate& y) { return value_(x) > value_(y); });
    promising.resize(std::min(promising.size(), effort_.starts));
    if (plan_.search->goal == Goal::objective) {
      return refine_at_given_mu(promising);
    }
    std::vector<Bracket> brackets;
    for (const Candidate& start : promising) {
      if (problem_.deadline.passed() || (!brackets.empty() && is_enough())) break;
      brackets.push_back(explored(start));
    }
    if (is_poor()) {
      for (const Candidate& start : regularized()) brackets.push_back(explored(start));
    }
    const auto sort_and_keep = [&](std::size_t count) {
      std::stable_sort(brackets.begin(), brackets.end(), [&](const Bracket& x, const Bracket& y) {
        return value_(x.best) > value_(y.best);
      });
      brackets.resize(std::min(brackets.size(), count));
    };
    sort_and_keep(effort_.bisected);
    for (Bracket& bracket : brackets) bisect(bracket);
    sort_and_keep(effort_.polished);
    for (std::size_t i = 0; i < brackets.size(); ++i) polish(brackets[i], i < effort_.annealed);
  }

  Clustering result() {
    const Candidate best = kept_.chosen();
    double constraint = 0;
    double eigen = 0;
    double kmeans = 0;
    for (const Start& start : starts_) {
      constraint += start.clustering.seconds.constraint;
      eigen += start.clustering.seconds.eigen;
      kmeans += start.clustering.seconds.kmeans;
    }
    Start& start = starts_[best.start];
    Clustering found = std::move(start.clustering);
    found.seconds = {
        .constraint = constraint, .eigen = eigen, .kmeans = kmeans, .refine = refine_seconds_};
    found.search = {.start = start.name, .tried = tried_};
    if (problem_.R.by_groups()) found.groups = problem_.R.groups();
    const Goal goal = plan_.search->goal;
    if (goal == Goal::structure || goal == Goal::fairness) found.search->met = value_.is_met(best);
    found.out_of_time = found.out_of_time || problem_.deadline.passed();
    if (best.mu > 0) describe_refinement(best, found);
    found.labels = best.labels;
    place(problem_.G, problem_.R, value_.baselines(), found);
    return found;
  }

  void describe_refinement(const Candidate& best, Clustering& found) const {
    found.before_refinement = found.labels;
    const Outcome before = outcome(found.labels);
    Refinement refinement;
    refinement.labels = best.labels;
    refinement.mu = best.mu;
    refinement.cut = best.cut;
    refinement.average_balance = best.balance;
    refinement.objective = value_.objective(best, best.mu);
    refinement.start_objective =
        value_.objective({.cut = before.cut, .balance = before.average_balance}, best.mu);
    for (std::size_t i = 0; i < best.labels.size(); ++i) {
      refinement.moves += best.labels[i] != found.labels[i];
    }
    found.refinement = std::move(refinement);
  }

  Pipeline& data_;
  const Plan& plan_;
  int K_;
  RefinementProblem problem_;
  Effort effort_;
  GoalValue value_;
  KeptCandidates kept_;
  std::vector<Start> starts_;
  std::vector<Candidate> raw_;  // the starts
  int tried_ = 0;
  double refine_seconds_ = 0;
};

std::optional<Baselines> computed_baselines(Pipeline& data, int num_clusters,
                                            const ClusterOptions& options) {
  if (!isolated_nodes(data.similarity()).empty()) return std::nullopt;
  // The search of the default has the candidates that the baselines need.
  const Plan plan = repsc::plan(data.input(), num_clusters, numerical_options(options));
  if (plan.search) return CandidateSearch(data, plan).baselines_alone();
  Baselines found;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::optional<double> cut = data.known_plain_cut(plain_plan(plan));
  if (!cut) {
    const Labels labels = plain_starts(data, plan).starts.front().clustering.labels;
    cut = normalized_cut(data.similarity(), labels, num_clusters, plan.device);
  }
  found.plain = {*cut, unknown};
  found.random =
      draw_lots(data.similarity(), std::nullopt, num_clusters, options.seed, plan.device);
  found.random.ratio_cut = data.in_given_unit(found.random.ratio_cut);
  found.fair_balance = unknown;
  found.reachable_balance = unknown;
  return found;
}

}  // namespace

std::optional<Baselines> baselines(Pipeline& data, int num_clusters,
                                   const ClusterOptions& options) {
  const auto run = [&](const ClusterOptions& how) {
    return computed_baselines(data, num_clusters, how);
  };
  const auto warn = [](auto&, const Warning&) {};  // who computed them is nowhere said
  try {
    return falling_back_to_cpu(options, run, warn);
  } catch (const NumericalFailure& failure) {
    throw with_weights(failure, data.input());
  }
}

void place(const Graph& similarity, const std::optional<Representation>& representation,
           const Baselines& baselines, Clustering& found) {
  const auto device = device_of_name(found.device);
  const double cut = normalized_cut(similarity, found.labels, found.num_clusters, device);
  found.baselines = baselines;
  found.structure_kept = baselines.structure_kept(cut);
  if (representation) {
    found.fairness_gained = baselines.fairness_gained(
        average_balance(*representation, found.labels, found.num_clusters, device));
  }
  append(lots_warnings(baselines, cut), found.warnings);
}

Clustering search_candidates(Pipeline& data, const Plan& plan) {
  return CandidateSearch(data, plan).run();
}

}  // namespace repsc
