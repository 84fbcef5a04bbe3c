// Every stage where an allocation fails: the caller gets std::bad_alloc, or the error of a file
// that says that memory is missing. The program goes on, no file is half-written, and the next call
// gives the same result as without a failure.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>

#include "allocation/failing_allocator.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "repsc/representation.hpp"
#include "support/memory.hpp"
#include "support/samples.hpp"
#include "support/temporary_folder.hpp"

namespace repsc::tests {
namespace {

using Work = std::function<std::string()>;  // its result in full

/// What one process came to, as its exit code.
enum Outcome : int { as_promised = 0, nothing_failed = 10, broken = 20 };

/// ENOMEM in words, or what libzip makes of it: "Malloc failure", and where it cannot allocate the
/// directory of an archive, "Not a zip archive".
bool says_that_memory_is_missing(const std::string& message) {
  return std::ranges::any_of(
      std::array{"memory", "Malloc failure", "Not a zip archive"},
      [&](const char* part) { return message.find(part) != std::string::npos; });
}

/// With a failing allocation; "": as promised.
std::string attempt(const Work& work, const std::string& expected, bool& failed) {
  std::string problem;
  try {
    const std::string found = work();
    failed = stop_failing();
    if (found != expected) problem = "a wrong result: " + found.substr(0, 200);
  } catch (const std::bad_alloc&) {
    failed = stop_failing();
  } catch (const std::exception& error) {
    failed = stop_failing();
    if (!says_that_memory_is_missing(error.what())) problem = error.what();
  }
  return problem;
}

/// In a process of its own, since a failure may end it.
int outcome_of(const Work& work, const std::string& expected, std::int64_t number,
               Failing failing) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool failed = false;
    fail_allocation(number, failing);
    std::string problem = attempt(work, expected, failed);
    if (problem.empty() && work() != expected) problem = "the next call has another result";
    if (!problem.empty())
      std::fprintf(stderr, "allocation %ld: %s\n", long(number), problem.c_str());
    ::_exit(!problem.empty() ? broken : failed ? as_promised : nothing_failed);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : broken + WTERMSIG(status);
}

/// The first allocations one by one, then in growing steps up to the last one.
void expect_clean_failures(const Work& work) {
#if REPSC_MEMORY_IS_INSTRUMENTED
  GTEST_SKIP() << "sanitizers have an allocator of their own";
#endif
  const std::string expected = work();
  for (const Failing failing : {Failing::once, Failing::from_then_on}) {
    std::int64_t number = 1;
    for (;; number += 1 + number / 8) {
      const int outcome = outcome_of(work, expected, number, failing);
      if (outcome == nothing_failed) break;
      ASSERT_EQ(outcome, as_promised)
          << "allocation " << number << (failing == Failing::once ? "" : " and all later ones");
    }
    EXPECT_GT(number, 1);
  }
}

std::string text_of(const Graph& graph) {
  std::string text = joined(graph.num_nodes(), ' ', graph.num_edges(), ' ', graph.weighted(), '\n');
  for (Index i = 0; i < graph.num_nodes(); ++i) {
    text += graph.names()[i];
    for (std::size_t e = 0; e < graph.neighbors(i).size(); ++e) {
      text += ' ' + std::to_string(graph.neighbors(i)[e]);
      if (graph.weighted()) text += ':' + std::to_string(graph.weights(i)[e]);
    }
    text += '\n';
  }
  return text;
}

std::string text_of(const Labels& labels) {
  std::string text;
  for (const Label label : labels) text += std::to_string(label) + ' ';
  return text;
}

std::string text_of(const Metrics& metrics) {
  return joined(metrics.ratio_cut, ' ', metrics.normalized_cut, '\n');
}

class Allocation : public testing::Test {
 protected:
  void SetUp() override { set_num_threads(3); }
  void TearDown() override { set_num_threads({}); }

  const Labels truth_ = samples::shuffled_labels(60, 3, 1);
  const Graph G_ = samples::from_dense(samples::random_dense(truth_, 0.1, 0.5, 2, true));
  const Graph R_ = samples::from_dense(samples::quotient_representation(60, 6, 0.4, 3));
  const ClusterOptions quick_{.kmeans_restarts = 2};
  TemporaryFolder folder_;
};

class EveryFormat : public Allocation, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, EveryFormat,
                         testing::Values("g.txt", "g.csv.gz", "g.mtx", "g.mtx.gz", "g.graph",
                                         "g.npz"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '.');
                           return name;
                         });

