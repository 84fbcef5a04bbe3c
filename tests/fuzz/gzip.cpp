// Compressed edge lists.
#include "fuzz/harness.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const BuiltGraph found = read_graph(file("in.txt.gz", bytes));
  // deflate makes at most 1032 bytes of one.
  check_graph(found, std::size_t{1032} * (bytes.size() + 1));
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
