// Exit codes and error lines of every kind, help pages, and the examples in them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class Usage : public ToolTest {};

const std::vector<std::string>& commands() {
  static const std::vector<std::string> all{"",
                                            "cluster",
                                            "choose-k",
                                            "path",
                                            "evaluate",
                                            "certify",
                                            "generate",
                                            "generate planted",
                                            "theory",
                                            "generate regular",
                                            "generate rpp",
                                            "graph",
                                            "graph groups",
                                            "graph knn",
                                            "graph attributes",
                                            "graph multiplex",
                                            "graph convert",
                                            "graph info",
                                            "demo"};
  return all;
}

/// The commands of a text, lines that begin with "  repsc ", continued where they end in a
/// backslash.
std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> found;
  bool continued = false;
  for (std::string line : lines_of(text)) {
    if (!continued && !line.starts_with("  repsc ")) continue;
    const bool more = line.ends_with('\\');
    if (more) line.pop_back();
    if (continued) {
      found.back() += line;
    } else {
      found.push_back(line);
    }
    continued = more;
  }
  return found;
}

TEST_F(Usage, wrong_options_end_with_2_and_one_line) {
  write_triangles();
  expect_error("", 2, "command");
  expect_error("nonsense", 2, "nonsense");
  expect_error("cluster", 2, "G");
  expect_error("cluster G.txt", 2, "--clusters");
  expect_error("cluster G.txt -k 1", 2, "at least 2");
  expect_error("cluster G.txt -k -3", 2, "repsc cluster --help");
  expect_error("cluster G.txt -k two", 2, "two");
  expect_error("cluster G.txt -k 99999999999", 2, "99999999999");
  expect_error("cluster G.txt -k 2 --nonsense", 2, "--nonsense");
  expect_error("cluster G.txt -k 2 --method best", 2, "nrepsc");
  expect_error("cluster G.txt -k 2 --method urepsc", 2, "R");
  expect_error("cluster G.txt -k 2 --method nfairsc", 2, "--groups");
  expect_error("cluster G.txt -k 2 --num-groups 2", 2, "--num-groups");
  expect_error("cluster G.txt -k 2 --solver magic", 2, "lapack");
  expect_error("cluster G.txt -k 2 --tol 0", 2, "--tol");
  expect_error("cluster G.txt -k 2 --tol nan", 2, "--tol");
  expect_error("cluster G.txt -k 2 --restarts 0", 2, "--restarts");
  expect_error("cluster G.txt -k 2 --threads -1", 2, "--threads");
  expect_error("cluster G.txt -k 2 --seed -1", 2, "--seed");
  expect_error("cluster G.txt -k 2 --isolated keep", 2, "--isolated");
  expect_error("cluster G.txt -k 2 --quiet --verbose", 2, "--quiet");
  expect_error("cluster - - -k 2", 2, "standard input");
  expect_error("cluster G.txt -k 2 -o - --json -", 2, "standard output");
  expect_error("evaluate G.txt", 2, "LABELS");
  expect_error("evaluate G.txt labels.csv --weighted-balance", 2, "--weighted-balance: it needs R");
  expect_error("refine G.txt R.txt labels.csv --groups groups.csv", 2, "--groups");
  expect_error("generate", 2, "generate --help");
  expect_error("generate planted -n 10 -k 2 --within 2 --across 0 -o x", 2, "--within");
  expect_error("generate rpp -n 20 -k 2 -d 4 -p 0.1 -q 0.2 -r 0.1 -s 0 -o x", 2, "0.2");
  expect_error("generate rpp -n 20 -k 2 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o x", 2, "--representation");
  expect_error("generate regular -n 20 -k 3 -d 6 -o x", 2, "20");
  expect_error("graph attributes people.csv", 2, "--within");
  expect_error("graph attributes people.csv --within age", 2, "age=5");
  expect_error("graph multiplex trade.edges --layers 5-x", 2, "5-x");
  expect_error("theory -n 10 -k 2 -d 4 -p 0.1 -q 0.2 -r 0.1 -s 0", 2, "0.2");
  EXPECT_EQ(files(), (std::vector<std::string>{"G.txt", "R.txt", "groups.csv"}));
}

