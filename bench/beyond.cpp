// Beyond the paper: what refinement reaches beside the paper's method at all ranks, which escape
// from local optima pays, and what refinement costs on a large graph.
//
//   bench_beyond [table|escapes|limits|speed] [NAME[:K[:ratio|normalized]] ...]
//
// NAME: fao, air (found by REPSC_DATA), 1000, 3000 (planted R of so many nodes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "refine/settle.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/refine.hpp"
#include "repsc/representation.hpp"
#include "repsc/targets.hpp"

namespace repsc {
namespace {

struct Instance {
  std::string name;
  Graph G;
  Graph R;
  Labels truth;  // empty: not known
};

Instance network(const std::string& name) {
  const bool fao = name == "fao";
  const char* data = std::getenv("REPSC_DATA");
  const std::string path = std::string(data == nullptr ? "../shared/data" : data) +
                           (fao ? "/fao_trade/fao_trade_multiplex.edges"
                                : "/eu_air/EUAirTransportation_multiplex.edges");
  const int nearest = fao ? 5 : 0;
  Instance found{.name = name, .G = {}, .R = {}, .truth = {}};
  found.G = graph_from_multiplex(path, {.layers = parse_layers(fao ? "183-364" : "1,4,7"),
                                        .nearest = nearest,
                                        .self_loops = SelfLoops::drop});
  found.R = graph_from_multiplex(path, {.layers = parse_layers(fao ? "1-182" : "2,3,6"),
                                        .nearest = nearest,
                                        .self_loops = SelfLoops::add});
  for (;;) {
    std::vector<Index> isolated = isolated_nodes(found.G);
    if (!fao) {
      const auto more = isolated_nodes(found.R);
      isolated.insert(isolated.end(), more.begin(), more.end());
    }
    if (isolated.empty()) return found;
    std::vector<bool> keep(static_cast<std::size_t>(found.G.num_nodes()), true);
    for (const Index node : isolated) keep[static_cast<std::size_t>(node)] = false;
    found.G = induced_subgraph(found.G, keep);
    found.R = induced_subgraph(found.R, keep);
  }
}

Instance planted(Index N, int K) {
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 5;
  Instance found{.name = fmt::format("planted {}", N), .G = {}, .R = {}, .truth = {}};
  found.R = sample_planted_partition(groups, 0.8, 0.2, 1, SelfLoops::add);
  found.truth = equal_clusters(N, K);
  found.G = sample_rpp(found.R, found.truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1},
                       1 + static_cast<std::uint64_t>(K));
  return found;
}

Instance instance(const std::string& name, int K) {
  return name == "fao" || name == "air" ? network(name) : planted(std::stoi(name), K);
}

std::vector<int> cluster_numbers(const std::string& name) {
  return name == "fao" || name == "air" ? std::vector{2, 4, 6, 8} : std::vector{4, 8};
}

/// What to measure: a name, and K and the cut where only one is wanted.
struct Wanted {
  std::string name;
  int K = 0;  // 0: all
  std::string cut = {};

