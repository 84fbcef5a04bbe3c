// repsc-mpi from the outside: the same bytes on any number of processes, agreement with the serial
// tool, and one line and the right exit code when something goes wrong.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;

class MpiTool : public ToolTest {
 protected:
  /// With rows spread over the processes, unless `arguments` say how: process 0 alone would cluster
  /// the small graphs of tests.
  Result mpi(int count, const std::string& arguments) const {
    const bool says = arguments.find("--spread") != std::string::npos;
    return shell(std::string(REPSC_MPIRUN) + " -n " + std::to_string(count) + " repsc-mpi " +
                 arguments + (says ? "" : " --spread always"));
  }
  Result fine_mpi(int count, const std::string& arguments) const {
    Result result = mpi(count, arguments);
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.err;
    return result;
  }
  /// town.similarity.mtx, town.representation.mtx, town.groups.csv.
  void generate_town(int nodes) const {
    fine("generate rpp -n " + std::to_string(nodes) +
         " -k 4 -P 5 --within 0.5 --across 0.1 -p 0.3 -q 0.2 -r 0.1 -s 0.05 --seed 2 -o town "
         "--quiet");
  }
  /// G.txt, G.rgraph and groups.csv: two cliques of 40 nodes, joined by an edge, so that each of
  /// two processes has rows. Edges have this weight, if one is given.
  void write_cliques(const std::string& weight = "") const {
    constexpr int size = 40;
    std::string edges = "0 40 " + weight + '\n';
    std::string groups = "node,group\n";
    for (int i = 0; i < 2 * size; ++i) {
      groups += std::to_string(i) + ',' + std::to_string(i % 3) + '\n';
      for (int j = i + 1; j < (i / size + 1) * size; ++j)
        edges += std::to_string(i) + ' ' + std::to_string(j) + ' ' + weight + '\n';
    }
    write("G.txt", edges);
    write("groups.csv", groups);
    fine("graph convert G.txt G.rgraph --quiet");
  }
  /// What must not depend on the number of processes: everything but times, memory and messages.
  nlohmann::ordered_json lasting(const std::string& file) const {
    auto json = parsed(content(file));
    json.erase("seconds");
    json.erase("peak_memory_bytes");
    json.erase("distributed");
    if (json["refinement"].is_object()) json["refinement"].erase("seconds");
    return json;
  }
  /// The lines of the tool itself; mpirun adds some of its own to failures.
  static std::vector<std::string> own_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(text)) {
      if (line.starts_with("repsc-mpi:")) lines.push_back(line);
    }
    return lines;
  }
  void expect_refused(const std::string& arguments, int code, const std::string& part) const {
    const Result result = mpi(2, arguments);
    EXPECT_EQ(result.code, code) << arguments << "\n" << result.err;
    const auto lines = own_lines(result.err);
    EXPECT_THAT(lines, testing::ElementsAre(HasSubstr(part))) << result.err;
  }
};

TEST_F(MpiTool, writes_the_same_bytes_on_any_number_of_processes) {
  generate_town(300);
  // Above 2000 nodes iterations end once labels settle; sparse graphs are filtered.
  fine("generate planted -n 3000 -k 4 --within 0.012 --across 0.001 --seed 1 -o sparse --quiet");
  for (const std::string options :
       {"cluster sparse.similarity.mtx -k 4", "cluster sparse.similarity.mtx -k 12 --method usc",
        "cluster town.similarity.mtx -k 4 --solver lanczos",
        "cluster town.similarity.mtx town.representation.mtx -k 4 --strength 2 --solver lanczos",
        "cluster town.similarity.mtx -k 4 --method usc", "cluster town.similarity.mtx -k 4",
        "cluster town.similarity.mtx --groups town.groups.csv -k 4",
        "cluster town.similarity.mtx town.representation.mtx -k 4 --rank 10",
        "cluster town.similarity.mtx town.representation.mtx -k 4 --strength 2",
        "cluster town.similarity.mtx --groups town.groups.csv -k 4 --refine",
        "cluster town.similarity.mtx town.representation.mtx -k 4 --strength 2 --refine --mu 0.5",
        "cluster town.similarity.mtx -k 4 --solver lapack"}) {
    fine_mpi(1, options + " --quiet -o one.csv --json one.json");
    const bool all = options.ends_with("--groups town.groups.csv -k 4");
    for (const int count : all ? std::vector{2, 3, 4, 8} : std::vector{2, 4}) {
      fine_mpi(count, options + " --quiet -o several.csv --json several.json");
      EXPECT_EQ(content("several.csv"), content("one.csv")) << options << ", " << count;
      EXPECT_EQ(lasting("several.json"), lasting("one.json")) << options << ", " << count;
    }
  }
}

