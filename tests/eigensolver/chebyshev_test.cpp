// The Chebyshev filter against the polynomial of dense matrices, and the choice of a solver for
// graphs whose eigenvalues are known in closed form.
#include "eigensolver/lanczos/chebyshev.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "repsc/eigensolver.hpp"
#include "repsc/models.hpp"
#include "support/device.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

/// T_m(x) by its three-term recurrence.
double chebyshev(int degree, double x) {
  double before = 1;
  double value = x;
  for (int m = 2; m <= degree; ++m) before = std::exchange(value, 2 * x * value - before);
  return degree == 0 ? 1 : value;
}

struct Interval {
  double lower;
  double upper;
  int degree;

  [[nodiscard]] double polynomial(double x) const {
    const auto scaled = [&](double at) { return (2 * at - lower - upper) / (upper - lower); };
    return chebyshev(degree, scaled(x)) / chebyshev(degree, scaled(0));
  }
};

TEST(ChebyshevFilter, is_one_at_zero_falls_to_the_damped_interval_and_can_be_inverted) {
  for (const Interval& given : {Interval{0.1, 2, 3}, Interval{0.02, 2, 8}, Interval{0.5, 3, 12}}) {
    const ChebyshevFilter filter(given.lower, given.upper, given.degree);
    EXPECT_NEAR(filter.at(0), 1, 1e-12);
    double last = 1.1;
    for (double x = 0; x <= given.lower; x += given.lower / 16) {
      EXPECT_NEAR(filter.at(x), given.polynomial(x), 1e-10);
      EXPECT_NEAR(filter.inverse(filter.at(x)), x, 1e-7);
      EXPECT_LT(filter.at(x), last);
      last = filter.at(x);
    }
    for (double x = given.lower; x <= given.upper; x += 0.01) {
      EXPECT_LE(std::abs(given.polynomial(x)), filter.at(given.lower) + 1e-10);
    }
  }
}

/// p(P L P) as a dense matrix, from the eigenvalues of P L P.
Dense dense_filter(const Dense& PLP, const Interval& given) {
  const Eigen::SelfAdjointEigenSolver<Dense> pairs(PLP);
  Eigen::VectorXd values = pairs.eigenvalues();
  for (double& value : values) value = given.polynomial(value);
  return pairs.eigenvectors() * values.asDiagonal() * pairs.eigenvectors().transpose();
}

TEST(FilteredLaplacian, is_the_polynomial_of_the_dense_laplacian_within_the_constraint) {
  const Index N = 90;
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.3, 2));
  for (const auto& [normalization, tau] :
       {std::pair{Normalization::none, 0.0}, std::pair{Normalization::symmetric, 0.0},
        std::pair{Normalization::symmetric, 3.0}}) {
    const Laplacian L(G, normalization, tau);
    const Interval given{0.2 * L.norm(), 2 * L.norm(), 7};
    for (const bool constrained : {false, true}) {
      const Constraint constraint =
          constrained ? group_constraint(samples::shuffled_labels(N, 4, 3), L.scale())
                      : no_constraint(N);
      const ConstrainedLaplacian A{L, constraint.projector};
      Matrix P = Matrix::Identity(N, N);
      constraint.projector.apply(P);
      Matrix X = Matrix::Random(N, 5);
      constraint.projector.apply(X);
      const FilteredLaplacian filtered(A, ChebyshevFilter(given.lower, given.upper, given.degree));
      FloatMatrix Y;
      filtered.apply(X.cast<float>(), Y);
      // The part that P removes is zero in X; PLP maps it to zero, where p is 1.
      const Dense expected = P * dense_filter(P * L.dense() * P, given) * X;
      EXPECT_LT((Y.cast<double>() - expected).norm(), 2e-5 * X.norm())
          << (constrained ? "groups, " : "free, ") << tau;
    }
  }
}

/// A stopping rule that is never content.
class Never : public StoppingRule {
 public:
  bool good_enough(const Matrix&, double) override { return false; }
};