  [[nodiscard]] bool has(int clusters) const { return K == 0 || K == clusters; }
  [[nodiscard]] bool has(CutKind kind) const {
    return cut.empty() || cut == (kind == CutKind::ratio ? "ratio" : "normalized");
  }
};

Wanted wanted(const std::string& text) {
  const std::size_t first = text.find(':');
  if (first == std::string::npos) return {text};
  const std::size_t second = text.find(':', first + 1);
  return {text.substr(0, first), std::stoi(text.substr(first + 1)),
          second == std::string::npos ? "" : text.substr(second + 1)};
}

/// Every rank up to 300 nodes; above, a hundred evenly between 1 and N - K and the last twenty,
/// near which the paper's method is best on most graphs.
std::vector<Index> ranks(Index N, int K) {
  const Index last = N - K;
  const Index count = N <= 300 ? last : 100;
  std::vector<Index> found;
  for (Index i = 1; i <= count; ++i) {
    found.push_back(static_cast<Index>(std::int64_t{last} * i / count));
  }
  for (Index r = last - 20; r < last; ++r) {
    if (r >= 1) found.push_back(r);
  }
  return found;
}

struct Point {
  Labels labels;
  double balance = 0;
  double cut = 0;
  std::string how;
  [[nodiscard]] double ratio() const { return 1000 * balance / cut; }
};

Point point(const Instance& on, int K, CutKind kind, const Labels& labels, std::string how) {
  const Metrics metrics = evaluate(on.G, on.R, labels, K);
  return {labels, metrics.average_balance,
          kind == CutKind::ratio ? metrics.ratio_cut : metrics.normalized_cut, std::move(how)};
}

/// What refinement makes of a start: the largest ratio, and a few mu around.
void add_refined(const Instance& on, int K, CutKind kind, const Point& start,
                 std::vector<Point>& points) {
  for (const double mu : {0.0, 1.0, 1.5, 2.0, 3.0}) {  // 0: the largest ratio
    if (mu > 0 && on.G.num_nodes() > 1000) continue;   // minutes each
    const Refinement found =
        refine(on.G, on.R, start.labels, K, {.mu = mu, .maximize_ratio = mu == 0, .cut = kind});
    points.push_back(
        point(on, K, kind, found.labels,
              fmt::format("{}, mu {:.2f}{}", start.how, found.mu, mu == 0 ? " (ratio)" : "")));
  }
}

bool dominates(const Point& ours, const Point& paper) {
  return ours.balance >= paper.balance && ours.cut <= paper.cut;
}

void compare(const Instance& on, int K, CutKind kind) {
  const bool ratio = kind == CutKind::ratio;
  const Stopwatch timer;
  std::vector<Point> paper;
  for (const PathStep& step : path(on.G, on.R, K, ranks(on.G.num_nodes(), K),
                                   {.method = ratio ? Method::urepsc : Method::nrepsc})
                                  .steps) {
    paper.push_back(point(on, K, kind, step.clustering.labels, fmt::format("rank {}", step.rank)));
  }
  const auto by_ratio = [](const Point& x, const Point& y) { return x.ratio() < y.ratio(); };
  const Point best = *std::max_element(paper.begin(), paper.end(), by_ratio);
  const double paper_seconds = timer.seconds();

  const Stopwatch own_timer;
  std::vector<Point> ours;
  const Point nsc = point(on, K, kind, cluster(on.G, K, {.method = Method::nsc}).labels, "nsc");
  add_refined(on, K, kind, nsc, ours);
  for (const PathStep& step : path(on.G, on.R, K, PathPoints{.ranks = {}, .strengths = {1, 10}},
                                   {.method = ratio ? Method::urepsc : Method::nrepsc})
                                  .steps) {
    add_refined(on, K, kind,
                point(on, K, kind, step.clustering.labels,
                      fmt::format("soft {:g}", step.clustering.strength.value_or(0))),
                ours);
  }
  bool dominated =
      std::any_of(ours.begin(), ours.end(), [&](const Point& p) { return dominates(p, best); });
  const char* by = "mu";
  if (!dominated) {  // as `repsc cluster --target-balance` would
    const TargetResult found =
        cluster_to_target(on.G, on.R, K,
                          {.targets = {.average_balance = best.balance,
                                       .individual_balance = {},
                                       .max_cut_increase = {}},
                           .cluster = {.method = ratio ? Method::urepsc : Method::nrepsc}});
    ours.push_back(point(on, K, kind, found.clustering.labels, "target"));
    dominated = dominates(ours.back(), best);
    by = "target";
  }
  const Point top = *std::max_element(ours.begin(), ours.end(), by_ratio);
  const std::string truth =
      on.truth.empty() ? "-" : fmt::format("{:.4g}", point(on, K, kind, on.truth, "").ratio());
  fmt::print(
      "{:<13} {} {:<10} {:>8.4g} ({:.3f}, {:>7.4g}) {:<9} {:>8.4g} ({:.3f}, {:>7.4g}) "
      "{:<28} {:>6.3f} {:<10} {:>7} {:>7.1f} {:>7.1f}\n",
      on.name, K, ratio ? "ratio" : "normalized", best.ratio(), best.balance, best.cut, best.how,
      top.ratio(), top.balance, top.cut, top.how, top.ratio() / best.ratio(),
      dominated ? fmt::format("yes ({})", by) : "no", truth, paper_seconds, own_timer.seconds());
  std::fflush(stdout);
}

void table(const std::vector<Wanted>& all) {
  fmt::print(
      "1000 * average balance / cut (balance, cut): the best of the paper's method over all "
      "ranks (120 of them above 300 nodes), and of refinement\n");
  fmt::print("{:<13} K {:<10} {:<35} {:<55} {:>6} {:<10} {:>7} {:>7} {:>7}\n", "instance", "cut",
             "paper", "refined", "times", "dominated", "truth", "s paper", "s ours");
  for (const Wanted& want : all) {
    for (const int K : cluster_numbers(want.name)) {
      if (!want.has(K)) continue;
      const Instance on = instance(want.name, K);
      for (const CutKind kind : {CutKind::ratio, CutKind::normalized}) {
        if (want.has(kind)) compare(on, K, kind);
      }
    }
  }
}

// --- Escapes from local optima, at the same question.

/// Annealing: single moves by Metropolis' rule, the temperature falling from that of a typical step
/// by a factor of 1000; the best state seen, descended.
Labels annealed(const RefinementProblem& problem, const Labels& labels, double mu, double seconds) {
  Partition P = problem.partition(labels);
  const Weights weights = problem.weights(mu);
  const auto objective = [&] { return P.cut() * weights.cut - P.score() * weights.score; };
  RandomStream random(1);
  Trial trial(problem.K);
  const auto N = static_cast<std::uint64_t>(P.num_nodes());
  const double hottest = 2.0 / static_cast<double>(N);
  const Stopwatch timer;
  double current = objective();
  double best = current;
  Labels best_labels = labels;
  for (double spent = 0; spent < seconds; spent = timer.seconds()) {
    const double temperature = hottest * std::pow(1e-3, spent / seconds);
    for (int step = 0; step < 100; ++step) {
      const auto node = static_cast<Index>(random.below(N));
      const auto target = static_cast<Label>(random.below(static_cast<std::uint64_t>(problem.K)));
      if (target == P.label(node) || P.sizes()[static_cast<std::size_t>(P.label(node))] == 1)
        continue;
      P.try_moves_and_keep(node, trial);
      const auto b = static_cast<std::size_t>(target);
      const double change = trial.cut[b] * weights.cut - trial.score[b] * weights.score;
      if (change > 0 && random.uniform() >= std::exp(-change / temperature)) continue;
      P.move(node, target);
      current += change;
      if (current < best) {
        best = current;
        best_labels = P.labels();
      }
    }
  }
  Partition Q = problem.partition(best_labels);
  Search(Q, weights, {}).descend();
  return Q.labels();
}

Labels greedy(const RefinementProblem& problem, const Labels& labels, double mu, bool climb) {
  Partition P = problem.partition(labels);
  Search search(P, problem.weights(mu), {.least_gain_of_escapes = 1e-9});
  search.descend();
  while (climb && search.climb()) search.descend();
  return P.labels();
}

Labels smoothed_greedy(const RefinementProblem& problem, const Labels& labels, double mu) {
  RefinementProblem smooth = problem;
  smooth.score = {.alpha = 0.5};
  return greedy(problem, greedy(smooth, labels, mu, false), mu, false);
}

void escapes(const std::vector<Wanted>& all) {
  fmt::print(
      "objective cut / scale - mu * balance from nsc labels at mu = 2, ratio cut (seconds)\n");
  fmt::print("{:<13} K {:>18} {:>18} {:>18} {:>18} {:>18} {:>18}\n", "instance", "greedy",
             "greedy + FM", "smooth, greedy", "rounds of all", "annealing, same s",
             "annealing, 4x");
  for (const Wanted& want : all) {
    for (const int K : cluster_numbers(want.name)) {
      if (!want.has(K)) continue;
      const Instance on = instance(want.name, K);
      const RefinementProblem problem{.G = on.G, .R = on.R, .K = K, .cut = CutKind::ratio};
      const Labels start = cluster(on.G, K, {.method = Method::nsc}).labels;
      const double mu = 2;
      std::string line = fmt::format("{:<13} {}", on.name, K);
      const auto measure = [&](const std::function<Labels()>& run) {
        const Stopwatch timer;
        const Labels labels = run();
        const double seconds = timer.seconds();
        const Partition P = problem.partition(labels);
        const Weights weights = problem.weights(mu);
        line += fmt::format(" {:>10.5f} ({:>4.1f}s)",
                            P.cut() * weights.cut - P.score() * weights.score, seconds);
        return seconds;
      };
      measure([&] { return greedy(problem, start, mu, false); });
      measure([&] { return greedy(problem, start, mu, true); });
      measure([&] { return smoothed_greedy(problem, start, mu); });
      const double seconds = measure([&] { return search_at(problem, start, mu).labels; });
      measure([&] { return annealed(problem, start, mu, seconds); });
      measure([&] { return annealed(problem, start, mu, 4 * seconds); });
      fmt::print("{}\n", line);
      std::fflush(stdout);
    }
  }
}

// --- Where our best ratio is hardly above the paper's: is there any better?

/// Minutes of annealing at Dinkelbach's mu, from the planted clusters and from ours.
void limits(const std::vector<Wanted>& all) {
  fmt::print("1000 * average balance / cut, and after annealing for so many seconds\n");
  for (const Wanted& want : all) {
    for (const int K : cluster_numbers(want.name)) {
      if (!want.has(K)) continue;
      const Instance on = instance(want.name, K);
      for (const CutKind kind : {CutKind::ratio, CutKind::normalized}) {
        if (!want.has(kind)) continue;
        const RefinementProblem problem{.G = on.G, .R = on.R, .K = K, .cut = kind};
        const Labels plain = cluster(on.G, K, {.method = Method::nsc}).labels;
        std::vector<Point> starts{point(
            on, K, kind, refine(on.G, on.R, plain, K, {.maximize_ratio = true, .cut = kind}).labels,
            "refined")};
        if (!on.truth.empty()) starts.push_back(point(on, K, kind, on.truth, "planted"));
        for (const Point& start : starts) {
          std::string line = fmt::format("{:<13} {} {:<10} {:<8} {:>9.5g}", on.name, K,
                                         kind == CutKind::ratio ? "ratio" : "normalized", start.how,
                                         start.ratio());
          const double mu = start.cut * problem.weights(0).cut / start.balance;
          for (const double seconds : {30.0, 120.0}) {
            const Labels labels = annealed(problem, start.labels, mu, seconds);
            line += fmt::format("  {:.0f} s: {:>9.5g}", seconds,
                                point(on, K, kind, labels, "").ratio());
          }
          fmt::print("{}\n", line);
          std::fflush(stdout);
        }
      }
    }
  }
}

// --- A million edges in G and in R.

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Seconds of the stages of `repeats` runs, medians: embedding and k-means, refinement.
struct Cost {
  double clustering = 0;
  double refinement = 0;
  Clustering last;
};

Cost cost(const std::function<Clustering()>& run, int repeats) {
  Cost result;
  std::vector<double> clustering;
  std::vector<double> refinement;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch timer;
    result.last = run();
    refinement.push_back(result.last.seconds.refine);
    clustering.push_back(timer.seconds() - refinement.back());
  }
  result.clustering = median(clustering);
  result.refinement = median(refinement);
  return result;
}

