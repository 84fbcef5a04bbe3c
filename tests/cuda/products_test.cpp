// Products with Laplacians on a device against the dense formulas.
#include <gtest/gtest.h>

#include <random>

#include "cuda/rows.hpp"
#include "support/device.hpp"

namespace repsc {
namespace {

using samples::device;
using Functions = repsc_cuda_functions;

struct Case {
  const char* what;
  Index nodes;
  double density;
  bool weighted;
  bool star;  ///< node 0 is linked to all: a long row if there are many nodes
};

const std::vector<Case> cases{
    {"one node", 1, 0, false, false},          {"no edges", 40, 0, false, false},
    {"sparse", 700, 0.01, false, false},       {"dense", 500, 0.4, false, false},
    {"weighted", 500, 0.05, true, false},      {"star", 2200, 0.002, false, true},
    {"weighted star", 2200, 0.002, true, true}};

Matrix adjacency(const Case& one, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  Matrix A = Matrix::Zero(one.nodes, one.nodes);
  for (Index i = 0; i < one.nodes; ++i) {
    for (Index j = 0; j <= i; ++j) {  // self-loops, too
      const bool linked = (one.star && j == 0 && i > 0) || uniform(random) < one.density;
      if (linked) A(i, j) = A(j, i) = one.weighted ? 0.1 + uniform(random) : 1;
    }
  }
  return A;
}

struct Arrays {
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  std::vector<double> weights;
};

Arrays csr(const Matrix& A, bool weighted) {
  Arrays result;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      if (A(i, j) == 0) continue;
      result.neighbors.push_back(j);
      if (weighted) result.weights.push_back(A(i, j));
    }
    result.offsets.push_back(static_cast<Offset>(result.neighbors.size()));
  }
  return result;
}

Matrix random_unit_columns(Index rows, Index cols) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Matrix X = Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
  return X.colwise().normalized();
}

DeviceArray<double> array_of(const Vector& x) {
  return {*device(), std::span<const double>(x.data(), static_cast<std::size_t>(x.size()))};
}

/// L X by dense matrices, and on a device.
class Products {
 public:
  Products(const Case& one, double tau, std::int64_t room)
      : A(adjacency(one, 3)),
        arrays(csr(A, one.weighted)),
        graph(*device(), {arrays.offsets, arrays.neighbors, arrays.weights}, room),
        degrees((A.rowwise().sum().array() + tau).max(0.5).matrix()),
        scale(degrees.cwiseSqrt().cwiseInverse()),
        tau_(tau),
        device_degrees_(array_of(degrees)),
        device_scale_(array_of(scale)) {}

  [[nodiscard]] Matrix dense(bool symmetric) const {
    if (!symmetric) return Matrix(degrees.asDiagonal()) - A;
    const Matrix with_tau = (A.array() + tau_ / static_cast<double>(A.rows())).matrix();
    return Matrix::Identity(A.rows(), A.rows()) -
           scale.asDiagonal() * with_tau * scale.asDiagonal();
  }
  [[nodiscard]] repsc_cuda_laplacian view(bool symmetric) const {
    return {graph.view(), symmetric ? device_scale_.data() : nullptr,
            symmetric ? nullptr : device_degrees_.data(), symmetric ? tau_ : 0};
  }

  Matrix A;
  Arrays arrays;
  DeviceGraph graph;
  Vector degrees;
  Vector scale;

 private:
  double tau_;
  DeviceArray<double> device_degrees_;
  DeviceArray<double> device_scale_;
};

constexpr std::int64_t whole = DeviceGraph::unlimited;

/// `room`: bytes of the device for the graph.
template <typename Scalar>
void expect_products(double rounding, std::int64_t room) {
  for (const Case& one : cases) {
    for (const double tau : {0.0, 2.5}) {
      const Products products(one, tau, room);
      for (const Index cols : {1, 3, 4, 8, 13}) {
        const Matrix X = random_unit_columns(one.nodes, cols);
        const DeviceRows<Scalar> on(*device(), one.nodes);
        auto from = on.uninitialized(cols);
        on.copy(on_device(*device(), X), from, 0);
        for (const bool symmetric : {false, true}) {
          auto to = on.uninitialized(cols);
          device()->call(&Functions::apply, products.view(symmetric), from, to);
          const Matrix L = products.dense(symmetric);
          EXPECT_LE((on.on_host(to) - L * X).norm(), rounding * (1 + L.norm()))
              << one.what << ", columns " << cols << ", tau " << tau;
        }
      }
    }
  }
}

TEST(DeviceProducts, agree_with_dense_matrices_in_single_precision) {
  expect_products<float>(2e-6, whole);
}

TEST(DeviceProducts, agree_with_dense_matrices_in_double_precision) {
  expect_products<double>(1e-14, whole);
}

