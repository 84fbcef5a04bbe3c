// Runs the built tool in a folder of its own, and tells what came out.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace repsc::tests {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A test in an empty folder.
class ToolTest : public testing::Test {
 protected:
  ToolTest() {
    std::string name = (std::filesystem::temp_directory_path() / "repsc_cli_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::filesystem::create_directory(folder_ / "work");
  }
  ~ToolTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// A shell command in the folder; `repsc` is the tool under test.
  Result shell(const std::string& command) const {
    const std::string out = folder_ / "stdout";
    const std::string err = folder_ / "stderr";
    const std::string tool_folder = std::filesystem::path(REPSC_TOOL).parent_path();
    const std::string whole = "cd '" + work().string() + "' && PATH='" + tool_folder +
                              "':\"$PATH\" && { " + command + "\n} > '" + out + "' 2> '" + err +
                              "'";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 256, read_all(out), read_all(err)};
  }
  Result repsc(const std::string& arguments) const { return shell("repsc " + arguments); }
  /// The same where nothing may go wrong.
  Result fine(const std::string& arguments) const {
    Result result = repsc(arguments);
    EXPECT_EQ(result.code, 0) << "repsc " << arguments << "\n" << result.err;
    return result;
  }
  /// One line on standard error that begins with "repsc: ", nothing on standard output.
  void expect_error(const std::string& arguments, int code, const std::string& part) const {
    const Result result = repsc(arguments);
    EXPECT_EQ(result.code, code) << "repsc " << arguments << "\n" << result.err;
    EXPECT_EQ(result.out, "") << "repsc " << arguments;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_TRUE(result.err.starts_with("repsc: ")) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " is not in " << result.err;
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(work() / name, std::ios::binary) << text;
  }
  std::string content(const std::string& name) const { return read_all(work() / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(work() / name); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(work())) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::filesystem::path work() const { return folder_ / "work"; }

  /// Two triangles joined by an edge, with names; R links across: a-d, b-e, c-f.
  void write_triangles() const {
    write("G.txt", "a b\nb c\nc a\nd e\ne f\nf d\nc d\n");
    write("R.txt", "a d\nb e\nc f\n");
    write("groups.csv", "node,group\na,x\nb,y\nc,x\nd,x\ne,y\nf,x\n");
  }
  /// sample.similarity.mtx, sample.representation.mtx, sample.truth.csv: easy clusters.
  void generate_sample() const {
    fine("generate rpp -n 120 -k 3 -d 9 -p 0.9 -q 0.5 -r 0.4 -s 0.05 --seed 1 -o sample --quiet");
  }

 private:
  std::filesystem::path folder_;
};

inline nlohmann::ordered_json parsed(const std::string& text) {
  return nlohmann::ordered_json::parse(text);
}

}  // namespace repsc::tests
