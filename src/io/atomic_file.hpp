// A file that is written completely or not at all: to a temporary file beside it, which is then
// renamed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace repsc {

class AtomicFile {
 public:
  /// Opens a temporary file beside `path`. "-" means standard output, written directly.
  explicit AtomicFile(std::string path);
  ~AtomicFile();  ///< without commit(), removes the temporary file
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// The path of the temporary file, for libraries that open files by name. Not for "-".
  [[nodiscard]] const std::string& temporary_path() const { return temporary_; }
  /// Flushes, checks and moves into place. Throws IoError with the name of the file if that fails.
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

/// A temporary file of another process, which remove_temporary_files() of this one removes as well:
/// the other one may be killed.
class TemporaryOfAnother {
 public:
  explicit TemporaryOfAnother(std::string path);
  ~TemporaryOfAnother();  ///< the other process has committed
  TemporaryOfAnother(const TemporaryOfAnother&) = delete;
  TemporaryOfAnother& operator=(const TemporaryOfAnother&) = delete;

 private:
  std::string path_;
};

/// Removes the temporary files of this process that are still open. Only calls what a signal
/// handler may call.
void remove_temporary_files() noexcept;

}  // namespace repsc
