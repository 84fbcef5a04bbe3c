// A part of a gzip file, decompressed without the text before it. A block can begin at any bit:
// candidates are bits from which a header of codes can be read, and a candidate is right if the
// part before ends there. Matches that copy from the unknown text before the part are found by
// decompressing into symbols of 16 bits, which are bytes or say which byte of the unknown text it
// is. Such text soon ends (after 3 to 5 MB of random numbers), and what follows is decompressed
// into bytes. The idea is that of pugz (Kerbiriou and Chikhi 2019) and rapidgzip (Knespel and
// Brunst 2023). Less than a tenth of the front is unknown in most files, so that bytes are
// kept, and a list of those to be put in.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "io/gzip_reader.hpp"

namespace repsc {

struct GzipPart {
  static constexpr std::int64_t file_end = std::numeric_limits<std::int64_t>::max();

  bool complete = false;  ///< all of what follows is there
  std::int64_t first_bit = 0;
  std::int64_t last_bit = 0;  ///< where the block after the part begins; or file_end
  std::vector<char> text;
  /// Bit k % 64 of word k / 64: whether byte k of the text is copied from the text before the part.
  std::vector<std::uint64_t> copied;
  /// From which bytes, in order: the last one before the part has number Inflate::history - 1.
  std::vector<std::uint16_t> sources;
  std::size_t end_of_copied = 0;  ///< behind the last copied byte of the text
  /// The front of the text that `sum` leaves out.
  std::size_t without_sum = 0;
  GzipSum front_sum;  ///< of that, once it is complete
  /// Of the text behind that, to the end of the part or of the member that it begins in.
  GzipSum sum;
  /// The end of that member, if it is in this part.
  std::optional<GzipReader::End> end;
  /// Of the last member in the part, if it is another one.
  GzipSum last_sum;

  /// `before` is the text before the part that matches can reach, at most of its member. It becomes
  /// that before the next part. False if a match reaches further.
  [[nodiscard]] bool follow(std::vector<unsigned char>& before) const;
  /// Puts in what the text before the part says, and sums up the front. False as follow().
  [[nodiscard]] bool complete_text(std::span<const unsigned char> before);

  /// Without text.
  void clear();
  /// Appends symbols: bytes, or 256 more than the number of a byte before the part.
  void append(std::span<const std::uint16_t> symbols);
  /// Whether what follows the text depends on nothing before the part.
  [[nodiscard]] bool is_independent() const {
    return text.size() >= end_of_copied + Inflate::history;
  }
};

class GzipPartReader {
 public:
  /// The file remains the caller's.
  explicit GzipPartReader(int file) : file_(file), front_bytes_(file), rest_(file) {}

  struct Limits {
    std::int64_t stop_bit = 0;
    std::size_t most_text = 0;  ///< where bytes copied from before the part count twice
    const std::atomic<bool>& cancelled;

    [[nodiscard]] bool reached(const GzipPart& part) const {
      return cancelled || part.text.size() + part.sources.size() > most_text;
    }
  };

  /// Decompresses from the first block that begins at `first_bit` or later up to the first one at
  /// `stop_bit` or later; not on where a limit is reached. If `is_block`, there is a block at
  /// `first_bit`. Reports nothing: such a part is not complete.
  void read(std::int64_t first_bit, bool is_block, const Limits& limits, GzipPart& part);

 private:
  enum class Found { part, no_block, nothing };

  [[nodiscard]] std::span<const unsigned char> bytes_from(std::int64_t byte);
  [[nodiscard]] std::optional<std::int64_t> find_block(std::int64_t bit, std::int64_t last);
  Found decompress(std::int64_t bit, const Limits& limits, GzipPart& part);
  Found read_front(std::int64_t bit, const Limits& limits, GzipPart& part);
  Found read_rest(const Limits& limits, GzipPart& part);

  int file_;
  BytesAhead front_bytes_;
  BasicInflate<std::uint16_t> front_;
  GzipReader rest_;
  Inflate header_;
  std::vector<unsigned char> bytes_;  // of the file, where a block is looked for
  std::int64_t bytes_begin_ = 0;
};

}  // namespace repsc