void speed_on(const char* model, const Graph& G, const Graph& R, const Labels& truth, int K) {
  const int repeats = 3;
  const Index N = G.num_nodes();
  fmt::print("\n{}: {} nodes, {} edges in G, {} in R, K = {}; medians of {} runs, {} threads\n",
             model, N, G.num_edges(), R.num_edges(), K, repeats, num_threads());
  fmt::print("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "embed s", "refine s", "x plain",
             "balance", "accuracy");
  for (const bool normalized : {true, false}) {
    double plain_seconds = 0;
    const auto line = [&](const char* what, const ClusterOptions& options) {
      const Cost found = cost([&] { return cluster(G, R, K, options); }, repeats);
      const double seconds = found.clustering + found.refinement;
      if (plain_seconds == 0) plain_seconds = seconds;
      fmt::print("{:<34} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.3f} {:>9.3f}\n",
                 fmt::format("{}, {}", name(found.last.method), what), found.clustering,
                 found.refinement, seconds / plain_seconds,
                 evaluate(G, R, found.last.labels, K).average_balance,
                 accuracy(found.last.labels, truth));
      std::fflush(stdout);
    };
    const Method plain = normalized ? Method::nsc : Method::usc;
    const Method aware = normalized ? Method::nrepsc : Method::urepsc;
    line("plain", {.method = plain});
    line("refined", {.method = plain, .refine = true});
    line("soft", {.method = aware, .constraint = ConstraintKind::soft});
    line("soft, refined", {.method = aware, .constraint = ConstraintKind::soft, .refine = true});
  }
  Partition P(G, R, truth, K, CutKind::normalized);
  Trial trial(K);
  const double pass = cost(
                          [&] {
                            P.refresh();
                            for (Index i = 0; i < N; ++i) P.try_moves(i, trial);
                            return Clustering{};
                          },
                          repeats)
                          .clustering;
  fmt::print(
      "a pass of trials over all nodes on one thread: {:.3f} s per million edges of G and R\n",
      pass / (1e-6 * static_cast<double>(G.num_edges() + R.num_edges())));
}

