// What the pages of a run say: the baseline in every panel, claims with their parts, an overview.
#include "experiments/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/figures.hpp"
#include "experiments/run.hpp"
#include "made_up.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::experiments {
namespace {

TEST(Panels, of_balance_or_cut_have_the_lots) {
  const TemporaryFolder folder;
  const std::vector<std::string> ids{"dreg-nodes", "dreg-clusters", "dreg-degree", "dreg-rank",
                                     "planted"};
  run_experiments(tiny(folder / "out", ids));
  int counted = 0;
  for (const std::string& id : ids) {
    const Summary summary(rows_in(folder / "out/" + id));
    for (const Panel& panel : experiment_by_id(id).panels(summary)) {
      const bool of_lots =
          std::any_of(panel.curves.begin(), panel.curves.end(), [](const Curve& c) {
            return c.style == CurveStyle::lots && c.drawn == Drawn::band && !c.points.empty();
          });
      EXPECT_TRUE(of_lots) << id << ' ' << panel.file;
      EXPECT_NE(panel.title.find(": "), std::string::npos) << panel.title;
      EXPECT_NE(panel.title.find("normalized"), std::string::npos) << panel.title;
      ++counted;
    }
  }
  EXPECT_GT(counted, 20);
}

TEST(Panels, hold_every_error_bar_and_move_the_marks_of_curves_apart) {
  Panel panel{.file = "p", .title = "network: measure"};
  panel.curves = {{"a", CurveStyle::fairsc, {{1, 0.1, 0.3, 3}, {2, 0.5, 0.1, 3}}},
                  {"b", CurveStyle::repsc, {{1, 0.1, 0, 3}, {2, 0.9, 0.4, 3}}}};
  const std::string script = figure_script(panel);
  // Bars reach from -0.2 to 1.3; a twentieth of that range is left at both ends.
  EXPECT_NE(script.find("set yrange [-0.275:1.375]"), std::string::npos) << script;
  EXPECT_NE(script.find("using ($1+-0.003):2"), std::string::npos) << script;
  EXPECT_NE(script.find("using ($1+0.003):2"), std::string::npos) << script;
}

TEST(Toy, runs_every_method_on_graphs_sampled_with_the_fair_clusters) {
  const TemporaryFolder folder;
  run_experiments(tiny(folder / "out", {"toy"}));
  const Summary summary(rows_in(folder / "out/toy"));
  for (const char* method :
       {"usc", "ufairsc", "urepsc-exact", "ulots", "nsc", "nfairsc", "nrepsc-exact", "nlots"}) {
    EXPECT_TRUE(summary.has_method(method)) << method;
  }
  for (const SummaryRow& row : summary.rows()) {
    if (row.setting.method != "urepsc-exact") continue;
    EXPECT_EQ(row[Quantity::accuracy].count, 20);
    EXPECT_GT(row[Quantity::accuracy].mean, 0.8) << "the constraint alone nearly determines them";
  }
}

TEST(ClaimsFile, has_every_part_of_every_claim) {
  const TemporaryFolder folder;
  run_experiments(tiny(folder / "out", {"dreg-nodes", "planted", "toy", "time", "consistency"}));
  const auto file = nlohmann::json::parse(folder.read("out/claims.json"));
  std::map<std::string, int> held, tested;
  for (const auto& claim : file["claims"]) {
    const std::string source = claim["source"], id = claim["id"];
    if (source == "paper") {
      EXPECT_FALSE(claim["quote"].get<std::string>().empty()) << id;
      if (id != "families-agree") {
        EXPECT_FALSE(claim["figure"].get<std::string>().empty()) << id;
      }
      EXPECT_FALSE(claim["data"].empty()) << id;
    }
    for (const auto& number : claim["data"]) {
      EXPECT_FALSE(number["quantity"].get<std::string>().empty()) << id;
      EXPECT_TRUE(number["value"].is_number()) << id << ' ' << number;
    }
    if (claim["reading"] != "") continue;
    ++tested[source];
    held[source] += claim["holds"].get<bool>() ? 1 : 0;
  }
  for (const char* source : {"paper", "ours", "construction"}) {
    EXPECT_EQ(file["counts"][source]["tested"], tested[source]);
    EXPECT_EQ(file["counts"][source]["hold"], held[source]);
    EXPECT_GT(tested[source], 0);
  }
  EXPECT_NE(file["rule"].get<std::string>().find("2 standard errors"), std::string::npos);

  const std::string page = folder.read("out/index.html");
  EXPECT_LT(page.find("id=\"overview\""), page.find("id=\"contents\""));
  EXPECT_LT(page.find("id=\"contents\""), page.find("id=\"dreg-nodes\""));
  EXPECT_NE(page.find("<a class=\"yes\" href=\"#toy-individually-fair-both\">"), std::string::npos);
  EXPECT_NE(page.find("<td>exact-types</td>"), std::string::npos);
  EXPECT_NE(page.find("alt=\"d-regular R, K = 5, d = 40, unnormalized: accuracy. From left"),
            std::string::npos)
      << "what is seen, with its numbers";
}

}  // namespace
}  // namespace repsc::experiments
