// The inner loops, one by one: products with a graph against what streaming its indices and
// gathering rows costs at least, projectors, k-means.
#include <benchmark/benchmark.h>

#include "core/parallel.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
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

template <typename Block>
void product(benchmark::State& state) {
  const Graph& A = graph();  // sampled before the clock starts
  const Block X = Block::Random(N, state.range(0));
  Block Y;
  for (auto _ : state) multiply(A, X, Y);
  state.counters["ns/entry/vector"] = benchmark::Counter(
      double(graph().num_entries()) * double(state.range(0)) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(product<Matrix>)->Arg(1)->Arg(4)->Arg(8)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(product<FloatMatrix>)
    ->Arg(1)
    ->Arg(4)
    ->Arg(8)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The same with 16 bits a number.
void coarse_product(benchmark::State& state) {
  const FloatMatrix X = FloatMatrix::Random(N, state.range(0));
  FloatMatrix Y;
  for (auto _ : state) benchmark::DoNotOptimize(multiply_coarsely(graph(), X, Y));
}
BENCHMARK(coarse_product)->Arg(4)->Arg(8)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Reads each index, on all cores.
void stream(benchmark::State& state) {
  const auto neighbors = graph().neighbors();
  for (auto _ : state) {
    parallel_ranges(graph().num_entries(), 1 << 16, [&](auto begin, auto end) {
      const Eigen::Map<const Eigen::ArrayXi> part(neighbors.data() + begin, end - begin);
      benchmark::DoNotOptimize(part.maxCoeff());
    });
  }
  state.SetBytesProcessed(state.iterations() * graph().num_entries() * 4);
}
BENCHMARK(stream)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Reads each index and touches the row of eight numbers that it names, on all cores: no product
/// can do less.
template <typename Block>
void stream_and_gather(benchmark::State& state) {
  using Eight = Eigen::Array<typename Block::Scalar, 8, 1>;
  const Block X = Block::Ones(N, 8);
  const auto neighbors = graph().neighbors();
  for (auto _ : state) {
    parallel_ranges(graph().num_entries(), 1 << 16, [&](auto begin, auto end) {
      Eight even = Eight::Zero();
      Eight odd = Eight::Zero();
      for (auto e = static_cast<std::size_t>(begin); e + 1 < static_cast<std::size_t>(end);
           e += 2) {
        even += Eigen::Map<const Eight>(X.data() + std::int64_t{neighbors[e]} * 8);
        odd += Eigen::Map<const Eight>(X.data() + std::int64_t{neighbors[e + 1]} * 8);
      }
      benchmark::DoNotOptimize((even + odd).sum());
    });
  }
}
BENCHMARK(stream_and_gather<Matrix>)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stream_and_gather<FloatMatrix>)->UseRealTime()->Unit(benchmark::kMillisecond);
using CoarseMatrix = Eigen::Matrix<std::int16_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
BENCHMARK(stream_and_gather<CoarseMatrix>)->UseRealTime()->Unit(benchmark::kMillisecond);

/// What orthogonalization does most: a basis of 32 columns against a block of 4.
void orthogonalize(benchmark::State& state) {
  const FloatMatrix V = FloatMatrix::Random(N, 32);
  FloatMatrix W = FloatMatrix::Random(N, 4);
  for (auto _ : state) subtract_product(W, V, 1e-6 * transposed_product(V, W));
  state.SetBytesProcessed(state.iterations() * 4 * (2 * V.size() + 3 * W.size()));
}
BENCHMARK(orthogonalize)->UseRealTime()->Unit(benchmark::kMillisecond);

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
