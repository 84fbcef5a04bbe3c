// Output for people: notes, progress and tables.
#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>

namespace repsc::cli {
namespace {

bool plain_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color != nullptr && *no_color != '\0') ||
         (terminal != nullptr && std::string_view(terminal) == "dumb");
}

std::string described(const Progress& progress) {
  std::string text = fmt::format("{} {}", progress.stage, grouped(progress.done));
  if (progress.total > 0) {
    const auto percent =
        100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total);
    text = fmt::format("{} {:.0f}%", progress.stage, std::min(percent, 100.0));
  }
  if (progress.stage == "read" || progress.stage == "path") return text;
  if (progress.stage == "front") return text + fmt::format(" ({:.0f} searches)", progress.value);
  const char* const watched = progress.stage == "kmeans"   ? "inertia"
                              : progress.stage == "refine" ? "objective"
                                                           : "residual";
  return text + fmt::format(" ({} {:.2g})", watched, progress.value);
}

std::string duration_of(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 72 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

}  // namespace

Console::Console(const CommonOptions& options)
    : quiet_(options.quiet),
      verbose_(options.verbose),
      tool_(options.tool),
      terminal_(!options.quiet && ::isatty(STDERR_FILENO) == 1) {}

Console::~Console() {
  clear_progress();
  const bool failed = std::uncaught_exceptions() > 0;
  if (!failed) std::fputs(waiting_.c_str(), stderr);
}

void Console::print(const std::string& text) {
  clear_progress();
  std::fputs(text.c_str(), stderr);
}

void Console::report_stage(std::string_view stage, double seconds) {
  if (verbose_) print(fmt::format("{}: {:.3f} s\n", stage, seconds));
}

ProgressFn Console::progress() {
  if (quiet_) return {};
  return [this](const Progress& progress) { show(progress); };
}

void Console::show(const Progress& progress) {
  constexpr auto pause = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_shown_ < pause) return;
  last_shown_ = now;
  const auto known = stages_.find(progress.stage);
  const bool begins = known == stages_.end() || progress.done < known->second.last;
  StageStart& stage = known == stages_.end() ? stages_[std::string(progress.stage)] : known->second;
  if (begins) stage = {now, progress.done, progress.done, stage.announced};
  stage.last = progress.done;
  const double elapsed = std::chrono::duration<double>(now - stage.at).count();
  std::optional<double> left;
  if (progress.total > progress.done && progress.done > stage.done && elapsed > 1) {
    left = elapsed * static_cast<double>(progress.total - progress.done) /
           static_cast<double>(progress.done - stage.done);
  }
  if (!stage.announced) announce(progress, elapsed, left);
  if (!terminal_) return;
  line_shown_ = true;
  const std::string time = left ? fmt::format(", about {} left", duration_of(*left)) : "";
  std::fputs(("\r\033[K" + described(progress) + time).c_str(), stderr);
  std::fflush(stderr);
}

void Console::announce(const Progress& progress, double elapsed,
                       const std::optional<double>& left) {
  constexpr double look_after = 4;  // seconds, for a sound estimate
  constexpr double no_result = 10;  // seconds without one part of many
  constexpr double worth_saying = 30;
  const char* const way_out = "--time-limit SECONDS ends it earlier with the best result so far";
  if (left && elapsed > look_after && *left > worth_saying) {
    note("{}: {} of {} after {}, about {} left; {}", progress.stage, grouped(progress.done),
         grouped(progress.total), duration_of(elapsed), duration_of(*left), way_out);
  } else if (!left && progress.total > 1 && progress.done == 0 && elapsed > no_result) {
    note("{}: the first of {} takes more than {}; {}", progress.stage, grouped(progress.total),
         duration_of(elapsed), way_out);
  } else {
    return;
  }
  stages_[std::string(progress.stage)].announced = true;
}

void report_time_limit(double seconds, Console& console) {
  console.warn("the time limit of {:g} s ended the run: the result is the best found so far",
               seconds);
}

void Console::clear_progress() {
  if (!line_shown_) return;
  std::fputs("\r\033[K", stderr);
  line_shown_ = false;
}

std::string bold(const std::string& text) {
  static const bool plain = ::isatty(STDOUT_FILENO) != 1 || plain_wanted();
  return plain ? text : "\033[1m" + text + "\033[0m";
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  const auto widen = [&](const std::vector<std::string>& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  widen(header_);
  for (const auto& row : rows_) widen(row);

  const auto line = [&](const std::vector<std::string>& row) {
    std::string result = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      result += i == 0 ? fmt::format(" {:<{}}", row[i], widths[i])
                       : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    return result;
  };
  std::string result = header_.empty() ? "" : bold(line(header_)) + '\n';
  for (const auto& row : rows_) result += line(row) + '\n';
  return result;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    const bool fits = column + 1 + word.size() <= width;
    if (column > 0) result += fits ? ' ' : '\n';
    column = column > 0 && fits ? column + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

std::string grouped(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::int64_t number, const std::string& noun) {
  return grouped(number) + ' ' + noun + (number == 1 ? "" : "s");
}

}  // namespace repsc::cli