TEST_F(MpiTool, takes_rows_from_mapped_files_with_the_same_result) {
  generate_town(300);
  fine("graph convert town.similarity.mtx G.rgraph --quiet");
  fine("graph convert town.representation.mtx R.rgraph --quiet");
  const std::string options = " -k 4 --strength 2 --quiet -o ";
  fine_mpi(3, "cluster town.similarity.mtx town.representation.mtx" + options + "sent.csv");
  fine_mpi(3, "cluster G.rgraph R.rgraph" + options + "mapped.csv");
  EXPECT_EQ(content("mapped.csv"), content("sent.csv"));
  fine("graph convert G.rgraph smallG.rgraph --compress --quiet");
  fine("graph convert R.rgraph smallR.rgraph --compress --quiet");
  fine_mpi(3, "cluster smallG.rgraph smallR.rgraph" + options + "packed.csv");
  EXPECT_EQ(content("packed.csv"), content("sent.csv"));
  // As R, G lacks its self-loops: rank 0 adds them and sends the rows.
  fine_mpi(3, "cluster town.similarity.mtx town.similarity.mtx" + options + "sent.csv");
  for (const std::string file : {"G.rgraph", "smallG.rgraph"}) {
    fine_mpi(3, "cluster " + file + " " + file + options + "mapped.csv");
    EXPECT_EQ(content("mapped.csv"), content("sent.csv")) << file;
  }
  write("R.rgraph", content("R.rgraph").substr(0, 5000));
  expect_refused("cluster G.rgraph R.rgraph" + options + "none.csv", 3, "truncated");
  EXPECT_FALSE(exists("none.csv"));
}

TEST_F(MpiTool, unpacks_only_the_rows_of_each_process_from_a_compressed_file) {
  fine("generate planted -n 6000 -k 4 --within 0.4 --across 0.2 --format rgraph -o dense --quiet");
  fine("graph convert dense.similarity.rgraph small.rgraph --compress --quiet");
  const auto peak = [&](const std::string& file, const std::string& labels) {
    fine_mpi(4, "cluster " + file + " -k 4 --method usc --exchange shared --threads 1 --quiet " +
                    "--no-baselines --json o.json -o " + labels);
    return parsed(content("o.json"))["distributed"]["most_peak_memory_bytes"].get<double>();
  };
  // 36 MB, all of which process 0 checks, and 9 MB.
  const double plain = peak("dense.similarity.rgraph", "plain.csv");
  EXPECT_LT(peak("small.rgraph", "small.csv"), plain);
  EXPECT_EQ(content("small.csv"), content("plain.csv"));
}

TEST_F(MpiTool, agrees_with_the_serial_tool) {
  generate_town(1000);
  for (const std::string options :
       {"town.similarity.mtx -k 4 --method usc", "town.similarity.mtx -k 4 --method nsc",
        "town.similarity.mtx --groups town.groups.csv -k 4 --method nrepsc",
        "town.similarity.mtx --groups town.groups.csv -k 4 --method ufairsc",
        "town.similarity.mtx town.representation.mtx -k 4 --method urepsc --rank 10",
        "town.similarity.mtx town.representation.mtx -k 4 --method nrepsc --strength 1"}) {
    fine("cluster " + options + " --quiet -o serial.csv --json serial.json");
    const auto serial = parsed(content("serial.json"));
    std::vector<std::string> solvers{""};
    if (REPSC_HAS_SLEPC && options.find("nrepsc") != std::string::npos) {
      solvers.emplace_back(" --solver slepc");
    }
    for (const std::string& solver : solvers) {
      fine_mpi(2, "cluster " + options + solver +
                      " --quiet --no-baselines -o several.csv --json several.json");
      const auto compared = parsed(
          fine("evaluate town.similarity.mtx several.csv --truth serial.csv --json - --quiet").out);
      EXPECT_GE(compared["adjusted_rand_index"].get<double>(), 0.999) << options << solver;
      const auto several = parsed(content("several.json"));
      const double cut = serial["metrics"]["normalized_cut"].get<double>();
      EXPECT_NEAR(several["metrics"]["normalized_cut"].get<double>(), cut, 1e-3 * cut)
          << options << solver;
      EXPECT_EQ(several["distributed"]["ranks"], 2);
    }
  }
}

