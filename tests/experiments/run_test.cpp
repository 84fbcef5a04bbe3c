// Whole runs at size `tiny`: what they leave, that they go on where they stopped, what they refuse.
#include "experiments/run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "experiments/figures.hpp"
#include "made_up.hpp"
#include "support/data.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace repsc::experiments {
namespace {

const std::vector<std::string>& without_data() {
  static const std::vector<std::string> ids{"dreg-nodes", "dreg-clusters", "dreg-degree",
                                            "dreg-rank",  "planted",       "toy",
                                            "time",       "consistency"};
  return ids;
}

TEST(Run, leaves_rows_summaries_figures_claims_and_a_page) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const RunReport report = run_experiments(tiny(out, without_data()));
  EXPECT_EQ(report.finished, without_data());
  for (const std::string& id : without_data()) {
    const auto rows = rows_in(out + '/' + id);
    EXPECT_FALSE(rows.empty()) << id;
    const Summary summary(rows);
    const std::string page = folder.read("out/index.html");
    for (const Panel& panel : experiment_by_id(id).panels(summary)) {
      EXPECT_TRUE(std::filesystem::exists(out + '/' + id + '/' + panel.file + ".gp")) << panel.file;
      EXPECT_NE(page.find(id + '/' + panel.file + ".svg"), std::string::npos) << panel.file;
      EXPECT_FALSE(panel.paper.empty());
      EXPECT_FALSE(panel.caption.empty()) << id << ' ' << panel.file;
      if (!can_draw()) continue;
      for (const char* ending : {".svg", ".pdf"}) {
        const std::string figure = out + '/' + id + '/' + panel.file + ending;
        ASSERT_TRUE(std::filesystem::exists(figure)) << figure;
        EXPECT_GT(std::filesystem::file_size(figure), 1000U) << figure;
      }
    }
  }
  const auto claims = nlohmann::json::parse(folder.read("out/claims.json"));
  EXPECT_EQ(claims["claims"].size(), report.claims.size());
  for (const auto& claim : claims["claims"])
    EXPECT_FALSE(claim["numbers"].get<std::string>().empty());
}

TEST(Run, gives_the_same_rows_on_any_number_of_threads) {
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "two", {"dreg-rank", "planted"});
  run_experiments(options);
  options.out = folder / "one";
  options.threads = 1;
  run_experiments(options);
  for (const char* id : {"/dreg-rank", "/planted"}) {
    EXPECT_EQ(without_seconds(rows_in(folder / "one" + id)),
              without_seconds(rows_in(folder / "two" + id)));
  }
}

TEST(Run, has_distinct_seeds_for_repeats_and_one_row_a_setting) {
  const TemporaryFolder folder;
  run_experiments(tiny(folder / "out", {"planted"}));
  std::set<std::uint64_t> seeds;
  std::set<std::string> keys;
  const auto rows = rows_in(folder / "out/planted");
  for (const Row& row : rows) {
    seeds.insert(row.setting.seed);
    keys.insert(key(row.setting));
  }
  EXPECT_EQ(seeds.size(), 2U);
  EXPECT_EQ(keys.size(), rows.size());
}

struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(Run, goes_on_after_a_failure_and_redoes_no_row) {
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"dreg-nodes"});
  options.threads = 1;
  int left = 8;
  const Watcher stop{.progress = [&](const RunProgress&) {
    if (--left == 0) throw Stopped("stop");
  }};
  EXPECT_THROW(run_experiments(options, stop), Stopped);
  const std::string before = folder.read("out/dreg-nodes/results.csv");
  EXPECT_EQ(rows_in(folder / "out/dreg-nodes").size(), 8U);

  std::size_t computed = 0;
  run_experiments(options, {.progress = [&](const RunProgress&) { ++computed; }});
  const auto rows = rows_in(folder / "out/dreg-nodes");
  EXPECT_EQ(computed, rows.size() - 8);
  // The rows of the first call stand as they were, to the last digit of their seconds.
  const std::string after = folder.read("out/dreg-nodes/results.csv");
  std::istringstream lines(before);
  for (std::string line; std::getline(lines, line);)
    EXPECT_NE(after.find(line + '\n'), std::string::npos) << line;

  RunOptions whole = options;
  whole.out = folder / "whole";
  run_experiments(whole);
  EXPECT_EQ(without_seconds(rows), without_seconds(rows_in(folder / "whole/dreg-nodes")));

  computed = 0;  // complete: nothing is computed again, not a byte of the rows changes
  run_experiments(options, {.progress = [&](const RunProgress&) { ++computed; }});
  EXPECT_EQ(computed, 0U);
  EXPECT_EQ(folder.read("out/dreg-nodes/results.csv"), after);
}

