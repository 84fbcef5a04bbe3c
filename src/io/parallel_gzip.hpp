// The text of a large gzip file, decompressed by several threads: each takes a part of the file
// (gzip_part.hpp). As soon as the end of the text before a part is known, so is the end of its own,
// and a thread completes the rest. Whatever does not fit together, because no block was found, a
// block is uncompressed, the file is damaged, or a part of it is too much text, is read by one
// thread, as all of the file would be: the text and what is said of a damaged file do not depend on
// the number of threads.
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
    std::size_t text = 0;       ///< that a part is expected to have
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
  /// What has been done about a part.
  enum class Stage { nothing, read, placed, completed };

  struct Place {
    GzipPart part;
    Stage stage = Stage::nothing;
    std::vector<unsigned char> before;  ///< the text before the part, once that is known
    bool right = false;                 ///< the completed text
  };

  void run();
  [[nodiscard]] bool can_begin() const;
  void read_part(GzipPartReader& reader, std::int64_t number);
  Place& place_of(std::int64_t number);
  void place_parts();
  void release_part();
  bool adds_up(const GzipPart& part);
  State read_alone(std::vector<char>& text, std::size_t count);
  void go_alone(std::int64_t bit, std::span<const unsigned char> before, std::int64_t stop_bit);
  void give_up(std::int64_t bit, std::span<const unsigned char> before);
  void take_part(std::vector<char>& text);

  int file_;
  GzipReader& reader_;
  Sizes sizes_;
  std::int64_t begin_;  // of the first part, in bits
  std::int64_t num_parts_;

  // Of the caller's thread.
  std::int64_t bit_;  // behind the text that was handed out
  GzipSum sum_;       // of this text
  bool alone_ = false;
  bool ended_ = false;
  bool gave_up_ = false;
  int useful_ = 0;
  int useless_ = 0;

  std::vector<Place> places_;  // of the parts, in turn
  std::vector<std::thread> threads_;
  std::mutex state_;
  std::condition_variable changed_;
  // Numbers of parts, each at most the one before: parts that a thread has begun to read; whose
  // text before is known; that a thread has begun to complete; that nobody needs any more.
  std::int64_t begun_ = 0;
  std::int64_t placed_ = 0;
  std::int64_t completing_ = 0;
  std::int64_t released_ = 0;
  // What is behind the placed parts.
  std::int64_t next_bit_;
  std::vector<unsigned char> next_before_;
  bool stuck_ = false;  // the next part does not begin there
  std::atomic<bool> stopped_ = false;
};

}  // namespace repsc
