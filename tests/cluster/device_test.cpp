// What follows the eigenvectors of a device. And devices that run out of memory: a device that was
// chosen automatically is given up, one that was asked for is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "cluster/device_fallback.hpp"
#include "cluster/embedding_on_device.hpp"
#include "graph/host_arrays.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

/// Allocations of the device below that succeed before all others fail.
int allocations_left = 0;

void* allocate_a_few(repsc_cuda_context* context, std::int64_t bytes) {
  if (allocations_left == 0) return nullptr;
  --allocations_left;
  return repsc_cuda()->allocate(context, bytes);
}

std::shared_ptr<CudaDevice> small_device() {
  static const repsc_cuda_functions functions = [] {
    repsc_cuda_functions copy = *repsc_cuda();
    copy.allocate = allocate_a_few;
    return copy;
  }();
  return std::make_shared<CudaDevice>(functions, 0);
}

/// Bytes that were copied to the device below.
std::atomic<std::int64_t> bytes_uploaded = 0;

std::int32_t counted_upload(repsc_cuda_context* context, void* to, const void* from,
                            std::int64_t bytes) {
  bytes_uploaded += bytes;
  return repsc_cuda()->upload(context, to, from, bytes);
}

std::shared_ptr<CudaDevice> counting_device() {
  static const repsc_cuda_functions functions = [] {
    repsc_cuda_functions copy = *repsc_cuda();
    copy.upload = counted_upload;
    return copy;
  }();
  return std::make_shared<CudaDevice>(functions, 0);
}

/// Memory of the device below, and its products with graphs of which only a part is there: with G,
/// which has degrees or a scaling, and with R.
std::int64_t memory_bytes = 0;
int streamed_G = 0;
int streamed_R = 0;

std::int32_t little_memory(repsc_cuda_context* context, repsc_cuda_facts* facts) {
  const std::int32_t failed = repsc_cuda()->facts(context, facts);
  facts->free_bytes = memory_bytes;  // others use the rest
  return failed;
}

std::int32_t counted_product(repsc_cuda_context* context, repsc_cuda_laplacian L,
                             repsc_cuda_block X, repsc_cuda_block Y) {
  if (L.graph.host_panels != nullptr) ++(L.scale != nullptr ? streamed_G : streamed_R);
  return repsc_cuda()->apply(context, L, X, Y);
}

std::shared_ptr<CudaDevice> device_of_memory(std::int64_t bytes) {
  static const repsc_cuda_functions functions = [] {
    repsc_cuda_functions copy = *repsc_cuda();
    copy.facts = little_memory;
    copy.apply = counted_product;
    return copy;
  }();
  memory_bytes = bytes;
  streamed_G = streamed_R = 0;
  return std::make_shared<CudaDevice>(functions, 0);
}

struct Problem {
  const char* what;
  ClusterInput input;
  ClusterOptions options;
};

std::vector<Problem> problems() {
  const Index N = 240;
  const Labels clusters = samples::shuffled_labels(N, 3, 1);
  const Graph G = samples::from_dense(samples::random_dense(clusters, 0.02, 0.3, 2));
  const Graph R = samples::from_dense(samples::quotient_representation(N, 10, 0.3, 4));
  const auto lanczos = solver::Lanczos{};
  return {{"no constraint", {G}, {.method = Method::nsc, .solver = lanczos}},
          {"groups",
           {G, std::nullopt, samples::shuffled_labels(N, 4, 3)},
           {.method = Method::nfairsc, .solver = lanczos}},
          {"rank", {G, R}, {.method = Method::nrepsc, .rank = Rank::of(6), .solver = lanczos}}};
}

Clustering on_device(const ClusterInput& input, int K, const ClusterOptions& options) {
  Plan chosen = plan(input, K, options);
  chosen.device = samples::device();
  return Pipeline(&input).run(chosen);
}

Matrix projector_onto(const Matrix& X) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(X);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(X.rows(), X.cols());
  return Q * Q.transpose();
}

