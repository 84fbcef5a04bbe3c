// AtomicFile, and the short table of open temporary files that a signal handler can clean up.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

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
  temporary_ = path_ + ".tmp" + std::to_string(::getpid());
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

void remove_temporary_files() noexcept {
  for (auto& slot : open_temporaries) {
    if (const char* path = slot.load()) ::unlink(path);
  }
}

}  // namespace repsc