TEST_F(MpiTool, clusters_small_graphs_as_the_serial_tool_does) {
  generate_town(300);
  fine("graph convert town.similarity.mtx G.rgraph --quiet");
  fine("graph convert town.representation.mtx R.rgraph --quiet");
  for (const std::string options :
       {"town.similarity.mtx -k 4 --method nsc",
        "town.similarity.mtx --groups town.groups.csv -k 4 --method nfairsc --refine --mu 1",
        "G.rgraph R.rgraph -k 4 --method nrepsc --strength 1 --seed 3",
        "G.rgraph R.rgraph -k 4 --method urepsc --rank 10"}) {
    const std::string outputs = " --quiet -o labels.csv --json report.json";
    const std::string unrefined =
        options.find("--refine") == std::string::npos ? " --no-refine" : "";
    fine("cluster " + options + unrefined + " --device cpu" + outputs);
    const std::string labels = content("labels.csv");
    auto serial = lasting("report.json");
    fine_mpi(3, "cluster " + options + " --spread auto" + outputs);
    EXPECT_EQ(content("labels.csv"), labels) << options;
    EXPECT_EQ(parsed(content("report.json"))["distributed"]["clustered_by"], "process 0");
    auto several = lasting("report.json");
    for (auto* const report : {&serial, &several}) {  // ranks add up metrics to other digits
      for (const char* summed : {"metrics", "structure_kept", "fairness_gained"})
        report->erase(summed);
      if ((*report)["refinement"].is_object()) (*report)["refinement"].erase("start_metrics");
    }
    EXPECT_EQ(several, serial) << options;
  }
  EXPECT_THAT(
      fine_mpi(2, "cluster G.rgraph -k 4 --spread auto -o labels.csv").err,
      testing::AllOf(HasSubstr("by process 0 alone"), testing::Not(HasSubstr("shared memory"))));
  expect_refused("cluster G.rgraph R.rgraph -k 4 --rank 299 --spread auto", 3, "--rank 299");
  expect_refused("cluster G.rgraph -k 4 --spread maybe", 2, "auto|always");
}

TEST_F(MpiTool, has_the_fields_of_the_serial_report_and_its_own_at_the_end) {
  write_triangles();
  fine(
      "cluster G.txt --groups groups.csv -k 2 --method nrepsc -o serial.csv --json serial.json "
      "--quiet");
  fine_mpi(2, "cluster G.txt --groups groups.csv -k 2 -o labels.csv --json several.json --quiet");
  const auto serial = parsed(content("serial.json"));
  const auto several = parsed(content("several.json"));
  std::vector<std::string> expected;
  std::vector<std::string> found;
  for (const auto& [key, value] : serial.items()) expected.push_back(key);
  for (const auto& [key, value] : several.items()) found.push_back(key);
  expected.emplace_back("distributed");
  EXPECT_EQ(found, expected);
  EXPECT_EQ(several["nodes"], 6);
  EXPECT_EQ(several["metrics"].size(), serial["metrics"].size());
}

TEST_F(MpiTool, scales_extreme_weights_as_the_serial_tool_does) {
  for (const std::string weight : {"1e-30", "1e250"}) {
    write_cliques(weight);
    fine("cluster G.txt -k 2 --method usc -o serial.csv --json serial.json --quiet");
    const auto serial = parsed(content("serial.json"));
    for (const std::string how :
         {"G.txt --spread auto", "G.txt --spread always", "G.rgraph --spread always"}) {
      SCOPED_TRACE(weight + ", " + how);
      fine_mpi(2, "cluster " + how + " -k 2 --method usc -o mpi.csv --json mpi.json --quiet");
      EXPECT_EQ(content("mpi.csv"), content("serial.csv"));
      const auto found = parsed(content("mpi.json"));
      const bool spread = how.ends_with("always");
      EXPECT_EQ(found["distributed"]["clustered_by"], spread ? "all processes" : "process 0");
      EXPECT_LT(found["distributed"]["most_rows"], 80);
      for (const char* const path :
           {"/metrics/ratio_cut", "/eigenvalues/1", "/baselines/random/ratio_cut"}) {
        const nlohmann::ordered_json::json_pointer at(path);
        const double expected = serial[at].get<double>();
        EXPECT_NEAR(found[at].get<double>() / expected, 1, 1e-9) << path;
      }
    }
  }
}