TEST(DeviceEmbedding, is_that_of_the_cpu) {
  const Index N = 240;
  const int K = 3;
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.02, 0.3, 2));
  const Labels groups = samples::shuffled_labels(N, 4, 3);
  for (const Method method : {Method::usc, Method::nsc, Method::ufairsc, Method::nfairsc}) {
    for (const EmbeddingRows rows : {EmbeddingRows::plain, EmbeddingRows::unit}) {
      const ClusterOptions options{.method = method,
                                   .embedding_rows = rows,
                                   .solver = solver::Lanczos{},
                                   .tolerance = 1e-10};
      const ClusterInput input =
          is_plain(method) ? ClusterInput{G} : ClusterInput{G, std::nullopt, groups};
      const Clustering expected = cluster(input, K, options);
      const Clustering found = on_device(input, K, options);
      const std::string what = name(method) + (rows == EmbeddingRows::unit ? ", unit rows" : "");
      EXPECT_NE(found.device, "cpu") << what;
      EXPECT_EQ(found.labels, expected.labels) << what;
      EXPECT_LT(found.constraint_residual, 1e-12) << what;
      EXPECT_LT((projector_onto(found.embedding) - projector_onto(expected.embedding)).norm(), 1e-6)
          << what;
      if (rows == EmbeddingRows::unit) {
        EXPECT_LT((found.embedding.rowwise().norm().array() - 1).abs().maxCoeff(), 1e-12) << what;
      }
    }
  }
}

/// Communities of 60 nodes, weakly linked, so that plain products converge slowly, and so dense
/// that factors fill.
Graph slow_graph() {
  const Index N = 6000;
  const Index size = 60;
  std::mt19937 random(1);
  const auto below = [&](Index n) {
    return static_cast<Index>(random() % static_cast<std::uint32_t>(n));
  };
  std::vector<Edge> edges;
  for (Index i = 0; i < N; ++i) {
    for (int draw = 0; draw < 6; ++draw) {
      const Index kind = below(20);
      const Index community = kind == 1 ? (i / size + 1) % (N / size) : i / size;
      edges.push_back({i, kind == 0 ? below(N) : community * size + below(size)});
    }
  }
  return build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

// Where the CPU goes on, a device may not give up for a factorization: the clusters would be
// others.
TEST(DeviceSolver, is_changed_for_another_where_the_cpu_changes_it) {
  const Graph G = slow_graph();
  const ClusterOptions options{.method = Method::nsc};
  const Clustering host = Pipeline({G}).run(plan({G}, 5, options));
  const Clustering device = on_device({G}, 5, options);
  EXPECT_EQ(host.solver, "lanczos");
  EXPECT_GT(host.iterations, 100);
  EXPECT_EQ(device.solver, host.solver);
  EXPECT_NE(device.device, "cpu");
  EXPECT_NEAR(device.iterations, host.iterations, 10);
  const double cut = normalized_cut(G, host.labels, 5);
  EXPECT_NEAR(normalized_cut(G, device.labels, 5), cut, 1e-3 * cut);
}

TEST(DeviceEmbedding, is_left_out_if_nobody_needs_it) {
  for (const Problem& problem : problems()) {
    const Clustering expected = on_device(problem.input, 3, problem.options);
    EXPECT_EQ(expected.embedding.rows(), problem.input.similarity.num_nodes());
    ClusterOptions options = problem.options;
    options.keep_embedding = false;
    const Clustering found = on_device(problem.input, 3, options);
    EXPECT_EQ(found.labels, expected.labels) << problem.what;
    // Within a rank it is scaled on the host.
    const bool on_host = problem.input.representation.has_value();
    EXPECT_EQ(found.embedding.size() > 0, on_host) << problem.what;
  }
}

TEST(DeviceEmbedding, does_not_depend_on_how_much_of_the_graph_fits) {
  for (const Problem& problem : problems()) {
    const Clustering expected = on_device(problem.input, 3, problem.options);
    Plan chosen = plan(problem.input, 3, problem.options);
    chosen.device = samples::device();
    chosen.device_room = 20'000;
    const Clustering found = Pipeline(&problem.input).run(chosen);
    EXPECT_NE(found.device, "cpu") << problem.what;
    EXPECT_EQ(found.labels, expected.labels) << problem.what;
    EXPECT_EQ(found.eigenvalues, expected.eigenvalues) << problem.what;
    EXPECT_EQ(found.warnings.size(), expected.warnings.size()) << problem.what;
  }
}

// The rest of R J T, with R written out, for a constraint that the vectors do not satisfy.
TEST(SoftConstraintOnADevice, does_not_depend_on_how_much_of_both_graphs_fits) {
  const Index N = 600;
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.05, 0.3, 2));
  const Graph R = samples::from_dense(samples::random_representation(N, 0.2, 3));
  const ClusterInput input{G, R};
  const ClusterOptions options{
      .method = Method::nrepsc, .strength = 1.0, .solver = solver::Lanczos{}, .tolerance = 1e-9};
  const double vectors = iteration_bytes(N, 3);
  const auto entries =
      static_cast<double>(sizeof(Index)) * static_cast<double>(G.num_entries() + R.num_entries());
  std::optional<Clustering> expected;
  for (const double fits : {1.0, 0.6, 0.1, 0.0}) {
    SCOPED_TRACE(fits);
    const auto device =
        device_of_memory(static_cast<std::int64_t>((vectors + fits * entries) / 0.8) + 8);
    Plan chosen = plan(input, 3, options);
    chosen.device = device;
    chosen.device_room =
        share_of_room(room_for_graph(*device, vectors), device_bytes(G), device_bytes(R));
    const Clustering found = Pipeline(&input).run(chosen);
    EXPECT_EQ(streamed_G > 0, fits < 1);
    EXPECT_EQ(streamed_R > 0, fits < 1);
    if (!expected) expected = found;
    EXPECT_EQ(found.labels, expected->labels);
    EXPECT_EQ(found.eigenvalues, expected->eigenvalues);  // the same bytes
    EXPECT_TRUE(found.converged);
  }
  const Clustering on_cpu = cluster(input, 3, options);
  EXPECT_LT((expected->eigenvalues - on_cpu.eigenvalues).norm(), 1e-8);
}

