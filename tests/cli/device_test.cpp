// --device: the host twin of the kernels beside the CPU, and what is said where something is
// missing.
#include <gmock/gmock.h>

#include "cli/tool.hpp"

namespace repsc::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Device : public ToolTest {
 protected:
  /// 2400 nodes, with three clusters and five groups, which plain clustering finds.
  void SetUp() override {
    fine(
        "generate rpp -n 2400 -k 3 -P 5 --within 1 --across 0 -p 0.09 -q 0.05 -r 0.03 -s 0.01 "
        "-o town --quiet");
  }
  Result with(const std::string& library, const std::string& arguments) const {
    return shell("REPSC_CUDA_LIBRARY='" + library + "' repsc cluster town.similarity.mtx -k 3 " +
                 arguments);
  }
  Result on_twin(const std::string& arguments) const { return with(REPSC_CUDA_TWIN, arguments); }
};

constexpr const char* fair = "--method nfairsc --groups town.groups.csv --no-baselines ";

// Precise eigenvectors, so that no label is left to rounding, which differs between processors.
constexpr const char* precisely = " --tol 1e-7 ";

TEST_F(Device, gives_the_labels_of_the_cpu) {
  for (const std::string method : {"usc", "nsc", "ufairsc", "nfairsc"}) {
    const std::string how =
        "--groups town.groups.csv --no-baselines --method " + method + precisely;
    const Result found = on_twin(how + " --device cuda -o device.csv --json device.json");
    ASSERT_EQ(found.code, 0) << found.err;
    ASSERT_EQ(on_twin(how + " --device cpu -o cpu.csv --json cpu.json").code, 0);
    EXPECT_EQ(content("device.csv"), content("cpu.csv")) << method;
    const auto device = parsed(content("device.json"));
    EXPECT_EQ(device["device"], "cuda:0, host twin of the kernels");
    EXPECT_EQ(device["solver"], "lanczos");
    EXPECT_EQ(parsed(content("cpu.json"))["device"], "cpu");
  }
}

TEST_F(Device, gives_nearly_the_labels_of_the_cpu_where_both_end_once_labels_settle) {
  for (const std::string method : {"usc", "nsc", "ufairsc", "nfairsc"}) {
    const std::string how = "--groups town.groups.csv --no-baselines --method " + method;
    ASSERT_EQ(on_twin(how + " --device cuda -o device.csv").code, 0);
    ASSERT_EQ(on_twin(how + " --device cpu -o cpu.csv").code, 0);
    const auto compared = parsed(
        fine("evaluate town.similarity.mtx device.csv --truth cpu.csv --json - --quiet").out);
    // Both may leave one node in a thousand undecided.
    EXPECT_GE(compared["accuracy"].get<double>(), 0.995) << method;
  }
}

// The same numbers to the last digit, also where a rule has a row for every node.
TEST_F(Device, gives_the_metrics_of_the_cpu) {
  for (const std::string rule : {"--method nsc", "--method nfairsc --groups town.groups.csv",
                                 "town.representation.mtx --method nrepsc --rank 4"}) {
    const std::string how = rule + " --no-baselines" + precisely;
    const Result found = on_twin(how + " --device cuda -o device.csv --json device.json");
    ASSERT_EQ(found.code, 0) << found.err;
    ASSERT_EQ(on_twin(how + " --device cpu -o cpu.csv --json cpu.json").code, 0);
    ASSERT_EQ(content("device.csv"), content("cpu.csv")) << rule;
    const auto device = parsed(content("device.json"));
    EXPECT_EQ(device["device"], "cuda:0, host twin of the kernels");
    EXPECT_EQ(device["metrics"], parsed(content("cpu.json"))["metrics"]) << rule;
    EXPECT_TRUE(device["metrics"].contains("normalized_cut"));
  }
}