TEST_F(MpiTool, reads_groups_from_a_pipe_once) {
  write_cliques();
  fine_mpi(2, "cluster G.rgraph --groups groups.csv -k 2 -o expected.csv --quiet");
  const Result run =
      shell("mkfifo pipe\ncat groups.csv > pipe &\ntimeout 60 " + std::string(REPSC_MPIRUN) +
            " -n 2 repsc-mpi cluster G.rgraph --groups pipe -k 2 --spread always -o labels.csv "
            "--quiet");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(content("labels.csv"), content("expected.csv"));
}

/// Two processes in different folders, as on machines with disks of their own.
class TwoFolders : public MpiTool {
 protected:
  TwoFolders() {
    write_cliques();
    shell("mkdir elsewhere");
  }
  /// `path`: from the folder of process 0, and from that of process 1.
  Result run(const std::string& path, const std::string& options) const {
    const std::string command =
        "exec repsc-mpi cluster " + path + " -k 2 --spread always " + options;
    return shell("timeout 60 " + std::string(REPSC_MPIRUN) + " -n 1 sh -c '" + command +
                 "' : -n 1 sh -c 'cd elsewhere && " + command + "'");
  }
};

TEST_F(TwoFolders, process_0_writes_for_those_that_do_not_see_the_file) {
  fine_mpi(2, "cluster G.txt -k 2 -o expected.csv --quiet");
  const Result found = run("G.txt", "-o labels.csv --quiet");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(content("labels.csv"), content("expected.csv"));
  EXPECT_EQ(shell("ls -A elsewhere").out, "");
}

TEST_F(TwoFolders, the_error_of_one_process_ends_all) {
  const Result found = run("G.rgraph", "-o labels.csv --quiet");  // which process 1 does not see
  EXPECT_EQ(found.code, 3) << found.err;
  // Process 0, which is ended, does not add that it was.
  EXPECT_THAT(own_lines(found.err),
              testing::ElementsAre(testing::AllOf(HasSubstr("rank 1 on"), HasSubstr("G.rgraph"))));
  EXPECT_FALSE(exists("labels.csv"));
}

TEST_F(MpiTool, writes_labels_to_standard_output) {
  write_triangles();
  fine_mpi(2, "cluster G.txt -k 2 -o labels.csv --quiet");
  EXPECT_EQ(fine_mpi(3, "cluster G.txt -k 2 --quiet").out, content("labels.csv"));
}

TEST_F(MpiTool, takes_options_of_SLEPc) {
  if (!REPSC_HAS_SLEPC) GTEST_SKIP() << "this build has no SLEPc";
  write_triangles();
  fine_mpi(2, "cluster G.txt -k 2 -o labels.csv --quiet");
  fine_mpi(
      2, "cluster G.txt -k 2 --solver slepc -eps_type krylovschur -eps_ncv 5 -o slepc.csv --quiet");
  EXPECT_EQ(content("slepc.csv"), content("labels.csv"));
  expect_refused("cluster G.txt -k 2 --solver slepc -eps_tpye lobpcg", 2, "-eps_tpye");
  expect_refused("cluster G.txt -k 2 -eps_type lobpcg", 2, "--solver slepc");
  // What SLEPc prints leaves the labels on standard output alone.
  const Result shown = fine_mpi(2, "cluster G.txt -k 2 --solver slepc -eps_view -log_view --quiet");
  EXPECT_EQ(shown.out, content("labels.csv"));
  EXPECT_THAT(shown.err, testing::AllOf(HasSubstr("EPS Object"), HasSubstr("PETSc Performance")));
}

TEST_F(MpiTool, refuses_in_one_line_what_only_the_serial_tool_offers) {
  write_triangles();
  expect_refused("cluster G.txt R.txt -k 2 --certify", 2, "repsc-mpi does not offer it");
  expect_refused("cluster G.txt R.txt -k 2 --target-balance=0.5", 2, "repsc-mpi does not offer it");
}

