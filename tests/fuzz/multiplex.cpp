// Layers of a multiplex network, joined.
#include "fuzz/harness.hpp"
#include "repsc/representation.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const std::string in = file("in.edges", bytes);
  MultiplexOptions options;
  options.self_loops = SelfLoops::drop;
  const Graph all = graph_from_multiplex(in, options);
  check_graph({all, {}}, bytes.size());
  options.nearest = 1;
  const Graph nearest = graph_from_multiplex(in, options);
  must(nearest.names() == all.names(), "other nodes");
  must(nearest.num_edges() <= all.num_edges(), "more edges than there are");
  check_round_trip(all);
}

}  // namespace repsc::fuzz
