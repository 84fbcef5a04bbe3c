// Files of results, and what the process knows about its own memory.
#include <sys/resource.h>

#include "core/atomic_file.hpp"
#include "repsc/report.hpp"

namespace repsc {

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void abandon_files() noexcept { remove_temporary_files(); }

std::int64_t peak_memory_bytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts in kilobytes
}

}  // namespace repsc
