// Output for people: notes and progress on standard error, tables, and bold text on terminals.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repsc/core.hpp"

namespace repsc::cli {

/// Options that every command has.
struct CommonOptions {
  std::optional<int> threads = {};  ///< none: all cores
  bool quiet = false;
  bool verbose = false;
  std::string tool = "repsc";  ///< what warnings begin with
};

/// Standard error.
class Console {
 public:
  explicit Console(const CommonOptions& options);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// A line, unless --quiet.
  template <typename... Values>
  void note(fmt::format_string<Values...> format, Values&&... values) {
    if (!quiet_) print(fmt::format(format, std::forward<Values>(values)...) + '\n');
  }
  /// Prints the line after the command has succeeded. If the command fails, the error is the only
  /// line, and results on the same terminal do not scroll the note away. --verbose prints it at
  /// once.
  template <typename... Values>
  void note_at_end(fmt::format_string<Values...> format, Values&&... values) {
    if (quiet_) return;
    waiting_ += fmt::format(format, std::forward<Values>(values)...) + '\n';
    if (verbose_) print(std::exchange(waiting_, {}));
  }
  /// A line that is printed even with --quiet.
  template <typename... Values>
  void warn(fmt::format_string<Values...> format, Values&&... values) {
    print(tool_ + ": " + fmt::format(format, std::forward<Values>(values)...) + '\n');
  }
  /// With --verbose: reports the end of a stage and its time.
  void report_stage(std::string_view stage, double seconds);

  /// Shows the progress of the library: on a terminal one line, rewritten in place, with the time
  /// left if it is known. A stage that will take long is announced once by a line of its own, on
  /// any output. Empty with --quiet.
  [[nodiscard]] ProgressFn progress();
  void clear_progress();

 private:
  void print(const std::string& text);
  void show(const Progress& progress);
  void announce(const Progress& progress, double elapsed, const std::optional<double>& left);

  /// When a stage was first seen, and how far it was.
  struct StageStart {
    std::chrono::steady_clock::time_point at;
    std::int64_t done = 0;
    std::int64_t last = 0;
    bool announced = false;
  };

  bool quiet_;
  bool verbose_;
  std::string tool_;
  bool terminal_;
  std::string waiting_;
  bool line_shown_ = false;
  std::chrono::steady_clock::time_point last_shown_{};
  std::map<std::string, StageStart, std::less<>> stages_;
};

/// Says that the result is the best that was found within the time limit.
void report_time_limit(double seconds, Console& console);

/// Bold text if standard output is a terminal and NO_COLOR is not set.
[[nodiscard]] std::string bold(const std::string& text);

/// Text in columns that line up: the first to the left, the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Each line begins with two blanks.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> header_;  // empty: none is shown
  std::vector<std::vector<std::string>> rows_;
};

/// Maximum width of a line: the common width of terminals.
inline constexpr std::size_t page_width = 80;
/// The words of `text` in lines of at most `width`.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width = page_width);

/// 1234567 as 1,234,567.
[[nodiscard]] std::string grouped(std::int64_t number);
/// "1 node", "2 nodes".
[[nodiscard]] std::string counted(std::int64_t number, const std::string& noun);

}  // namespace repsc::cli