// While the CPU refines, the device computes them.
TEST_F(Device, gives_the_same_baselines_with_and_without_refinement) {
  const std::string how = "--method nfairsc --groups town.groups.csv --device cuda";
  ASSERT_EQ(on_twin(how + " --refine -o refined.csv --json refined.json").code, 0);
  ASSERT_EQ(on_twin(how + " -o plain.csv --json plain.json").code, 0);
  const auto refined = parsed(content("refined.json"));
  const auto plain = parsed(content("plain.json"));
  EXPECT_EQ(refined["device"], "cuda:0, host twin of the kernels");
  EXPECT_TRUE(refined.contains("refinement"));
  ASSERT_TRUE(plain["baselines"].contains("plain"));
  EXPECT_EQ(refined["baselines"], plain["baselines"]);
}

TEST_F(Device, is_part_of_the_plan) {
  const Result plan = on_twin(fair + std::string("--device cuda --explain-plan"));
  EXPECT_THAT(plan.out, HasSubstr("host twin of the kernels"));
  EXPECT_THAT(plan.out, HasSubstr("requested"));
}

TEST_F(Device, copies_what_does_not_fit_for_each_product) {
  const auto with_memory = [&](const std::string& memory, const std::string& arguments) {
    return shell("REPSC_CUDA_MEMORY='" + memory +
                 "' REPSC_CUDA_LIBRARY='" REPSC_CUDA_TWIN
                 "' repsc cluster town.similarity.mtx -k 3 --device cuda " +
                 fair + arguments);
  };
  const Result plan = with_memory("1100K", "--explain-plan");
  EXPECT_THAT(plan.out, HasSubstr("are copied for each product")) << plan.err;
  EXPECT_THAT(with_memory("1G", "--explain-plan").out, testing::Not(HasSubstr("are copied")));
  ASSERT_EQ(with_memory("1100K", "-o small.csv --json small.json").code, 0);
  ASSERT_EQ(with_memory("1G", "-o large.csv --json large.json").code, 0);
  EXPECT_EQ(content("small.csv"), content("large.csv"));
  const auto small = parsed(content("small.json"));
  EXPECT_EQ(small["device"], "cuda:0, host twin of the kernels");
  EXPECT_EQ(small["eigenvalues"], parsed(content("large.json"))["eigenvalues"]);
  EXPECT_EQ(small["metrics"], parsed(content("large.json"))["metrics"]);
  for (const std::string wrong : {"much", "0", "-1", "8T", "9999999999G"}) {
    const Result refused = with_memory(wrong, "");
    EXPECT_EQ(refused.code, 3) << wrong;
    EXPECT_THAT(refused.err, HasSubstr("REPSC_CUDA_MEMORY is '" + wrong + "'"));
  }
}

TEST_F(Device, says_what_runs_on_the_cpu_nevertheless) {
  generate_sample();
  const Result dense =
      shell("REPSC_CUDA_LIBRARY='" REPSC_CUDA_TWIN
            "' repsc cluster sample.similarity.mtx -k 3 --method nsc --device cuda --json -");
  ASSERT_EQ(dense.code, 0) << dense.err;
  EXPECT_EQ(parsed(dense.out)["device"], "cpu");
  EXPECT_THAT(dense.err, HasSubstr("the solver lapack is not on the device"));
}

TEST_F(Device, gives_the_labels_of_the_cpu_within_a_rank) {
  const std::string how =
      "town.representation.mtx --method nrepsc --rank 4 --no-baselines" + std::string(precisely);
  ASSERT_EQ(on_twin(how + "--device cuda -o device.csv --json device.json").code, 0);
  ASSERT_EQ(on_twin(how + "--device cpu -o cpu.csv --json cpu.json").code, 0);
  EXPECT_EQ(content("device.csv"), content("cpu.csv"));
  const auto device = parsed(content("device.json"));
  const auto cpu = parsed(content("cpu.json"));
  EXPECT_EQ(device["device"], "cuda:0, host twin of the kernels");
  EXPECT_EQ(device["constraint_rank"], cpu["constraint_rank"]);
}