void speed() {
  const int K = 8;
  {
    const Index N = 100'000;
    const Graph R = sample_regular_representation(N, K, 24, 1);
    const Labels truth = equal_clusters(N, K);
    speed_on("R of Assumption 4.1, which the planted clusters meet",
             sample_rpp(R, truth, {.p = 4e-3, .q = 2e-3, .r = 1e-3, .s = 8.6e-5}, 2), R, truth, K);
  }
  const Index N = 50'000;
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % 5;
  const Graph R = sample_planted_partition(groups, 0.002, 0.0005, 1, SelfLoops::add);
  const Labels truth = equal_clusters(N, K);
  speed_on("planted R, which nothing meets; clear clusters",
           sample_rpp(R, truth, {.p = 0.3, .q = 0.2, .r = 0.0035, .s = 0.00022}, 2), R, truth, K);
  speed_on("planted R, which nothing meets; p:q:r:s = 4:3:2:1",
           sample_rpp(R, truth, {.p = 0.00282, .q = 0.00211, .r = 0.00141, .s = 0.000704}, 2), R,
           truth, K);
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<repsc::Wanted> all;
  for (int i = 2; i < argc; ++i) all.push_back(repsc::wanted(argv[i]));
  if (all.empty()) all = {{"fao"}, {"air"}, {"1000"}, {"3000"}};
  if (what.empty() || what == "table") repsc::table(all);
  if (what.empty() || what == "escapes") {
    if (what.empty()) all.pop_back();  // minutes each at 3000 nodes
    repsc::escapes(all);
  }
  if (what == "limits") repsc::limits(all);
  if (what.empty() || what == "speed") repsc::speed();
}
