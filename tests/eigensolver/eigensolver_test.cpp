// Every solver of this build against every property: within the constraint, small residual, and the
// same eigenvalues and subspace as the paper's formula typed out with dense matrices.
#include "repsc/eigensolver.hpp"

#include <gtest/gtest.h>

#include "support/paper.hpp"
#include "support/samples.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

/// A stopping rule that asks a function.
class Asked : public StoppingRule {
 public:
  explicit Asked(std::function<bool(const Matrix&, double)> answer) : answer_(std::move(answer)) {}
  bool good_enough(const Matrix& X, double error) override { return answer_(X, error); }

 private:
  std::function<bool(const Matrix&, double)> answer_;
};

/// A stopping rule that looks at a few nodes.
class Glancing : public StoppingRule {
 public:
  explicit Glancing(std::vector<Index> nodes) : nodes_(std::move(nodes)) {}
  [[nodiscard]] std::span<const Index> nodes() const override { return nodes_; }
  bool good_enough(const Matrix& X, double) override {
    last = X;
    return false;
  }
  Matrix last;

 private:
  std::vector<Index> nodes_;
};

TEST(Lanczos, shows_a_stopping_rule_the_nodes_that_it_looks_at) {
  const Labels clusters = samples::shuffled_labels(800, 4, 1);
  const Laplacian L(samples::from_dense(samples::random_dense(clusters, 0.02, 0.2, 3)),
                    Normalization::symmetric);
  const Constraint none = no_constraint(L.num_nodes());
  Glancing rule({0, 5, 799});
  const Eigenpairs found = smallest_eigenpairs(
      {L, none.projector}, {.count = 4, .tolerance = 1e-4, .stopping_rule = &rule},
      solver::Lanczos{});
  ASSERT_EQ(rule.last.rows(), 3);
  ASSERT_EQ(rule.last.cols(), 4);
  // Vectors up to rotation: compare inner products of rows.
  const std::vector<Index> rows{0, 5, 799};
  const Matrix X = found.vectors(rows, Eigen::all);
  EXPECT_LT((rule.last * rule.last.transpose() - X * X.transpose()).norm(),
            1e-2 * (X * X.transpose()).norm());
}

// Labels that had settled too early: a run from vectors of which one is not wanted sees nothing
// else near them at first, takes the gap to be large, and the vectors to be good.
TEST(Lanczos, is_not_deceived_by_its_start) {
  const Labels clusters = samples::shuffled_labels(800, 4, 1);
  const Matrix A = samples::random_dense(clusters, 0.02, 0.2, 3);
  const Laplacian L(samples::from_dense(A), Normalization::symmetric);
  const Eigen::SelfAdjointEigenSolver<Dense> exact(Dense(L.dense()));
  const std::vector<Index> wrong{1, 3};  // in place of 1 and 2
  const Matrix near = exact.eigenvectors()(Eigen::all, wrong) + 2e-3 * Matrix::Random(800, 2);
  const Constraint none = no_constraint(L.num_nodes());
  Asked at_once([](const Matrix&, double) { return true; });
  EigenQuery query{.count = 3, .tolerance = 1e-4, .start = &near, .stopping_rule = &at_once};
  const Eigenpairs deceived = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  EXPECT_TRUE(deceived.settled);
  EXPECT_GT(deceived.values[2], exact.eigenvalues()[2] + 5e-3);
  // Later the noise has grown.
  query.doubtful_start = true;
  const Eigenpairs later = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  EXPECT_NEAR(later.values[2], exact.eigenvalues()[2], 1e-3);
  // Somebody who knows the next value can tell at once.
  query.doubtful_start = false;
  query.next = exact.eigenvalues()[3];
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  EXPECT_TRUE(found.settled);
  EXPECT_NEAR(found.values[2], exact.eigenvalues()[2], 1e-3);
  ASSERT_TRUE(found.next);
  EXPECT_LE(*found.next, *query.next);
}

class EverySolver : public testing::TestWithParam<Solver> {};
INSTANTIATE_TEST_SUITE_P(Available, EverySolver, testing::ValuesIn(available_solvers()),
                         [](const auto& test) { return name(test.param); });