TEST(RoomForTwoGraphs, is_shared_in_proportion_where_it_does_not_suffice) {
  EXPECT_EQ(share_of_room(1000, 300, 200), 800);
  EXPECT_EQ(share_of_room(1000, 300, 0), 1000);
  EXPECT_EQ(share_of_room(100, 300, 100), 75);
  EXPECT_EQ(share_of_room(100, 100, 300), 25);
  EXPECT_EQ(share_of_room(0, 100, 300), 0);
  EXPECT_EQ(share_of_room(0, 0, 0), 0);
}

TEST(DeviceEmbedding, measures_the_constraint) {
  const Index N = 720;
  const Laplacian L(
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.02, 0.1, 2)),
      Normalization::symmetric);
  const Matrix X = samples::random_matrix(N, 3, 5);
  Eigen::MatrixXd T = L.scale().asDiagonal() * X;
  Eigen::MatrixXd centered = T * T.colwise().norm().cwiseInverse().asDiagonal();
  centered.rowwise() -= centered.colwise().mean().eval();
  for (const Index num_groups : {4, 600}) {  // few, and more than kernels add
    const Labels groups = samples::shuffled_labels(N, num_groups, 3);
    SpectralEmbedding result;
    result.pairs.on_device =
        std::make_shared<DeviceMatrix>(samples::device(), on_device(*samples::device(), X));
    Plan plan;
    plan.method = Method::nfairsc;
    embed_on_device(L, group_constraint(groups, L.scale()), plan, result);
    EXPECT_LT((result.rows - T).norm(), 1e-12 * T.norm());
    const Eigen::MatrixXd R = samples::block_representation(groups);
    EXPECT_NEAR(result.constraint_residual, (R * centered).norm() / R.norm(), 1e-12);
    EXPECT_GT(result.constraint_residual, 1e-3);
  }
}

TEST(DeviceEmbedding, warns_of_vectors_that_describe_a_few_nodes) {
  const Index N = 403;
  Matrix A = Matrix::Zero(N, N);
  A.topLeftCorner(400, 400) =
      samples::random_dense(samples::shuffled_labels(400, 2, 1), 0.05, 0.3, 2);
  A(400, 401) = A(401, 400) = 1;
  A(402, 0) = A(0, 402) = 1;
  const ClusterInput input{samples::from_dense(A)};
  const ClusterOptions options{.method = Method::usc, .solver = solver::Lanczos{}};
  const auto codes = [](const Clustering& found) {
    std::vector<std::string> result;
    for (const Warning& warning : found.warnings) result.push_back(warning.code);
    return result;
  };
  const Clustering expected = cluster(input, 2, options);
  EXPECT_THAT(codes(expected), testing::Contains("localized_embedding"));
  EXPECT_EQ(codes(on_device(input, 2, options)), codes(expected));
}

/// A clustering, and how many bytes were copied to the device for it.
struct Counted {
  Clustering found;
  std::int64_t bytes;
};

