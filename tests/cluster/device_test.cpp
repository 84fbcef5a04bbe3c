// Devices that run out of memory: a device that was chosen automatically is given up, one that was
// asked for is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/device.hpp"
#include "repsc/cluster.hpp"
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

}  // namespace
}  // namespace repsc
