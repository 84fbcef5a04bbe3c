// The bytes of a file, read in large pieces, or of memory.
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

  /// The file remains the caller's, and is read on from where it is.
  explicit BytesAhead(int file);
  /// Bytes in memory, which remain the caller's.
  explicit BytesAhead(std::span<const unsigned char> bytes);
  BytesAhead(const BytesAhead&) = delete;
  BytesAhead& operator=(const BytesAhead&) = delete;

  /// Goes on at that byte of the file, by pread(), so that several threads can read it.
  void go_to(std::int64_t byte);

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
  [[nodiscard]] std::size_t read_more();

  int file_ = -1;  // -1: memory
  bool anywhere_ = false;
  std::vector<unsigned char> buffer_;
  const unsigned char* bytes_;  // of the buffer, or in memory
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::int64_t num_read_ = 0;
};

}  // namespace repsc
