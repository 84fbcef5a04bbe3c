// What is left when a run fails, is interrupted, or nobody reads its output.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/ioctl.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class Files : public ToolTest {
 protected:
  /// Starts the tool in the folder, with a standard input that never ends.
  pid_t start(const std::vector<std::string>& arguments) {
    EXPECT_EQ(::pipe(input_), 0);
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::dup2(input_[0], STDIN_FILENO);
    ::close(input_[0]);
    ::close(input_[1]);
    const int log = ::open((work() / "../log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(log, STDERR_FILENO);
    std::vector<char*> words{const_cast<char*>("repsc")};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    if (::chdir(work().c_str()) == 0) ::execv(REPSC_TOOL, words.data());
    ::_exit(127);
  }
  int interrupt(pid_t child, int signal) {
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(input_[0]);
    ::close(input_[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  bool wait_until(const std::function<bool()>& ready) const {
    for (int i = 0; i < 60000; ++i) {
      if (ready()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  /// Writes to the tool's standard input, and returns once it has been read.
  void say(const std::string& text) {
    ASSERT_EQ(::write(input_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ASSERT_TRUE(wait_until([&] {
      int unread = 0;
      return ::ioctl(input_[0], FIONREAD, &unread) == 0 && unread == 0;
    }));
  }
  std::string log() const { return read_all(work() / "../log"); }

 private:
  int input_[2] = {-1, -1};
};

TEST_F(Files, a_run_that_fails_leaves_the_old_file) {
  write_triangles();
  write("labels.csv", "old");
  write("result.json", "old");
  EXPECT_EQ(repsc("cluster G.txt -k 7 -o labels.csv --json result.json").code, 3);
  EXPECT_EQ(repsc("cluster G.txt missing -k 2 -o labels.csv --json result.json").code, 3);
  EXPECT_EQ(content("labels.csv"), "old");
  EXPECT_EQ(content("result.json"), "old");
}

TEST_F(Files, a_place_that_cannot_be_written_is_told_before_the_work) {
  write_triangles();
  expect_error("cluster G.txt -k 2 -o nowhere/labels.csv", 3, "nowhere/labels.csv");
  expect_error("cluster G.txt -k 2 -o .", 3, "directory");
  expect_error("cluster G.txt -k 2 --json nowhere/x.json -o labels.csv", 3, "nowhere/x.json");
  EXPECT_FALSE(exists("labels.csv"));
  EXPECT_EQ(repsc("generate planted -n 10 -k 2 --within 1 --across 0 -o nowhere/x").code, 3);
  EXPECT_EQ(repsc("graph convert G.txt nowhere/x.mtx").code, 3);
}

TEST_F(Files, a_full_disk_is_an_error) {
  write_triangles();
  const Result result = shell("repsc cluster G.txt -k 2 --quiet > /dev/full");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
}

TEST_F(Files, devices_can_be_written_to) {
  write_triangles();
  fine("cluster G.txt -k 2 -o /dev/null --json /dev/null");
}

TEST_F(Files, a_reader_that_stops_reading_is_no_error) {
  fine("generate planted -n 100000 -k 2 --within 0.00002 --across 0 --format txt -o p --quiet");
  const Result result = shell(
      "bash -c 'repsc graph convert p.similarity.txt - --quiet | head -1 > first; "
      "exit ${PIPESTATUS[0]}'");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(lines_of(content("first")).size(), 1U);
}

TEST_F(Files, an_interrupted_run_ends_with_130_and_leaves_the_old_file) {
  write("labels.csv", "old");
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = start({"cluster", "-", "-k", "2", "-o", "labels.csv"});
    say("0 1\n");
    EXPECT_EQ(interrupt(child, signal), 130);
    EXPECT_EQ(log(), "repsc: interrupted\n");
  }
  EXPECT_EQ(content("labels.csv"), "old");
  EXPECT_EQ(files(), std::vector<std::string>{"labels.csv"});
}

TEST_F(Files, an_interrupted_write_leaves_no_temporary_file) {
  const pid_t child = start({"generate", "planted", "-n", "200000", "-k", "10", "--within", "0.006",
                             "--across", "0", "-o", "big"});
  const bool writing = wait_until([&] { return !files().empty(); });
  EXPECT_TRUE(writing);
  EXPECT_THAT(files().front(), HasSubstr(".tmp"));
  EXPECT_EQ(interrupt(child, SIGINT), 130);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

/// Kills at random moments; REPSC_KILLS sets how many (200 take a minute).
TEST_F(Files, a_killed_run_leaves_the_old_file_or_the_new_one_and_the_next_run_cleans_up) {
  const char* const wanted = std::getenv("REPSC_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 24;
  fine(
      "generate rpp -n 3000 -k 4 -P 3 -p 0.04 -q 0.03 -r 0.02 -s 0.01 --write-representation -o s "
      "--seed 1 --quiet");
  const std::string G = "s.similarity.mtx";
  const std::string R = "s.representation.mtx";
  struct Call {
    std::vector<std::string> arguments;
    std::string output;
  };
  const std::vector<Call> calls{
      {{"graph", "convert", G, "out.npz", "--quiet"}, "out.npz"},
      {{"graph", "convert", R, "out.txt.gz", "--quiet"}, "out.txt.gz"},
      {{"graph", "convert", R, "out.rgraph", "--memory", "1M", "--quiet"}, "out.rgraph"},
      {{"cluster", G, "-k", "4", "-o", "out.csv", "--quiet"}, "out.csv"},
      {{"path", G, R, "-k", "4", "--strengths", "0,1", "-o", "by_point.csv", "--quiet"},
       "by_point.csv"}};
  std::mt19937 random(5);
  int unfinished = 0;
  for (const Call& call : calls) {
    std::string whole = "";
    for (const std::string& word : call.arguments) whole += word + " ";
    const auto begin = std::chrono::steady_clock::now();
    fine(whole);
    const std::chrono::duration<double> needed = std::chrono::steady_clock::now() - begin;
    const std::string finished = content(call.output);
    ASSERT_FALSE(finished.empty());
    std::uniform_real_distribution<double> moment(0, 1.2 * needed.count());
    for (int i = 0; i < kills / static_cast<int>(calls.size()); ++i) {
      write(call.output, "old");
      const pid_t child = start(call.arguments);
      std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
      interrupt(child, SIGKILL);
      const std::string left = content(call.output);
      EXPECT_TRUE(left == "old" || left == finished) << call.output << ": " << left.size();
      unfinished += left == "old";
      write_triangles();
      fine("graph convert G.txt other.mtx --quiet");  // another run that writes here
      for (const std::string& file : files()) EXPECT_THAT(file, Not(HasSubstr(".tmp")));
    }
  }
  EXPECT_GT(unfinished, 0);
}

}  // namespace
}  // namespace repsc::tests
