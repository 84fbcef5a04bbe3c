// A graph built on disk is the one built in memory, whose tests compare it with brute force.
#include "graph/build_on_disk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "core/random.hpp"
#include "graph/external_sort.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

struct Given {
  Index num_nodes = 0;
  std::vector<Edge> edges;
  std::vector<double> weights;  // empty: none are given

  [[nodiscard]] EdgeStore store(std::optional<SortOnDisk> on_disk) const {
    EdgeStore result(std::move(on_disk));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (weights.empty()) {
        result.add(edges[i].from, edges[i].to);
      } else {
        result.add(edges[i].from, edges[i].to, weights[i]);
      }
    }
    return result;
  }
};

enum class Weights { none, ones, any, late };

// Few nodes for many edges, so that copies in both directions, loops and weights of 0 are common.
Given random_edges(RandomStream& random, Weights kind, int count) {
  Given given;
  given.num_nodes = static_cast<Index>(1 + random.below(60));
  const double values[] = {0, 0.1, 1, 1, 1.0 / 3, 2, 1e-9};
  const auto node = [&] {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(given.num_nodes)));
  };
  for (int i = 0; i < count; ++i) {
    given.edges.push_back({node(), node()});
    if (kind == Weights::none) continue;
    const bool one = kind == Weights::ones || (kind == Weights::late && i < count / 2);
    given.weights.push_back(one ? 1 : values[random.below(7)]);
  }
  return given;
}

void expect_same(const Assembled& found, const Assembled& expected) {
  const Graph& a = found.built.graph;
  const Graph& b = expected.built.graph;
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.neighbors(), b.neighbors()));
  EXPECT_TRUE(std::ranges::equal(a.weights(), b.weights()));
  EXPECT_EQ(a.num_self_loops(), b.num_self_loops());
  EXPECT_TRUE(a.names() == b.names());
  const GraphChanges& x = found.built.changes;
  const GraphChanges& y = expected.built.changes;
  EXPECT_EQ(describe(x), describe(y));
  EXPECT_EQ(x.directions_dropped, y.directions_dropped);
  EXPECT_EQ(found.one_sided.has_value(), expected.one_sided.has_value());
  if (!found.one_sided || !expected.one_sided) return;
  EXPECT_EQ(found.one_sided->from, expected.one_sided->from);
  EXPECT_EQ(found.one_sided->to, expected.one_sided->to);
}

TEST(BuildOnDisk, gives_the_graph_and_the_changes_of_building_in_memory) {
  const TemporaryFolder folder;
  RandomStream random(1);
  for (int round = 0; round < 60; ++round) {
    for (const Weights kind : {Weights::none, Weights::ones, Weights::any, Weights::late}) {
      const Given given = random_edges(random, kind, static_cast<int>(random.below(400)));
      const NodeNames names(given.num_nodes, 0);
      for (const SelfLoops loops : {SelfLoops::drop, SelfLoops::keep, SelfLoops::add}) {
        // So little memory that there are many runs, and that every chunk is on disk.
        const SortOnDisk on_disk{static_cast<std::int64_t>(24 + random.below(1000)), folder / ""};
        expect_same(assemble_on_disk(names, given.store(on_disk), loops, "file"),
                    assemble(names, given.store({}), loops, "file"));
        if (testing::Test::HasFailure()) FAIL() << "round " << round;
      }
    }
  }
  EXPECT_EQ(folder.num_files(), 0U);  // they never had a name
}

TEST(BuildOnDisk, does_so_for_many_chunks_of_edges_and_weights) {
  const TemporaryFolder folder;
  RandomStream random(2);
  for (const Weights kind : {Weights::none, Weights::late}) {
    Given given = random_edges(random, kind, 0);
    given.num_nodes = 100000;
    for (int i = 0; i < 700000; ++i) {
      given.edges.push_back(
          {static_cast<Index>(random.below(100000)), static_cast<Index>(random.below(100000))});
      if (kind == Weights::late) given.weights.push_back(i < 300000 ? 1 : random.uniform());
    }
    const NodeNames names(given.num_nodes, 0);
    const SortOnDisk on_disk{std::int64_t{1} << 20U, folder / ""};
    EdgeStore store = given.store(on_disk);
    EXPECT_TRUE(store.exceeds_memory());
    EXPECT_EQ(store.size(), 700000);
    expect_same(assemble(names, std::move(store), SelfLoops::keep, "file"),
                assemble(names, given.store({}), SelfLoops::keep, "file"));
  }
}

TEST(BuildOnDisk, refuses_a_sum_of_weights_that_is_infinite_as_building_in_memory_does) {
  const TemporaryFolder folder;
  const Given given{2, {{0, 1}, {0, 1}}, {1e308, 1e308}};
  const auto message = [&](std::optional<SortOnDisk> on_disk) -> std::string {
    try {
      if (on_disk) {
        static_cast<void>(
            assemble_on_disk(NodeNames(2, 0), given.store(on_disk), SelfLoops::drop, "file"));
      } else {
        static_cast<void>(assemble(NodeNames(2, 0), given.store({}), SelfLoops::drop, "file"));
      }
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message({}), HasSubstr("add up to infinity"));
  EXPECT_EQ(message(SortOnDisk{100, folder / ""}), message({}));
}

TEST(BuildOnDisk, stays_in_memory_as_long_as_that_is_enough) {
  EdgeStore store(SortOnDisk{1 << 20, "/nowhere"});  // a file there would be an error
  for (Index i = 0; i < 60000; ++i) store.add(i, i + 1);
  EXPECT_FALSE(store.exceeds_memory());
  EXPECT_EQ(
      assemble(NodeNames(60001, 0), std::move(store), SelfLoops::drop, "").built.graph.num_edges(),
      60000);
}

TEST(ExternalSort, keeps_the_order_of_equal_keys) {
  const TemporaryFolder folder;
  RandomStream random(3);
  for (const std::int64_t memory : {1, 100, 5000, 1 << 22}) {
    ExternalSort sort(memory, folder / "", true);
    std::vector<KeyedWeight> expected;
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t keys[] = {random.below(50), (std::uint64_t{1} << 63U) + random.below(9)};
      expected.push_back({keys[random.below(2)], static_cast<double>(i)});
      sort.add(expected.back().key, expected.back().weight);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    RunMerger merged(sort.finish(), memory);
    KeyedWeight next;
    for (const KeyedWeight& entry : expected) {
      ASSERT_TRUE(merged.next(next));
      ASSERT_EQ(next.key, entry.key);
      ASSERT_EQ(next.weight, entry.weight);
    }
    EXPECT_FALSE(merged.next(next));
  }
}

TEST(ScratchFile, says_why_it_cannot_be_written) {
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message([] { const ScratchFile file("/nowhere"); }),
              HasSubstr("/nowhere: cannot write a temporary file there: No such file"));
  // A limit of the size of files stands for a full disk.
  const TemporaryFolder folder;
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 100000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string full = message([&] {
    ScratchFile file(folder / "");
    const std::vector<char> bytes(60000);
    file.append(bytes.data(), bytes.size());
    file.append(bytes.data(), bytes.size());
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, ignored);
  EXPECT_THAT(full, HasSubstr(": cannot write a temporary file there: File too large"));
}

}  // namespace
}  // namespace repsc
