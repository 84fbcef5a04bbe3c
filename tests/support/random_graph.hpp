// Small random graphs for property tests, with awkward names and weights on request.
#pragma once

#include <rapidcheck.h>

#include <limits>
#include <string>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// Names that look like numbers, floats and words, all different, all fit for an edge list.
inline NodeNames awkward_names(Index count) {
  std::vector<std::string> names;
  for (Index node = 0; node < count; ++node) {
    const std::string number = std::to_string(node);
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        names.push_back(number);
        break;
      case 1:
        names.push_back("node" + number);
        break;
      case 2:
        names.push_back("117133000362927" + std::to_string(1000 + node));
        break;
      case 3:
        names.push_back("0." + number + "5");
        break;
      case 4:
        names.push_back(
            "z\xc3\xbc"
            "e#%\"" +
            number);
        break;
      default:
        names.push_back("-" + number + "e" + number + "e");
        break;
    }
  }
  return NodeNames(names);
}

/// Twelve of the largest still have a finite sum: random_graph() may draw one edge twelve times.
inline double awkward_weight() {
  return *rc::gen::element(1.0, 0.1, 1.0 / 3, 2.0, 1e300, 5e-324, 1e-7, 123456789.123456789,
                           std::numeric_limits<double>::max() / 32);
}

/// Up to 9 nodes; sparse, so that nodes without edges are common.
inline Graph random_graph(const NodeNames& names, bool weighted, SelfLoops self_loops) {
  const Index count = names.size();
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    edges.push_back({*rc::gen::inRange<Index>(0, count), *rc::gen::inRange<Index>(0, count)});
    if (weighted) weights.push_back(awkward_weight());
  }
  return build_graph(names, edges, weights, self_loops).graph;
}

}  // namespace repsc
