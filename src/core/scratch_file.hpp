// Files without a name for data that do not fit into memory, and files mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace repsc {

/// The bytes of a file, read-only and without a copy. Processes that map the same file share them.
class Mapping {
 public:
  Mapping() = default;
  /// The first `bytes` bytes of an open file, which may be closed afterwards. `name` is the file's,
  /// for messages.
  Mapping(int file, std::size_t bytes, const std::string& name);
  ~Mapping();
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] const std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A file that no folder lists: it vanishes with this object, or with the process, however that
/// ends. Errors are thrown as IoError; a full disk is one.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Writes at the end.
  void append(const void* data, std::size_t bytes);
  /// Reads from `place` on. Threads may read at the same time.
  void read(void* data, std::size_t bytes, std::int64_t place) const;
  /// All bytes. They stay there when the file is gone.
  [[nodiscard]] Mapping map() const;

 private:
  std::string folder_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace repsc
