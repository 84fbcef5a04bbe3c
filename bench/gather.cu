// What products with a graph are compared with in docs/gpu.md: a kernel that only gathers, written
// without any attempt to be fast. Each row adds up 8 floats of as many random rows as it has entries.
//
//   nvcc -O3 -arch=native bench/gather.cu -o gather && ./gather NODES ENTRIES
//
// Run it on the machine, and the day, of the products that it is compared with: machines of one kind
// differ by a tenth.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int columns = 8;
constexpr int threads = 256;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// splitmix64
__device__ std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

__global__ void draw(std::int32_t* neighbors, std::int64_t entries, std::int32_t nodes) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t e = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < entries; e += stride)
    neighbors[e] = static_cast<std::int32_t>(mixed(e) % nodes);
}

// A thread for each number of the result.
__global__ void gather(const std::int32_t* neighbors, std::int64_t per_row, std::int32_t nodes,
                       const float* X, float* Y) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = thread / columns;
  if (row >= nodes) return;
  const int column = static_cast<int>(thread % columns);
  float sum = 0;
  for (std::int64_t e = row * per_row; e < (row + 1) * per_row; ++e)
    sum += X[std::int64_t{neighbors[e]} * columns + column];
  Y[thread] = sum;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: gather NODES ENTRIES\n");
    return 2;
  }
  const auto nodes = static_cast<std::int32_t>(std::atoll(words[1]));
  const std::int64_t per_row = std::atoll(words[2]) / nodes;
  const std::int64_t entries = per_row * nodes;
  std::int32_t* neighbors = nullptr;
  float* X = nullptr;
  float* Y = nullptr;
  const auto bytes = static_cast<std::size_t>(nodes) * columns * sizeof(float);
  check(cudaMalloc(&neighbors, static_cast<std::size_t>(entries) * sizeof(std::int32_t)));
  check(cudaMalloc(&X, bytes));
  check(cudaMalloc(&Y, bytes));
  check(cudaMemset(X, 0, bytes));
  draw<<<4096, threads>>>(neighbors, entries, nodes);
  const auto blocks = static_cast<unsigned>((std::int64_t{nodes} * columns + threads - 1) / threads);
  cudaEvent_t begin;
  cudaEvent_t end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  constexpr int repeats = 10;
  gather<<<blocks, threads>>>(neighbors, per_row, nodes, X, Y);
  check(cudaEventRecord(begin));
  for (int k = 0; k < repeats; ++k) gather<<<blocks, threads>>>(neighbors, per_row, nodes, X, Y);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  const double each = milliseconds / repeats;
  std::printf("%d nodes, %lld entries: %.3f ms, %.1f billion entries a second\n", nodes,
              static_cast<long long>(entries), each, static_cast<double>(entries) / each / 1e6);
}
