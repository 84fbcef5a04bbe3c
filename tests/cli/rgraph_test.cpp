// .rgraph files and --memory, from the command line.
#include <gmock/gmock.h>

#include <random>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Rgraph : public ToolTest {
 protected:
  /// Edges in both directions, some twice, loops and nodes without edges; more than fit into 1M.
  void write_edges(const std::string& name, bool weighted) const {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> node(0, 5000);
    std::string text;
    for (int i = 0; i < 90000; ++i) {
      text += std::to_string(node(random)) + " n" + std::to_string(node(random) / 2);
      text += weighted ? " 0." + std::to_string(1 + node(random) % 7) + "\n" : "\n";
      if (weighted && i % 100 == 0) text += "n7 n7 0\nalone 1 0\n";
    }
    write(name, text);
  }
};

TEST_F(Rgraph, is_read_wherever_a_graph_is_read) {
  fine("generate rpp -n 300 -k 3 -d 9 -p 0.9 -q 0.5 -r 0.4 -s 0.05 --seed 1 -o s --quiet");
  for (const std::string more : {"", "--compress"}) {
    fine("graph convert s.similarity.mtx G.rgraph --quiet " + more);
    fine("graph convert s.representation.mtx R.rgraph --quiet " + more);
    for (const std::string& command :
         {std::string("cluster {} -k 3 --seed 1"), std::string("refine {} s.truth.csv --mu 2"),
          std::string("evaluate {} s.truth.csv")}) {
      const auto with = [&](const std::string& files) {
        std::string call = command;
        return call.replace(call.find("{}"), 2, files);
      };
      const std::string expected = fine(with("s.similarity.mtx s.representation.mtx")).out;
      EXPECT_EQ(fine(with("G.rgraph R.rgraph")).out, expected) << command;
      EXPECT_EQ(fine(with("G.rgraph R.rgraph") + " --trusted").out, expected) << command;
    }
    EXPECT_EQ(parsed(fine("graph info G.rgraph --json -").out)["format"], "rgraph");
  }
  fine("generate planted -n 50 -k 5 --within 1 --across 0 --format rgraph -o p");
  EXPECT_THAT(fine("graph info p.similarity.rgraph").out, HasSubstr("numbers 1 to 50"));
}

TEST_F(Rgraph, gives_the_same_labels_however_it_is_stored) {
  fine("generate rpp -n 3000 -k 3 -d 9 -p 0.05 -q 0.02 -r 0.02 -s 0.01 --seed 1 -o s --quiet");
  fine("graph convert s.similarity.mtx G.rgraph --quiet --compress");
  fine("graph convert s.similarity.mtx H.rgraph --quiet");
  std::string groups = "node,group\n";
  for (int i = 1; i <= 3000; ++i) groups += std::to_string(i) + "," + std::to_string(i % 4) + "\n";
  write("groups.csv", groups);
  const std::string how = " --groups groups.csv --method nfairsc -k 3 --json report.json";
  const auto without_times = [&] {
    auto report = parsed(content("report.json"));
    for (const char* const key : {"seconds", "peak_memory_bytes", "input", "run"})
      report.erase(key);
    return report;
  };
  const std::string expected = fine("cluster s.similarity.mtx" + how).out;
  const auto report = without_times();
  for (const std::string call :
       {"G.rgraph --graph-storage plain", "G.rgraph --graph-storage packed",
        "G.rgraph --graph-storage streamed", "G.rgraph --trusted",
        "H.rgraph --graph-storage streamed"}) {
    for (const std::string threads : {"1", "2", "4"}) {
      const Result found = fine("cluster " + call + how + " --threads " + threads);
      EXPECT_EQ(found.out, expected) << call;
      EXPECT_EQ(without_times(), report) << call;
    }
  }
  EXPECT_THAT(fine("cluster G.rgraph --graph-storage streamed" + how).err,
              HasSubstr("G.rgraph: its neighbours stay packed, read again in every pass"));
  // What needs single rows unpacks them: refinement, with the same labels.
  EXPECT_EQ(fine("cluster G.rgraph --graph-storage packed --refine" + how).out,
            fine("cluster s.similarity.mtx --refine" + how).out);
  expect_error("cluster s.similarity.mtx --graph-storage streamed" + how, 3,
               "--graph-storage: no graph comes from an .rgraph file");
  expect_error("cluster H.rgraph --graph-storage packed" + how, 3,
               "--graph-storage packed: the file is not compressed");
}

