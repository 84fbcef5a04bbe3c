// The soft constraint against the formula typed out with dense matrices, and what must hold of it:
// strength 0 is plain clustering, more strength costs more and leaves less of the residual.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "repsc/cluster.hpp"
#include "repsc/models.hpp"
#include "support/samples.hpp"
#include "support/soft.hpp"
#include "support/solvers.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;

ClusterOptions soft(Method method, double strength, const std::string& solver = "auto") {
  return {.method = method,
          .constraint = ConstraintKind::soft,
          .strength = strength,
          .solver = named_solver(solver),
          .tolerance = 1e-9};
}

struct Case {
  const char* what;
  Matrix A;
  Matrix R;
};

std::vector<Case> cases() {
  const Index N = 120;
  const Labels clusters = samples::shuffled_labels(N, 4, 1);
  const Matrix plain = samples::random_dense(clusters, 0.05, 0.3, 2);
  const Matrix weighted = samples::random_dense(clusters, 0.05, 0.3, 3, true);
  const Matrix components = samples::repeated_components(N / 4, 4, 0.3, 4);
  const Matrix random = samples::random_representation(N, 0.1, 5);
  Matrix weighted_R = samples::random_dense(samples::shuffled_labels(N, 3, 6), 0.05, 0.2, 7, true);
  weighted_R.diagonal().setOnes();
  const Matrix groups = samples::block_representation(samples::shuffled_labels(N, 3, 8));
  return {{"plain", plain, random},
          {"weighted G", weighted, random},
          {"weighted R", plain, weighted_R},
          {"both weighted", weighted, weighted_R},
          {"disconnected G", components, random},
          {"disconnected G, groups", components, groups}};
}

