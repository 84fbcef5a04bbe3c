// What people see: notes and progress on standard error, tables, and bold text on terminals.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repsc/core.hpp"

namespace repsc::cli {

/// What every command can be told.
struct CommonOptions {
  std::optional<int> threads = {};  ///< none: all cores
  bool quiet = false;
  bool verbose = false;
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
  /// The same once the command has ended well: an error stays the only line, and results on the
  /// same terminal do not push the note away. --verbose shows it at once.
  template <typename... Values>
  void note_at_end(fmt::format_string<Values...> format, Values&&... values) {
    if (quiet_) return;
    waiting_ += fmt::format(format, std::forward<Values>(values)...) + '\n';
    if (verbose_) print(std::exchange(waiting_, {}));
  }
  /// A line that also --quiet lets through.
  template <typename... Values>
  void warn(fmt::format_string<Values...> format, Values&&... values) {
    print("repsc: " + fmt::format(format, std::forward<Values>(values)...) + '\n');
  }
  /// With --verbose: that a stage has ended.
  void stage_ended(std::string_view stage, double seconds);

  /// Shows where the library stands: one line, rewritten in place, on a terminal only.
  [[nodiscard]] ProgressFn progress();
  void clear_progress();

 private:
  void print(const std::string& text);
  void show(const Progress& progress);

  bool quiet_;
  bool verbose_;
  bool terminal_;
  std::string waiting_;
  bool line_shown_ = false;
  std::chrono::steady_clock::time_point last_shown_{};
};

/// Bold text, where standard output is a terminal and NO_COLOR is not set.
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

/// Lines are at most so wide: terminals of this width are everywhere.
inline constexpr std::size_t page_width = 80;
/// The words of `text` in lines of at most `width`.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width = page_width);

/// 1234567 as 1,234,567.
[[nodiscard]] std::string grouped(std::int64_t number);
/// "1 node", "2 nodes".
[[nodiscard]] std::string counted(std::int64_t number, const std::string& noun);

}  // namespace repsc::cli