/// The same graph with names that no format implies.
Graph named(const Graph& graph) {
  std::vector<std::string> names;
  for (Index i = 0; i < graph.num_nodes(); ++i) names.push_back("node " + std::to_string(i));
  return Graph({graph.offsets().begin(), graph.offsets().end()},
               {graph.neighbors().begin(), graph.neighbors().end()},
               {graph.weights().begin(), graph.weights().end()}, NodeNames(names));
}

TEST_P(EveryFormat, is_read) {
  const std::string path = folder_ / GetParam();
  write_graph(named(G_), path);
  expect_clean_failures([&] { return text_of(read_graph(path).graph); });
}

// Before and after a failure the folder has the same files, and the graph is the old or the new
// one.
TEST_P(EveryFormat, is_written_completely_or_not_at_all) {
  const std::string path = folder_ / GetParam();
  const Graph graph = named(G_);
  write_graph(graph, path);
  const std::string whole = text_of(read_graph(path).graph);
  const std::size_t count = folder_.num_files();
  expect_clean_failures([&] {
    try {
      write_graph(graph, path);
    } catch (...) {
      stop_failing();
      if (folder_.num_files() != count) return std::string("a file is left over");
      if (text_of(read_graph(path).graph) != whole) return std::string("the old file is damaged");
      throw;
    }
    return std::string("written");
  });
}

TEST_F(Allocation, labels_and_tables_are_read_and_written) {
  const std::string labels = folder_ / "labels.csv";
  const std::string table =
      folder_.write("people.csv", "name,age,school\na,30,x\nb,31,y\nc,33,x\n");
  const std::string layers = folder_.write("layers.txt", "1 a b 2\n1 b c 1\n2 a c 1\n");
  expect_clean_failures([&] {
    write_labels(truth_, G_.names(), labels);
    const NamedLabels found = read_labels(labels, G_.names());
    const Table people = read_table(table);
    return text_of(found.labels) +
           text_of(representation_by_rule(people, {.within = {{"age", 2}}})) +
           text_of(representation_from_neighbors(people, {.num_neighbors = 1})) +
           text_of(graph_from_multiplex(layers, {})) +
           text_of(representation_from_groups(found.labels, G_.names()));
  });
}

class EverySolver : public Allocation, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Available, EverySolver, testing::Values("lapack", "lanczos", "cholesky"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(EverySolver, clusters) {
  const Solver solver = solver_by_name(GetParam());
  expect_clean_failures(
      [&] { return text_of(cluster(G_, 3, {.solver = solver, .kmeans_restarts = 2}).labels); });
}

TEST_P(EverySolver, clusters_within_a_constraint) {
  const Solver solver = solver_by_name(GetParam());
  expect_clean_failures([&] {
    ClusterOptions options{.refine = true, .solver = solver, .kmeans_restarts = 2};
    options.refinement = RefineOptions{.max_rounds = 1};
    options.constraint = ConstraintKind::hard;
    const Clustering found = cluster(G_, R_, 3, options);
    return text_of(found.labels) + text_of(evaluate(G_, R_, found.labels, 3));
  });
}

TEST_F(Allocation, sparse_representation_graphs) {
  const Graph R = samples::from_dense(samples::circulant_representation(300, 3, 9));
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(300, 3, 1), 0.02, 0.1, 5));
  ClusterOptions exact = quick_;  // the search of the default would take minutes
  exact.method = Method::nrepsc;
  exact.rank = Rank::exact();
  expect_clean_failures([&] { return text_of(cluster(G, R, 3, exact).labels); });
}

TEST_F(Allocation, groups) {
  expect_clean_failures([&] {
    const Labels groups = samples::shuffled_labels(60, 2, 4);
    return text_of(cluster(G_, groups, 3, quick_).labels);
  });
}

TEST_F(Allocation, a_path) {
  expect_clean_failures([&] {
    std::string text;
    const PathPoints points{.ranks = {1, 3}, .strengths = {1}, .mus = {}};
    const RankPath found = path(G_, R_, 3, points, quick_);
    for (const PathStep& step : found.steps) text += text_of(step.clustering.labels);
    return text;
  });
}

TEST_F(Allocation, targets) {
  expect_clean_failures([&] {
    TargetOptions options;
    options.targets.average_balance = 0.3;
    options.cluster.kmeans_restarts = 2;
    const Labels half = samples::shuffled_labels(24, 2, 1);
    const Graph G = samples::from_dense(samples::random_dense(half, 0.1, 0.5, 2));
    const Graph R = samples::from_dense(samples::quotient_representation(24, 4, 0.4, 3));
    return text_of(cluster_to_target(G, R, 2, options).clustering.labels);
  });
}

}  // namespace
}  // namespace repsc::tests
