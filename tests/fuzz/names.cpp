// A file of names beside a graph of three nodes.
#include "fuzz/harness.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const std::string in = file("in.graph", "3 2\n2\n1 3\n2\n");
  file("in.graph.names", bytes);
  const BuiltGraph found = read_graph(in);
  must(found.graph.num_nodes() == 3 && found.graph.num_edges() == 2, "another graph");
  check_round_trip(found.graph);
}

}  // namespace repsc::fuzz