TEST_F(Usage, a_mistyped_command_or_option_gets_the_nearest_one_suggested) {
  write_triangles();
  expect_error("clutser G.txt -k 2", 2, "no command 'clutser'; did you mean cluster?");
  expect_error("graph inof G.txt", 2, "no command 'inof'; did you mean info?");
  expect_error("cluster G.txt -k 2 --tagret-balance 1", 2, "did you mean --target-balance?");
  expect_error("cluster G.txt --cluster=2", 2, "no option '--cluster'; did you mean --clusters?");
  expect_error("frobnicate", 2, "the commands are: cluster, choose-k, path, refine, evaluate");
  expect_error("cluster G.txt -k 2 --qqqqqqqq", 2, "--qqqqqqqq");
  // Nothing is suggested for a file too many.
  expect_error("cluster G.txt R.txt more.txt -k 2", 2, "more.txt");
}

TEST_F(Usage, names_in_utf8_are_printed_as_they_are) {
  write("G.txt", "Zo\xc3\xab b\nb c\n");
  write("R.txt", "b c\n");
  expect_error("cluster G.txt R.txt -k 2", 3, "'Zo\xc3\xab'");
}

TEST_F(Usage, bad_input_ends_with_3_and_one_line_that_names_the_file) {
  write_triangles();
  expect_error("cluster missing.txt -k 2", 3, "missing.txt");
  expect_error("cluster . -k 2", 3, "directory");
  expect_error("cluster G.txt missing.txt -k 2", 3, "missing.txt");
  expect_error("cluster G.txt -k 7", 3, "7");
  expect_error("cluster G.txt --groups missing.csv -k 2", 3, "missing.csv");
  write("bad.txt", "a b\nb c x\n");
  expect_error("cluster bad.txt -k 2", 3, "bad.txt:2: ");
  write("negative.txt", "a b 1\nb c -1\n");
  expect_error("cluster negative.txt -k 2", 3, "negative.txt:2: ");
  write("empty.txt", "");
  expect_error("cluster empty.txt -k 2", 3, "empty.txt");
  write("huge.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n"
        "1000000000000000000 1000000000000000000 1\n1 1\n");
  expect_error("cluster huge.mtx -k 2", 3, "huge.mtx");
  write("junk.npz", std::string("PK\x03\x04\0\xff\xfe junk", 12));
  expect_error("cluster junk.npz -k 2", 3, "junk.npz");
  write("few.csv", "node,group\na,x\n");
  expect_error("cluster G.txt --groups few.csv -k 2", 3, "few.csv");
  expect_error("evaluate G.txt few.csv", 3, "few.csv");
  expect_error("graph knn missing.csv", 3, "missing.csv");
  expect_error("graph multiplex missing.edges", 3, "missing.edges");
  expect_error("generate rpp --representation missing.mtx -k 2 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -o x", 3,
               "missing.mtx");
}

TEST_F(Usage, words_errors_of_the_library_with_flags) {
  write_triangles();
  const std::string call = "cluster G.txt R.txt -k 2 ";
  // An option out of range: its flag and its value.
  expect_error(call + "--rank 5", 3, "--rank 5: it must be from 1 to N - K = 4");
  expect_error("path G.txt R.txt -k 2 --ranks 1,5", 3, "--ranks 5: ");
  expect_error("cluster G.txt -k 7", 3, "--clusters 7: ");
  expect_error(call + "--min-cluster-size 4 --refine", 3, "--min-cluster-size 4: ");
  expect_error(call + "--method urepsc --regularize 1", 3, "--regularize 1: ");
  expect_error(call + "--method urepsc --regularize 1", 3, "leave out --regularize");
  // Options that contradict each other: what to do.
  expect_error(call + "--rank 2 --strength 1", 2, "leave out --rank or use --constraint hard");
  expect_error(call + "--rank 2 --mu 2", 2, "--mu and --min-cluster-size: ");
  expect_error(call + "--target-balance 1 --target-individual 1", 2,
               "leave out --target-balance or leave out --target-individual");
  expect_error("cluster G.txt -k 2 --method nfairsc", 2, "use --groups or use R");
  // The data: the remedies are flags.
  expect_error(call + "--rank 2 --memory-limit 100", 3, "raise --memory-limit");
  expect_error(call + "--method nsc --solver lapack --memory-limit 100", 3,
               "use --solver lanczos or raise --memory-limit");
  write("isolated.txt", "a b 1\nb c 1\nlost lost 0\n");
  expect_error("cluster isolated.txt -k 2", 3, "use --isolated drop");
  write("other.txt", "a b\nb z\n");
  expect_error("cluster G.txt other.txt -k 2", 3, "--nodes intersection");
  // No file is involved, so a refused parameter of a model is wrong usage.
  expect_error("generate regular -n 20 -k 3 -d 6 -o x", 2, "generate regular --help");
  expect_error("experiment run nonsense", 2, "ID nonsense: it must be one of");
  expect_error("experiment run fao --reading volumes", 2,
               "--reading volumes: it must be one of all");
}

