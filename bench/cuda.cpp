// A device beside the CPU, end to end and product by product, on planted graphs made here
// (docs/gpu.md).
//
//   bench_cuda NODES ENTRIES GROUPS CLUSTERS [--cpu] [--repeat N] [--save FOLDER]
//
// Nodes are linked within their cluster (35 %), within their group (25 %) or anywhere. Their
// numbers say nothing about either, so that a product gathers rows from everywhere.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "cuda/rows.hpp"
#include "repsc/baselines.hpp"
#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

struct Sizes {
  Index nodes;
  Offset entries;
  int groups;
  int clusters;
};

/// A node that is drawn at random among those that are linked to `node`.
Index partner(const Sizes& size, Index node, RandomStream& random) {
  const auto K = static_cast<std::uint64_t>(size.clusters);
  const auto P = static_cast<std::uint64_t>(size.groups);
  const auto N = static_cast<std::uint64_t>(size.nodes) / (K * P) * (K * P);
  const auto i = static_cast<std::uint64_t>(node);
  const double kind = random.uniform();
  std::uint64_t other = 0;
  if (kind < 0.35) {
    other = i % K + K * random.below(N / K);
  } else if (kind < 0.6) {
    other = (i / K % P + P * random.below(N / (K * P))) * K + random.below(K);
  } else {
    other = random.below(N);
  }
  return static_cast<Index>(other);
}

/// Calls body(node, partner) for every edge, the same ones each time.
template <typename Body>
void each_edge(const Sizes& size, const Body& body) {
  const auto per_node = static_cast<int>(size.entries / 2 / size.nodes);
  parallel_ranges(size.nodes, 4096, [&](std::int64_t begin, std::int64_t end) {
    RandomStream random(1, static_cast<std::uint64_t>(begin));
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      for (int k = 0; k < per_node; ++k) {
        const Index j = partner(size, i, random);
        if (j != i) body(i, j);
      }
    }
  });
}

/// Both directions of every edge, by counting; the rare pairs that are drawn twice stay so.
Graph planted(const Sizes& size) {
  const auto N = static_cast<std::size_t>(size.nodes);
  std::vector<std::atomic<std::int32_t>> counts(N);
  each_edge(size, [&](Index i, Index j) {
    counts[static_cast<std::size_t>(i)].fetch_add(1, std::memory_order_relaxed);
    counts[static_cast<std::size_t>(j)].fetch_add(1, std::memory_order_relaxed);
  });
  std::vector<Offset> offsets(N + 1, 0);
  for (std::size_t i = 0; i < N; ++i) offsets[i + 1] = offsets[i] + counts[i].exchange(0);
  std::vector<Index> neighbors(static_cast<std::size_t>(offsets[N]));
  const auto put = [&](Index i, Index j) {
    const auto at = static_cast<std::size_t>(i);
    const std::int32_t place = counts[at].fetch_add(1, std::memory_order_relaxed);
    neighbors[static_cast<std::size_t>(offsets[at] + place)] = j;
  };
  each_edge(size, [&](Index i, Index j) {
    put(i, j);
    put(j, i);
  });
  parallel_ranges(size.nodes, 1024, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      std::sort(neighbors.begin() + offsets[i], neighbors.begin() + offsets[i + 1]);
  });
  return Graph(std::move(offsets), std::move(neighbors), {}, NodeNames(size.nodes, 0));
}

double agreement_of(const Labels& found, const Sizes& size) {
  Labels truth(found.size());
  for (std::size_t i = 0; i < truth.size(); ++i)
    truth[i] = static_cast<Label>(i % static_cast<std::size_t>(size.clusters));
  return adjusted_rand_index(found, truth);
}

Labels run(const Graph& G, const Labels& groups, const Sizes& size, const char* device) {
  const ClusterInput input{.similarity = G, .groups = groups};
  const Stopwatch watch;
  const Clustering found = cluster(
      input, size.clusters,
      {.method = Method::nfairsc, .device = device_by_name(device), .keep_embedding = false});
  const double seconds = watch.seconds();
  fmt::print(
      "{:<6} {:.4f} s: constraint {:.4f}, eigen {:.4f} ({} products), kmeans {:.4f}; "
      "residual {:.1e}, settled {}, Rand index with the truth {:.5f}\n",
      device, seconds, found.seconds.constraint, found.seconds.eigen, found.iterations,
      found.seconds.kmeans, found.residual, found.settled, agreement_of(found.labels, size));
  return found.labels;
}

