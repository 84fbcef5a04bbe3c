#include "io/bytes_ahead.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "repsc/core.hpp"

namespace repsc {

BytesAhead::BytesAhead(int file) : file_(file), bytes_(std::size_t{1} << 18U) {}

std::span<const unsigned char> BytesAhead::look(std::size_t count) {
  constexpr std::size_t kept = 8;  // for back()
  while (end_ - next_ < count) {
    if (bytes_.size() - next_ < most) {
      const std::size_t first = next_ - std::min(next_, kept);
      std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(first),
                bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
      end_ -= first;
      next_ -= first;
    }
    const ssize_t got = ::read(file_, bytes_.data() + end_, bytes_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(std::strerror(errno));
    if (got == 0) break;
    end_ += static_cast<std::size_t>(got);
    num_read_ += got;
  }
  return {bytes_.data() + next_, end_ - next_};
}

}  // namespace repsc
