// MatrixMarket, line by line and in chunks, whose size must not matter.
#include "fuzz/harness.hpp"
#include "io/formats.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const std::string in = file("in.mtx", bytes);
  const BuiltGraph found = read_matrix_market(in, {}, 0);
  check_graph(found, bytes.size());
  must_be_same(found.graph, read_matrix_market(in, {}, 7).graph, "chunks of 7 bytes");
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
