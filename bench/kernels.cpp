// The inner loops, one by one: products with a graph against what streaming its indices and
// gathering rows costs at least, projectors, k-means.
#include <benchmark/benchmark.h>

#include <array>

#include "graph/product.hpp"
#include "repsc/constraint.hpp"
#include "repsc/kmeans.hpp"
#include "repsc/models.hpp"

namespace repsc {
namespace {

constexpr Index N = 100'000;

/// 10 million stored entries: mean degree 100.
const Graph& graph() {
  static const Graph result = sample_planted_partition(Labels(N, 0), 100.0 / N, 0, 1);
  return result;
}

void product(benchmark::State& state) {
  const Matrix X = Matrix::Random(N, state.range(0));
  Matrix Y;
  for (auto _ : state) multiply(graph(), X, Y);
  state.counters["ns/entry/vector"] = benchmark::Counter(
      double(graph().num_entries()) * double(state.range(0)) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(product)->Arg(1)->Arg(4)->Arg(8)->Arg(16)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Reads each index and touches the row of eight numbers that it names: no product can do less.
void stream_and_gather(benchmark::State& state) {
  const Matrix X = Matrix::Random(N, 8);
  for (auto _ : state) {
    std::array<double, 8> sum{};
    for (const Index j : graph().neighbors()) {
      const double* x = X.data() + std::int64_t{j} * 8;
      for (int c = 0; c < 8; ++c) sum[c] += x[c];
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(stream_and_gather)->UseRealTime()->Unit(benchmark::kMillisecond);  // one core

void project_groups(benchmark::State& state) {
  Labels groups(N);
  for (Index i = 0; i < N; ++i) groups[i] = i % static_cast<Index>(state.range(0));
  const Constraint constraint = group_constraint(groups, Vector::Constant(N, 0.1));
  Matrix X = Matrix::Random(N, 8);
  for (auto _ : state) constraint.projector.apply(X);
}
BENCHMARK(project_groups)
    ->Arg(2)
    ->Arg(100)
    ->Arg(N / 2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void cluster_rows(benchmark::State& state) {
  const Matrix points = Matrix::Random(N, 8);
  for (auto _ : state) benchmark::DoNotOptimize(kmeans(points, 8, {.restarts = 1}).inertia);
}
BENCHMARK(cluster_rows)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace repsc