/// The metrics of the same labels on the device and on the CPU, which have to be the same.
void measure_metrics(const Graph& G, const Labels& groups, const Labels& labels, int clusters) {
  const Representation by_groups(groups);
  const auto timed = [&](const char* where, const char* what, const auto& work) {
    const Stopwatch watch;
    const Metrics found = work();
    fmt::print("metrics, {}: {:<4} {:.4f} s\n", what, where, watch.seconds());
    return found;
  };
  const auto line = [&](const char* what, const auto& work) {
    const std::shared_ptr<CudaDevice> device = open_cuda_device(0);
    for (int k = 0; k < 2; ++k) (void)timed("cuda", what, [&] { return work(device); });
    const Metrics one = timed("cuda", what, [&] { return work(device); });
    const Metrics other =
        timed("cpu", what, [&] { return work(std::shared_ptr<CudaDevice>(nullptr)); });
    const bool same =
        one.normalized_cut == other.normalized_cut && one.conductance == other.conductance &&
        (one.average_balance == other.average_balance || std::isnan(one.average_balance)) &&
        (one.constraint_residual == other.constraint_residual ||
         std::isnan(one.constraint_residual));
    if (!same) fmt::print("METRICS DIFFER from those of the CPU\n");
  };
  line("graph alone", [&](const std::shared_ptr<CudaDevice>& device) {
    return evaluate(G, labels, clusters, device);
  });
  line("with groups", [&](const std::shared_ptr<CudaDevice>& device) {
    return evaluate(G, by_groups, labels, clusters, Counting::links, device);
  });
  line("with R = G", [&](const std::shared_ptr<CudaDevice>& device) {
    return evaluate(G, G, labels, clusters, Counting::links, device);
  });
}

/// Random labels, as baselines are compared with.
void measure_lots(const Graph& G, int clusters) {
  const auto drawn = [&](const char* where, const std::shared_ptr<CudaDevice>& device) {
    const Stopwatch watch;
    const Lots lots = draw_lots(G, std::nullopt, clusters, 1, device);
    fmt::print("{} lots: {:<4} {:.4f} s, cut {:.10g}\n", lots.draws, where, watch.seconds(),
               lots.cut);
  };
  drawn("cuda", open_cuda_device(0));
  drawn("cpu", nullptr);
}

/// Milliseconds of one call of `work`, of several in a row; `wait` returns when all are done.
template <typename Work, typename Wait>
double milliseconds(const Work& work, const Wait& wait) {
  constexpr int repeats = 10;
  work();
  wait();
  const Stopwatch watch;
  for (int k = 0; k < repeats; ++k) work();
  wait();
  return 1e3 * watch.seconds() / repeats;
}