TEST_F(Usage, a_name_with_a_line_break_does_not_break_the_error_line) {
  write_triangles();
  expect_error("cluster \"$(printf 'two\\nlines.txt')\" -k 2", 3, "two lines.txt");
}

TEST_F(Usage, version_and_help_go_to_standard_output) {
  EXPECT_EQ(fine("--version").out, "repsc 0.1.0\n");
  for (const std::string& command : commands()) {
    const Result help = fine(command + " --help");
    EXPECT_EQ(help.err, "") << command;
    EXPECT_THAT(help.out, HasSubstr("Usage: repsc")) << command;
    EXPECT_THAT(help.out, HasSubstr("\n  repsc ")) << command << " has no example";
    for (const std::string& line : lines_of(help.out)) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(Usage, every_example_of_the_help_runs) {
  fine(
      "generate rpp -n 120 -k 5 -P 4 --within 0.8 --across 0.2 -p 0.8 -q 0.6 -r 0.4 -s 0.2 "
      "-o s --quiet");
  shell(
      "mv s.similarity.mtx G.mtx; mv s.representation.mtx R.mtx; mv s.groups.csv groups.csv; "
      "cp s.truth.csv truth.csv; mv s.truth.csv labels.csv");
  std::string people = "name,age,school\n";
  std::string trade;
  for (int i = 0; i < 60; ++i) {
    people += fmt::format("p{},{},school{}\n", i, 20 + i % 17, i % 3);
  }
  for (int layer = 1; layer <= 364; ++layer) {
    trade += fmt::format("{} {} {} 2.5\n", layer, layer % 20 + 1, layer % 7 + 21);
  }
  write("people.csv", people);
  write("trade.edges", trade);
  shell("tail -n +3 G.mtx | gzip > edges.txt.gz");
  int count = 0;
  for (const std::string& command : commands()) {
    for (const std::string& example : commands_in(fine(command + " --help").out)) {
      const Result result = shell(example);
      EXPECT_EQ(result.code, 0) << example << "\n" << result.err;
      ++count;
    }
  }
  EXPECT_GE(count, 25);
}

TEST_F(Usage, the_demo_looks_good_and_its_next_commands_run) {
  const Result demo = fine("demo");
  EXPECT_EQ(demo.err, "");
  EXPECT_EQ(demo.out.find('\033'), std::string::npos);
  for (const std::string& line : lines_of(demo.out)) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  std::string words = demo.out;
  std::replace(words.begin(), words.end(), '\n', ' ');
  EXPECT_THAT(words, HasSubstr("nsc finds the schools"));
  EXPECT_THAT(words, HasSubstr("default finds the true clusters"));
  EXPECT_THAT(words, HasSubstr("0.2 in the first and 1 in the second"));
  const auto next = commands_in(demo.out);
  EXPECT_GE(next.size(), 3U);
  for (const std::string& command : next) {
    const Result result = shell(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
  }
}

TEST_F(Usage, theory_gives_the_numbers_of_the_paper) {
  // Lemma D.2 with N = 1200, K = 5, d = 40, p = 0.4, ..., s = 0.1 by hand:
  // lambda_1 = q d + s (N - d) + (p - q) d/K + (r - s) (N - d)/K = 12 + 116 + 0.8 + 23.2,
  // lambda_2 = (p - q) d/K + (r - s) (N - d)/K = 24.
  const auto json =
      parsed(fine("theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 --json -").out);
  EXPECT_NEAR(json["lambda_1"].get<double>(), 152, 1e-9);
  EXPECT_NEAR(json["lambda_2"].get<double>(), 24, 1e-9);
  EXPECT_NEAR(json["gamma"]["unnormalized"]["lower"].get<double>(), 24, 1e-9);
  EXPECT_THAT(fine("theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1").out, HasSubstr("152"));
  // Theorem 4.1: (2 + epsilon) p N ln N / gamma^2.
  const double bound = json["theorems"]["unnormalized"]["bound"];
  EXPECT_NEAR(bound, 3 * 0.4 * 1200 * std::log(1200.0) / (24 * 24), 1e-9);
  EXPECT_NEAR(json["theorems"]["random_error"].get<double>(), 1.6, 1e-12);
  EXPECT_THAT(fine("theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1").out,
              HasSubstr("17.7 (vacuous)"));
  expect_error("theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 -C 0", 2, "-C 0");
  expect_error("theory -n 1200 -k 5 -d 40 -p 0.4 -q 0.3 -r 0.2 -s 0.1 --epsilon nan", 2,
               "--epsilon");
}

}  // namespace
}  // namespace repsc::tests