/// Rows x columns nodes, each linked to its four neighbours around a torus, or several of them. The
/// eigenvalues of its normalized Laplacian are 1 - (cos(2 pi i / rows) + cos(2 pi j / columns))
/// / 2.
Graph torus(Index rows, Index columns, Index copies = 1) {
  const Index size = rows * columns;
  std::vector<Edge> edges;
  for (Index first = 0; first < copies * size; first += size) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) {
        const Index node = first + i * columns + j;
        edges.push_back({node, first + (i + 1) % rows * columns + j});
        edges.push_back({node, first + i * columns + (j + 1) % columns});
      }
    }
  }
  return build_graph(NodeNames(copies * size, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

/// All of them, ascending.
std::vector<double> values_of_torus(Index rows, Index columns, Index copies = 1) {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double> values;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const double value = 1 - (std::cos(turn * i / rows) + std::cos(turn * j / columns)) / 2;
      values.insert(values.end(), static_cast<std::size_t>(copies), value);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Solvers, factorize_where_values_fall_as_without_a_gap) {
  const Index rows = 80;
  const Index columns = 300;
  const Laplacian L(torus(rows, columns), Normalization::symmetric);
  const Constraint none = no_constraint(rows * columns);
  Never never;
  const Eigenpairs found = smallest_eigenpairs(
      {L, none.projector}, {.count = 5, .tolerance = 1e-6, .stopping_rule = &never});
  EXPECT_EQ(found.solver, "cholesky");
  ASSERT_TRUE(found.converged) << found.residual;
  const auto value = [&](int i, int j) {
    constexpr double turn = 2 * std::numbers::pi;
    return 1 - (std::cos(turn * i / rows) + std::cos(turn * j / columns)) / 2;
  };
  const double expected[] = {0, value(0, 1), value(0, 1), value(0, 2), value(0, 2)};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(found.values[k], expected[k], 1e-8) << k;
}

/// The products at which Lanczos asks whether to end, if the answer is `answer`.
std::vector<int> questions(const Graph& graph, Index count, bool answer, Eigenpairs& found) {
  const Laplacian L(graph, Normalization::symmetric);
  const Constraint none = no_constraint(graph.num_nodes());
  Never never;
  std::vector<int> asked;
  found = smallest_eigenpairs({L, none.projector},
                              {.count = count,
                               .tolerance = 1e-6,
                               .max_iterations = 200,
                               .stopping_rule = &never,
                               .end_if_slow =
                                   [&](int products) {
                                     asked.push_back(products);
                                     return answer;
                                   }},
                              solver::Lanczos{});
  return asked;
}

void expect_lowest(const Graph& graph, const std::vector<double>& expected, Index count,
                   const std::shared_ptr<CudaDevice>& device = nullptr) {
  const Laplacian L(graph, Normalization::symmetric);
  const Constraint none = no_constraint(graph.num_nodes());
  Never never;
  const Eigenpairs found = smallest_eigenpairs({L, none.projector},
                                               {.count = count,
                                                .tolerance = 1e-5,
                                                .max_iterations = 3000,
                                                .stopping_rule = &never,
                                                .device = device},
                                               solver::Lanczos{});
  ASSERT_TRUE(found.converged) << found.residual;
  EXPECT_EQ(found.device == "cpu", device == nullptr);
  for (Index k = 0; k < count; ++k) {
    EXPECT_NEAR(found.values[k], expected[static_cast<std::size_t>(k)], 1e-6) << count << ' ' << k;
  }
}

// A square torus has eigenvalues of multiplicity 4 and 8.
TEST(Lanczos, finds_all_copies_of_eigenvalues_with_narrow_blocks) {
  const Index side = 40;
  const std::vector<double> expected = values_of_torus(side, side);
  for (const Index count : {10, 21, 37}) expect_lowest(torus(side, side), expected, count);
}

// Fifteen tori have more copies of each eigenvalue than a narrow block has columns. Some are
// missing here if the iteration does not notice that.
TEST(Lanczos, widens_its_blocks_where_copies_of_eigenvalues_are_missing) {
  const std::vector<double> expected = values_of_torus(14, 23, 15);
  for (const Index count : {10, 12, 14, 20, 36}) {
    expect_lowest(torus(14, 23, 15), expected, count);
  }
}

TEST(Device, finds_all_copies_of_eigenvalues_with_narrow_blocks) {
  expect_lowest(torus(24, 24), values_of_torus(24, 24), 21, samples::device());
  for (const Index count : {12, 20}) {
    expect_lowest(torus(8, 13, 15), values_of_torus(8, 13, 15), count, samples::device());
  }
}

TEST(Lanczos, finds_all_of_many_components) {
  const Index components = 30;
  const Index size = 100;
  std::vector<Edge> edges;
  for (Index c = 0; c < components; ++c) {
    for (Index i = 0; i < size; ++i) {
      for (const Index step : {1, 7, 19, 37}) {
        edges.push_back({c * size + i, c * size + (i + step) % size});
      }
    }
  }
  const Laplacian L(
      build_graph(NodeNames(components * size, 0), std::move(edges), {}, SelfLoops::drop).graph,
      Normalization::symmetric);
  const Constraint none = no_constraint(components * size);
  Never never;
  for (const Index count : {12, 30}) {
    const Eigenpairs found = smallest_eigenpairs(
        {L, none.projector}, {.count = count, .tolerance = 1e-5, .stopping_rule = &never});
    EXPECT_LT(found.values[count - 1], 1e-8) << count;
  }
}

TEST(Lanczos, asks_after_few_products_whether_to_go_on_without_a_gap) {
  const Graph slow = torus(80, 150);
  for (const Index count : {2, 5}) {
    Eigenpairs found;
    EXPECT_EQ(questions(slow, count, true, found), std::vector<int>{16}) << count;
    EXPECT_TRUE(found.slow);
    EXPECT_EQ(found.iterations, 16);
    const std::vector<int> asked = questions(slow, count, false, found);
    ASSERT_GT(asked.size(), 1U);
    EXPECT_EQ(asked[0], 16);
    EXPECT_GE(asked[1], 56);
    EXPECT_FALSE(found.slow);
    EXPECT_GT(found.iterations, 100);
  }
}

TEST(Lanczos, does_not_ask_where_clusters_are_far_apart) {
  Labels truth(6000);
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<Label>(i % 3);
  const double s = 1.0 / 6000;
  const Graph clear = sample_rpp_groups(Labels(6000), truth, {30 * s, 30 * s, s, s}, 1);
  Eigenpairs found;
  EXPECT_TRUE(questions(clear, 3, true, found).empty());
  EXPECT_FALSE(found.slow);
}

TEST(Solvers, factorize_chains_at_once) {
  // A ring: 1 - cos(2 pi k / N), each twice.
  const Index N = 9000;
  std::vector<Edge> edges;
  for (Index i = 0; i < N; ++i) edges.push_back({i, (i + 1) % N});
  const Laplacian L(build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::drop).graph,
                    Normalization::symmetric);
  const Constraint none = no_constraint(N);
  const Eigenpairs found =
      smallest_eigenpairs({L, none.projector}, {.count = 3, .tolerance = 1e-6});
  EXPECT_EQ(found.solver, "cholesky");
  const double first = 1 - std::cos(2 * std::numbers::pi / N);
  EXPECT_NEAR(found.values[1], first, 1e-6 * first);
  EXPECT_NEAR(found.values[2], first, 1e-6 * first);
}

}  // namespace
}  // namespace repsc