struct Problem {
  const char* what;
  Matrix A;
  Matrix R;  ///< empty: no constraint
};

/// Graphs of every kind: weighted, disconnected, with multiple eigenvalues, planted.
std::vector<Problem> problems() {
  const Index N = 120;
  const Labels clusters = samples::shuffled_labels(N, 4, 1);
  const Labels groups = samples::shuffled_labels(N, 3, 2);
  const Matrix planted = samples::random_dense(clusters, 0.05, 0.3, 3);
  const Matrix weighted = samples::random_dense(clusters, 0.05, 0.3, 4, true);
  const Matrix copies = samples::repeated_components(N / 4, 4, 0.3, 5);
  const Matrix block = samples::block_representation(groups);
  const Matrix low = samples::quotient_representation(N, 9, 0.4, 6);
  const Matrix high = samples::quotient_representation(N, 90, 0.2, 7);
  const Matrix regular = samples::circulant_representation(N, 4, 12);
  return {{"planted, free", planted, {}},         {"weighted, free", weighted, {}},
          {"components, free", copies, {}},       {"planted, groups", planted, block},
          {"weighted, low rank", weighted, low},  {"planted, high rank", planted, high},
          {"planted, regular", planted, regular}, {"components, groups", copies, block},
          {"components, low rank", copies, low}};
}

paper::Answer expected_answer(const Problem& problem, Normalization normalization, Index K) {
  const bool normalized = normalization == Normalization::symmetric;
  if (problem.R.size() == 0)
    return normalized ? paper::nsc(problem.A, K) : paper::usc(problem.A, K);
  const Dense C = problem.R * paper::centering(problem.A.rows());
  return normalized ? paper::constrained_normalized(problem.A, C, K)
                    : paper::constrained(problem.A, C, K);
}

TEST_P(EverySolver, agrees_with_the_papers_formula_on_every_problem) {
  const Index K = 4;
  for (const Problem& problem : problems()) {
    for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
      SCOPED_TRACE(std::string(problem.what) +
                   (normalization == Normalization::none ? ", unnormalized" : ", normalized"));
      const Laplacian L(samples::from_dense(problem.A), normalization);
      const Constraint constraint =
          problem.R.size() == 0 ? no_constraint(L.num_nodes())
                                : exact_constraint(samples::from_dense(problem.R), K, L.scale());
      // A caller that waits for labels to settle starts with coarse products; these never do.
      Asked never([](const Matrix&, double) { return false; });
      const Eigenpairs patient = smallest_eigenpairs(
          {L, constraint.projector}, {.count = K, .tolerance = 1e-10, .stopping_rule = &never},
          GetParam());
      const Eigenpairs found = smallest_eigenpairs({L, constraint.projector},
                                                   {.count = K, .tolerance = 1e-10}, GetParam());
      EXPECT_LT((found.values - patient.values).cwiseAbs().maxCoeff(), 1e-8 * L.norm());
      EXPECT_TRUE(patient.converged);
      EXPECT_FALSE(patient.settled);

      ASSERT_TRUE(found.converged) << "residual " << found.residual;
      const paper::Answer expected = expected_answer(problem, normalization, K);
      EXPECT_LT((found.values - expected.values).cwiseAbs().maxCoeff(), 1e-8 * expected.largest)
          << found.values.transpose() << " expected " << expected.values.transpose();

      const Dense I = Dense::Identity(K, K);
      EXPECT_LT((found.vectors.transpose() * found.vectors - I).norm(), 1e-10);
      Matrix inside = found.vectors;
      constraint.projector.apply(inside);
      EXPECT_LT((inside - found.vectors).norm(), 1e-9);
      EXPECT_LT(constraint.residual(found.vectors), 1e-9);

      if (expected.gap > 1e-4 * expected.largest) {
        const bool to_T = normalization == Normalization::symmetric && problem.R.size() > 0;
        const Dense embedding =
            to_T ? Dense(L.scale().asDiagonal() * found.vectors) : Dense(found.vectors);
        EXPECT_LT(paper::subspace_distance(embedding, expected.embedding), 1e-4);
      }
    }
  }
}