Counted counted(const ClusterInput& input, const ClusterOptions& options) {
  Plan chosen = plan(input, 3, options);
  chosen.device = counting_device();
  bytes_uploaded = 0;
  Clustering found = Pipeline(&input).run(chosen);
  return {std::move(found), bytes_uploaded};
}

/// On the twin, the memory of the device is that of the host.
Graph also_there(const Graph& G, int device = 0) {
  return G.also_on_device(std::make_shared<ArraysOnDevice>(
      ArraysOnDevice{.device = device,
                     .neighbors = G.neighbors().data(),
                     .weights = G.weighted() ? G.weights().data() : nullptr}));
}

std::int64_t bytes_of(const Graph& G) { return G.num_entries() * (G.weighted() ? 12 : 4); }

void expect_no_upload(const char* what, const ClusterInput& input, const ClusterOptions& options) {
  const Counted copied = counted(input, options);
  ClusterInput there = input;
  there.similarity = also_there(input.similarity);
  std::int64_t saved = bytes_of(input.similarity);
  if (input.representation) {
    there.representation = also_there(*input.representation);
    saved += bytes_of(*input.representation);
  }
  const Counted found = counted(there, options);
  EXPECT_EQ(found.bytes, copied.bytes - saved) << what;
  EXPECT_NE(found.found.device, "cpu") << what;
  EXPECT_EQ(found.found.labels, copied.found.labels) << what;
  EXPECT_EQ(found.found.eigenvalues, copied.found.eigenvalues) << what;
}

TEST(GraphsOnADevice, are_not_copied_there) {
  for (const Problem& problem : problems()) {
    // The device decomposes R only if the rank is large: its copy is not made here.
    if (!problem.input.representation)
      expect_no_upload(problem.what, problem.input, problem.options);
  }
  const Labels clusters = samples::shuffled_labels(240, 3, 1);
  const Graph weighted = samples::from_dense(samples::random_dense(clusters, 0.02, 0.3, 2, true));
  expect_no_upload("weights", {weighted}, {.method = Method::nsc, .solver = solver::Lanczos{}});
  const Graph R = samples::from_dense(samples::quotient_representation(240, 10, 0.3, 4));
  expect_no_upload("a soft constraint", {weighted, R},
                   {.method = Method::nrepsc, .strength = 1.0, .solver = solver::Lanczos{}});
}

/// The device of a process, which is the twin, too, if no library is named.
class DeviceOfPaths : public testing::Test {
 protected:
  DeviceOfPaths() {
    if (twin) ::setenv("REPSC_CUDA_LIBRARY", REPSC_CUDA_TWIN, 1);
    device = open_cuda_device(0);
    if (twin) ::unsetenv("REPSC_CUDA_LIBRARY");
  }
  const bool twin = samples::is_twin();
  std::shared_ptr<CudaDevice> device;
};

TEST_F(DeviceOfPaths, has_the_graph_from_the_first_step_to_the_last) {
  const Problem problem = problems().back();
  const Graph& G = problem.input.similarity;
  ClusterOptions options{.solver = solver::Lanczos{},
                         .device = DeviceChoice{.kind = DeviceChoice::Kind::cuda}};
  int steps = 0;
  options.progress = [&](const Progress& progress) {
    if (progress.stage != "path") return;
    ++steps;
    EXPECT_NE(device->uploaded(host_arrays(G)), nullptr) << steps;
  };
  const RankPath found = path(G, *problem.input.representation, 3,
                              PathPoints{.ranks = {2, 6}, .strengths = {0.1, 1}}, options);
  EXPECT_EQ(steps, 4);
  for (const PathStep& step : found.steps) EXPECT_NE(step.clustering.device, "cpu");
  EXPECT_EQ(device->uploaded(host_arrays(G)), nullptr);
}

TEST(GraphsOnADevice, are_copied_to_another_one_or_if_their_weights_change) {
  const Labels clusters = samples::shuffled_labels(240, 3, 1);
  const Matrix A = samples::random_dense(clusters, 0.02, 0.3, 2, true);
  const ClusterOptions options{.method = Method::nsc, .solver = solver::Lanczos{}};
  const Graph G = samples::from_dense(A);
  const Counted copied = counted({G}, options);
  const Counted elsewhere = counted({also_there(G, 1)}, options);
  EXPECT_EQ(elsewhere.bytes, copied.bytes);
  EXPECT_EQ(elsewhere.found.labels, copied.found.labels);
  const Graph huge = samples::from_dense(A * 1e100);
  const Counted scaled = counted({also_there(huge)}, options);
  EXPECT_EQ(scaled.bytes, counted({huge}, options).bytes);
  EXPECT_EQ(scaled.found.labels, copied.found.labels);
}