TEST(DeviceProducts, agree_with_dense_matrices_where_rows_are_copied_from_the_host) {
  for (const std::int64_t room : {0, 20'000, 300'000}) expect_products<float>(2e-6, room);
  expect_products<double>(1e-14, 40'000);
}

void expect_coarse_products(std::int64_t room) {
  for (const Case& one : cases) {
    if (one.weighted) continue;
    const Products products(one, 0, room);
    for (const Index cols : {2, 8, 11}) {
      const Matrix X = random_unit_columns(one.nodes, cols);
      const DeviceRows<float> on(*device(), one.nodes);
      auto from = on.uninitialized(cols);
      on.copy(on_device(*device(), X), from, 0);
      auto to = on.uninitialized(cols);
      double step = 0;
      device()->call(&Functions::apply_coarsely, products.view(false), from, to, &step);
      EXPECT_NEAR(step, X.cwiseAbs().maxCoeff() / 32767, 1e-9) << one.what;
      // Each of the numbers that are added up is off by half a step at most.
      const Matrix error = (on.on_host(to) - products.dense(false) * X).cwiseAbs();
      const Vector most = error.rowwise().maxCoeff();
      for (Index i = 0; i < one.nodes; ++i)
        EXPECT_LE(most[i], products.degrees[i] * (0.51 * step + 1e-6)) << one.what << " " << i;
    }
  }
}

TEST(DeviceProducts, in_16_bits_have_the_error_of_their_step) {
  expect_coarse_products(whole);
  expect_coarse_products(20'000);
}

/// By depth-first search in the dense matrix.
Index components_of(const Matrix& A) {
  std::vector<bool> seen(static_cast<std::size_t>(A.rows()), false);
  Index count = 0;
  for (Index start = 0; start < A.rows(); ++start) {
    if (seen[static_cast<std::size_t>(start)]) continue;
    ++count;
    std::vector<Index> open{start};
    seen[static_cast<std::size_t>(start)] = true;
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      for (Index next = 0; next < A.cols(); ++next) {
        if (A(node, next) == 0 || seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        open.push_back(next);
      }
    }
  }
  return count;
}

TEST(DeviceGraphs, have_the_components_of_a_search) {
  std::vector<Case> graphs = cases;
  for (const double density : {0.001, 0.002, 0.004})
    graphs.push_back({"very sparse", 800, density, false, false});
  for (const Case& one : graphs) {
    const Matrix A = adjacency(one, 8);
    const Arrays arrays = csr(A, false);
    const DeviceGraph graph(*device(), {arrays.offsets, arrays.neighbors, {}});
    std::int64_t count = 0;
    device()->call(&Functions::components, graph.view(), &count);
    EXPECT_EQ(count, components_of(A)) << one.what;
  }
}

TEST(DeviceGraphs, keep_as_many_rows_as_fit_and_divide_the_others) {
  for (const Case& one : cases) {
    const Arrays arrays = csr(adjacency(one, 4), one.weighted);
    const std::int64_t bytes =
        static_cast<std::int64_t>(arrays.neighbors.size()) * (one.weighted ? 12 : 4);
    const HostGraph host{arrays.offsets, arrays.neighbors, arrays.weights};
    EXPECT_FALSE(DeviceGraph(*device(), host, bytes).streamed()) << one.what;
    if (bytes == 0) continue;
    for (const std::int64_t room : {std::int64_t{0}, bytes / 3, bytes - 1}) {
      const DeviceGraph graph(*device(), host, room);
      EXPECT_TRUE(graph.streamed());
      const repsc_cuda_graph view = graph.view();
      std::int64_t row = 0;
      std::int64_t entry = 0;
      std::int64_t long_row = 0;
      for (const repsc_cuda_panel& panel : std::span(view.host_panels, view.num_panels)) {
        EXPECT_EQ(panel.first_row, row);
        EXPECT_EQ(panel.first_entry, entry);
        EXPECT_EQ(panel.first_long_row, long_row);
        const bool on_device = panel.host_neighbors == nullptr;
        EXPECT_EQ(on_device, row == 0 && &panel == view.host_panels);
        if (on_device) {
          EXPECT_LE(panel.end_entry * (one.weighted ? 12 : 4), room);
        }
        row = panel.end_row;
        entry = panel.end_entry;
        long_row = panel.end_long_row;
      }
      EXPECT_EQ(row, one.nodes);
      EXPECT_EQ(entry, view.entries);
      EXPECT_EQ(long_row, view.num_long_rows);
    }
  }
}

TEST(DeviceGraphs, have_one_component_if_they_are_a_long_path) {
  const Index N = 5000;
  std::vector<Index> order(N);
  for (Index i = 0; i < N; ++i) order[static_cast<std::size_t>(i)] = (i * 1237) % N;
  std::vector<std::vector<Index>> rows(N);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    rows[static_cast<std::size_t>(order[i])].push_back(order[i + 1]);
    rows[static_cast<std::size_t>(order[i + 1])].push_back(order[i]);
  }
  Arrays arrays;
  for (const auto& row : rows) {
    arrays.neighbors.insert(arrays.neighbors.end(), row.begin(), row.end());
    arrays.offsets.push_back(static_cast<Offset>(arrays.neighbors.size()));
  }
  const DeviceGraph graph(*device(), {arrays.offsets, arrays.neighbors, {}});
  std::int64_t count = 0;
  device()->call(&Functions::components, graph.view(), &count);
  EXPECT_EQ(count, 1);
}

TEST(DeviceGraphs, are_shared_while_an_upload_exists) {
  const Arrays arrays = csr(adjacency(cases[2], 1), false);
  const Arrays others = csr(adjacency(cases[3], 1), false);
  const HostGraph graph{arrays.offsets, arrays.neighbors, {}};
  EXPECT_EQ(device()->uploaded(graph), nullptr);
  {
    const DeviceUpload upload(device(), graph);
    const DeviceUpload second(device(), {others.offsets, others.neighbors, {}});
    const auto copy = device()->uploaded(graph);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(device()->uploaded(graph), copy);
    EXPECT_EQ(device()->uploaded({others.offsets, others.neighbors, {}}), nullptr);
    std::int64_t count = 0;
    device()->call(&Functions::components, copy->view(), &count);
    EXPECT_EQ(count, components_of(adjacency(cases[2], 1)));
  }
  EXPECT_EQ(device()->uploaded(graph), nullptr);
}

TEST(DeviceGraphs, are_not_shared_with_other_weights) {
  const Arrays arrays = csr(adjacency(cases[4], 1), true);
  const std::vector<double> others(arrays.weights.size(), 2.0);
  const DeviceUpload upload(device(), {arrays.offsets, arrays.neighbors, arrays.weights});
  EXPECT_EQ(device()->uploaded({arrays.offsets, arrays.neighbors, others}), nullptr);
  EXPECT_EQ(device()->uploaded({arrays.offsets, arrays.neighbors, {}}), nullptr);
}

/// A graph on the host that its owner has on the device, too.
struct OnBoth {
  OnBoth(const Case& one, bool with_weights)
      : host(csr(adjacency(one, 1), one.weighted)),
        neighbors(*device(), std::span<const Index>(host.neighbors)),
        weights(*device(), std::span<const double>(host.weights)),
        there{.neighbors = neighbors.data(), .weights = with_weights ? weights.data() : nullptr} {}
  [[nodiscard]] HostGraph graph(const ArraysOnDevice* on_device) const {
    return {host.offsets, host.neighbors, host.weights, on_device};
  }

  Arrays host;
  DeviceArray<Index> neighbors;
  DeviceArray<double> weights;
  ArraysOnDevice there;
};

TEST(DeviceGraphs, are_read_where_their_owner_has_them) {
  for (const bool weighted : {false, true}) {
    const OnBoth both(cases[weighted ? 4 : 2], true);
    const DeviceGraph graph(*device(), both.graph(&both.there));
    EXPECT_EQ(graph.view().neighbors, both.neighbors.data());
    EXPECT_EQ(graph.view().weights, weighted ? both.weights.data() : nullptr);
    EXPECT_EQ(graph.view().entries, static_cast<std::int64_t>(both.host.neighbors.size()));
  }
}

TEST(DeviceGraphs, get_a_copy_of_what_is_not_there) {
  const OnBoth both(cases[4], false);
  const DeviceGraph graph(*device(), both.graph(&both.there));
  EXPECT_EQ(graph.view().neighbors, both.neighbors.data());
  ASSERT_NE(graph.view().weights, nullptr);
  std::vector<double> copy(both.host.weights.size());
  device()->call(&Functions::download, copy.data(), graph.view().weights,
                 static_cast<std::int64_t>(copy.size() * sizeof(double)));
  EXPECT_EQ(copy, both.host.weights);

  const OnBoth elsewhere(cases[4], true);
  ArraysOnDevice other = elsewhere.there;
  other.device = 1;
  const DeviceGraph copied(*device(), elsewhere.graph(&other));
  EXPECT_NE(copied.view().neighbors, elsewhere.neighbors.data());
  EXPECT_NE(copied.view().weights, elsewhere.weights.data());
}

// What an owner keeps alive for one graph, it does not keep alive for others.
TEST(DeviceGraphs, that_are_borrowed_are_shared_with_their_owners_alone) {
  const OnBoth both(cases[2], true);
  const HostGraph graph = both.graph(&both.there);
  const ArraysOnDevice of_another_owner = both.there;
  {
    const DeviceUpload upload(device(), graph);
    const auto shared = device()->uploaded(graph);
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->view().neighbors, both.neighbors.data());
    EXPECT_EQ(device()->uploaded(both.graph(nullptr)), nullptr);
    EXPECT_EQ(device()->uploaded(both.graph(&of_another_owner)), nullptr);
  }
  EXPECT_EQ(device()->uploaded(graph), nullptr);
}

TEST(DeviceProducts, refuse_weights_in_16_bits) {
  const Products products(cases[4], 0, whole);
  const DeviceRows<float> on(*device(), cases[4].nodes);
  const auto X = on.zeros(4);
  auto Y = on.zeros(4);
  double step = 0;
  EXPECT_THROW(device()->call(&Functions::apply_coarsely, products.view(false), X, Y, &step),
               InvalidInput);
}

}  // namespace
}  // namespace repsc
