// The toy example of the paper's appendix (Figure 4): 24 nodes, d = 6, K = 2, drawn as three
// panels.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/panel.hpp"
#include "experiments/work.hpp"
#include "repsc/metrics.hpp"

namespace repsc::experiments {
namespace {

constexpr int num_clusters = 2;

struct Position {
  double x;
  double y;
};

// Four blocks of six nodes, each block a ring, the blocks at the corners of a square.
Position position(Index node) {
  const Index block = node / 6, place = node % 6;
  const double angle = (60.0 * place + 30.0) * 3.14159265358979 / 180.0;
  const double x = block % 2 == 0 ? 0 : 3.4;
  const double y = block / 2 == 0 ? 3.2 : 0;
  return {x + 1.25 * std::cos(angle), y + 1.15 * std::sin(angle)};
}

const char* color_of(Label label, int palette) {
  constexpr const char* colors[3][2] = {
      {"#E69F00", "#56B4E9"}, {"#009E73", "#F0E442"}, {"#D55E00", "#0072B2"}};
  return colors[palette][label];
}

std::string edges_of(const Graph& R) {
  std::string text = "$edges << EOD\n";
  for (Index u = 0; u < R.num_nodes(); ++u) {
    for (const Index v : R.neighbors(u)) {
      if (v <= u) continue;
      const Position a = position(u), b = position(v);
      text += fmt::format("{:.3f} {:.3f}\n{:.3f} {:.3f}\n\n", a.x, a.y, b.x, b.y);
    }
  }
  return text + "EOD\n";
}

std::string drawing(const Graph& R, const Labels& labels, const std::string& title, int palette,
                    const Vector& rho) {
  std::string text = edges_of(R);
  for (const Label label : {0, 1}) {
    text += fmt::format("$nodes{} << EOD\n", label);
    for (Index i = 0; i < R.num_nodes(); ++i) {
      if (labels[static_cast<std::size_t>(i)] != label) continue;
      const Position at = position(i);
      const std::string word =
          rho.size() > 0 ? fmt::format("{:.2g}", rho[i]) : fmt::format("{}", i + 1);
      text += fmt::format("{:.3f} {:.3f} {}\n", at.x, at.y, word);
    }
    text += "EOD\n";
  }
  text += fmt::format("unset border\nunset tics\nunset key\nset title \"{}\"\n", title);
  text += "set size ratio -1\nset xrange [-1.8:5.2]\nset yrange [-1.7:4.9]\n";
  text += "plot $edges using 1:2 with lines lc rgb '#888888' lw 1 notitle";
  for (const Label label : {0, 1}) {
    text += fmt::format(
        ", \\\n     $nodes{0} using 1:2 with points pt {1} ps 3.9 lc rgb '{2}' notitle, \\\n     "
        "$nodes{0} using 1:2 with points pt {3} ps 3.9 lw 1 lc rgb '#000000' notitle, \\\n     "
        "$nodes{0} using 1:2:3 with labels font ',9' notitle",
        label, label == 0 ? 7 : 5, color_of(label, palette), label == 0 ? 6 : 4);
  }
  return text + '\n';
}

const Labels& labels_of(const ToyExample& example, const std::string& method) {
  return method == "statistically-fair" ? example.statistically_fair : example.individually_fair;
}

// Clusters that can be seen in 24 nodes, as those of the paper's probabilities can not.
constexpr RppProbabilities toy_probabilities{.p = 0.8, .q = 0.5, .r = 0.4, .s = 0.1};

bool is_drawn(const Setting& setting) { return setting.method.ends_with("-fair"); }

// The two clusterings that the paper draws.
Instance drawn_clusters() {
  Instance instance;
  for (const char* method : {"statistically-fair", "individually-fair"}) {
    instance.settings.push_back({.experiment = "toy",
                                 .method = method,
                                 .nodes = 24,
                                 .clusters = num_clusters,
                                 .degree = 6});
  }
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const ToyExample example = toy_example();
    for (const Setting& setting : wanted) {
      const Stopwatch watch;
      const Vector rho =
          balance(example.representation, labels_of(example, setting.method), num_clusters);
      emit({setting,
            {.average_balance = rho.mean(),
             .minimum_balance = rho.minCoeff(),
             .seconds = watch.seconds(),
             .shared_seconds = 0}});
    }
  };
  return instance;
}

// Every method on a similarity graph whose true clusters are the individually fair ones.
Instance found_clusters(int run, bool with_lots, std::uint64_t seed) {
  const std::array<std::int64_t, 2> numbers{24, run};
  const Setting base = with({.experiment = "toy",
                             .nodes = 24,
                             .clusters = num_clusters,
                             .degree = 6,
                             .run = run,
                             .seed = mixed_seed(seed, numbers)},
                            toy_probabilities);
  Instance instance;
  for (const bool normalized : {false, true}) {
    for (const char* method : {"sc", "fairsc", "repsc-exact"}) {
      Setting setting = base;
      setting.normalized = normalized;
      setting.method = method_name(normalized, method);
      if (std::string(method) == "fairsc") setting.groups = 2;
      instance.settings.push_back(setting);
    }
    if (!with_lots) continue;
    Setting lots = base;
    lots.normalized = normalized;
    add_lots(lots, instance.settings);
  }
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    const ToyExample example = toy_example();
    const auto R = shared_representation(example.representation, wanted);
    const auto problem = [&](int) {
      return Problem{Pipeline(sample_rpp(example.representation, example.individually_fair,
                                         probabilities_of(first), first.seed),
                              R),
                     example.individually_fair};
    };
    answer_with(wanted, problem, emit);
  };
  return instance;
}

double no_axis(const Setting&) { return 0; }