// The CPU reads the arrays of the host: those of the device are not memory that it can read.
TEST(GraphsOnADevice, are_not_read_by_the_cpu) {
  for (const Problem& problem : problems()) {
    ClusterInput there = problem.input;
    static char nowhere;
    there.similarity = there.similarity.also_on_device(std::make_shared<ArraysOnDevice>(
        ArraysOnDevice{.neighbors = reinterpret_cast<const Index*>(&nowhere + 1)}));
    EXPECT_EQ(cluster(there, 3, problem.options).labels,
              cluster(problem.input, 3, problem.options).labels)
        << problem.what;
  }
}

TEST(GraphsOnADevice, of_several_threads_are_not_confused) {
  const ClusterOptions options{.method = Method::nsc, .solver = solver::Lanczos{}};
  const std::shared_ptr<CudaDevice> device = samples::device();
  const std::shared_ptr<CudaDevice> twin = samples::is_twin() ? device : counting_device();
  const Labels clusters = samples::shuffled_labels(240, 3, 1);
  const Graph plain = samples::from_dense(samples::random_dense(clusters, 0.02, 0.3, 2));
  // The same edges with weights that cut them in another way.
  std::vector<double> weights;
  for (Index i = 0; i < plain.num_nodes(); ++i) {
    for (const Index j : plain.neighbors(i)) weights.push_back(i % 3 == j % 3 ? 100 : 1);
  }
  const Graph other(plain.offsets(), plain.neighbors(), weights, nullptr, plain.names());
  const std::vector<Graph> graphs{plain, other, also_there(plain), also_there(other)};
  std::vector<Labels> expected;
  for (const Graph& G : graphs) expected.push_back(cluster(G, 3, options).labels);
  EXPECT_NE(expected[0], expected[1]);
  std::vector<std::future<std::vector<Labels>>> runs;
  for (const Graph& G : graphs) {
    runs.push_back(std::async(std::launch::async, [&] {
      std::vector<Labels> found;
      for (int run = 0; run < 5; ++run) {
        const ClusterInput input{G};
        Plan chosen = plan(input, 3, options);
        chosen.device = G.on_device() != nullptr ? twin : device;
        found.push_back(Pipeline(&input).run(chosen).labels);
      }
      return found;
    }));
  }
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (const Labels& found : runs[i].get()) EXPECT_EQ(found, expected[i]) << i;
  }
}

TEST(FailingDevice, is_given_up_where_nobody_asked_for_it) {
  for (const Problem& problem : problems()) {
    Plan chosen = plan(problem.input, 3, problem.options);
    const Clustering expected = Pipeline(problem.input).run(chosen);
    chosen.device = small_device();
    bool finished = false;
    for (int count = 0; !finished; ++count) {
      ASSERT_LT(count, 1000) << problem.what;
      allocations_left = count;
      const Clustering found = Pipeline(problem.input).run(chosen);
      finished = found.device != "cpu";
      if (finished) continue;  // there was enough memory
      EXPECT_EQ(found.labels, expected.labels) << problem.what << ", " << count;
      EXPECT_EQ(found.eigenvalues, expected.eigenvalues) << problem.what << ", " << count;
      ASSERT_FALSE(found.warnings.empty());
      EXPECT_EQ(found.warnings.back().code, "device_failed");
      EXPECT_THAT(found.warnings.back().what, HasSubstr("computed on the CPU"));
    }
  }
}

TEST(FailingDevice, is_an_error_where_it_was_asked_for) {
  const Problem problem = problems().front();
  Plan chosen = plan(problem.input, 3, problem.options);
  chosen.device = small_device();
  chosen.options.device = DeviceChoice{.kind = DeviceChoice::Kind::cuda};
  allocations_left = 3;
  EXPECT_THROW(static_cast<void>(Pipeline(problem.input).run(chosen)), MemoryLimitExceeded);
}