TEST_P(EverySolver, finds_the_zero_eigenvalue_once_for_each_component) {
  const Matrix A = samples::repeated_components(60, 5, 0.15, 9);
  for (const auto normalization : {Normalization::none, Normalization::symmetric}) {
    const Laplacian L(samples::from_dense(A), normalization);
    const Constraint none = no_constraint(L.num_nodes());
    const Eigenpairs found =
        smallest_eigenpairs({L, none.projector}, {.count = 6, .tolerance = 1e-10}, GetParam());
    ASSERT_TRUE(found.converged);
    EXPECT_LT(found.values.head(5).cwiseAbs().maxCoeff(), 1e-9 * L.norm());
    EXPECT_GT(found.values[5], 1e-3);
  }
}

TEST_P(EverySolver, finds_everything_that_the_constraint_leaves) {
  const Labels groups = samples::shuffled_labels(20, 16, 3);  // leaves 5 dimensions
  const Matrix A = samples::random_dense(groups, 0.3, 0, 5);
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const Constraint constraint = group_constraint(groups);
  const Eigenpairs found =
      smallest_eigenpairs({L, constraint.projector}, {.count = 5, .tolerance = 1e-10}, GetParam());
  ASSERT_TRUE(found.converged);
  const paper::Answer expected = paper::constrained(A, paper::group_matrix(groups, 16), 5);
  EXPECT_LT((found.values - expected.values).norm(), 1e-9 * expected.largest);
  EXPECT_THROW((void)smallest_eigenpairs({L, constraint.projector}, {.count = 6}, GetParam()),
               InvalidInput);
}

TEST_P(EverySolver, handles_a_graph_without_edges) {
  const Laplacian L(samples::from_dense(Matrix::Zero(12, 12)), Normalization::none);
  const Constraint none = no_constraint(12);
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, {.count = 3}, GetParam());
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.values.norm(), 1e-12);
}

TEST(Lanczos, says_so_when_it_stops_early) {
  Matrix chain = Matrix::Zero(800, 800);
  for (Index i = 1; i < 800; ++i) chain(i, i - 1) = chain(i - 1, i) = 1;
  const Laplacian L(samples::from_dense(chain), Normalization::none);
  const Constraint none = no_constraint(800);
  const Eigenpairs found =
      smallest_eigenpairs({L, none.projector},
                          {.count = 3, .tolerance = 1e-12, .max_iterations = 2}, solver::Lanczos{});
  EXPECT_FALSE(found.converged);
  EXPECT_GT(found.residual, 1e-12);
  EXPECT_EQ(found.iterations, 2);
}

TEST(Auto, turns_to_lapack_where_the_iterative_solver_stops_early) {
  Matrix chain = Matrix::Zero(800, 800);
  for (Index i = 1; i < 800; ++i) chain(i, i - 1) = chain(i - 1, i) = 1;
  const Laplacian L(samples::from_dense(chain), Normalization::none);
  const Constraint none = no_constraint(800);
  const Eigenpairs found = smallest_eigenpairs(
      {L, none.projector}, {.count = 3, .tolerance = 1e-12, .max_iterations = 2});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.solver, "lapack");
  for (int k = 0; k < 3; ++k)  // a path's Laplacian: 2 - 2 cos(pi k / N)
    EXPECT_NEAR(found.values[k], 2 - 2 * std::cos(M_PI * k / 800), 1e-12);
}

TEST(Lapack, keeps_to_the_memory_limit) {
  const Matrix A = samples::random_dense(samples::shuffled_labels(300, 3, 1), 0.1, 0.2, 2);
  const Laplacian L(samples::from_dense(A), Normalization::none);
  const Constraint free = no_constraint(300);
  EigenQuery query{.count = 3, .memory_limit = 1 << 20};  // three matrices of 0.69 MiB
  try {
    (void)smallest_eigenpairs({L, free.projector}, query, solver::Lapack{});
    FAIL() << "a limit of 1 MiB was ignored";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("2.1 MiB"), std::string::npos) << error.what();
  }
  query.memory_limit = 3 << 20;
  EXPECT_NO_THROW((void)smallest_eigenpairs({L, free.projector}, query, solver::Lapack{}));
}

