// The bytes of a file, plain or gzip: a plain file is read on all threads, a compressed one by
// threads of its own, which decompress while the text before is parsed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace repsc {

/// Opens a file for reading ("-": standard input). Throws IoError, also for a directory.
[[nodiscard]] int open_input(const std::string& path);

/// The name of a file in messages.
[[nodiscard]] std::string input_name(const std::string& path);

class Input {
 public:
  /// What ended the bytes, other than the end of the file.
  enum class Damage { none, truncated, damaged };

  explicit Input(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// What is read at once from a file that is not plain.
  static constexpr std::size_t unit = std::size_t{1} << 18U;

  /// Reads up to `bytes` bytes, at least one if there are more. 0: that was all, or damage().
  /// Throws IoError, and InvalidInput for an .rgraph file, which is no text.
  [[nodiscard]] std::size_t read(char* to, std::size_t bytes);
  [[nodiscard]] Damage damage() const { return damage_; }
  /// What is wrong with a damaged file, whose last bytes of text may be wrong.
  [[nodiscard]] const std::string& message() const { return message_; }

  /// Whether a compressed file is damaged further on, at most 2^26 bytes of text from here: what
  /// precedes the damage may be wrong as well. Nothing can be read afterwards.
  [[nodiscard]] bool damaged_ahead();

  /// How much of the file was read, and its size; 0 if that is not known.
  [[nodiscard]] std::int64_t position() const { return position_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  class Stream;

  std::size_t read_plain(char* to, std::size_t bytes);
  std::size_t read_stream(char* to, std::size_t bytes);
  void refuse_rgraph(std::string_view beginning) const;

  std::string name_;
  int file_ = -1;                   // a plain file; -1: there is a stream
  std::unique_ptr<Stream> stream_;  // a compressed file, or one that cannot be read in parts
  std::int64_t position_ = 0;
  std::int64_t size_ = 0;
  bool begun_ = false;
  Damage damage_ = Damage::none;
  std::string message_;
};

}  // namespace repsc