TEST(FailingDevice, of_a_path_makes_it_compute_everything_on_the_cpu) {
  std::vector<bool> on_cpu;
  const auto run = [&](const ClusterOptions& how) {
    on_cpu.push_back(how.device.has_value() && how.device->kind == DeviceChoice::Kind::cpu);
    if (!on_cpu.back()) throw DeviceFailure(Fault{.what = "no memory"});
    return std::vector<Warning>();
  };
  const auto warn = [](std::vector<Warning>& found, const Warning& warning) {
    found.push_back(warning);
  };
  const std::vector<Warning> found = falling_back_to_cpu({}, run, warn);
  EXPECT_EQ(on_cpu, (std::vector<bool>{false, true}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().code, "device_failed");
  EXPECT_THAT(found.front().what, HasSubstr("no memory"));
  // Requested: an error. Without a failure: computed once, without a warning.
  const ClusterOptions requested{.device = DeviceChoice{.kind = DeviceChoice::Kind::cuda}};
  EXPECT_THROW(static_cast<void>(falling_back_to_cpu(requested, run, warn)), DeviceFailure);
  EXPECT_TRUE(falling_back_to_cpu({.device = DeviceChoice{}}, run, warn).empty());
}

/// Labels that the twin finds and the CPU refines, with something else meanwhile.
struct Refined {
  ClusterOptions options = problems()[1].options;
  ClusterInput input = problems()[1].input;
  bool on_device = true;

  Refined() { options.refine = true; }
  Clustering run(const Pipeline::Meanwhile& meanwhile) {
    Plan chosen = plan(input, 3, options);
    if (on_device) chosen.device = samples::device();
    Pipeline pipeline(&input);
    return pipeline.run(chosen, meanwhile);
  }
};

TEST(Meanwhile, runs_while_labels_are_refined) {
  const Clustering alone = Refined().run({});
  Refined both;
  std::promise<void> refining;
  std::promise<void> begun;
  std::future<void> has_begun = begun.get_future();
  constexpr auto long_enough = std::chrono::seconds(60);
  int refinements = 0;
  both.options.progress = [&](const Progress& progress) {
    if (progress.stage != "refine" || ++refinements > 1) return;
    refining.set_value();
    EXPECT_EQ(has_begun.wait_for(long_enough), std::future_status::ready);
  };
  int calls = 0;
  const auto here = std::this_thread::get_id();
  const Clustering found = both.run([&](const std::stop_token& stop) {
    ++calls;
    EXPECT_NE(std::this_thread::get_id(), here);
    EXPECT_EQ(refining.get_future().wait_for(long_enough), std::future_status::ready);
    EXPECT_FALSE(stop.stop_requested());
    begun.set_value();
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(found.labels, alone.labels);
  EXPECT_EQ(found.refinement->objective, alone.refinement->objective);
}

TEST(Meanwhile, may_use_the_pipeline) {
  Refined both;
  Plan chosen = plan(both.input, 3, both.options);
  chosen.device = samples::device();
  Pipeline pipeline(&both.input);
  std::optional<Baselines> found;
  const Clustering result =
      pipeline.run(chosen, [&](const auto&) { found = baselines(pipeline, 3, both.options); });
  Pipeline other(&both.input);
  const std::optional<Baselines> expected = baselines(other, 3, both.options);
  EXPECT_EQ(result.labels, Refined().run({}).labels);
  EXPECT_EQ(found->plain.cut, expected->plain.cut);
  EXPECT_EQ(found->random.cut, expected->random.cut);
  EXPECT_EQ(found->exact->average_balance, expected->exact->average_balance);
}

TEST(Meanwhile, does_not_run_without_a_device_or_refinement) {
  int calls = 0;
  const auto count = [&](const auto&) { ++calls; };
  Refined on_cpu;
  on_cpu.on_device = false;
  (void)on_cpu.run(count);
  Refined unrefined;
  unrefined.options.refine = false;
  (void)unrefined.run(count);
  EXPECT_EQ(calls, 0);
}

TEST(Meanwhile, fails_as_if_it_had_been_called_here) {
  struct Failure {};
  EXPECT_THROW((void)Refined().run([](const auto&) { throw Failure(); }), Failure);
}

TEST(Meanwhile, is_asked_to_stop_where_refinement_is) {
  struct Interrupt {};
  Refined both;
  both.options.progress = [](const Progress& progress) {
    if (progress.stage == "refine") throw Interrupt();
  };
  bool stopped = false;
  EXPECT_THROW((void)both.run([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    stopped = true;
    throw std::runtime_error("nobody hears this");
  }),
               Interrupt);
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace repsc
