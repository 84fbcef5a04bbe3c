#include "io/bytes_ahead.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "repsc/core.hpp"

namespace repsc {

BytesAhead::BytesAhead(int file)
    : file_(file), buffer_(std::size_t{1} << 18U), bytes_(buffer_.data()) {}

BytesAhead::BytesAhead(std::span<const unsigned char> bytes)
    : bytes_(bytes.data()),
      end_(bytes.size()),
      num_read_(static_cast<std::int64_t>(bytes.size())) {}

void BytesAhead::go_to(std::int64_t byte) {
  anywhere_ = true;
  next_ = end_ = 0;
  num_read_ = byte;
}

std::size_t BytesAhead::read_more() {
  for (;;) {
    unsigned char* const to = buffer_.data() + end_;
    const std::size_t room = buffer_.size() - end_;
    const ssize_t got = anywhere_ ? ::pread(file_, to, room, num_read_) : ::read(file_, to, room);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw IoError(std::strerror(errno));
  }
}

std::span<const unsigned char> BytesAhead::look(std::size_t count) {
  constexpr std::size_t kept = 8;  // for back()
  while (end_ - next_ < count && file_ >= 0) {
    if (buffer_.size() - next_ < most) {
      const std::size_t first = next_ - std::min(next_, kept);
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(first),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      end_ -= first;
      next_ -= first;
    }
    const std::size_t got = read_more();
    if (got == 0) break;
    end_ += got;
    num_read_ += static_cast<std::int64_t>(got);
  }
  return {bytes_ + next_, end_ - next_};
}

}  // namespace repsc
