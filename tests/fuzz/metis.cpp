// METIS.
#include "fuzz/harness.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const BuiltGraph found = read_graph(file("in.graph", bytes));
  check_graph(found, bytes.size());
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
