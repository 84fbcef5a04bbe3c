// Reading plain files in parts, and all others as a stream, decompressed where they are gzip.
#include "io/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/quiet_thread.hpp"
#include "io/gzip_reader.hpp"
#include "io/parallel_gzip.hpp"
#include "io/rgraph.hpp"
#include "repsc/core.hpp"

namespace repsc {
namespace {

[[noreturn]] void fail_io(const std::string& name, const std::string& reason) {
  throw IoError(name + ": cannot read: " + reason);
}

// Reads `bytes` bytes from `place` on, fewer at the end of the file only.
std::size_t read_at(int file, char* to, std::size_t bytes, std::int64_t place,
                    const std::string& name) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t count =
        ::pread(file, to + done, bytes - done, place + static_cast<std::int64_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_io(name, std::strerror(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

bool begins_like_gzip(int file) {
  std::array<unsigned char, 2> magic{};
  return ::pread(file, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

}  // namespace

int open_input(const std::string& path) {
  const int file = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_io(input_name(path), std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(file);
    fail_io(input_name(path), "it is a directory");
  }
  return file;
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

// Units of text in order. The first is read by the caller; if there are more, a thread reads them
// ahead, into at most `most_ahead` units, or several threads the parts of a large gzip file. Not
// from a pipe: waiting for a thread that waits for a pipe may take for ever.
class Input::Stream {
 public:
  struct Unit {
    std::vector<char> text;
    std::int64_t position = 0;  // in the file, after this unit
    Damage damage = Damage::none;
    std::string message;  // about the damage, or of the system if reading failed
    bool failed = false;
    bool no_memory = false;
    bool stopped = false;  // at a block
  };

  /// Takes the file if nothing is thrown. `size`: of a gzip file that can be read in parts, else 0.
  Stream(int file, bool pipe, std::int64_t size)
      : ahead_(pipe ? 0 : most_ahead), reader_(file), file_(file), size_(size) {}
  ~Stream() {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(state_);
        stopped_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    parts_.reset();  // whose threads read the file
    ::close(file_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The unit of which the next byte is; one without text is the last.
  Unit& current() {
    if (taken_ == current_.text.size() && !ended_) {
      current_ = next();
      taken_ = 0;
      ended_ = current_.text.empty();
    }
    return current_;
  }
  /// Copies up to `bytes` bytes of the current unit.
  std::size_t take(char* to, std::size_t bytes) {
    const std::size_t count = std::min(bytes, current_.text.size() - taken_);
    const char* const from = current_.text.data() + taken_;
    parallel_ranges(static_cast<std::int64_t>(count), 1 << 19,
                    [&](std::int64_t first, std::int64_t last) {
                      std::copy(from + first, from + last, to + first);
                    });
    taken_ += count;
    return count;
  }

 private:
  static constexpr std::size_t most_ahead = 32;
  static constexpr std::size_t most_more = 64;  // a unit has about so many bytes

  Unit next() {
    if (num_units_++ == 0 || ahead_.empty()) return read();
    if (num_units_ == 2) {
      to_block_ = worth_parts();
      if (to_block_) reader_.stop_at(reader_.bit());
      if (!to_block_) start_thread();
    }
    if (to_block_) {
      Unit result = read();
      to_block_ = !result.stopped;
      if (to_block_) return result;
      start_parts();
      if (!result.text.empty()) return result;
    }
    if (parts_) return next_of_parts();
    if (!thread_.joinable()) return read();
    std::unique_lock lock(state_);
    changed_.wait(lock, [&] { return num_ahead_ > 0; });
    Unit first = std::move(ahead_[first_ahead_]);
    first_ahead_ = (first_ahead_ + 1) % most_ahead;
    --num_ahead_;
    lock.unlock();
    changed_.notify_all();
    return first;
  }

  void start_thread() {
    thread_ = start_quietly([](void* self) { static_cast<Stream*>(self)->run(); }, this);
  }

  // The parts of a file that several threads take. Of random numbers these take 1.3 times the work
  // of one thread that reads the whole file, so that fewer threads are faster with one that
  // decompresses while the others parse.
  [[nodiscard]] ParallelGzip::Sizes sizes_of_parts() const {
    constexpr double least_text = 1 << 22;
    constexpr double most_text = 1 << 23;
    constexpr double least_bytes = 1 << 18;  // of the file: some blocks
    constexpr double for_each = 3;           // thread
    const double text_per_byte = unit / static_cast<double>(reader_.position());
    const double equal = static_cast<double>(size_) / (for_each * num_threads());
    const double bytes = std::max(
        least_bytes, std::clamp(equal, least_text / text_per_byte, most_text / text_per_byte));
    return {.file = size_,
            .part = static_cast<std::int64_t>(bytes),
            .text = static_cast<std::size_t>(std::min(1.1 * bytes * text_per_byte, 2 * most_text)),
            .most_text = static_cast<std::size_t>(2 * most_text),
            .threads = num_threads()};
  }

  [[nodiscard]] bool worth_parts() const {
    constexpr int least_threads = 4;
    return num_threads() >= least_threads && reader_.in_member() &&
           size_ - reader_.position() > 2 * sizes_of_parts().part;
  }

  void start_parts() { parts_ = std::make_unique<ParallelGzip>(file_, reader_, sizes_of_parts()); }

  Unit next_of_parts() {
    Unit result;
    result.text = std::move(current_.text);  // whose place is used again
    read_into(result, [&](std::vector<char>& text) { return parts_->read(text, unit); });
    result.position = parts_->position();
    if (parts_->gave_up()) {
      parts_.reset();
      start_thread();
    }
    return result;
  }

  Unit read() {
    Unit result;
    result.text.reserve(unit + most_more);
    read_into(result, [&](std::vector<char>& text) { return reader_.read(text, unit); });
    result.position = reader_.position();
    return result;
  }

  template <typename Read>
  void read_into(Unit& result, const Read& read) {
    try {
      const GzipReader::State state = read(result.text);
      result.stopped = state == GzipReader::State::stopped;
      if (!result.text.empty()) return;
      if (state == GzipReader::State::truncated) result.damage = Damage::truncated;
      if (state == GzipReader::State::damaged) {
        result.damage = Damage::damaged;
        result.message = reader_.message();
      }
    } catch (const IoError& error) {
      result.text.clear();
      result.failed = true;
      result.message = error.what();
    }
  }

  void run() {
    for (bool more = true; more;) {
      Unit next;
      try {
        next = read();
      } catch (const std::bad_alloc&) {
        next.no_memory = true;
      }
      std::unique_lock lock(state_);
      changed_.wait(lock, [&] { return stopped_ || num_ahead_ < most_ahead; });
      if (stopped_) return;
      more = !next.text.empty();
      ahead_[(first_ahead_ + num_ahead_++) % most_ahead] = std::move(next);
      lock.unlock();
      changed_.notify_all();
    }
  }

  std::vector<Unit> ahead_;  // a ring, allocated once: the thread must not fail to store a unit
  GzipReader reader_;
  std::unique_ptr<ParallelGzip> parts_;
  bool to_block_ = false;  // parts begin with the next block
  int file_;
  std::int64_t size_;
  Unit current_;
  std::size_t taken_ = 0;  // of the current unit
  bool ended_ = false;
  std::size_t num_units_ = 0;
  std::thread thread_;
  std::mutex state_;
  std::condition_variable changed_;
  std::size_t first_ahead_ = 0;
  std::size_t num_ahead_ = 0;
  bool stopped_ = false;
};

Input::Input(const std::string& path) : name_(input_name(path)) {
  const int file = open_input(path);
  struct stat info {};
  const bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  if (regular) size_ = info.st_size;
  // Standard input may begin in the middle of a file.
  if (regular && path != "-" && !begins_like_gzip(file)) {
    file_ = file;
    return;
  }
  try {
    stream_ = std::make_unique<Stream>(file, !regular, path == "-" ? 0 : size_);
  } catch (const std::bad_alloc&) {
    ::close(file);
    throw;
  }
}

Input::~Input() {
  if (file_ >= 0) ::close(file_);
}

std::size_t Input::read(char* to, std::size_t bytes) {
  const std::size_t count = file_ >= 0 ? read_plain(to, bytes) : read_stream(to, bytes);
  if (!std::exchange(begun_, true)) refuse_rgraph({to, count});
  return count;
}

void Input::refuse_rgraph(std::string_view beginning) const {
  if (!beginning.starts_with(std::string_view(rgraph::magic.data(), rgraph::magic.size()))) return;
  throw InvalidInput(
      Fault{.what = "this is an .rgraph file, which is mapped and not read as text",
            .remedies = {advice("give its name, with the ending .rgraph; save what comes from a "
                                "pipe to a file first")},
            .where = name_});
}

std::size_t Input::read_plain(char* to, std::size_t bytes) {
  constexpr std::int64_t part = 1 << 20;
  std::atomic<std::int64_t> count = 0;
  // Parts behind a file that has become shorter are empty, so that the sum is what there is.
  parallel_ranges(
      static_cast<std::int64_t>(bytes), part, [&](std::int64_t first, std::int64_t last) {
        count += static_cast<std::int64_t>(read_at(
            file_, to + first, static_cast<std::size_t>(last - first), position_ + first, name_));
      });
  position_ += count;
  return static_cast<std::size_t>(count);
}

std::size_t Input::read_stream(char* to, std::size_t bytes) {
  Stream::Unit& current = stream_->current();
  if (current.failed) fail_io(name_, current.message);
  if (current.no_memory) throw std::bad_alloc();
  damage_ = current.damage;
  message_ = current.message;
  position_ = current.position;
  return stream_->take(to, bytes);
}

bool Input::damaged_ahead() {
  if (stream_ == nullptr || size_ == 0) return false;  // a pipe may never end
  std::vector<char> ignored(unit);
  for (std::size_t left = std::size_t{1} << 26U; left > unit; left -= unit) {
    if (read_stream(ignored.data(), ignored.size()) == 0) break;
  }
  return damage_ == Damage::damaged;
}

}  // namespace repsc
