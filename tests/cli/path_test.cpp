// repsc path: the contract of its table, its files and its options.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Path : public ToolTest {
 protected:
  Path() { generate_sample(); }
  const std::string call = "path sample.similarity.mtx sample.representation.mtx -k 3 ";
};

TEST_F(Path, prints_a_table_with_a_line_a_rank) {
  const auto lines = lines_of(fine(call + "--ranks 1,2,5,10-20:5,2 --quiet").out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_THAT(lines[0], HasSubstr("constraint  ratio cut  normalized cut  average balance"));
  std::vector<std::string> ranks;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream line(lines[i]);
    std::string word;
    std::vector<std::string> words;
    while (line >> word) words.push_back(word);
    ASSERT_EQ(words.size(), 10U) << lines[i];
    EXPECT_EQ(words[0], "rank");
    ranks.push_back(words[1]);
    EXPECT_EQ(lines[i].size(), lines[0].size());
  }
  EXPECT_THAT(ranks, ElementsAre("1", "2", "5", "10", "15", "20"));
}

TEST_F(Path, gives_what_cluster_gives_at_each_rank) {
  fine(call + "--ranks 3,40 --seed 4 --json path.json -o labels.csv --csv path.csv");
  const auto json = parsed(content("path.json"));
  EXPECT_EQ(json["method"], "nrepsc");
  EXPECT_EQ(json["nodes"], 120);
  EXPECT_EQ(json["ranks"], (std::vector<int>{3, 40}));
  EXPECT_EQ(json["converged"], true);
  EXPECT_GT(json["seconds"]["total"].get<double>(), 0);
  EXPECT_GT(json["seconds"]["decomposition"].get<double>(), 0);
  const auto labels = lines_of(content("labels.csv"));
  ASSERT_EQ(labels.size(), 121U);
  EXPECT_EQ(labels[0], "node,rank_3,rank_40");
  ASSERT_EQ(lines_of(content("path.csv")).size(), 3U);
  EXPECT_THAT(content("path.csv"), StartsWith("rank,constraint_rank,ratio_cut,"));
  for (const int rank : {3, 40}) {
    const auto step = json["path"][rank == 3 ? 0 : 1];
    const auto single = parsed(fine("cluster sample.similarity.mtx sample.representation.mtx -k 3 "
                                    "--seed 4 --json - --rank " +
                                    std::to_string(rank))
                                   .out);
    EXPECT_EQ(step["rank"], rank);
    for (const auto& item : single.items()) {
      const bool of_path = item.key() == "input" || item.key() == "baselines";
      EXPECT_TRUE((of_path ? json : step).contains(item.key())) << item.key();
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(step["eigenvalues"][k].get<double>(), single["eigenvalues"][k].get<double>(),
                  1e-7);
    }
    EXPECT_EQ(step["constraint_rank"], single["constraint_rank"]);
    EXPECT_EQ(step["seed"], 4);
  }
}

TEST_F(Path, covers_strengths_and_marks_the_points_that_no_other_beats) {
  fine(call +
       "--ranks 5,40 --strengths 0,0.1..10,2..8:3 --json path.json -o labels.csv "
       "--method urepsc");
  const auto json = parsed(content("path.json"));
  EXPECT_EQ(json["ranks"], (std::vector<int>{5, 40}));
  EXPECT_EQ(json["strengths"], (std::vector<double>{0, 0.1, 1, 2, 4, 8, 10}));
  EXPECT_EQ(lines_of(content("labels.csv"))[0],
            "node,rank_5,rank_40,strength_0,strength_0.1,strength_1,strength_2,strength_4,"
            "strength_8,strength_10");
  ASSERT_EQ(json["path"].size(), 9U);
  for (const auto& step : json["path"]) {
    bool beaten = false;
    const double cut = step["metrics"]["ratio_cut"];
    const double balance = step["metrics"]["average_balance"];
    for (const auto& other : json["path"]) {
      const double cut2 = other["metrics"]["ratio_cut"];
      const double balance2 = other["metrics"]["average_balance"];
      beaten = beaten || (cut2 <= cut && balance2 >= balance && (cut2 < cut || balance2 > balance));
    }
    EXPECT_EQ(step["on_average_front"], !beaten);
  }
  const auto step = json["path"][4];
  EXPECT_EQ(step["constraint"], "soft");
  const auto single = parsed(fine("cluster sample.similarity.mtx sample.representation.mtx -k 3 "
                                  "--method urepsc --strength 1 --json -")
                                 .out);
  EXPECT_EQ(single["constraint"], "soft");
  EXPECT_EQ(single["strength"], 1.0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(step["eigenvalues"][k].get<double>(), single["eigenvalues"][k].get<double>(), 1e-6);
  }
}