Claim found_claim(const Summary& summary, bool normalized) {
  Claim claim{.id = "toy-found",
              .experiment = "toy",
              .family = family_name(normalized),
              .statement =
                  "on similarity graphs sampled with the individually fair clusters, RepSC "
                  "with R itself finds clusters of higher average balance than SC, FairSC "
                  "(on the two groups) and lots"};
  const auto mean = [&](const char* base, Quantity quantity) {
    const auto points = method_curve(
                            summary, quantity, normalized, base,
                            [](const Setting& setting) { return !is_drawn(setting); }, no_axis)
                            .points;
    return points.empty() ? constant(unknown) : points.front();
  };
  const Point repsc = mean("repsc-exact", Quantity::average_balance);
  claim.holds = repsc.count > 0;
  for (const char* base : {"repsc-exact", "sc", "fairsc", "lots"}) {
    const Point rho = mean(base, Quantity::average_balance);
    const Point accuracy = mean(base, Quantity::accuracy);
    const std::string method =
        base == std::string("repsc-exact") ? "RepSC" : legend_name(method_name(normalized, base));
    if (base != std::string("repsc-exact")) claim.holds = claim.holds && higher(repsc, rho);
    claim.numbers += fmt::format("{}{}: balance {:.3f}, accuracy {:.3f}",
                                 claim.numbers.empty() ? "" : "; ", method, rho.y, accuracy.y);
    claim.data.push_back({"", method + " balance", rho.y, rho.sd, rho.count});
    claim.data.push_back({"", method + " accuracy", accuracy.y, accuracy.sd, accuracy.count});
  }
  return claim;
}

Claim balance_claim(const Summary& summary, const std::string& method, double expected) {
  Claim claim{.id = "toy-" + method,
              .experiment = "toy",
              .family = "both",
              .statement = fmt::format(
                  "rho_i = {} for every node of the {} clusters", expected,
                  method == "statistically-fair" ? "statistically fair" : "individually fair"),
              .source = Source::construction,
              .figure = method == "statistically-fair" ? "Figure 4(b)" : "Figure 4(c)",
              .quote = "Appendix, Representation constraint: Additional details"};
  for (const SummaryRow& row : summary.rows()) {
    if (row.setting.method != method) continue;
    const double average = row[Quantity::average_balance].mean;
    const double minimum = row[Quantity::minimum_balance].mean;
    claim.holds = std::abs(average - expected) < 1e-12 && std::abs(minimum - expected) < 1e-12;
    claim.numbers = fmt::format("average {:.3g}, minimum {:.3g}", average, minimum);
    claim.data = {{"", "average balance", average}, {"", "minimum balance", minimum}};
  }
  return claim;
}

std::vector<Panel> toy_panels() {
  const ToyExample example = toy_example();
  const Graph& R = example.representation;
  const Vector statistical = balance(R, example.statistically_fair, num_clusters);
  const Vector individual = balance(R, example.individually_fair, num_clusters);
  std::vector<Panel> panels;
  const auto add = [&](const char* file, const char* title, const Labels& labels, const Vector& rho,
                       const std::string& caption) {
    const auto number = static_cast<int>(panels.size());
    Panel panel{.file = file,
                .title = title,
                .paper = fmt::format("Figure 4({})", "abc"[number]),
                .caption = caption};
    panel.script = drawing(R, labels, panel.title, number, rho);
    panels.push_back(std::move(panel));
  };
  add("groups", "Representation graph and its two protected groups", example.protected_groups,
      Vector(),
      fmt::format("{} nodes with {} edges besides their self-loops, every degree 6; "
                  "colours and shapes are the two groups, numbers name the nodes.",
                  R.num_nodes(), R.num_edges() - R.num_self_loops()));
  add("statistically-fair", "Statistically fair clusters, with each node's rho_i",
      example.statistically_fair, statistical,
      fmt::format("Half of each group is in each cluster, yet the average of rho_i is {:.2g}: the "
                  "clusters are fair to the groups, but not to the nodes.",
                  statistical.mean()));
  add("individually-fair", "Individually fair clusters, with each node's rho_i",
      example.individually_fair, individual,
      fmt::format("Every node has three representatives in each cluster: the smallest rho_i is "
                  "{:.2g}.",
                  individual.minCoeff()));
  return panels;
}

}  // namespace

Experiment toy() {
  Experiment experiment;
  experiment.id = "toy";
  experiment.title = "The toy example: fair to groups, unfair to every node";
  experiment.paper = "Figure 4(a), (b), (c)";
  experiment.varies = "the clusters (N = 24, d = 6, K = 2)";
  experiment.instances = [](const Request& request) {
    std::vector<Instance> instances{drawn_clusters()};
    // Ten times the repeats of the others: 24 nodes cost nothing and vary much.
    for (int run = 0; run < 10 * request.repeats; ++run)
      instances.push_back(found_clusters(run, run < request.repeats, request.seed));
    return instances;
  };
  experiment.panels = [](const Summary&) { return toy_panels(); };
  experiment.claims = [](const Summary& summary) {
    return std::vector<Claim>{balance_claim(summary, "statistically-fair", 0.2),
                              balance_claim(summary, "individually-fair", 1),
                              found_claim(summary, false), found_claim(summary, true)};
  };
  experiment.notes = [](const Request&) {
    return std::vector<std::string>{
        "The paper shows the graph as a picture; this is a graph with every property that its text "
        "names.",
        "The methods run on similarity graphs sampled from R-PP with this R and the individually "
        "fair clusters, p, q, r, s = 0.8, 0.5, 0.4, 0.1 (ours: 24 nodes show nothing of clusters "
        "with the paper's probabilities), ten times as often as the other experiments repeat. "
        "FairSC has the two groups that spectral clustering finds "
        "in R."};
  };
  return experiment;
}

}  // namespace repsc::experiments