class EverySolverForSoft : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolverForSoft, testing::Values("auto", "lapack", "lanczos"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(EverySolverForSoft, has_the_eigenvalues_and_the_subspace_of_the_dense_formula) {
  const int K = 4;
  for (const Case& given : cases()) {
    for (const double strength : {0.0, 0.1, 1.0, 30.0, 1000.0}) {
      for (const Method method : {Method::urepsc, Method::nrepsc}) {
        SCOPED_TRACE(std::string(given.what) + ", " + name(method) + ", strength " +
                     std::to_string(strength));
        ClusterOptions options = soft(method, strength, GetParam());
        options.embedding_rows = EmbeddingRows::plain;
        const Clustering found =
            cluster(samples::from_dense(given.A), samples::from_dense(given.R), K, options);
        const paper::Answer expected = method == Method::urepsc
                                           ? paper::soft(given.A, given.R, strength, K)
                                           : paper::soft_normalized(given.A, given.R, strength, K);
        ASSERT_TRUE(found.converged) << found.residual;
        EXPECT_LT((found.eigenvalues - expected.values).cwiseAbs().maxCoeff(),
                  1e-7 * std::max(1.0, expected.values.maxCoeff()))
            << found.eigenvalues.transpose() << "\nexpected " << expected.values.transpose();
        if (expected.gap > 1e-3 * expected.largest) {
          EXPECT_LT(paper::subspace_distance(found.embedding, expected.embedding), 1e-4);
        }
        EXPECT_EQ(found.method, method);
        EXPECT_EQ(found.constraint_rank, 0);
        EXPECT_EQ(found.strength, strength);
      }
    }
  }
}

TEST(Soft, residual_is_that_of_the_embedding_scaled_to_mean_degree) {
  const Case given = cases()[3];
  const Dense B = paper::weighted_deviations(given.R);
  Eigen::VectorXd w = given.R.rowwise().sum().cwiseSqrt().cwiseInverse();
  const double norm = (w.asDiagonal() * Dense(given.R)).norm();
  const Graph G = samples::from_dense(given.A), R = samples::from_dense(given.R);
  EXPECT_NEAR(cluster(G, R, 3, soft(Method::urepsc, 2)).constraint_residual,
              (B * paper::soft(given.A, given.R, 2, 3).embedding).norm() / norm, 1e-7);
  const Dense T = paper::soft_normalized(given.A, given.R, 2, 3).embedding;
  EXPECT_NEAR(cluster(G, R, 3, soft(Method::nrepsc, 2)).constraint_residual,
              std::sqrt(given.A.sum() / given.A.rows()) * (B * T).norm() / norm, 1e-7);
}

TEST(Soft, without_strength_is_plain_clustering) {
  const Labels truth = samples::shuffled_labels(150, 3, 1);
  const Graph G = samples::from_dense(samples::random_dense(truth, 0.1, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(150, 0.2, 3));
  const Clustering normalized = cluster(G, R, 3, soft(Method::nrepsc, 0));
  const Clustering nsc = cluster(G, 3, {.method = Method::nsc, .tolerance = 1e-9});
  EXPECT_EQ(normalized.labels, nsc.labels);
  EXPECT_EQ(normalized.eigenvalues, nsc.eigenvalues);
  EXPECT_EQ(normalized.embedding, nsc.embedding);
  ClusterOptions options = soft(Method::urepsc, 0);
  options.embedding_rows = EmbeddingRows::plain;
  const Clustering unnormalized = cluster(G, R, 3, options);
  const Clustering usc = cluster(G, 3, {.method = Method::usc, .tolerance = 1e-9});
  EXPECT_EQ(unnormalized.labels, usc.labels);
  EXPECT_EQ(unnormalized.eigenvalues, usc.eigenvalues);
  EXPECT_EQ(unnormalized.embedding, usc.embedding);
}

TEST(Soft, with_great_strength_comes_to_the_exact_constraint) {
  const Index N = 150;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.1, 0.2, 2);
  const Matrix R = samples::quotient_representation(N, 12, 0.3, 5);
  const Dense C = R * paper::centering(N);
  const Graph G = samples::from_dense(A), rep = samples::from_dense(R);
  const auto expect_near = [&](Method method, const paper::Answer& exact) {
    const Clustering found = cluster(G, rep, 3, soft(method, 1e6, "lapack"));
    EXPECT_LT((found.eigenvalues - exact.values).norm(), 1e-4 * exact.values.norm());
    EXPECT_LT(found.constraint_residual, 1e-4);
  };
  expect_near(Method::urepsc, paper::constrained(A, C, 3));
  expect_near(Method::nrepsc, paper::constrained_normalized(A, C, 3));
}

TEST(Soft, growing_strength_never_lowers_the_objective_nor_raises_the_residual) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::inRange<unsigned>(0, 1000000);
    const int K = *rc::gen::inRange(2, 6);
    const bool weighted = *rc::gen::arbitrary<bool>();
    const Method method = *rc::gen::element(Method::urepsc, Method::nrepsc);
    const Index N = 60;
    const Graph G = samples::from_dense(
        samples::random_dense(samples::shuffled_labels(N, K, seed), 0.1, 0.3, seed + 1, weighted));
    Matrix dense = samples::random_dense(samples::shuffled_labels(N, 3, seed + 2), 0.05, 0.2,
                                         seed + 3, weighted);
    dense.diagonal().setOnes();
    const Graph R = samples::from_dense(dense);
    double objective = 0;
    double residual = INFINITY;
    for (const double strength : {0.0, 0.01, 0.1, 0.5, 1.0, 4.0, 50.0, 1000.0}) {
      const Clustering found = cluster(G, R, K, soft(method, strength));
      const double sum = found.eigenvalues.sum();
      RC_ASSERT(sum >= objective - 1e-9 * std::max(1.0, sum));
      RC_ASSERT(found.constraint_residual <= residual + 1e-7);
      objective = sum;
      residual = found.constraint_residual;
    }
  }));
}

TEST(Soft, rows_are_scaled_to_length_1_unless_asked_otherwise) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(90, 3, 1), 0.1, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(90, 0.2, 3));
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    ClusterOptions options = soft(method, 1);
    const Matrix unit = cluster(G, R, 3, options).embedding;
    EXPECT_LT((unit.rowwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
    options.embedding_rows = EmbeddingRows::plain;
    const Matrix plain = cluster(G, R, 3, options).embedding;
    EXPECT_GT((plain.rowwise().norm().array() - 1).abs().maxCoeff(), 0.1);
    EXPECT_LT((plain.rowwise().normalized() - unit).norm(), 1e-9);
  }
}