TEST_F(MpiTool, knows_every_option_of_the_serial_tool) {
  write_triangles();
  const std::string own = shell("repsc-mpi cluster --help").out;
  for (const std::string& line : lines_of(fine("cluster --help").out)) {
    const std::size_t begin = line.find("--");
    if (begin == std::string::npos ||
        line.find_first_not_of(" -,abcdefghijklmnopqrstuvwxyz") < begin)
      continue;
    if (line.find_first_not_of(' ') > 2) continue;  // a line of a description
    const std::string flag = line.substr(begin, line.find_first_of(" ,", begin) - begin);
    if (own.find(flag) != std::string::npos) continue;
    const Result result = shell("repsc-mpi cluster G.txt -k 2 " + flag);
    EXPECT_THAT(result.err, HasSubstr("repsc-mpi does not offer it")) << flag;
  }
}

TEST_F(MpiTool, ends_all_processes_with_one_line_for_bad_input) {
  write_triangles();
  expect_refused("cluster none.txt -k 2", 3, "none.txt");
  expect_refused("cluster G.txt -k 7", 3, "from 2 to the number of nodes");
  write("chain.txt", "a b\nb c\nc d\nd e\ne f\n");
  expect_refused("cluster G.txt chain.txt -k 2 --rank exact", 3, "--rank exact");
  expect_refused("cluster G.txt -k 2 -o none/labels.csv", 3, "none");
  expect_refused("cluster G.txt -k 2 --method nrepsc", 2, "representation graph");
  write("lonely.txt", "a b\nb c\nc a\nd d\n");
  expect_refused("cluster lonely.txt -k 2", 3, "--isolated drop");
  EXPECT_FALSE(exists("labels.csv"));
}

TEST_F(MpiTool, refines_as_the_serial_tool_does_and_says_so) {
  generate_town(600);
  const std::string what =
      "cluster town.similarity.mtx --groups town.groups.csv -k 4 --method nfairsc --no-baselines ";
  fine(what + "--refine --mu 1 -o serial.csv --json serial.json --quiet");
  const Result run = fine_mpi(2, what + "--refine --mu 1 -o several.csv --json several.json");
  EXPECT_THAT(run.err, HasSubstr("refined at mu 1"));
  const auto serial = parsed(content("serial.json"));
  const auto several = parsed(content("several.json"));
  const double start = several["refinement"]["start_objective"];
  EXPECT_NEAR(start, serial["refinement"]["start_objective"].get<double>(), 1e-6);
  // Swaps and escapes find more.
  const double gained = start - several["refinement"]["objective"].get<double>();
  EXPECT_GT(gained, 0.75 * (start - serial["refinement"]["objective"].get<double>()));
  const auto measured =
      parsed(fine("evaluate town.similarity.mtx several.csv --groups town.groups.csv --json - "
                  "--no-baselines --quiet")
                 .out)["metrics"];
  EXPECT_EQ(measured["average_balance"], several["metrics"]["average_balance"]);
  expect_refused("cluster town.similarity.mtx -k 4 --refine", 2, "representation graph or groups");
  expect_refused(what + "--mu 1", 2, "--refine");
  expect_refused(what + "--refine --mu -1", 2, "at least 0");
  expect_refused(what + "--refine --mu nan", 2, "at least 0");
}

TEST_F(MpiTool, warns_without_naming_options_that_it_does_not_have) {
  // Chains of four nodes at a graph without clusters are cut off as clusters.
  std::string edges = "0 a\na b\nb c\nc d\n1 e\ne f\nf g\ng h\n";
  for (int i = 0; i < 1200; ++i) {
    for (const int factor : {7, 31, 211, 517, 601})
      edges += std::to_string(i) + ' ' + std::to_string(i * factor % 1201) + '\n';
  }
  write("hairy.txt", edges);
  const std::string what = "cluster hairy.txt -k 3 --method nsc -o labels.csv --quiet";
  EXPECT_THAT(fine(what + " --no-baselines").err, HasSubstr("--regularize"));
  const Result run = fine_mpi(2, what + " --no-baselines");
  EXPECT_THAT(run.err, HasSubstr("have less than 0.5 % of the nodes"));
  EXPECT_THAT(run.err, HasSubstr("repsc-mpi: "));
  EXPECT_THAT(run.err, testing::Not(HasSubstr("--regularize")));
}