#ifdef REPSC_TOOL
pid_t start_tool(const std::string& out) {
  std::vector<std::string> words{
      REPSC_TOOL, "experiment", "run", "dreg-nodes", "planted",   "--size", "tiny",  "--repeats",
      "12",       "--seed",     "7",   "--quiet",    "--threads", "2",      "--out", out};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  if (::posix_spawn(&child, REPSC_TOOL, nullptr, nullptr, argv.data(), environ) != 0) return -1;
  return child;
}

/// Kills at random moments, each run going on where the last one was killed; REPSC_KILLS sets how
/// many.
TEST(Tool, goes_on_after_kill_9_with_the_rows_of_an_undisturbed_run) {
  const char* const wanted = std::getenv("REPSC_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) / 4 : 4;
  const TemporaryFolder folder;
  const std::vector<std::string> ids{"dreg-nodes", "planted"};
  RunOptions options = tiny(folder / "whole", ids);
  options.request.repeats = 12;
  const auto begin = std::chrono::steady_clock::now();
  run_experiments(options);
  const std::chrono::duration<double> needed = std::chrono::steady_clock::now() - begin;
  const auto whole = [&](const std::string& id) {
    return without_seconds(rows_in(folder / "whole/" + id));
  };

  const std::string out = folder / "out";
  std::mt19937 random(5);
  std::uniform_real_distribution<double> moment(0, 2 * needed.count() / kills);
  int killed = 0;
  std::size_t before = 0;
  for (int i = 0; i < kills; ++i) {
    const pid_t child = start_tool(out);
    ASSERT_GT(child, 0);
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    std::size_t finished = 0;
    for (const std::string& id : ids) {
      if (!std::filesystem::exists(out + "/" + id + "/results.csv")) continue;
      const auto expected = whole(id);
      const auto left = without_seconds(rows_in(out + "/" + id));
      finished += left.size();
      EXPECT_TRUE(std::includes(expected.begin(), expected.end(), left.begin(), left.end())) << id;
    }
    EXPECT_GE(finished, before) << "a finished row was lost";
    before = finished;
  }
  EXPECT_GT(killed, 0) << "every run ended before it could be killed";

  const pid_t again = start_tool(out);
  int status = 0;
  ::waitpid(again, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const std::string& id : ids) EXPECT_EQ(without_seconds(rows_in(out + "/" + id)), whole(id));
  for (const auto& file : std::filesystem::recursive_directory_iterator(out)) {
    EXPECT_EQ(file.path().string().find(".tmp"), std::string::npos) << file.path();
  }
}
#endif

TEST(Run, refuses_changed_parameters_and_names_them) {
  const TemporaryFolder folder;
  const RunOptions options = tiny(folder / "out", {"toy", "dreg-nodes"});
  run_experiments(options);
  const auto refusal = [&](const std::function<void(Request&)>& change) -> std::string {
    RunOptions changed = options;
    change(changed.request);
    try {
      run_experiments(changed);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string repeats = refusal([](Request& request) { request.repeats = 3; });
  EXPECT_NE(repeats.find("repeats 2, now it is 3"), std::string::npos) << repeats;
  EXPECT_NE(repeats.find("use another folder"), std::string::npos) << repeats;
  EXPECT_NE(refusal([](Request& request) { request.seed = 8; }).find("seed 7, now it is 8"),
            std::string::npos);
  EXPECT_NE(refusal([](Request& request) { request.size = Size::quick; }).find("size"),
            std::string::npos);
  EXPECT_NE(refusal([](Request& request) { request.also = {"exact"}; }).find("also"),
            std::string::npos);

  // A folder of a version that knew fewer parameters.
  auto parameters = nlohmann::json::parse(folder.read("out/toy/parameters.json"));
  parameters.erase("mu");
  folder.write("out/toy/parameters.json", parameters.dump());
  const std::string older = refusal([](Request&) {});
  EXPECT_NE(older.find("a version of repsc without mu; use another folder"), std::string::npos)
      << older;
}

TEST(Run, adds_readings_to_the_rows_that_are_there) {
  const TemporaryFolder folder;
  const std::vector<std::string> ids{"planted", "toy"};
  run_experiments(tiny(folder / "out", ids));
  const auto first = without_seconds(rows_in(folder / "out/planted"));
  std::size_t computed = 0;
  RunOptions more = tiny(folder / "out", ids);
  more.request.readings = {"all"};
  run_experiments(more, {.progress = [&](const RunProgress&) { ++computed; }});
  const auto all = without_seconds(rows_in(folder / "out/planted"));
  EXPECT_GT(all.size(), first.size());
  EXPECT_EQ(computed, all.size() - first.size());
  more.out = folder / "at once";
  run_experiments(more);
  EXPECT_EQ(without_seconds(rows_in(folder / "at once/planted")), all);
  // Rows of readings that are no longer wanted would be left over.
  EXPECT_THROW(run_experiments(tiny(folder / "out", ids)), InvalidInput);
  more.out = folder / "out";
  more.request.repeats = 3;
  EXPECT_THROW(run_experiments(more), InvalidInput);
}

TEST(Run, says_what_data_is_missing_and_goes_on) {
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"fao", "air", "toy"});
  options.request.data = folder / "nowhere";
  const RunReport report = run_experiments(options);
  EXPECT_EQ(report.finished, std::vector<std::string>{"toy"});
  ASSERT_EQ(report.skipped.size(), 2U);
  const std::string& why = report.skipped[0].second;
  for (const char* part : {"fao_trade/fao_trade_multiplex.edges", "De Domenico", "--data",
                           "85b32c47443c5f829487326f1e8ee402ac391f8927281cbff45259ea453a47b3"}) {
    EXPECT_NE(why.find(part), std::string::npos) << why;
  }
}

TEST(Run, finds_the_real_networks_as_their_readme_counts_them) {
  const auto path = data_file("fao_trade/fao_trade_multiplex.edges");
  if (!path || !data_file("eu_air/EUAirTransportation_multiplex.edges")) GTEST_SKIP() << no_data;
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"fao", "air"});
  options.request.data = std::filesystem::path(*path).parent_path().parent_path();
  options.request.repeats = 1;
  const RunReport report = run_experiments(options);
  EXPECT_EQ(report.finished.size(), 2U);
  EXPECT_EQ(rows_in(folder / "out/fao").front().setting.nodes, 210);
  EXPECT_EQ(rows_in(folder / "out/air").front().setting.nodes, 96);
  const std::string fao = folder.read("out/fao/about.json"),
                    air = folder.read("out/air/about.json");
  EXPECT_NE(fao.find("G has 6140 edges, R 6681"), std::string::npos) << fao;
  EXPECT_NE(air.find("100, then 96"), std::string::npos) << air;
  EXPECT_NE(air.find("G has 279 edges, R 403"), std::string::npos) << air;
}

