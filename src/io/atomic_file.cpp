// AtomicFile, and the short table of open temporary files that a signal handler can clean up. Files
// of processes that were killed are removed by the next one that writes into the folder.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>

#include "repsc/core.hpp"

namespace repsc {
namespace {

// A signal handler may neither lock nor allocate, so the table has fixed slots.
constexpr std::size_t max_open = 64;
std::array<std::atomic<const char*>, max_open> open_temporaries{};

void remember(const char* path) {
  for (auto& slot : open_temporaries) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, path)) return;
  }
}

void forget(const char* path) {
  for (auto& slot : open_temporaries) {
    const char* expected = path;
    if (slot.compare_exchange_strong(expected, nullptr)) return;
  }
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw IoError(path + ": " + what + ": " + std::strerror(errno));
}

/// Between the name of a file and the number of the process that writes it. The name of the machine
/// is part of it, because numbers of processes mean nothing on another one.
std::string temporary_mark() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format(".tmp-repsc-{:08x}-",
                     static_cast<std::uint32_t>(std::hash<std::string_view>{}(host.data())));
}

/// Whether this is the name of a temporary file, also of one that a library made from it, whose
/// process has ended.
bool is_abandoned(std::string_view name, std::string_view mark) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string_view::npos) return false;
  const std::string_view number = name.substr(at + mark.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), process);
  if (error != std::errc() || process <= 0) return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes what killed processes left in the folder of a file. Once for each folder.
void remove_abandoned_files(const std::filesystem::path& file, const std::string& mark) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> seen;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  {
    const std::lock_guard lock(mutex);
    if (!seen.insert(folder).second) return;
  }
  std::error_code ignored;  // a folder that cannot be read is reported when the file is opened
  std::filesystem::directory_iterator entry(folder, ignored);
  for (; !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
    if (!is_abandoned(entry->path().filename().native(), mark)) continue;
    std::error_code left;
    std::filesystem::remove(entry->path(), left);
  }
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  struct stat info {};
  if (::stat(path_.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) throw IoError(path_ + ": cannot write: it is a directory");
    if (!S_ISREG(info.st_mode)) {  // a device or a pipe cannot be replaced: write straight into it
      file_ = std::fopen(path_.c_str(), "wb");
      if (file_ == nullptr) fail(path_, "cannot write");
      return;
    }
  }
  const std::string mark = temporary_mark();
  remove_abandoned_files(path_, mark);
  temporary_ = fmt::format("{}{}{}", path_, mark, ::getpid());
  remember(temporary_.c_str());  // before opening: a signal may arrive as soon as the file exists
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) {
    forget(temporary_.c_str());
    fail(path_, "cannot write");
  }
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    forget(temporary_.c_str());
  }
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(path_, "cannot write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail(path_, "cannot write");
  if (file_ == stdout) return;
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail(path_, "cannot write");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "cannot move into place");
  forget(temporary_.c_str());
  temporary_.clear();
}

TemporaryOfAnother::TemporaryOfAnother(std::string path) : path_(std::move(path)) {
  remember(path_.c_str());
}

TemporaryOfAnother::~TemporaryOfAnother() { forget(path_.c_str()); }

void remove_temporary_files() noexcept {
  for (auto& slot : open_temporaries) {
    if (const char* path = slot.load()) ::unlink(path);
  }
}

}  // namespace repsc