TEST_F(Device, gives_the_labels_of_the_cpu_with_a_soft_constraint) {
  for (const std::string R : {"town.representation.mtx", "--groups town.groups.csv"}) {
    const std::string how = R + " --method nrepsc --strength 1 --no-baselines" + precisely;
    ASSERT_EQ(on_twin(how + "--device cuda -o device.csv --json device.json").code, 0);
    ASSERT_EQ(on_twin(how + "--device cpu -o cpu.csv").code, 0);
    EXPECT_EQ(content("device.csv"), content("cpu.csv")) << R;
    EXPECT_EQ(parsed(content("device.json"))["device"], "cuda:0, host twin of the kernels");
  }
}

TEST_F(Device, is_taken_for_large_dense_decompositions) {
  fine("generate rpp -n 3000 -k 3 -d 30 -p 0.02 -q 0.015 -r 0.01 -s 0.005 -o large --quiet");
  const auto plan = [&](const std::string& rank, const std::string& memory) {
    return shell("REPSC_CUDA_MEMORY=" + memory +
                 " REPSC_CUDA_LIBRARY='" REPSC_CUDA_TWIN
                 "' repsc cluster large.similarity.mtx large.representation.mtx -k 3 "
                 "--method nrepsc --rank " +
                 rank + " --explain-plan");
  };
  EXPECT_THAT(plan("1500", "").out, HasSubstr("R is decomposed as a dense matrix"));
  EXPECT_THAT(plan("10", "").out, testing::Not(HasSubstr("host twin")));
  // A mistake is not taken for a machine without a device.
  const Result wrong = plan("1500", "much");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("REPSC_CUDA_MEMORY is 'much'"));
}

TEST_F(Device, is_left_out_where_clusters_need_more_vectors_than_kernels_take) {
  fine("generate rpp -n 6000 -k 3 -d 30 -p 0.01 -q 0.007 -r 0.005 -s 0.002 -o wide --quiet");
  const auto plan = [&](int K, const std::string& how) {
    return shell("REPSC_CUDA_LIBRARY='" REPSC_CUDA_TWIN
                 "' repsc cluster wide.similarity.mtx wide.representation.mtx --method nrepsc "
                 "--rank 3000 --explain-plan -k " +
                 std::to_string(K) + how);
  };
  EXPECT_THAT(plan(681, "").out, HasSubstr("host twin of the kernels"));
  const std::string reason =
      "682 clusters need a basis of 4098 vectors, and devices take up to 4096";
  const Result automatic = plan(682, "");
  EXPECT_THAT(automatic.out, HasSubstr(reason));
  EXPECT_THAT(automatic.out, testing::Not(HasSubstr("host twin")));
  const Result asked = plan(682, " --device cuda");
  EXPECT_EQ(asked.code, 3);
  EXPECT_THAT(asked.err, HasSubstr("--device cuda: " + reason));
  EXPECT_THAT(asked.err, HasSubstr("--device cpu"));
  // The iteration is on the CPU in any case.
  EXPECT_EQ(plan(682, " --device cuda --solver lapack").code, 0);
}

TEST_F(Device, names_what_is_missing) {
  const auto expect = [&](const std::string& library, const std::string& device,
                          const std::string& part) {
    const Result result = with(library, "--device " + device);
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_THAT(result.err,
                StartsWith("repsc: --device " + device + ": no CUDA device can be used: "));
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_THAT(result.err, HasSubstr("--device cpu"));
  };
  expect("/nowhere/librepsc_cuda.so", "cuda", "librepsc_cuda.so could not be loaded");
  expect("libz.so.1", "cuda", "not a library of repsc");
  expect(REPSC_CUDA_TWIN, "cuda:1", "there is one device, number 0");
  EXPECT_EQ(with("/nowhere/librepsc_cuda.so", fair + std::string("--device auto")).code, 0);
  expect_error("cluster town.similarity.mtx -k 3 --device gpu", 2, "auto, cpu, cuda or cuda:N");
}

}  // namespace
}  // namespace repsc::tests