/// A chain: eigenvalues 2 - 2 cos(pi k / N), too close for products.
Graph long_chain(Index N) {
  std::vector<Edge> edges;
  for (Index i = 1; i < N; ++i) edges.push_back({i - 1, i});
  return build_graph(NodeNames(N, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

TEST(Auto, turns_to_factors_where_products_are_too_slow) {
  const Index N = 6000;
  const Laplacian L(long_chain(N), Normalization::none);
  const Constraint none = no_constraint(N);
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, {.count = 5});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.solver, "cholesky");
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(found.values[k], 2 - 2 * std::cos(M_PI * k / N), 1e-12) << k;
}

/// A ring of cliques of m nodes, each linked to all nodes of the next: degree 3 m - 1, eigenvalues
/// 2 m (1 - cos(2 pi k / n)), and many of 3 m.
Graph ring_of_cliques(Index n, Index m) {
  std::vector<Edge> edges;
  for (Index i = 0; i < n * m; ++i) {
    const Index clique = i / m;
    for (Index j = i + 1; j < (clique + 1) * m; ++j) edges.push_back({i, j});
    for (Index j = 0; j < m; ++j) edges.push_back({i, (clique + 1) % n * m + j});
  }
  return build_graph(NodeNames(n * m, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

TEST(Auto, turns_to_factors_of_a_small_graph_with_many_entries_per_row_if_they_stay_sparse) {
  const Index n = 500;
  const Index m = 12;
  const Graph ring = ring_of_cliques(n, m);
  ASSERT_EQ(ring.num_entries(), n * m * (3 * m - 1));
  const Laplacian L(ring, Normalization::none);
  const Constraint none = no_constraint(n * m);
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, {.count = 4});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.solver, "cholesky");
  for (int k = 0; k < 4; ++k)  // 0, a pair, and the first of the next pair
    EXPECT_NEAR(found.values[k], 2 * m * (1 - std::cos(2 * M_PI * ((k + 1) / 2) / n)), 1e-9) << k;
}

TEST(Auto, keeps_to_products_where_factors_of_a_dense_graph_would_fill_in) {
  const Matrix A =
      samples::random_dense(samples::shuffled_labels(4500, 2, 1), 0.009, 0.0085, 3, false);
  const Laplacian L(samples::from_dense(A), Normalization::symmetric);
  const Constraint none = no_constraint(4500);
  const EigenQuery query{.count = 5, .tolerance = 1e-12};
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, query);
  EXPECT_TRUE(found.converged) << found.residual;
  EXPECT_GT(found.iterations, 100);  // where the question comes up
  EXPECT_EQ(found.solver, "lanczos");
}

// A dense decomposition cannot be interrupted; at this size it counts as 1.35 s.
TEST(Auto, does_not_begin_a_dense_decomposition_that_may_outlast_the_time_limit) {
  const Laplacian L(long_chain(1500), Normalization::none);
  const Constraint none = no_constraint(1500);
  EXPECT_EQ(smallest_eigenpairs({L, none.projector}, {.count = 5}).solver, "lapack");
  const Eigenpairs found =
      smallest_eigenpairs({L, none.projector}, {.count = 5, .deadline = Deadline::after(1)});
  EXPECT_NE(found.solver, "lapack");
  EXPECT_EQ(found.values.size(), 5);
}

TEST(EveryScale, of_weights_gives_the_same_vectors) {
  const Labels truth = samples::shuffled_labels(700, 3, 1);
  const Matrix A = samples::random_dense(truth, 0.05, 0.2, 2, true);
  const Constraint none = no_constraint(700);
  const Laplacian plain(samples::from_dense(A), Normalization::none);
  const Eigenpairs expected =
      smallest_eigenpairs({plain, none.projector}, {.count = 3}, solver::Lapack{});
  for (const double scale : {1e-30, 1e-10, 1e10, 1e30}) {
    const Laplacian L(samples::from_dense(scale * A), Normalization::none);
    const Eigenpairs found =
        smallest_eigenpairs({L, none.projector}, {.count = 3}, solver::Lanczos{});
    EXPECT_TRUE(found.converged) << scale;
    EXPECT_LT((found.values / scale - expected.values).norm(), 1e-6 * plain.norm()) << scale;
    EXPECT_LT(paper::subspace_distance(found.vectors, expected.vectors), 1e-5) << scale;
  }
}

TEST(Cholesky, refuses_beyond_the_memory_limit_with_the_way_out) {
  const Laplacian L(long_chain(6000), Normalization::none);
  const Constraint none = no_constraint(6000);
  try {
    (void)smallest_eigenpairs({L, none.projector}, {.count = 3, .memory_limit = 1000},
                              solver::Cholesky{});
    FAIL() << "a factorization beyond the limit was made";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("raise memory_limit"), std::string::npos)
        << error.what();
  }
}

