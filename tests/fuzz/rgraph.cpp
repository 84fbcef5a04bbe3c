// .rgraph. A changed file has a wrong checksum, so that each input is also read with the checksums
// that it should have.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/harness.hpp"
#include "io/rgraph.hpp"

namespace repsc::fuzz {
namespace {

std::uint32_t block_checksum(const std::string& bytes, const rgraph::Block& block) {
  std::vector<std::uint32_t> pieces;
  for (std::uint64_t done = 0; done < block.bytes; done += rgraph::piece_bytes) {
    const std::uint64_t size = std::min<std::uint64_t>(rgraph::piece_bytes, block.bytes - done);
    pieces.push_back(crc32c(bytes.data() + block.begin + done, size));
  }
  return rgraph::checksum_of(pieces);
}

std::string with_right_checksums(std::string bytes) {
  rgraph::Header header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t room = (bytes.size() - sizeof header) / sizeof(rgraph::Block);
  std::vector<rgraph::Block> table(std::min<std::size_t>(header.num_blocks, room));
  if (table.empty()) return bytes;
  std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(rgraph::Block));
  for (rgraph::Block& block : table) {
    if (block.begin > bytes.size() || block.bytes > bytes.size() - block.begin) continue;
    block.checksum = block_checksum(bytes, block);
  }
  header.checksum = rgraph::checksum_of(header, table);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, table.data(), table.size() * sizeof(rgraph::Block));
  return bytes;
}

std::string content(const std::string& name) {
  std::FILE* const stream = std::fopen(path(name).c_str(), "rb");
  must(stream != nullptr, "no file");
  std::string bytes;
  for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) {
    bytes.push_back(static_cast<char>(c));
  }
  std::fclose(stream);
  return bytes;
}

// What was read writes the same bytes again and again, in both codings.
void check_bytes(const Graph& graph) {
  for (const Neighbors neighbors : {Neighbors::plain, Neighbors::gaps}) {
    write_graph(graph, path("once.rgraph"), {}, neighbors);
    const Graph again = read_graph(path("once.rgraph"), {.self_loops = SelfLoops::keep}).graph;
    write_graph(again, path("twice.rgraph"), {}, neighbors);
    must(content("once.rgraph") == content("twice.rgraph"), "other bytes than before");
  }
}

void check(const std::string& bytes) {
  const BuiltGraph found = read_graph(file("in.rgraph", bytes));
  check_graph(found, bytes.size());
  check_round_trip(found.graph);
  check_bytes(read_graph(path("in.rgraph"), {.self_loops = SelfLoops::keep}).graph);
}

}  // namespace

void read_and_check(const std::string& bytes) {
  try {
    check(bytes);
  } catch (const InvalidInput&) {
  }
  check(with_right_checksums(bytes));
}

}  // namespace repsc::fuzz
