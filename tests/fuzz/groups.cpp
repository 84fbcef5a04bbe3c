// Groups in a table without ids, and the representation graph that they make: two nodes are linked
// if their words agree.
#include "fuzz/harness.hpp"
#include "repsc/representation.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  const NodeNames names(3, 0);
  LabelOptions options;
  options.node_column = "row";
  const NamedLabels found = read_labels(file("in.csv", bytes), names, options);
  must(found.labels.size() == 3, "the number of groups");
  const Graph R = representation_from_groups(found.labels, names);
  must(R.num_nodes() == 3 && R.num_self_loops() == 3, "a node that does not represent itself");
  for (Index u = 0; u < 3; ++u) {
    for (Index v = 0; v < 3; ++v) {
      const bool same =
          found.labels[static_cast<std::size_t>(u)] == found.labels[static_cast<std::size_t>(v)];
      must(R.has_edge(u, v) == same, "a link that the groups do not make");
    }
  }
}

}  // namespace repsc::fuzz