TEST(Lanczos, ends_where_the_caller_has_enough_and_says_so) {
  const Labels truth = samples::shuffled_labels(1500, 3, 1);
  const Laplacian L(samples::from_dense(samples::random_dense(truth, 0.02, 0.1, 2, false)),
                    Normalization::symmetric);
  const Constraint none = no_constraint(1500);
  double error = 1;
  Asked at_once([&](const Matrix& X, double at) {
    EXPECT_EQ(X.cols(), 3);
    error = at;
    return true;
  });
  const EigenQuery query{.count = 3, .tolerance = 1e-9, .stopping_rule = &at_once};
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  EXPECT_TRUE(found.settled);
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.residual, 1e-9);
  EXPECT_LT(error, 0.3);
  ASSERT_TRUE(found.next);
  EXPECT_LT(found.residual, 2 * error * (*found.next - found.values[2]));
}

TEST(Lanczos, ends_where_the_objective_no_longer_falls) {
  // No clusters: vectors at the edge of the bulk converge slowly, their values soon say little
  // more.
  const Laplacian L(samples::from_dense(samples::random_dense(Labels(1500, 0), 0.02, 0, 2, false)),
                    Normalization::symmetric);
  const Constraint none = no_constraint(1500);
  EigenQuery query{.count = 6, .tolerance = 1e-9};
  const Eigenpairs exact = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  ASSERT_TRUE(exact.converged && !exact.settled);
  query.objective_tolerance = 1e-2;
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, query, solver::Lanczos{});
  EXPECT_TRUE(found.settled);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.iterations, exact.iterations);
  EXPECT_GT(found.residual, 1e-9);
  EXPECT_NEAR(found.values.sum(), exact.values.sum(), 2e-2 * exact.values.sum());
}

TEST(Residual, is_measured_by_the_dispatcher) {
  // A complete graph has eigenvalues 0 and N; the residual of the solver's answer is near rounding.
  Matrix complete = Matrix::Ones(50, 50) - Matrix::Identity(50, 50);
  const Laplacian L(samples::from_dense(complete), Normalization::none);
  const Constraint none = no_constraint(50);
  const Eigenpairs found = smallest_eigenpairs({L, none.projector}, {.count = 2}, solver::Lapack{});
  Matrix LX;
  L.apply(found.vectors, LX);
  double expected = 0;
  for (int k = 0; k < 2; ++k)
    expected = std::max(expected, (LX.col(k) - found.values[k] * found.vectors.col(k)).norm() / 49);
  EXPECT_GT(found.residual, 0);
  EXPECT_NEAR(found.residual, expected, 1e-16);
}

TEST(Names, of_solvers_are_read_back) {
  for (const Solver& solver : available_solvers())
    EXPECT_EQ(name(solver_by_name(name(solver))), name(solver));
  EXPECT_THROW((void)solver_by_name("auto"), InvalidOptions);  // none is named
  EXPECT_THROW((void)solver_by_name("magic"), InvalidInput);
}

TEST(Query, out_of_range_is_refused) {
  const Laplacian L(samples::from_dense(Matrix::Ones(5, 5) - Matrix::Identity(5, 5)),
                    Normalization::none);
  const Constraint none = no_constraint(5);
  EXPECT_THROW((void)smallest_eigenpairs({L, none.projector}, {.count = 0}), InvalidInput);
  EXPECT_THROW((void)smallest_eigenpairs({L, none.projector}, {.count = 6}), InvalidInput);
  EXPECT_THROW((void)smallest_eigenpairs({L, none.projector}, {.count = 1, .tolerance = 0}),
               InvalidInput);
}

}  // namespace
}  // namespace repsc