TEST(EmbeddingRows, of_every_method_can_be_chosen_and_default_to_the_papers) {
  const Labels groups = samples::shuffled_labels(90, 3, 4);
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(90, 3, 1), 0.1, 0.2, 2));
  const Graph R = samples::from_dense(samples::block_representation(groups));
  for (const Method method : {Method::usc, Method::nsc, Method::urepsc, Method::nrepsc,
                              Method::ufairsc, Method::nfairsc}) {
    const auto embedding = [&](std::optional<EmbeddingRows> rows) {
      ClusterOptions options{.method = method, .embedding_rows = rows};
      return method == Method::ufairsc || method == Method::nfairsc
                 ? cluster(G, groups, 3, options).embedding
                 : cluster(G, R, 3, options).embedding;
    };
    const Matrix plain = embedding(EmbeddingRows::plain);
    const Matrix unit = embedding(EmbeddingRows::unit);
    EXPECT_LT((plain.rowwise().normalized() - unit).norm(), 1e-9) << name(method);
    EXPECT_EQ(embedding(std::nullopt), method == Method::nsc ? unit : plain) << name(method);
  }
}

TEST(Soft, gives_the_same_bits_on_any_number_of_threads) {
  // Above 2000 nodes: settled labels, single precision, several chunks.
  const Graph R = sample_planted_partition(samples::shuffled_labels(5000, 4, 1), 0.02, 0.002, 2,
                                           SelfLoops::add);
  const Graph G =
      sample_rpp(R, equal_clusters(5000, 3), {.p = .04, .q = .03, .r = .02, .s = .01}, 3);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const auto run = [&](int threads) {
      set_num_threads(threads);
      Clustering found =
          cluster(G, R, 3, {.method = method, .constraint = ConstraintKind::soft, .seed = 5});
      set_num_threads({});
      return found;
    };
    const Clustering one = run(1);
    for (const int threads : {2, 3}) {
      const Clustering other = run(threads);
      EXPECT_EQ(one.labels, other.labels);
      EXPECT_EQ(one.eigenvalues, other.eigenvalues);
      EXPECT_EQ(one.embedding, other.embedding);
      EXPECT_EQ(one.constraint_residual, other.constraint_residual);
    }
  }
}

TEST(Soft, refuses_what_makes_no_sense_with_the_way_out) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(90, 3, 1), 0.1, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(90, 0.2, 3));
  const auto message = [&](const ClusterOptions& options) {
    try {
      (void)cluster(G, R, 3, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  ClusterOptions ranked = soft(Method::nrepsc, 1);
  ranked.rank = Rank::of(5);
  EXPECT_NE(message(ranked).find("rank = 5"), std::string::npos) << message(ranked);
  EXPECT_NE(message(soft(Method::nrepsc, -1)).find("strength = -1"), std::string::npos);
  EXPECT_NE(message(soft(Method::nrepsc, 1, "cholesky")).find("lanczos"), std::string::npos);
  ClusterOptions tight = soft(Method::nrepsc, 1);
  tight.memory_limit = 1000;
  EXPECT_NE(message(tight).find("soft constraint"), std::string::npos) << message(tight);
  tight.memory_limit = 50000;
  tight.solver = solver::Lapack{};
  EXPECT_NE(message(tight).find("use solver = lanczos"), std::string::npos) << message(tight);
  tight.solver = solver::Lanczos{};
  EXPECT_EQ(message(tight), "accepted");
}

TEST(Soft, on_a_graph_that_products_find_hard_never_turns_to_factors) {
  // A chain: products fail, and a plain Laplacian of this size would be factored.
  std::vector<Edge> edges;
  for (Index i = 1; i < 6000; ++i) edges.push_back({i - 1, i});
  const Graph G = build_graph(NodeNames(6000, 0), edges, {}, SelfLoops::drop).graph;
  const Graph R = build_graph(NodeNames(6000, 0), std::move(edges), {}, SelfLoops::add).graph;
  const Clustering found = cluster(G, R, 3,
                                   {.method = Method::urepsc,
                                    .constraint = ConstraintKind::soft,
                                    .strength = 0.01,
                                    .max_iterations = 120});
  EXPECT_EQ(found.solver, "lanczos");
}

}  // namespace
}  // namespace repsc
