// NpyStream: the .npy header, and elements converted one by one out of a block.
#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <type_traits>
#include <utility>

#include "core/text.hpp"
#include "repsc/core.hpp"

namespace repsc {

static_assert(std::endian::native == std::endian::little, "npy arrays are read without swapping");

namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 16U;

template <typename Stored, typename Value>
Value convert(const char* element) {
  Stored stored;
  std::memcpy(&stored, element, sizeof stored);
  return static_cast<Value>(stored);
}

template <typename Stored>
constexpr NpyStream::Conversion whole(std::string_view type) {
  return {type, convert<Stored, std::int64_t>, convert<Stored, double>};
}

constexpr std::array conversions = {
    whole<std::int32_t>("i4"),
    whole<std::int64_t>("i8"),
    whole<std::uint8_t>("u1"),
    whole<std::uint8_t>("b1"),
    whole<std::int8_t>("i1"),
    whole<std::int16_t>("i2"),
    whole<std::uint16_t>("u2"),
    whole<std::uint32_t>("u4"),
    whole<std::uint64_t>("u8"),
    NpyStream::Conversion{"f8", nullptr, convert<double, double>},
    NpyStream::Conversion{"f4", nullptr, convert<float, double>},
};

template <typename Value>
constexpr std::string_view type_of;
template <>
constexpr std::string_view type_of<std::int32_t> = "i4";
template <>
constexpr std::string_view type_of<std::int64_t> = "i8";
template <>
constexpr std::string_view type_of<double> = "f8";
template <>
constexpr std::string_view type_of<std::uint8_t> = "u1";

// What follows `'key':` in a Python dictionary, without blanks in front.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t place = header.find(fmt::format("'{}':", key));
  if (place == std::string_view::npos) return {};
  return trimmed(header.substr(place + key.size() + 3));
}

// The size of a member that is stored uncompressed; 0 if it is compressed or the size is not
// certain.
std::uint64_t uncompressed_bytes(zip_t* archive, const std::string& member,
                                 const std::string& path) {
  zip_stat_t info;
  if (zip_stat(archive, member.c_str(), 0, &info) != 0) return 0;
  const bool known = (info.valid & ZIP_STAT_COMP_METHOD) != 0 && (info.valid & ZIP_STAT_SIZE) != 0;
  if (!known || info.comp_method != ZIP_CM_STORE) return 0;
  std::error_code failed;
  const std::uintmax_t file_bytes = std::filesystem::file_size(path, failed);
  return !failed && info.size <= file_bytes ? info.size : 0;
}

}  // namespace

bool NpyStream::exists(zip_t* archive, const std::string& name) {
  return zip_name_locate(archive, (name + ".npy").c_str(), 0) >= 0;
}

NpyStream::NpyStream(zip_t* archive, const std::string& name, const std::string& source)
    : source_(source), member_(name + ".npy"), file_(zip_fopen(archive, member_.c_str(), 0)) {
  if (!file_) fail(fmt::format("cannot be read ({})", zip_strerror(archive)));
  certain_bytes_ = uncompressed_bytes(archive, member_, source_);
  read_header();
}

void NpyStream::fail(const std::string& what) const {
  throw InvalidInput(Fault{.what = fmt::format("member {}: {}", member_, what), .where = source_});
}

void NpyStream::read_exactly(void* target, std::size_t bytes) {
  const zip_int64_t count = zip_fread(file_.get(), target, bytes);
  if (count < 0) fail(fmt::format("damaged ({})", zip_file_strerror(file_.get())));
  if (static_cast<std::size_t>(count) < bytes) fail("ends too early (is the file truncated?)");
}

void NpyStream::read_header() {
  unsigned char start[12] = {};
  read_exactly(start, 10);
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) fail("is not a NumPy array");
  const unsigned major = start[6];
  if (major < 1 || major > 3) fail(fmt::format("NumPy format version {} is not known", major));
  std::size_t length = start[8] + 256U * start[9];
  if (major > 1) {
    read_exactly(start + 10, 2);
    length += (std::size_t{start[10]} << 16U) + (std::size_t{start[11]} << 24U);
  }
  constexpr std::size_t longest = 65536;
  if (length > longest) fail(fmt::format("a header of {} bytes is too long", length));
  std::string header(length, '\0');
  read_exactly(header.data(), length);
  understand(header);
}

