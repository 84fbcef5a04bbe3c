// Text files that are written completely or not at all.
#include "io/atomic_file.hpp"
#include "repsc/io.hpp"

namespace repsc {

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void abandon_files() noexcept { remove_temporary_files(); }

}  // namespace repsc
