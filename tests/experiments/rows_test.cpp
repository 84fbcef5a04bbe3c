// Rows, their file, and the summary over repeats.
#include "experiments/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/summary.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::experiments {
namespace {

Row example(int run) {
  return {{.experiment = "planted",
           .reading = "groups-spread",
           .normalized = true,
           .method = "nrepsc",
           .nodes = 1000,
           .clusters = 4,
           .rank = 100,
           .strength = 1,
           .mu = 1.5,
           .p = 0.4,
           .q = 0.3,
           .r = 0.2,
           .s = 0.1,
           .run = run,
           .seed = 12345678901234},
          {.accuracy = 1.0 / 3 + run,
           .ratio_cut = 2,
           .smallest_cluster = 1,
           .largest_cluster = 997,
           .single_nodes = 3,
           .seconds = 0.1,
           .converged = false}};
}

TEST(Rows, read_back_as_they_were_written) {
  const Row row = example(3);
  const Row again = parse_csv_line(csv_line(row));
  EXPECT_EQ(csv_line(again), csv_line(row));
  EXPECT_EQ(again.outcome.accuracy, row.outcome.accuracy);
  EXPECT_EQ(again.setting.reading, "groups-spread");
  EXPECT_EQ(again.outcome.largest_cluster, 997);
  EXPECT_EQ(again.outcome.single_nodes, 3);
  EXPECT_EQ(again.setting.seed, row.setting.seed);
  EXPECT_EQ(again.setting.strength, 1);
  EXPECT_EQ(again.setting.mu, 1.5);
  EXPECT_TRUE(std::isnan(again.outcome.average_balance));
  EXPECT_FALSE(again.outcome.converged);
}

TEST(Rows, refuse_a_line_that_is_no_row) {
  EXPECT_THROW((void)parse_csv_line("planted,normalized"), InvalidInput);
  std::string line = csv_line(example(0));
  line.replace(line.find("1000"), 4, "1e3x");
  EXPECT_THROW((void)parse_csv_line(line), InvalidInput);
}

TEST(RowFile, keeps_rows_and_drops_a_line_that_was_torn) {
  const TemporaryFolder folder;
  {
    RowFile file(folder / "results.csv");
    file.append(example(0));
    file.append(example(1));
    file.append(example(1));  // a row is kept once
  }
  const std::string whole = folder.read("results.csv");
  folder.write("results.csv", whole + csv_line(example(2)).substr(0, 40));
  RowFile file(folder / "results.csv");
  EXPECT_EQ(file.rows().size(), 2U);
  EXPECT_TRUE(file.holds(example(1).setting));
  EXPECT_FALSE(file.holds(example(2).setting));
  EXPECT_EQ(folder.read("results.csv"), whole);
  file.append(example(2));
  EXPECT_EQ(folder.read("results.csv"), whole + csv_line(example(2)) + "\n");
}

TEST(RowFile, names_a_damaged_line_instead_of_guessing) {
  const TemporaryFolder folder;
  folder.write("results.csv", csv_header() + "\n" + csv_line(example(0)) + "\nrubbish\n");
  try {
    const RowFile file(folder / "results.csv");
    FAIL() << "a damaged line was taken";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("results.csv:3"), std::string::npos) << error.what();
  }
}

TEST(RowFile, refuses_a_file_of_an_older_layout) {
  const TemporaryFolder folder;
  std::string header = csv_header();
  header.erase(header.find("mu,"), 3);
  folder.write("results.csv", header + "\n");
  try {
    const RowFile file(folder / "results.csv");
    FAIL() << "rows without mu were taken";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("use another folder"), std::string::npos)
        << error.what();
  }
}

TEST(RowFile, ends_in_canonical_order_whatever_the_order_of_arrival) {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "b.csv"}) {
    RowFile file(folder / name);
    for (const int i : {0, 1, 2}) file.append(example(name[0] == 'a' ? i : 2 - i));
    file.finish();
  }
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
}

TEST(Summary, keeps_readings_apart) {
  std::vector<Row> rows{example(0), example(1)};
  rows[1].setting.reading = "";
  EXPECT_NE(key(rows[0].setting), key(rows[1].setting));
  const Summary summary(rows);
  EXPECT_EQ(summary.rows().size(), 2U);
}

TEST(Summary, keeps_values_of_mu_apart) {
  std::vector<Row> rows;
  for (const double mu : {1.0, 2.0, 2.0}) {
    rows.push_back(example(static_cast<int>(rows.size())));
    rows.back().setting.mu = mu;
  }
  const Summary summary(rows);
  ASSERT_EQ(summary.rows().size(), 2U);
  EXPECT_EQ(summary.rows()[0][Quantity::accuracy].count, 1);
  EXPECT_EQ(summary.rows()[1][Quantity::accuracy].count, 2);
}

TEST(Summary, equals_what_is_computed_by_hand) {
  std::vector<Row> rows;
  for (const int run : {0, 1, 2}) {
    Row row = example(run);
    row.outcome.accuracy = 0.5 + 0.1 * run;         // mean 0.6, sd 0.1
    row.outcome.average_balance = 0.2 * (run + 1);  // over a cut of 2: 0.1, 0.2, 0.3
    rows.push_back(row);
  }
  rows[2].outcome.minimum_balance = 0.25;  // known once only
  const Summary summary(rows);
  ASSERT_EQ(summary.rows().size(), 1U);
  const SummaryRow& row = summary.rows().front();
  EXPECT_NEAR(row[Quantity::accuracy].mean, 0.6, 1e-15);
  EXPECT_NEAR(row[Quantity::accuracy].sd, 0.1, 1e-15);
  EXPECT_NEAR(row[Quantity::misclustered].mean, 0.8, 1e-15);
  EXPECT_NEAR(row[Quantity::balance_per_ratio_cut].mean, 0.2, 1e-15);
  EXPECT_NEAR(row[Quantity::balance_per_ratio_cut].sd, 0.1, 1e-15);
  EXPECT_EQ(row[Quantity::minimum_balance].count, 1);
  EXPECT_EQ(row[Quantity::minimum_balance].sd, 0);
  EXPECT_EQ(row[Quantity::normalized_cut].count, 0);
  EXPECT_NE(summary.csv().find("\nplanted,groups-spread,normalized,nrepsc,1000,4,0,100,0,1,1.5,0.4,"
                               "0.3,0.2,0.1,3,0.6,0.1,"),
            std::string::npos)
      << summary.csv();
}

}  // namespace
}  // namespace repsc::experiments
