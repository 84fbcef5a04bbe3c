// Cuts the text of a file into lines.
#include "io/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/text.hpp"

namespace repsc {

LineReader::LineReader(const std::string& path, ProgressFn progress, std::size_t limit)
    : name_(input_name(path)), input_(path), progress_(std::move(progress)), limit_(limit) {
  buffer_ = Pages<char>(Input::unit);
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;  // bytes already searched for the end of the line
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* found = std::memchr(start + searched, '\n', available - searched);
    if (found == nullptr && available <= limit_) {
      const bool more = refill(Input::unit);
      start = buffer_.data() + begin_;  // the unread bytes have moved, also at the end of the file
      searched = available;
      if (more) continue;
      fail_if_damaged();
    }
    if (found == nullptr && begin_ == end_) return std::nullopt;
    ++number_;
    const std::size_t length =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - start)
                         : end_ - begin_;
    if (length > limit_) {
      fail(fmt::format("a line of more than {} bytes (is this a text file of the right format?)",
                       limit_));
    }
    begin_ = std::min(end_, begin_ + length + 1);
    std::string_view line(start, length);
    if (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
}

LineReader::Sample LineReader::peek(std::size_t bytes) {
  bool more = true;
  while (more && end_ - begin_ < bytes) more = refill(Input::unit);
  if (!more) fail_if_damaged();
  return {{buffer_.data() + begin_, end_ - begin_}, !more};
}

std::string_view LineReader::whole_lines(std::size_t bytes) {
  while (end_ - begin_ < bytes && refill(bytes - (end_ - begin_))) {
  }
  const std::string_view text(buffer_.data() + begin_, end_ - begin_);
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

// Moves the unread bytes to the front and reads up to `bytes` more. False at the end of the file.
bool LineReader::refill(std::size_t bytes) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + bytes > buffer_.size()) {
    Pages<char> larger(std::max(2 * buffer_.size(), end_ + bytes));
    std::memcpy(larger.data(), buffer_.data(), end_);
    buffer_ = std::move(larger);
  }
  const std::size_t count = input_.read(buffer_.data() + end_, bytes);
  end_ += count;
  if (progress_ && count > 0) {
    progress_({.stage = "read", .done = input_.position(), .total = input_.size()});
  }
  return count > 0;
}

// All text before the damage has been returned.
void LineReader::fail_if_damaged() const {
  if (input_.damage() == Input::Damage::damaged) fail_damaged(number_);
  if (input_.damage() == Input::Damage::truncated) {
    fail_file(fmt::format("the gzip data end too early, after line {} (is the file truncated?)",
                          number_));
  }
}

void LineReader::fail_damaged(std::int64_t line) const {
  fail_file(fmt::format("damaged gzip data after line {} ({})", line, input_.message()));
}

std::string LineReader::where(std::int64_t line) const { return fmt::format("{}:{}", name_, line); }

void LineReader::fail_at(std::int64_t line, const std::string& what,
                         std::vector<Remedy> remedies) const {
  if (input_.damaged_ahead()) fail_damaged(line - 1);
  throw InvalidInput(Fault{.what = what, .remedies = std::move(remedies), .where = where(line)});
}

void LineReader::fail_file(const std::string& what, std::vector<Remedy> remedies) const {
  throw InvalidInput(Fault{.what = what, .remedies = std::move(remedies), .where = name_});
}

double LineReader::weight_at(std::int64_t line, std::string_view field) const {
  const std::optional<double> value = parse_number(field);
  if (!value) fail_at(line, "weight " + in_quotes(field) + " is not a finite number");
  if (*value < 0) {
    fail_at(line, "weight " + in_quotes(field) + " is negative (weights must be at least 0)");
  }
  return *value;
}

}  // namespace repsc