TEST_F(Path, refines_each_point_at_each_mu) {
  fine(call + "--ranks 5 --strengths 1 --refine 0.5,2 --json path.json -o labels.csv");
  const auto json = parsed(content("path.json"));
  EXPECT_EQ(json["ranks"], (std::vector<int>{5}));
  EXPECT_EQ(lines_of(content("labels.csv"))[0],
            "node,rank_5,strength_1,rank_5_mu_0.5,rank_5_mu_2,strength_1_mu_0.5,strength_1_mu_2");
  ASSERT_EQ(json["path"].size(), 6U);
  EXPECT_TRUE(json["path"][1]["mu"].is_null());
  EXPECT_EQ(json["path"][5]["mu"], 2.0);
  // cut / scale - mu * balance falls; the scale of the normalized cut is (K - 1) / 2.
  const auto objective = [&](int step, double mu) {
    const auto metrics = json["path"][step]["metrics"];
    return metrics["normalized_cut"].get<double>() - mu * metrics["average_balance"].get<double>();
  };
  EXPECT_LE(objective(2, 0.5), objective(0, 0.5));
  EXPECT_LE(objective(3, 2), objective(0, 2));
  EXPECT_LE(objective(5, 2), objective(1, 2));
  for (const char* wrong : {"", "x", "-1", "1,", "nan", "inf"}) {
    expect_error(call + "--ranks 1 --refine '" + wrong + "'", 2, "--refine");
  }
}

TEST_F(Path, refuses_strengths_that_are_none) {
  for (const std::string wrong :
       {"", "x", "1,,2", "-1", "nan", "inf", "1..", "..2", "0..5", "5..1", "1..10:1", "1..10:x"}) {
    expect_error(call + "--strengths '" + wrong + "'", 2, "--strengths");
  }
  expect_error(call + "--strengths 1..10:1000000", 2, "10,000 strengths");
}

TEST_F(Path, leaves_standard_output_to_a_result_that_asks_for_it) {
  const auto json = parsed(fine(call + "--ranks 2 --json -").out);
  EXPECT_EQ(json["path"].size(), 1U);
  EXPECT_THAT(fine(call + "--ranks 2,3 -o -").out, StartsWith("node,rank_2,rank_3\n"));
  EXPECT_THAT(fine(call + "--ranks 2,3 --csv -").out, StartsWith("rank,"));
}

TEST_F(Path, ends_with_4_and_results_where_a_rank_does_not_converge) {
  const Result result = repsc(call +
                              "--ranks 2,30 --solver lanczos --max-iterations 1 --tol 1e-12 "
                              "-o labels.csv --json path.json");
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("not converged at rank 2, rank 30"));
  EXPECT_THAT(result.out, HasSubstr("2 *"));
  EXPECT_EQ(parsed(content("path.json"))["converged"], false);
  EXPECT_EQ(lines_of(content("labels.csv")).size(), 121U);
}

