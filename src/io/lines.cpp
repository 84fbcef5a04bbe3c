// A line reader over zlib, which also reads uncompressed files.
#include "io/lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>

#include "core/text.hpp"

namespace repsc {
namespace {

constexpr std::size_t first_buffer = std::size_t{1} << 18U;

[[noreturn]] void fail_io(const std::string& name, const std::string& reason) {
  throw IoError(name + ": cannot read: " + reason);
}

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

int open_input(const std::string& path) {
  const int file = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_io(shown(path), std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(file);
    fail_io(shown(path), "it is a directory");
  }
  return file;
}

LineReader::LineReader(const std::string& path, ProgressFn progress, std::size_t limit)
    : name_(shown(path)), progress_(std::move(progress)), limit_(limit) {
  const int file = open_input(path);
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) file_size_ = info.st_size;
  file_.reset(gzdopen(file, "rb"));
  if (!file_) {
    ::close(file);
    fail_io(name_, "out of memory");
  }
  gzbuffer(file_.get(), static_cast<unsigned>(first_buffer));
  buffer_.resize(first_buffer);
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;  // bytes already searched for the end of the line
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* found = std::memchr(start + searched, '\n', available - searched);
    if (found == nullptr && available <= limit_) {
      const bool more = refill();
      start = buffer_.data() + begin_;  // the unread bytes have moved, also at the end of the file
      searched = available;
      if (more) continue;
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
  while (more && end_ - begin_ < bytes) more = refill();
  return {{buffer_.data() + begin_, end_ - begin_}, !more};
}

std::string_view LineReader::whole_lines(std::size_t bytes) {
  while (end_ - begin_ < bytes && refill()) {
  }
  const std::string_view text(buffer_.data() + begin_, end_ - begin_);
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

// Moves the unread bytes to the front and reads more. False at the end of the file.
bool LineReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const int count = gzread(file_.get(), buffer_.data() + end_,
                           static_cast<unsigned>(std::min(buffer_.size() - end_, first_buffer)));
  int error = Z_OK;
  const char* message = gzerror(file_.get(), &error);
  if (error == Z_ERRNO) fail_io(name_, std::strerror(errno));
  if (error == Z_MEM_ERROR) throw std::bad_alloc();
  if (count < 0) fail_file(fmt::format("damaged gzip data after line {} ({})", number_, message));
  if (count == 0 && error == Z_BUF_ERROR) {
    fail_file(fmt::format("the gzip data end too early, after line {} (is the file truncated?)",
                          number_));
  }
  end_ += static_cast<std::size_t>(count);
  if (progress_ && count > 0) {
    progress_({.stage = "read", .done = gzoffset(file_.get()), .total = file_size_});
  }
  return count > 0;
}

std::string LineReader::where(std::int64_t line) const { return fmt::format("{}:{}", name_, line); }

void LineReader::fail_at(std::int64_t line, const std::string& what,
                         std::vector<Remedy> remedies) const {
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
