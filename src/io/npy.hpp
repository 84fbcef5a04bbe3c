// One array of an .npz file (a zip archive of .npy members), read from front to back.
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <zip.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace repsc {

class NpyStream {
 public:
  /// Converts an element to a number; empty if that is impossible.
  struct Conversion {
    std::string_view type;
    std::int64_t (*integer)(const char* element) = nullptr;
    double (*number)(const char* element) = nullptr;
  };

  /// Opens member `name`.npy and reads its header. `source` is the file, for messages.
  NpyStream(zip_t* archive, const std::string& name, const std::string& source);

  [[nodiscard]] static bool exists(zip_t* archive, const std::string& name);

  /// The number of elements; requires at most one dimension.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The next element of an array of whole numbers (booleans are 0 and 1).
  [[nodiscard]] std::int64_t next_integer();
  /// The next element of any array of numbers.
  [[nodiscard]] double next_number();
  /// All elements at once, without conversion if they are stored as `Value` (Index, Offset, double
  /// or uint8_t); false if one does not fit. Memory grows with the data that are read.
  template <typename Value>
  [[nodiscard]] bool read_all(std::vector<Value>& values);
  /// Whether the elements are stored as single bytes.
  [[nodiscard]] bool bytes() const { return element_bytes_ == 1 && conversion_.integer != nullptr; }
  /// A single short ASCII word, stored as bytes or as UTF-32.
  [[nodiscard]] std::string read_word();
  /// Call after the last element: checks that there are no more, and the checksum.
  void finish();

  /// Throws InvalidInput about this member of the file.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
  };

  void read_header();
  void understand(const std::string& header);
  void read_exactly(void* target, std::size_t bytes);
  [[nodiscard]] const char* next_element();

  std::string source_;
  std::string member_;
  std::unique_ptr<zip_file_t, Close> file_;
  std::string type_;  // "i4", "f8", "b1", ...; without the byte order
  Conversion conversion_;
  std::size_t element_bytes_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;           // elements not yet read from the archive
  std::uint64_t certain_bytes_ = 0;  // bytes of this member that the file certainly contains
  std::vector<char> block_;
  std::size_t place_ = 0;
};

}  // namespace repsc
