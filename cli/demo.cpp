// repsc demo: plain, group-fair and representation-aware clusters of one random graph, and the
// paper's toy graph, in which clusters that are fair to groups are unfair to every node.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "options.hpp"
#include "repsc/cluster.hpp"
#include "repsc/io.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

struct Options {
  CommonOptions common;
  std::uint64_t seed = 0;
};

void say(const std::string& text) { write_text_file("-", text); }

/// People with two sensitive attributes, four schools and six ages. Two people represent one
/// another if they share either, so R is not a union of groups. Every combination is equally
/// frequent in every cluster, so the true clusters are fair to everyone.
///
/// With p - q = r - s, E[A] = s 11' + (r - s) [same cluster] + (q - s) R. Its eigenvalues are, in
/// units of N times the 1 of 4:3:2:1: the schools 2 * 5/24, the ages 2 * 3/24, the clusters 1/5. So
/// plain clustering finds the schools, and clustering that is fair to schools finds the ages.
struct People {
  static constexpr Index count = 2400;
  static constexpr int num_clusters = 5;
  static constexpr int num_schools = 4;
  static constexpr int num_ages = 6;
  static constexpr RppProbabilities edges{.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1};

  Labels clusters = equal_clusters(count, num_clusters);
  Labels schools;
  Labels ages;
  Graph representation;
  Graph similarity;
};

People sample_people(std::uint64_t seed) {
  People people;
  for (Index i = 0; i < People::count; ++i) {
    people.schools.push_back(i % People::num_schools);
    people.ages.push_back(i / People::num_schools % People::num_ages);
  }
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  for (std::size_t i = 0; i < People::count; ++i) {
    for (std::size_t j = 0; j < People::count; ++j) {
      if (people.schools[i] == people.schools[j] || people.ages[i] == people.ages[j]) {
        neighbors.push_back(static_cast<Index>(j));
      }
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  people.representation =
      Graph(std::move(offsets), std::move(neighbors), {}, NodeNames(People::count, 1));
  people.similarity = sample_rpp(people.representation, people.clusters, People::edges, seed);
  return people;
}

/// Result of one method.
struct Row {
  std::string method;
  Metrics metrics;
  double structure = 0;  ///< s and f, see repsc/baselines.hpp
  double fairness = 0;
  double accuracy = 0;
  double seconds = 0;
  std::string found;     ///< the attribute that the clusters agree with most
  double agreement = 0;  ///< adjusted Rand index with that
};

Row run_method(const People& people, const Baselines& scale, const ClusterOptions& options) {
  const Stopwatch watch;
  const Clustering result =
      cluster(people.similarity, people.representation, People::num_clusters, options);
  Row row{.method = options.method ? name(result.method) : "default",
          .metrics = {},
          .seconds = watch.seconds(),
          .found = {}};
  row.metrics =
      evaluate(people.similarity, people.representation, result.labels, People::num_clusters);
  row.accuracy = accuracy(result.labels, people.clusters);
  row.structure = scale.structure_kept(row.metrics.normalized_cut);
  row.fairness = scale.fairness_gained(row.metrics.average_balance);
  const std::array<std::pair<const char*, const Labels*>, 3> known{
      {{"schools", &people.schools}, {"ages", &people.ages}, {"true clusters", &people.clusters}}};
  for (const auto& [what, labels] : known) {
    const double agreement = adjusted_rand_index(result.labels, *labels);
    if (row.found.empty() || agreement > row.agreement) {
      row.found = what;
      row.agreement = agreement;
    }
  }
  return row;
}

std::string line_of(const Row& row) {
  return fmt::format("  {:<8} {:>8.3f} {:>10.2f} {:>9.2f} {:>8.3f} {:>8.2f}  {}\n", row.method,
                     row.accuracy, row.structure, row.fairness, row.metrics.average_balance,
                     row.seconds, fmt::format("{} ({:.2f})", row.found, row.agreement));
}

std::string what_it_finds(const Row& row) {
  if (row.agreement > 0.9) return "finds the " + row.found;
  if (row.agreement > 0.5) return "mostly finds the " + row.found;
  return "finds a mix, nearest to the " + row.found;
}

// A summary of the table, computed from its numbers.
std::string conclusion(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    text += (text.empty() ? "" : ", ") + row.method + ' ' + what_it_finds(row);
  }
  const auto by_balance = [](const Row& a, const Row& b) {
    return a.metrics.average_balance < b.metrics.average_balance;
  };
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), by_balance);
  text += fmt::format(
      ". The average balance of a person, the ratio of representatives in the cluster with the "
      "fewest to those in the cluster with the most, is {:.0f}% with {}, and {:.0f}% with {}.",
      100 * most->metrics.average_balance, most->method, 100 * least->metrics.average_balance,
      least->method);
  return wrapped(text) + '\n';
}