TEST_F(MpiTool, reports_that_it_has_not_converged) {
  generate_town(300);
  const Result result = mpi(2,
                            "cluster town.similarity.mtx -k 4 --solver lanczos --max-iterations 1 "
                            "--quiet -o labels.csv --no-baselines");
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("not converged"));
  EXPECT_TRUE(exists("labels.csv"));
  if (!REPSC_HAS_SLEPC) return;
  const Result slepc = mpi(2,
                           "cluster town.similarity.mtx -k 4 --solver slepc --max-iterations 1 "
                           "--quiet -o slepc.csv --json slepc.json --no-baselines");
  EXPECT_EQ(slepc.code, 4) << slepc.err;
  EXPECT_THAT(slepc.err, HasSubstr("not converged"));
  EXPECT_EQ(lines_of(content("slepc.csv")).size(), 301U);
  EXPECT_EQ(parsed(content("slepc.json"))["converged"], false);
}

TEST_F(MpiTool, writes_the_same_bytes_by_messages_and_from_shared_memory) {
  generate_town(300);
  fine("graph convert town.similarity.mtx town.rgraph --quiet");
  for (const std::string input :
       {"town.similarity.mtx --groups town.groups.csv", "town.rgraph --groups town.groups.csv",
        "town.similarity.mtx town.representation.mtx --strength 2"}) {
    const std::string command = "cluster " + input + " -k 12 -o labels.csv --json report.json";
    fine_mpi(3, command + " --exchange messages --quiet");
    const std::string labels = content("labels.csv");
    const auto report = lasting("report.json");
    const auto sent = parsed(content("report.json"))["distributed"];
    EXPECT_EQ(sent["exchange"], "messages");
    EXPECT_GT(sent["bytes_sent"], 0);
    for (const std::string how : {"shared", "auto"}) {
      EXPECT_THAT(fine_mpi(3, command + " --exchange " + how).err, HasSubstr("shared memory"));
      EXPECT_EQ(content("labels.csv"), labels) << input;
      EXPECT_EQ(lasting("report.json"), report) << input;
      const auto shared = parsed(content("report.json"))["distributed"];
      EXPECT_EQ(shared["exchange"], "shared memory");
      EXPECT_EQ(shared["bytes_sent"], 0);
      EXPECT_EQ(shared["reductions"], sent["reductions"]);
    }
  }
}

TEST_F(MpiTool, leaves_nothing_behind_when_a_process_is_killed) {
  // The eigenvalues of a long path are so close that the iteration would take hours.
  std::string edges;
  for (int i = 0; i < 30000; ++i) edges += std::to_string(i) + ' ' + std::to_string(i + 1) + '\n';
  write("path.txt", edges);
  const std::string endless = std::string(REPSC_MPIRUN) +
                              " -n 3 repsc-mpi cluster path.txt -k 4 --tol 1e-14 "
                              "--max-iterations 100000000 --spread always -o labels.csv --json "
                              "report.json";
  const std::string still_there = "still there after 10 seconds";
  for (const std::string signal :
       {"kill -KILL $(pgrep -P $! repsc-mpi | tail -n 1)",
        "kill -KILL $(pgrep -P $! repsc-mpi | head -n 1)", "kill -INT $!"}) {
    const Result result = shell(
        "rm -f *.csv.tmp*\n" + endless + " &\n" +
        // Once all processes run; then a little into the iteration.
        "while [ $(pgrep -c -P $! repsc-mpi) -lt 3 ]; do sleep 0.1; done; sleep 1.5\n" + signal +
        "\nfor i in $(seq 100); do kill -0 $! 2>/dev/null || break; sleep 0.1; done\n"
        "if kill -0 $! 2>/dev/null; then echo " +
        still_there + "; kill -KILL $!; fi\nwait $!");
    EXPECT_NE(result.code, 0) << signal;
    EXPECT_THAT(result.out, testing::Not(HasSubstr(still_there))) << signal;
    const bool killed = signal.starts_with("kill -KILL");
    EXPECT_THAT(result.err, HasSubstr(killed ? "signal 9 (Killed)" : "interrupted")) << signal;
    EXPECT_FALSE(exists("labels.csv")) << signal;
    EXPECT_FALSE(exists("report.json")) << signal;
    for (const std::string& file : files())
      EXPECT_THAT(file, testing::Not(HasSubstr("tmp"))) << signal;
  }
}

}  // namespace
}  // namespace repsc::tests