TEST(Run, joins_the_exact_method_to_the_same_plots_by_one_option) {
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"dreg-nodes"});
  options.request.also = {"exact"};
  run_experiments(options);
  const Summary summary(rows_in(folder / "out/dreg-nodes"));
  EXPECT_TRUE(summary.has_method("urepsc-exact"));
  EXPECT_EQ(experiment_by_id("dreg-nodes").panels(summary).front().curves.size(), 6U)
      << "lots, three methods of the paper, the exact one, and that on an R of types";
}

TEST(Run, places_every_row_between_lots_and_plain_clustering) {
  const TemporaryFolder folder;
  RunOptions options = tiny(folder / "out", {"dreg-nodes"});
  options.request.also = {"default"};
  run_experiments(options);
  const std::vector<Row> rows = rows_in(folder / "out/dreg-nodes");
  for (const Row& row : rows) {
    EXPECT_TRUE(std::isfinite(row.outcome.structure_kept)) << row.setting.method;
    EXPECT_TRUE(std::isfinite(row.outcome.fairness_gained)) << row.setting.method;
    if (row.setting.method == "nauto") {
      EXPECT_GT(row.outcome.structure_kept * std::min(1.0, row.outcome.fairness_gained), 0.25)
          << "better than any lottery";
    }
  }
  const Summary summary(rows);
  for (const SummaryRow& row : summary.rows()) {
    if (!row.setting.method.ends_with("lots")) continue;
    EXPECT_EQ(row[Quantity::ratio_cut].count, options.request.repeats * 20);
    EXPECT_NEAR(row[Quantity::structure_kept].mean, 0, 0.1);
    EXPECT_GT(row[Quantity::average_balance].sd, 0);
  }
}