TEST_F(Path, refuses_ranks_that_are_none) {
  for (const std::string wrong :
       {"", "0", "x", "1,,2", "5-", "-5", "5-2", "1-9:0", "1-9:x", "1-9-2", "1.5", "99999999999"}) {
    expect_error(call + "--ranks '" + wrong + "'", 2, "--ranks");
  }
  expect_error(call + "--ranks 1-1000000", 2, "10,000 ranks");
  expect_error(call, 2, "--ranks");
  expect_error(call + "--ranks 5,118,119", 3, "119");
  expect_error(call + "--ranks 5,118", 3, "N - K = 117");
  expect_error("path sample.similarity.mtx -k 3 --ranks 1", 2, "R");
  expect_error(call + "--ranks 1 --method nsc", 2, "urepsc");
  expect_error(call + "--ranks 1 --json - -o -", 2, "standard output");
  expect_error(call + "--ranks 1 -o missing/labels.csv", 3, "missing");
  EXPECT_FALSE(exists("labels.csv"));
}

TEST_F(Path, refuses_what_needs_more_than_the_memory_limit) {
  expect_error(call + "--ranks 1,50 --memory-limit 100K", 3, "100.0 KiB");
  expect_error(call + "--ranks 1,50 --memory-limit 100K", 3, "--memory-limit");
  fine(call + "--ranks 1,50 --memory-limit 0.5G");
  for (const std::string wrong : {"0", "-1", "4X", "G", "1e9", "''"}) {
    expect_error(call + "--ranks 1 --memory-limit " + wrong, 2, "--memory-limit");
  }
  const std::string cluster = "cluster sample.similarity.mtx sample.representation.mtx -k 3 ";
  expect_error(cluster + "--rank 50 --memory-limit 100000", 3, "97.7 KiB");
  expect_error(cluster + "--rank exact --memory-limit 100K", 3, "--memory-limit");
  fine(cluster + "--rank exact --memory-limit 1m");
}

TEST_F(Path, keeps_finished_points_when_it_is_interrupted) {
  fine("generate rpp -n 400 -k 4 -d 20 -p 0.6 -q 0.4 -r 0.3 -s 0.1 --seed 1 -o big --quiet");
  // Far more points than a few seconds are enough for.
  const Result result = shell(
      "repsc path big.similarity.mtx big.representation.mtx -k 4 --strengths 0.001..1000:9000 "
      "--restarts 1000 --json path.json --csv path.csv -o labels.csv & pid=$!; sleep 4; "
      "kill -INT $pid; wait $pid");
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_THAT(result.err, HasSubstr("repsc: interrupted: "));
  EXPECT_THAT(result.err, HasSubstr("of 9,000 points are written"));
  const auto json = parsed(content("path.json"));
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["time_limit_reached"], false);
  const std::size_t points = json["path"].size();
  EXPECT_GT(points, 0U);
  EXPECT_LT(points, 9000U);
  EXPECT_EQ(lines_of(content("path.csv")).size(), points + 1);
  EXPECT_EQ(lines_of(content("labels.csv")).size(), 401U);
  for (const auto& step : json["path"]) EXPECT_EQ(step["converged"], true);
}

TEST_F(Path, ends_at_the_time_limit_with_the_points_it_has) {
  const Result result = fine(call +
                             "--strengths 0.001..1000:9000 --restarts 1000 --time-limit 1 "
                             "--json path.json");
  EXPECT_THAT(result.err, HasSubstr("repsc: the time limit of 1 s ended the run"));
  const auto json = parsed(content("path.json"));
  EXPECT_EQ(json["time_limit_reached"], true);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["interrupted"], false);
  EXPECT_GT(json["path"].size(), 0U);
}

TEST_F(Path, refines_with_a_minimum_cluster_size) {
  fine(call + "--strengths 0,1 --refine 0,2 --min-cluster-size 38 --json path.json");
  const auto steps = parsed(content("path.json"))["path"];
  ASSERT_EQ(steps.size(), 6U);
  for (const auto& step : steps) {
    if (step["mu"].is_null()) continue;
    for (const auto& size : step["metrics"]["cluster_sizes"]) EXPECT_GE(size.get<int>(), 38);
  }
  expect_error(call + "--ranks 2 --min-cluster-size 5", 2, "--refine");
  expect_error(call + "--ranks 2 --refine 1 --min-cluster-size 41", 3, "from 1 to 40");
  expect_error(call + "--ranks 2 --refine 1 --min-cluster-size 0", 2, "--min-cluster-size");
}

}  // namespace
}  // namespace repsc::tests
