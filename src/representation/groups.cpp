// The block representation graph: two nodes are linked if their groups agree.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "representation/checks.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

// Nodes by group, ascending within each; begins[g] is where the nodes of the g-th group in use
// start.
struct Members {
  std::vector<Index> nodes;
  std::vector<std::size_t> begins;
};

Members members_of(const Labels& groups) {
  Members members;
  members.nodes.resize(groups.size());
  std::iota(members.nodes.begin(), members.nodes.end(), 0);
  const auto group = [&](Index node) { return groups[static_cast<std::size_t>(node)]; };
  std::stable_sort(members.nodes.begin(), members.nodes.end(),
                   [&](Index a, Index b) { return group(a) < group(b); });
  for (std::size_t i = 0; i < members.nodes.size(); ++i) {
    if (i == 0 || group(members.nodes[i]) != group(members.nodes[i - 1])) {
      members.begins.push_back(i);
    }
  }
  members.begins.push_back(members.nodes.size());
  return members;
}

}  // namespace

Graph representation_from_groups(const Labels& groups, const NodeNames& names) {
  require(groups.size() == static_cast<std::size_t>(names.size()), "there are ", groups.size(),
          " group labels for ", names.size(), " nodes");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    require(groups[i] >= 0, "node ", names[static_cast<Index>(i)], " has group ", groups[i],
            ", but groups are numbered from 0");
  }

  const Members members = members_of(groups);
  const std::size_t num_groups = members.begins.size() - 1;
  std::vector<Offset> offsets(groups.size() + 1, 0);
  Offset entries = 0;
  for (std::size_t g = 0; g < num_groups; ++g) {
    const auto size = static_cast<Offset>(members.begins[g + 1] - members.begins[g]);
    entries += size * size;
    for (std::size_t m = members.begins[g]; m < members.begins[g + 1]; ++m) {
      offsets[static_cast<std::size_t>(members.nodes[m]) + 1] = size;
    }
  }
  require_entries(
      entries, "the graph of these groups",
      {advice("cluster with the groups themselves, which needs no graph (methods ufairsc "
              "and nfairsc)")});
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  std::vector<Index> neighbors(static_cast<std::size_t>(entries));
  parallel_chunks(static_cast<std::int64_t>(num_groups), [&](std::int64_t g) {
    const auto begin = members.nodes.begin() + static_cast<std::ptrdiff_t>(members.begins[g]);
    const auto end = members.nodes.begin() + static_cast<std::ptrdiff_t>(members.begins[g + 1]);
    for (auto node = begin; node != end; ++node) {
      std::copy(begin, end, neighbors.begin() + offsets[static_cast<std::size_t>(*node)]);
    }
  });
  return {std::move(offsets), std::move(neighbors), {}, names};
}

}  // namespace repsc
