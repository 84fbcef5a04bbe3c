// The text of a large gzip file, decompressed by several threads: each takes a part of the file
// (gzip_part.hpp), and what they give is put together in order, if it fits together. Whatever does
// not, because no block was found, a block is uncompressed, the file is damaged, or a part of it is
// too much text, is read by one thread, as all of the file would be: the text and what is said of a
// damaged file do not depend on the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "io/gzip_part.hpp"

namespace repsc {

class ParallelGzip {
 public:
  using State = GzipReader::State;

  struct Sizes {
    std::int64_t file = 0;      ///< in bytes
    std::int64_t part = 0;      ///< of the file, in bytes
    std::size_t most_text = 0;  ///< of a part
    int threads = 2;
  };

  /// Goes on where `reader`, which remains the caller's, has stopped at a block.
  ParallelGzip(int file, GzipReader& reader, const Sizes& sizes);
  ~ParallelGzip();
  ParallelGzip(const ParallelGzip&) = delete;
  ParallelGzip& operator=(const ParallelGzip&) = delete;

  /// Replaces `text` by what follows, as GzipReader::read() appends it: about `count` bytes, or a
  /// part.
  State read(std::vector<char>& text, std::size_t count);
  /// The next byte of the file.
  [[nodiscard]] std::int64_t position() const;
  /// The parts are of no use: the reader goes on by itself.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  /// How many parts of other threads were of use.
  [[nodiscard]] int num_useful() const { return useful_; }

 private:
  struct Place {
    GzipPart part;
    bool done = false;
  };

  void run();
  GzipPart* next_part();
  void release_part();
  bool fits(GzipPart& part);
  State read_alone(std::vector<char>& text, std::size_t count);
  void go_alone(std::int64_t stop_bit);
  void give_up();

  int file_;
  GzipReader& reader_;
  Sizes sizes_;
  std::int64_t begin_;  // of the first part, in bits
  std::int64_t num_parts_;

  // Where the text that was handed out ends, unless the reader is alone.
  std::int64_t bit_;
  std::vector<unsigned char> before_;
  GzipSum sum_;
  bool alone_ = false;
  bool ended_ = false;
  bool gave_up_ = false;
  int useful_ = 0;
  int useless_ = 0;

  std::vector<Place> places_;  // of the parts, in turn
  std::vector<std::thread> threads_;
  std::mutex state_;
  std::condition_variable changed_;
  std::int64_t taken_ = 0;     // parts that threads have begun
  std::int64_t released_ = 0;  // parts that nobody needs any more
  std::atomic<bool> stopped_ = false;
};

}  // namespace repsc
