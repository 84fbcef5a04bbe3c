// The bytes of a file, read in large pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace repsc {

/// The bytes of a file in order, of which some can be looked at in advance.
class BytesAhead {
 public:
  /// Most that can be asked for in advance.
  static constexpr std::size_t most = 64;

  /// The file remains the caller's.
  explicit BytesAhead(int file);

  /// Reads on if less than `count` <= most bytes are ahead. Fewer at the end of the file only.
  /// Throws IoError with the reason alone.
  std::span<const unsigned char> look(std::size_t count);
  void skip(std::size_t count) { next_ += count; }
  /// Takes the last `count` <= 8 bytes that were skipped back.
  void back(std::size_t count) { next_ -= count; }

  /// How many bytes of the file came before.
  [[nodiscard]] std::int64_t position() const {
    return num_read_ - static_cast<std::int64_t>(end_ - next_);
  }

 private:
  int file_;
  std::vector<unsigned char> bytes_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::int64_t num_read_ = 0;
};

}  // namespace repsc