void NpyStream::understand(const std::string& header) {
  const std::string_view type = value_of(header, "descr");
  const std::size_t quote = type.find('\'', 1);
  if (!type.starts_with('\'') || quote == std::string_view::npos || quote < 4) {
    fail("no simple element type in the header " + in_quotes(header));
  }
  const char order = type[1];
  type_ = type.substr(2, quote - 2);
  if (order == '>') fail("big-endian numbers are not supported (save the array as little-endian)");
  const auto bytes = parse_count(std::string_view(type_).substr(1));
  if ((order != '<' && order != '|') || !bytes || *bytes < 1 || *bytes > 64) {
    fail("element type " + in_quotes(type.substr(1, quote - 1)) + " is not supported");
  }
  element_bytes_ = *bytes * (type_[0] == 'U' ? 4 : 1);
  for (const Conversion& known : conversions) {
    if (known.type == type_) conversion_ = known;
  }

  std::string_view shape = value_of(header, "shape");
  const std::size_t end = shape.find(')');
  if (!shape.starts_with('(') || end == std::string_view::npos) {
    fail("no shape in the header " + in_quotes(header));
  }
  shape = shape.substr(1, end - 1);
  if (shape.ends_with(',')) shape.remove_suffix(1);
  const auto size = shape.empty() ? std::optional<std::uint64_t>(1) : parse_count(trimmed(shape));
  if (!size) fail("shape (" + std::string(shape.substr(0, 40)) + ") but one dimension is needed");
  size_ = left_ = *size;
}

const char* NpyStream::next_element() {
  if (place_ == block_.size()) {
    const auto count = std::min<std::uint64_t>(left_, read_at_once / element_bytes_);
    if (count == 0) fail("ends too early");
    block_.resize(count * element_bytes_);
    read_exactly(block_.data(), block_.size());
    left_ -= count;
    place_ = 0;
  }
  const char* element = block_.data() + place_;
  place_ += element_bytes_;
  return element;
}

std::int64_t NpyStream::next_integer() {
  const char* element = next_element();
  if (conversion_.integer == nullptr)
    fail("type " + in_quotes(type_) + " but whole numbers are needed");
  return conversion_.integer(element);
}

double NpyStream::next_number() {
  const char* element = next_element();
  if (conversion_.number == nullptr)
    fail("elements of type " + in_quotes(type_) + " are not supported");
  return conversion_.number(element);
}

template <typename Value>
bool NpyStream::read_all(std::vector<Value>& values) {
  values.clear();
  values.reserve(static_cast<std::size_t>(std::min(size_, certain_bytes_ / element_bytes_)));
  if (type_ != type_of<Value>) {
    for (std::uint64_t i = 0; i < size_; ++i) {
      if constexpr (std::is_same_v<Value, double>) {
        values.push_back(next_number());
      } else {
        const std::int64_t element = next_integer();
        if (!std::in_range<Value>(element)) return false;
        values.push_back(static_cast<Value>(element));
      }
    }
    return true;
  }
  constexpr std::uint64_t at_once = (std::uint64_t{1} << 20U) / sizeof(Value);
  while (left_ > 0) {
    const auto count = static_cast<std::size_t>(std::min(left_, at_once));
    const std::size_t before = values.size();
    values.resize(before + count);
    read_exactly(values.data() + before, count * sizeof(Value));
    left_ -= count;
  }
  return true;
}

template bool NpyStream::read_all(std::vector<std::int32_t>&);
template bool NpyStream::read_all(std::vector<std::int64_t>&);
template bool NpyStream::read_all(std::vector<double>&);
template bool NpyStream::read_all(std::vector<std::uint8_t>&);

std::string NpyStream::read_word() {
  const std::size_t step = type_[0] == 'U' ? 4 : 1;
  if ((type_[0] != 'U' && type_[0] != 'S') || size_ != 1) fail("expected a single word");
  const char* element = next_element();
  std::string word;
  for (std::size_t i = 0; i < element_bytes_ && element[i] != '\0'; i += step) word += element[i];
  return word;
}

void NpyStream::finish() {
  char more = 0;
  const zip_int64_t count = zip_fread(file_.get(), &more, 1);
  if (count < 0) fail(fmt::format("damaged ({})", zip_file_strerror(file_.get())));
  if (count > 0) fail("is longer than its header says");
}

}  // namespace repsc