void show_people(const Options& options, Console& console) {
  say(bold("Clusters of people in which everyone is represented") + "\n\n" +
      wrapped(fmt::format(
          "A random graph G of {} people (the paper's R-PP model, p:q:r:s = 4:3:2:1) with {} true "
          "clusters; {} schools and {} ages are equally frequent in all of them. People of the "
          "same school or the same age represent one another (R), and are linked in G more often "
          "than others. So schools and ages are more visible in G than the clusters are. nsc is "
          "plain, nfairsc is fair to {} groups found by clustering R, and the default seeks the "
          "fair "
          "bargain with R itself: as much as possible of the structure of plain clustering (1), as "
          "fair as drawing lots (1).",
          grouped(People::count), People::num_clusters, People::num_schools, People::num_ages,
          People::num_schools)) +
      "\n\n");
  const People people = sample_people(options.seed);
  say(bold("  method   accuracy  structure  fairness  average  seconds  agrees most with") + '\n' +
      bold("                          kept    gained  balance           (Rand index)") + '\n');
  Pipeline pipeline(ClusterInput{people.similarity, people.representation});
  const std::optional<Baselines> scale = baselines(
      pipeline, People::num_clusters, {.seed = options.seed, .progress = console.progress()});
  require(scale.has_value(), "the people of the demo have no isolated node");
  std::vector<Row> rows;
  const auto run = [&](ClusterOptions method) {
    method.seed = options.seed;
    method.progress = console.progress();
    rows.push_back(run_method(people, *scale, method));
    console.clear_progress();
    say(line_of(rows.back()));
  };
  run({.method = Method::nsc});
  run({.method = Method::nfairsc, .num_groups = People::num_schools});
  run({});
  say('\n' + conclusion(rows) + '\n');
}

std::string toy_table(const ToyExample& toy) {
  TextTable table({"clusters", "each group, o + x", "representatives, most + rest", "rho_i"});
  const auto add = [&](const char* what, const Labels& labels) {
    const CountMatrix groups = group_counts(toy.protected_groups, 2, labels, 2);
    const auto person = representative_counts(toy.representation, labels, 2).row(0).eval();
    const Vector rho = balance(toy.representation, labels, 2);
    const double low = rho.minCoeff();
    const double high = rho.maxCoeff();
    table.add(
        {what, fmt::format("{} + {}", groups(0, 0), groups(0, 1)),
         fmt::format("{} + {}", person.maxCoeff(), person.minCoeff()),
         low == high ? fmt::format("{:.2g}", low) : fmt::format("{:.2g} to {:.2g}", low, high)});
  };
  add("statistically fair", toy.statistically_fair);
  add("individually fair", toy.individually_fair);
  return table.text();
}

// Rows are blocks of six nodes, o and x the two clusters.
std::string toy_drawing(const ToyExample& toy) {
  constexpr std::size_t block = 6;
  std::string text = bold("  group   statistically fair   individually fair") + '\n';
  const auto cells = [&](const Labels& labels, std::size_t start) {
    std::string cell;
    for (std::size_t i = start; i < start + block; ++i) {
      cell += fmt::format("{}{}", cell.empty() ? "" : " ", labels[i] == 0 ? 'o' : 'x');
    }
    return cell;
  };
  for (std::size_t start = 0; start < toy.protected_groups.size(); start += block) {
    text += fmt::format("  {:<8}{:<21}{}\n", toy.protected_groups[start] == 0 ? 'A' : 'B',
                        cells(toy.statistically_fair, start), cells(toy.individually_fair, start));
  }
  return text;
}

void show_toy() {
  const ToyExample toy = toy_example();
  const double unfair = balance(toy.representation, toy.statistically_fair, 2).mean();
  const double fair = balance(toy.representation, toy.individually_fair, 2).mean();
  say(bold("The paper's toy graph: fair to groups, but not to individuals") + "\n\n" +
      fmt::format("{} people, each with {} representatives in R, in two clusters o and x.\n\n",
                  toy.representation.num_nodes(), toy.representation.neighbors(0).size()) +
      toy_drawing(toy) + '\n' + toy_table(toy) + '\n' +
      wrapped(fmt::format("Both clusterings split both groups into halves. The average balance of "
                          "a person is {:.2g} in the first and {:.2g} in the second: R "
                          "distinguishes the two clusterings, the groups do not.",
                          unfair, fair)) +
      "\n\n");
}

constexpr const char* next_commands =
    R"(  repsc generate rpp -n 600 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o toy
  repsc cluster toy.similarity.mtx toy.representation.mtx -k 5 -o labels.csv
  repsc evaluate toy.similarity.mtx toy.representation.mtx labels.csv \
      --truth toy.truth.csv
  repsc cluster --help
)";

int run_demo(const Options& options) {
  Console console(options.common);
  show_people(options, console);
  show_toy();
  say(bold("Next") + "\n\n" + next_commands);
  return exit_fine;
}

}  // namespace

void add_demo_command(CLI::App& tool, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = tool.add_subcommand("demo", "show an example; needs no input");
  add_seed_option(*command, options->seed);
  add_common_options(*command, options->common);
  command->footer("Example:\n  repsc demo");
  command->callback([options, &run] { run = [options] { return run_demo(*options); }; });
}

}  // namespace repsc::cli
