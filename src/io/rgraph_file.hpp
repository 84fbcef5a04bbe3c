// An open .rgraph file: mapped, its header and table of blocks checked.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scratch_file.hpp"
#include "io/rgraph.hpp"
#include "repsc/core.hpp"

namespace repsc {

class RgraphFile {
 public:
  /// Throws InvalidInput, naming the block, unless the header is sound and every block is complete
  /// and in its place. Its content is not looked at.
  explicit RgraphFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const rgraph::Header& header() const { return header_; }
  [[nodiscard]] bool with(rgraph::Flag flag) const { return (header_.flags & flag) != 0; }
  [[nodiscard]] Index num_nodes() const { return static_cast<Index>(header_.num_nodes); }
  [[nodiscard]] Offset num_entries() const { return static_cast<Offset>(header_.num_entries); }
  /// Groups of rows with a place each.
  [[nodiscard]] std::int64_t num_groups() const;

  /// The content of a block, which the file has.
  template <typename Value>
  [[nodiscard]] std::span<const Value> values(std::string_view name) const {
    const rgraph::Block& found = block(name);
    return {reinterpret_cast<const Value*>(mapping_.data() + found.begin),
            static_cast<std::size_t>(found.bytes / sizeof(Value))};
  }

  /// The whole file.
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {mapping_.data(), mapping_.size()};
  }

  /// Reads the whole file once, on all threads, and throws InvalidInput if a checksum is wrong.
  /// Streamed: gives back what was read.
  void check_sums(const ProgressFn& progress, bool streamed) const;

  /// Throws InvalidInput about a block.
  [[noreturn]] void fail(std::string_view block, const std::string& what) const;

 private:
  [[nodiscard]] std::uint64_t size() const { return mapping_.size(); }
  void map();
  void read_header();
  void read_table();
  void check_numbers() const;
  [[nodiscard]] std::uint64_t check_place(std::size_t number, std::uint64_t place) const;
  [[nodiscard]] std::optional<std::uint64_t> expected_bytes(std::string_view name) const;
  [[nodiscard]] const rgraph::Block& block(std::string_view name) const;
  /// Calls read(part) for each part that was read.
  [[nodiscard]] static std::uint32_t checksum(
      std::span<const std::byte> bytes,
      const std::function<void(std::span<const std::byte>)>& read);

  std::string path_;
  Mapping mapping_;
  rgraph::Header header_;
  std::vector<std::string_view> names_of_blocks_;
  std::vector<rgraph::Block> table_;
};

}  // namespace repsc
