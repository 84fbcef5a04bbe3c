// Edge lists, line by line and in chunks, whose size must not matter.
#include "fuzz/harness.hpp"
#include "io/formats.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const std::string in = file("in.txt", bytes);
  const BuiltGraph found = read_edge_list(in, {}, 0);
  check_graph(found, bytes.size());
  must_be_same(found.graph, read_edge_list(in, {}, 7).graph, "chunks of 7 bytes");
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