TEST_F(Rgraph, keeps_names_and_their_order) {
  write("G.txt", "\"New York\" b\nb \"c,d\"\n\"c,d\" Zo\xc3\xab\n");
  fine("graph convert G.txt H.rgraph");
  EXPECT_THAT(files(), ElementsAre("G.txt", "H.rgraph"));  // no file of names
  EXPECT_EQ(fine("graph convert H.rgraph - --quiet").out, content("G.txt"));
}

TEST_F(Rgraph, is_the_same_file_however_little_memory_there_is) {
  for (const bool weighted : {false, true}) {
    write_edges("edges.txt", weighted);
    shell("gzip -kf edges.txt");
    for (const std::string loops : {"keep", "drop", "add"}) {
      const std::string more = " --self-loops " + loops;
      const Result usual = fine("graph convert edges.txt.gz out.rgraph" + more);
      const std::string expected = content("out.rgraph");
      const Result sorted = fine("graph convert edges.txt.gz out.rgraph --memory 1M" + more);
      EXPECT_EQ(content("out.rgraph"), expected) << loops;
      EXPECT_EQ(sorted.err, usual.err);  // the same changes
    }
  }
  EXPECT_THAT(files(), ElementsAre("edges.txt", "edges.txt.gz", "out.rgraph"));
}

TEST_F(Rgraph, says_in_one_line_what_is_wrong) {
  write("G.txt", "a b\nb c\n");
  fine("graph convert G.txt G.rgraph --quiet");
  const std::string bytes = content("G.rgraph");
  write("short.rgraph", bytes.substr(0, bytes.size() - 1));
  expect_error("cluster short.rgraph -k 2", 3, "short.rgraph: block names: the file is truncated");
  std::string changed = bytes;
  changed.back() = 'x';
  write("changed.rgraph", changed);
  expect_error("graph info changed.rgraph", 3,
               "changed.rgraph: block names: its checksum is wrong");
  expect_error("graph info G.txt --format rgraph", 3, "G.txt: not an .rgraph file");
  write("G.dat", bytes);
  expect_error("graph info G.dat", 3, "G.dat: this is an .rgraph file");
  const Result piped = shell("cat G.rgraph | repsc graph info -");
  EXPECT_EQ(piped.code, 3);
  EXPECT_THAT(piped.err, HasSubstr("standard input: this is an .rgraph file"));
  EXPECT_THAT(piped.err, HasSubstr("save what comes from a pipe to a file first"));
  expect_error("graph convert G.rgraph H.npz --compress", 2, "--compress: only .rgraph files");
  for (const std::string size : {"1", "4X", "-4G", "1000", "99999999999999G", "G", "1.5G"}) {
    expect_error("graph convert G.txt H.rgraph --memory=" + size, 2, "such as 512M or 4G");
  }
  for (const std::string size : {"1048576", "1024k", "1m", "4G", "2T"}) {
    fine("graph convert G.txt H.rgraph --memory " + size);
  }
  expect_error("graph convert G.rgraph - --to rgraph", 3, "standard output: an .rgraph file");
}

TEST_F(Rgraph, leaves_the_old_file_where_the_disk_is_full) {
  write_edges("edges.txt", true);
  for (const std::string more : {"", "--memory 1M"}) {
    write("out.rgraph", "old");
    // A limit of the size of files stands for a full disk.
    const Result result = shell(
        "trap '' XFSZ; ulimit -f 100; repsc graph convert edges.txt out.rgraph --quiet " + more);
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cannot write"));
    EXPECT_EQ(content("out.rgraph"), "old");
    EXPECT_THAT(files(), ElementsAre("edges.txt", "out.rgraph"));
  }
}

}  // namespace
}  // namespace repsc::tests
