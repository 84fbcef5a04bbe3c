// Mapping and ScratchFile: what the system offers, with its errors as IoError.
#include "core/scratch_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "repsc/core.hpp"

namespace repsc {
namespace {

[[noreturn]] void fail(const std::string& where, const char* what) {
  throw IoError(joined(where, ": ", what, ": ", std::strerror(errno)));
}

constexpr const char* cannot_write = "cannot write a temporary file there";

// Some file systems have no files without a name: there it is removed as soon as it is open.
int open_unnamed(const std::string& folder) {
#ifdef O_TMPFILE
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (unnamed >= 0) return unnamed;
#endif
  std::string name = folder + "/.tmp-repsc-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail(folder, cannot_write);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

Mapping::Mapping(int file, std::size_t bytes, const std::string& name) : size_(bytes) {
  if (bytes == 0) return;
  void* const pages = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (pages == MAP_FAILED) fail(name, "cannot map into memory");
  data_ = static_cast<const std::byte*>(pages);
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

ScratchFile::ScratchFile(const std::string& folder)
    : folder_(folder), file_(open_unnamed(folder)) {}

ScratchFile::~ScratchFile() {
  if (file_ >= 0) ::close(file_);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(std::exchange(other.file_, -1)),
      size_(std::exchange(other.size_, 0)) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  return *this;
}

void ScratchFile::append(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file_, next, bytes, size_);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(folder_, cannot_write);
    next += written;
    bytes -= static_cast<std::size_t>(written);
    size_ += written;
  }
}

void ScratchFile::read(void* data, std::size_t bytes, std::int64_t place) const {
  auto* next = static_cast<std::byte*>(data);
  while (bytes > 0) {
    const ssize_t found = ::pread(file_, next, bytes, place);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) fail(folder_, "cannot read a temporary file there");
    require<IoError>(found > 0, folder_, ": a temporary file there became shorter");
    next += found;
    bytes -= static_cast<std::size_t>(found);
    place += found;
  }
}

Mapping ScratchFile::map() const { return {file_, static_cast<std::size_t>(size_), folder_}; }

}  // namespace repsc
