// A part of a gzip file, decompressed without the text before it. A block can begin at any bit:
// candidates are bits from which a header of codes can be read, and a candidate is right if the
// part before ends there. Matches that copy from the unknown text before the part are found by
// decompressing twice, after two texts whose bytes differ everywhere: where the results differ,
// both bytes together say which byte it is. Such text soon ends (after about 1 MB of random
// numbers), and what follows is decompressed once. The idea of two passes is that of pugz
// (Kerbiriou and Chikhi 2019), whose first pass writes symbols of 16 bits.
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
  /// The front of the text, as it is after another text; for complete_text().
  std::vector<char> other;
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
};

class GzipPartReader {
 public:
  /// The file remains the caller's.
  explicit GzipPartReader(int file) : file_(file), first_(file), second_(file) {}

  /// Decompresses from the first block that begins at `first_bit` or later up to the first one at
  /// `stop_bit` or later; no more than `most_text` bytes, and not on once `cancelled`. If
  /// `is_block`, there is a block at `first_bit`. Reports nothing: such a part is not complete.
  void read(std::int64_t first_bit, bool is_block, std::int64_t stop_bit, std::size_t most_text,
            const std::atomic<bool>& cancelled, GzipPart& part);

 private:
  enum class Found { part, no_block, nothing };

  [[nodiscard]] std::optional<std::int64_t> find_block(std::int64_t bit, std::int64_t last);
  Found decompress(std::int64_t bit, std::int64_t stop_bit, std::size_t most_text,
                   const std::atomic<bool>& cancelled, GzipPart& part);

  int file_;
  GzipReader first_;
  GzipReader second_;
  Inflate header_;
  std::vector<unsigned char> bytes_;  // of the file, where a block is looked for
  std::int64_t bytes_begin_ = 0;
};

}  // namespace repsc
