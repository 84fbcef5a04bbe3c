// A matrix is used as a graph without building if and only if building would change nothing.
#include "graph/finished.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/random.hpp"

namespace repsc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Small matrices, nearly symmetric, some with an entry that is wrong.
MatrixArrays random_arrays(RandomStream& random) {
  const auto nodes = static_cast<Index>(1 + random.below(6));
  const bool weighted = random.below(2) == 0;
  const double loop_chance = random.below(3) == 0 ? 1 : 0.2 * static_cast<double>(random.below(2));
  std::map<std::pair<Index, Index>, double> entries;
  for (Index u = 0; u < nodes; ++u) {
    for (Index v = 0; v <= u; ++v) {
      if (random.uniform() >= (u == v ? loop_chance : 0.5)) continue;
      const double weight = weighted ? 0.5 * static_cast<double>(1 + random.below(3)) : 1;
      entries[{u, v}] = entries[{v, u}] = weight;
    }
  }
  if (random.below(3) == 0 && !entries.empty()) {
    auto entry = std::next(entries.begin(), static_cast<int>(random.below(entries.size())));
    const double weights[] = {0, -1, infinity, 7};
    if (random.below(2) == 0) {
      entries.erase(entry);
    } else {
      entry->second = weights[random.below(4)];
    }
  }
  MatrixArrays arrays;
  for (Index u = 0; u <= nodes; ++u) {
    arrays.offsets.push_back(static_cast<Offset>(arrays.columns.size()));
    for (Index v = 0; u < nodes && v < nodes; ++v) {
      if (!entries.contains({u, v})) continue;
      arrays.columns.push_back(v);
      if (weighted) arrays.weights.push_back(entries[{u, v}]);
    }
  }
  if (random.below(8) == 0 && !arrays.columns.empty()) {
    Index& column = arrays.columns[random.below(arrays.columns.size())];
    column += static_cast<Index>(random.below(3)) - 1;
  }
  if (random.below(8) == 0) arrays.offsets[random.below(arrays.offsets.size())] += 1;
  return arrays;
}

// By the definition, with all entries in a map.
bool changes_nothing(const MatrixArrays& arrays, SelfLoops loops) {
  const auto nodes = static_cast<Index>(arrays.offsets.size()) - 1;
  const auto count = static_cast<Offset>(arrays.columns.size());
  if (arrays.offsets.front() != 0 || arrays.offsets.back() != count) return false;
  std::map<std::pair<Index, Index>, double> entries;
  for (std::size_t u = 0; u + 1 < arrays.offsets.size(); ++u) {
    if (arrays.offsets[u] > arrays.offsets[u + 1] || arrays.offsets[u + 1] > count) return false;
    for (Offset i = arrays.offsets[u]; i < arrays.offsets[u + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index v = arrays.columns[at];
      if (v < 0 || v >= nodes) return false;
      if (i > arrays.offsets[u] && arrays.columns[at - 1] >= v) return false;
      const double weight = arrays.weights.empty() ? 1 : arrays.weights[at];
      if (weight <= 0 || weight == infinity) return false;
      entries[{static_cast<Index>(u), v}] = weight;
    }
  }
  for (const auto& [pair, weight] : entries) {
    const auto mirrored = entries.find({pair.second, pair.first});
    if (mirrored == entries.end() || mirrored->second != weight) return false;
  }
  for (Index u = 0; u < nodes; ++u) {
    const auto loop = entries.find({u, u});
    if (loops == SelfLoops::drop && loop != entries.end()) return false;
    if (loops == SelfLoops::add && (loop == entries.end() || loop->second != 1)) return false;
  }
  return true;
}

TEST(FinishedGraph, is_taken_where_building_would_change_nothing) {
  int taken = 0;
  int left = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    RandomStream random(seed);
    const MatrixArrays arrays = random_arrays(random);
    for (const SelfLoops loops : {SelfLoops::drop, SelfLoops::keep, SelfLoops::add}) {
      const bool weights = std::any_of(arrays.weights.begin(), arrays.weights.end(),
                                       [](double weight) { return weight != 1; });
      // Weights other than 1 beside all loops are left to building, which costs time only.
      if (loops == SelfLoops::add && weights) continue;
      const std::optional<Graph> graph = finished_graph(MatrixArrays(arrays), loops);
      ASSERT_EQ(graph.has_value(), changes_nothing(arrays, loops)) << "seed " << seed;
      ++(graph ? taken : left);
      if (!graph) continue;
      EXPECT_TRUE(std::ranges::equal(graph->offsets(), arrays.offsets));
      EXPECT_TRUE(std::ranges::equal(graph->neighbors(), arrays.columns));
      EXPECT_EQ(graph->weighted(), weights);
      EXPECT_TRUE(!weights || std::ranges::equal(graph->weights(), arrays.weights));
    }
  }
  EXPECT_GT(taken, 2000);
  EXPECT_GT(left, 2000);
}

}  // namespace
}  // namespace repsc