/// Each kernel by itself, and the bytes that it has to move.
void measure_kernels(const Graph& G, int num_groups) {
  using Functions = repsc_cuda_functions;
  const std::shared_ptr<CudaDevice> device = open_cuda_device(0);
  const Index N = G.num_nodes();
  const Stopwatch sending;
  const DeviceGraph graph(*device, {G.offsets(), G.neighbors(), G.weights()});
  const double bytes = 4.0 * static_cast<double>(G.num_entries()) + 8.0 * N;
  fmt::print("upload {:.1f} ms, {:.1f} GB/s\n", 1e3 * sending.seconds(),
             bytes / sending.seconds() / 1e9);
  const Vector scale = G.degrees().cwiseSqrt().cwiseInverse();
  const DeviceArray<double> factors(
      *device, std::span<const double>(scale.data(), static_cast<std::size_t>(N)));
  const repsc_cuda_laplacian L{graph.view(), factors.data(), nullptr, 0};
  const DeviceRows<float> on(*device, N);
  auto X = on.random(8, 1, 1e-3);
  auto Y = on.uninitialized(8);
  const auto V = on.random(40, 2, 1e-3);
  const auto wait = [&] { (void)on.gram(on.columns(X, 0, 1), on.columns(X, 0, 1)); };
  const auto line = [&](const char* what, double moved, double ms) {
    fmt::print("{:<34} {:8.3f} ms  {:7.2f} GB  {:6.2f} TB/s\n", what, ms, moved / 1e9,
               moved / ms / 1e9);
  };
  const auto entries = static_cast<double>(G.num_entries());
  line("product, 8 floats", entries * 36 + N * 96.0,
       milliseconds([&] { device->call(&Functions::apply, L, X, Y); }, wait));
  double step = 0;
  line("product, 8 numbers of 16 bits", entries * 20 + N * 96.0,
       milliseconds([&] { device->call(&Functions::apply_coarsely, L, X, Y, &step); }, wait));
  auto X4 = on.random(4, 1, 1e-3);
  auto Y4 = on.uninitialized(4);
  line("product, 4 numbers of 16 bits", entries * 12 + N * 48.0,
       milliseconds([&] { device->call(&Functions::apply_coarsely, L, X4, Y4, &step); }, wait));
  line("product, 4 floats", entries * 36 + N * 48.0,
       milliseconds([&] { device->call(&Functions::apply, L, X4, Y4); }, wait));
  line("gram, 40 x 8", N * 192.0, milliseconds([&] { (void)on.gram(V, X); }, wait));
  line("gram, 40 x 4", N * 176.0, milliseconds([&] { (void)on.gram(V, X4); }, wait));
  line("gram, 8 x 8", N * 64.0, milliseconds([&] { (void)on.gram(X, X); }, wait));
  const Matrix T = Matrix::Constant(40, 8, 1e-3);
  line("subtract, 40 -> 8", N * 224.0, milliseconds([&] { on.subtract(X, V, T); }, wait));
  const Matrix T4 = Matrix::Constant(40, 4, 1e-3);
  line("subtract, 40 -> 4", N * 192.0, milliseconds([&] { on.subtract(X4, V, T4); }, wait));
  const Matrix square = Matrix::Identity(4, 4);
  line("multiply, 4", N * 32.0, milliseconds([&] { on.multiply(X4, square); }, wait));
  line("random, 8", N * 32.0, milliseconds([&] { (void)on.random(8, 1, 1e-3); }, wait));
  Labels groups(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) groups[static_cast<std::size_t>(i)] = i % num_groups;
  const DeviceArray<Label> labels(*device, std::span<const Label>(groups));
  Matrix sums(num_groups, 8);
  const repsc_cuda_groups view{labels.data(), num_groups, factors.data()};
  line("sums of groups, 8", N * 44.0,
       milliseconds([&] { device->call(&Functions::group_sums, view, X, sums.data()); }, wait));
  line(
      "subtract groups, 8", N * 76.0,
      milliseconds([&] { device->call(&Functions::subtract_groups, view, X, sums.data()); }, wait));
}

template <typename T>
void save(const std::string& file, std::span<const T> numbers) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size_bytes()));
}

int main_of(const std::vector<std::string>& words) {
  const Sizes size{std::stoi(words[0]), std::stoll(words[1]), std::stoi(words[2]),
                   std::stoi(words[3])};
  const auto given = [&](const char* flag) { return std::find(words.begin(), words.end(), flag); };
  const Stopwatch making;
  const Graph G = planted(size);
  fmt::print("{} nodes, {} entries, {} groups, {} clusters, {} threads; made in {:.1f} s\n",
             G.num_nodes(), G.num_entries(), size.groups, size.clusters, num_threads(),
             making.seconds());
  if (const auto flag = given("--save"); flag != words.end()) {
    save(*(flag + 1) + "/offsets", G.offsets());
    save(*(flag + 1) + "/neighbors", G.neighbors());
  }
  Labels groups(static_cast<std::size_t>(size.nodes));
  for (Index i = 0; i < size.nodes; ++i)
    groups[static_cast<std::size_t>(i)] = i / size.clusters % size.groups;
  const auto repeat = given("--repeat");
  const int repeats = repeat == words.end() ? 3 : std::stoi(*(repeat + 1));
  measure_kernels(G, size.groups);
  Labels first;
  for (int k = 0; k < repeats; ++k) {
    const Labels labels = run(G, groups, size, "cuda");
    if (k > 0 && labels != first) fmt::print("LABELS DIFFER from those of the first run\n");
    first = labels;
  }
  measure_metrics(G, groups, first, size.clusters);
  measure_lots(G, size.clusters);
  if (given("--cpu") != words.end()) {
    const Labels labels = run(G, groups, size, "cpu");
    fmt::print("Rand index of both {:.6f}, normalized cuts {:.8g} and {:.8g}\n",
               adjusted_rand_index(first, labels), normalized_cut(G, first, size.clusters),
               normalized_cut(G, labels, size.clusters));
  }
  return 0;
}

}  // namespace
}  // namespace repsc

int main(int count, char** words) {
  if (count < 5) {
    fmt::print(stderr,
               "usage: bench_cuda NODES ENTRIES GROUPS CLUSTERS [--cpu] [--repeat N] "
               "[--save FOLDER]\n");
    return 2;
  }
  try {
    return repsc::main_of({words + 1, words + count});
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 1;
  }
}