using Words = std::vector<std::string>;

// Without what is ours.
std::vector<Row> of_the_paper(std::vector<Row> rows) {
  std::erase_if(rows, [](const Row& row) { return row.setting.strength > 0; });
  return rows;
}

std::size_t named(const Panel& panel, const std::string& part) {
  return static_cast<std::size_t>(std::count_if(
      panel.curves.begin(), panel.curves.end(),
      [&](const Curve& curve) { return curve.name.find(part) != std::string::npos; }));
}

TEST(Run, joins_our_own_methods_only_where_they_are_asked_for) {
  const TemporaryFolder folder;
  std::vector<std::string> plain[2];  // rows of the first run
  for (const Words& also : {Words{}, Words{"soft"}, Words{"soft", "refined"}}) {
    RunOptions options = tiny(folder / std::to_string(also.size()), {"dreg-nodes", "planted"});
    options.request.also = also;
    options.request.repeats = 1;
    run_experiments(options);
    const std::vector<Row> rows[2] = {rows_in(options.out + "/dreg-nodes"),
                                      rows_in(options.out + "/planted")};
    for (const int i : {0, 1}) {
      if (also.empty()) plain[i] = without_seconds(rows[i]);
      EXPECT_EQ(without_seconds(of_the_paper(rows[i])), plain[i]);
    }

    const Summary compared(rows[0]), swept(rows[1]);
    for (const Summary& summary : {compared, swept}) {
      EXPECT_EQ(summary.has_method("urepsc-soft"), !also.empty());
      EXPECT_EQ(summary.has_method("nrepsc-refined"), also.size() == 2);
    }
    EXPECT_EQ(experiment_by_id("dreg-nodes").panels(compared).front().curves.size(),
              5 + also.size());
    int clouds = 0;
    for (const Panel& panel : experiment_by_id("planted").panels(swept)) {
      const bool is_cloud = panel.file.starts_with("trade-off");
      clouds += is_cloud ? 1 : 0;
      for (const Curve& curve : panel.curves) EXPECT_FALSE(is_cloud && curve.points.empty());
      // Beside FairSC and RepSC each of ours is a level; of a ratio, the best is there, and named.
      const std::size_t best = panel.file.starts_with("ratio-un") ? also.size() : 0;
      if (panel.file == "ratio-unnormalized-n60-k2" || panel.file == "balance-normalized-n60-k2") {
        EXPECT_EQ(named(panel, "soft, strength 1"), also.empty() ? 0U : 1U) << panel.file;
        EXPECT_EQ(named(panel, "refined, mu 2"), also.size() == 2 ? 1U : 0U) << panel.file;
        EXPECT_EQ(named(panel, "best"), best) << panel.file;
      }
      // Each method a cloud and its front.
      if (is_cloud) {
        EXPECT_EQ(panel.curves.size(), 2 * (3 + also.size())) << panel.file;
      }
    }
    EXPECT_EQ(clouds, also.empty() ? 0 : 2);
  }
}

TEST(Catalogue, has_an_estimate_for_every_experiment_without_data) {
  for (const std::string& id : without_data()) {
    EXPECT_GT(estimated_seconds(experiment_by_id(id), {.size = Size::paper, .repeats = 10}, 1), 0)
        << id;
  }
  EXPECT_THROW((void)experiment_by_id("nothing"), InvalidInput);
}

}  // namespace
}  // namespace repsc::experiments
