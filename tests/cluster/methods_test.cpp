// Each method against the paper's formulas typed out with dense matrices: explicit null space Y,
// explicit Q = sqrt(Y'DY). Nothing of the library is used on the expected side.
#include <gtest/gtest.h>

#include <map>

#include "repsc/cluster.hpp"
#include "repsc/metrics.hpp"
#include "repsc/models.hpp"
#include "support/paper.hpp"
#include "support/samples.hpp"
#include "support/solvers.hpp"

namespace repsc {
namespace {

using Dense = Eigen::MatrixXd;
constexpr double eigenvalue_tolerance = 1e-7;  // relative to the largest of the spectrum

/// Whether two labelings are the same partition.
bool same_partition(const Labels& a, const Labels& b) {
  std::map<std::pair<Label, Label>, int> pairs;
  std::map<Label, int> left, right;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++pairs[{a[i], b[i]}];
    ++left[a[i]];
    ++right[b[i]];
  }
  return pairs.size() == left.size() && pairs.size() == right.size();
}

void expect_answer(const Clustering& found, const paper::Answer& expected, bool compare_embedding) {
  ASSERT_TRUE(found.converged) << found.residual;
  ASSERT_EQ(found.eigenvalues.size(), expected.values.size());
  EXPECT_LT((found.eigenvalues - expected.values).cwiseAbs().maxCoeff(),
            eigenvalue_tolerance * expected.largest)
      << found.eigenvalues.transpose() << "\nexpected " << expected.values.transpose();
  if (compare_embedding && expected.gap > 1e-3 * expected.largest) {
    EXPECT_LT(paper::subspace_distance(found.embedding, expected.embedding), 1e-3);
  }
}

struct Size {
  Index N;
  int K;
};

class EverySize : public testing::TestWithParam<std::tuple<Size, std::string>> {
 protected:
  Index N = std::get<0>(GetParam()).N;
  int K = std::get<0>(GetParam()).K;
  ClusterOptions options{.solver = named_solver(std::get<1>(GetParam())), .tolerance = 1e-9};
  Labels clusters = samples::shuffled_labels(N, K, 1);
  Matrix A = samples::random_dense(clusters, 0.1, 0.2, 2, /*weighted=*/N == 150);
  Graph G = samples::from_dense(A);
  Dense J = paper::centering(N);
  double constraint_limit = std::get<1>(GetParam()) == "lapack" ? 1e-8 : *options.tolerance * 10;
};
INSTANTIATE_TEST_SUITE_P(Sizes, EverySize,
                         testing::Combine(testing::Values(Size{100, 2}, Size{150, 5}, Size{300, 4}),
                                          testing::Values("lapack", "lanczos", "auto")),
                         [](const auto& test) {
                           const Size size = std::get<0>(test.param);
                           return "N" + std::to_string(size.N) + "_K" + std::to_string(size.K) +
                                  "_" + std::get<1>(test.param);
                         });

TEST_P(EverySize, usc_and_nsc_are_algorithms_1_and_3) {
  options.method = Method::usc;
  expect_answer(cluster(G, K, options), paper::usc(A, K), true);
  options.method = Method::nsc;
  const Clustering normalized = cluster(G, K, options);
  const paper::Answer expected = paper::nsc(A, K);
  expect_answer(normalized, expected, false);
  for (Index i = 0; i < N; ++i) EXPECT_NEAR(normalized.embedding.row(i).norm(), 1, 1e-12);
}

TEST_P(EverySize, urepsc_and_nrepsc_exact_are_algorithms_2_and_4_for_every_kind_of_R) {
  const std::vector<std::pair<const char*, Matrix>> graphs{
      {"groups", samples::block_representation(samples::shuffled_labels(N, 3, 4))},
      {"low rank", samples::quotient_representation(N, 12, 0.3, 5)},
      {"high rank", samples::quotient_representation(N, N * 2 / 3, 0.2, 6)}};
  for (const auto& [what, R] : graphs) {
    SCOPED_TRACE(what);
    const Dense C = R * J;
    options.rank = Rank::exact();
    options.method = Method::urepsc;
    const Clustering unnormalized = cluster(G, samples::from_dense(R), K, options);
    expect_answer(unnormalized, paper::constrained(A, C, K), true);
    EXPECT_LT(unnormalized.constraint_residual, constraint_limit);
    EXPECT_LT((C * unnormalized.embedding).norm() / R.norm(), constraint_limit);
    options.method = Method::nrepsc;
    const Clustering normalized = cluster(G, samples::from_dense(R), K, options);
    expect_answer(normalized, paper::constrained_normalized(A, C, K), true);
    EXPECT_LT(normalized.constraint_residual, constraint_limit);
    EXPECT_LT((C * normalized.embedding).norm() / R.norm(), constraint_limit);
  }
}

TEST_P(EverySize, urepsc_and_nrepsc_at_rank_r_use_the_best_approximation) {
  const Matrix R = samples::random_representation(N, 0.2, 7);
  for (const Index r : {Index{1}, N / 10, N / 2, N - K}) {
    SCOPED_TRACE(r);
    const Dense approximation = paper::best_approximation(R, r);
    options.rank = Rank::of(r);
    options.method = Method::urepsc;
    const Clustering unnormalized = cluster(G, samples::from_dense(R), K, options);
    expect_answer(unnormalized, paper::constrained(A, approximation * J, K), true);
    EXPECT_EQ(unnormalized.constraint_rank, r);
    EXPECT_LT(unnormalized.constraint_residual, constraint_limit);
    options.method = Method::nrepsc;
    const Clustering normalized = cluster(G, samples::from_dense(R), K, options);
    expect_answer(normalized, paper::constrained_normalized(A, approximation * J, K), true);
    EXPECT_LT(normalized.constraint_residual, constraint_limit);
  }
}

TEST_P(EverySize, ufairsc_and_nfairsc_are_the_group_constrained_problems) {
  for (const int P : {2, 7}) {
    const Labels groups = samples::shuffled_labels(N, P, 8);
    const Dense C = paper::group_matrix(groups, P);
    options.method = Method::ufairsc;
    expect_answer(cluster(G, groups, K, options), paper::constrained(A, C, K), true);
    options.method = Method::nfairsc;
    expect_answer(cluster(G, groups, K, options), paper::constrained_normalized(A, C, K), true);
  }
}

TEST(Methods, agree_with_the_formula_at_600_nodes) {
  const Index N = 600;
  const Matrix A = samples::random_dense(samples::shuffled_labels(N, 3, 1), 0.05, 0.1, 2);
  const Matrix R = samples::random_representation(N, 0.1, 3);
  const Dense C = paper::best_approximation(R, 60) * paper::centering(N);
  ClusterOptions options{.method = Method::nrepsc, .rank = Rank::of(60)};
  expect_answer(cluster(samples::from_dense(A), samples::from_dense(R), 3, options),
                paper::constrained_normalized(A, C, 3), true);
  options.method = Method::urepsc;
  expect_answer(cluster(samples::from_dense(A), samples::from_dense(R), 3, options),
                paper::constrained(A, C, 3), true);
}

TEST(Methods, agree_with_the_formula_on_a_disconnected_graph_with_multiple_eigenvalues) {
  const Matrix A = samples::repeated_components(40, 4, 0.3, 1);
  const Matrix R = samples::block_representation(samples::shuffled_labels(160, 3, 2));
  const Dense C = R * paper::centering(160);
  for (const char* how : {"lapack", "lanczos"}) {
    ClusterOptions options{.rank = Rank::exact(), .solver = named_solver(how)};
    options.method = Method::usc;
    expect_answer(cluster(samples::from_dense(A), 5, options), paper::usc(A, 5), true);
    options.method = Method::urepsc;
    expect_answer(cluster(samples::from_dense(A), samples::from_dense(R), 5, options),
                  paper::constrained(A, C, 5), true);
    options.method = Method::nrepsc;
    expect_answer(cluster(samples::from_dense(A), samples::from_dense(R), 5, options),
                  paper::constrained_normalized(A, C, 5), true);
  }
}

TEST(Methods, keep_components_whole_where_there_are_more_than_clusters) {
  Matrix A = Matrix::Zero(15, 15);  // three cliques: an eigenvector may be 0 on all of one
  for (Index first : {0, 5, 10}) A.block(first, first, 5, 5).setOnes();
  A.diagonal().setZero();
  for (const Method method : {Method::usc, Method::nsc}) {
    const Labels labels = cluster(samples::from_dense(A), 2, {.method = method}).labels;
    for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(labels[i], labels[i / 5 * 5]);
  }
}

TEST(BlockDiagonalR, gives_exactly_the_group_fair_method) {
  const Labels groups = samples::shuffled_labels(200, 4, 3);
  const Matrix A = samples::random_dense(samples::shuffled_labels(200, 3, 4), 0.1, 0.2, 5);
  const Graph G = samples::from_dense(A);
  const Graph R = samples::from_dense(samples::block_representation(groups));
  for (const auto& [representation, group] :
       {std::pair{Method::urepsc, Method::ufairsc}, std::pair{Method::nrepsc, Method::nfairsc}}) {
    const Clustering by_R = cluster(G, R, 3, {.method = representation, .rank = Rank::exact()});
    const Clustering by_groups = cluster(G, groups, 3, {.method = group});
    EXPECT_EQ(by_R.labels, by_groups.labels);
    EXPECT_LT((by_R.eigenvalues - by_groups.eigenvalues).norm(), 1e-9 * by_R.eigenvalues.norm());
    EXPECT_EQ(by_R.constraint_rank, 3);
  }
}

TEST(Cluster, recovers_planted_fair_clusters_that_plain_clustering_misses) {
  const Labels truth = equal_clusters(800, 4);
  Labels groups(800);
  for (int i = 0; i < 800; ++i) groups[i] = i % 4;
  const Graph G = sample_rpp_groups(groups, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 1);
  EXPECT_GT(accuracy(cluster(G, groups, 4).labels, truth), 0.95);
  EXPECT_LT(accuracy(cluster(G, 4).labels, truth), 0.6);
}

TEST(Cluster, recovers_clusters_exactly_for_R_of_Assumption_4_1_taken_exactly) {
  // The null space of R J is spanned by the clusters themselves (Lemma D.1).
  const Graph R = sample_regular_representation(120, 3, 18, 2);
  const Labels truth = equal_clusters(120, 3);
  const Graph G = sample_rpp(R, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 3);
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const Clustering found = cluster(G, R, 3, {.method = method, .rank = Rank::exact()});
    EXPECT_EQ(accuracy(found.labels, truth), 1) << name(method);
    EXPECT_EQ(evaluate(G, R, found.labels, 3).average_balance, 1);
  }
}

TEST(Cluster, picks_the_method_by_what_is_given) {
  const Labels groups = samples::shuffled_labels(90, 2, 1);
  const Graph G = samples::from_dense(samples::random_dense(groups, 0.2, 0.2, 2));
  const Graph R = samples::from_dense(samples::quotient_representation(90, 5, 0.4, 3));
  EXPECT_EQ(cluster(G, 2).method, Method::nsc);
  EXPECT_TRUE(cluster(G, groups, 2).search);
  EXPECT_TRUE(cluster(G, R, 2).search);
  EXPECT_EQ(cluster(G, R, 2, {.num_groups = 2}).method, Method::nfairsc);
  for (const char* text : {"usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"})
    EXPECT_EQ(name(cluster(G, R, 2, {.method = method_by_name(text)}).method), text);
  EXPECT_THROW((void)method_by_name("kmeans"), InvalidInput);
  EXPECT_THROW((void)cluster(G, 2, {.method = Method::nrepsc}), InvalidInput);
  EXPECT_EQ(cluster(G, groups, 2, {.method = Method::urepsc}).method, Method::urepsc);
  EXPECT_EQ(cluster(G, groups, 2, {.strength = 1}).method, Method::nrepsc);
}

TEST(Cluster, finds_groups_in_R_for_the_group_methods) {
  const Labels groups = samples::shuffled_labels(120, 3, 1);
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(120, 2, 2), 0.2, 0.2, 3));
  Matrix R = samples::random_dense(groups, 0.02, 0.6, 4);
  R.diagonal().setOnes();
  for (const Method method : {Method::ufairsc, Method::nfairsc}) {
    const Clustering found =
        cluster(G, samples::from_dense(R), 2, {.method = method, .num_groups = 3});
    EXPECT_TRUE(same_partition(found.groups, groups)) << name(method);
    EXPECT_EQ(found.constraint_rank, 2);
  }
}

TEST(AutomaticConstraint, is_exact_where_that_leaves_room_and_soft_otherwise) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(100, 2, 1), 0.2, 0.2, 2));
  const Graph low = samples::from_dense(samples::quotient_representation(100, 30, 0.3, 3));
  const Graph full = samples::from_dense(samples::random_representation(100, 0.3, 4));
  for (const std::optional<Method> method :
       {std::optional(Method::nrepsc), std::optional(Method::urepsc)}) {
    EXPECT_FALSE(cluster(G, low, 2, {.method = method}).strength);
    EXPECT_EQ(cluster(G, low, 2, {.method = method}).constraint_rank,
              cluster(G, low, 2, {.method = method, .rank = Rank::exact()}).constraint_rank);
    const Clustering soft = cluster(G, full, 2, {.method = method});
    EXPECT_EQ(soft.strength, 1);
    EXPECT_EQ(soft.constraint_rank, 0);
    EXPECT_FALSE(cluster(G, full, 2, {.method = method, .rank = Rank::of(10)}).strength);
  }
}

TEST(AutomaticRefinement, follows_where_method_and_constraint_are_chosen_automatically) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(60, 2, 1), 0.3, 0.2, 2));
  const Graph full = samples::from_dense(samples::random_representation(60, 0.3, 4));
  const auto refined = [&](const Graph& R, const ClusterOptions& options) {
    return cluster(G, R, 2, options).refinement.has_value();
  };
  EXPECT_TRUE(refined(full, {}));
  EXPECT_FALSE(refined(full, {.method = Method::nrepsc}));
  EXPECT_FALSE(refined(full, {.rank = Rank::of(5)}));
  EXPECT_FALSE(refined(full, {.constraint = ConstraintKind::soft}));
  EXPECT_FALSE(refined(full, {.refine = false}));
  EXPECT_TRUE(refined(full, {.method = Method::usc, .refine = true}));
  EXPECT_TRUE(refined(full, {.method = Method::ufairsc, .refine = true}));
  EXPECT_THROW((void)cluster(G, 2, {.refine = true}), InvalidInput);
  EXPECT_TRUE(cluster(G, samples::shuffled_labels(60, 2, 5), 2, {.refine = true}).refinement);
}

TEST(AutomaticRefinement, is_refine_of_the_labels_of_k_means_with_the_cut_of_the_family) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(60, 3, 1), 0.3, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(60, 0.3, 4));
  for (const Method method : {Method::urepsc, Method::nrepsc}) {
    const Clustering without = cluster(G, R, 3, {.method = method, .seed = 7});
    const Clustering with = cluster(G, R, 3,
                                    {.method = method,
                                     .refine = true,
                                     .refinement = RefineOptions{.mu = 3, .min_cluster_size = 15},
                                     .seed = 7});
    const CutKind cut = method == Method::urepsc ? CutKind::ratio : CutKind::normalized;
    const Refinement expected =
        refine(G, R, without.labels, 3, {.mu = 3, .cut = cut, .min_cluster_size = 15, .seed = 7});
    EXPECT_EQ(with.before_refinement, without.labels);
    EXPECT_EQ(with.labels, expected.labels);
    EXPECT_EQ(with.refinement->objective, expected.objective);
    EXPECT_NE(with.labels, without.labels);
  }
}

TEST(AutomaticRank, is_exact_where_that_leaves_room_and_a_tenth_of_the_nodes_otherwise) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(100, 2, 1), 0.2, 0.2, 2));
  const Graph low = samples::from_dense(samples::quotient_representation(100, 30, 0.3, 3));
  const Graph full = samples::from_dense(samples::random_representation(100, 0.3, 4));
  const ClusterOptions hard{.constraint = ConstraintKind::hard};
  EXPECT_EQ(cluster(G, low, 2, hard).constraint_rank,
            cluster(G, low, 2, {.rank = Rank::exact()}).constraint_rank);
  EXPECT_EQ(cluster(G, full, 2, hard).constraint_rank, 10);
  EXPECT_EQ(automatic_rank(100, 2), 10);
  EXPECT_EQ(automatic_rank(1'000'000, 2), 128);
  EXPECT_EQ(automatic_rank(5, 4), 1);
}

TEST(Cluster, refuses_what_it_cannot_do_with_the_numbers) {
  const Graph G =
      samples::from_dense(samples::random_dense(samples::shuffled_labels(30, 2, 1), 0.3, 0.2, 2));
  const Graph R = samples::from_dense(samples::random_representation(30, 0.3, 3));
  const Graph other = samples::from_dense(samples::random_representation(29, 0.3, 3));
  EXPECT_THROW((void)cluster(G, 1), InvalidInput);
  EXPECT_THROW((void)cluster(G, 31), InvalidInput);
  EXPECT_THROW((void)cluster(G, other, 2), InvalidInput);
  EXPECT_THROW((void)cluster(G, Labels(29, 0), 2), InvalidInput);
  EXPECT_THROW((void)cluster(G, R, 2, {.rank = Rank::exact()}), InvalidInput);
  EXPECT_THROW((void)cluster(G, R, 2, {.rank = Rank::of(29)}), InvalidInput);
  EXPECT_THROW((void)cluster(G, R, 2, {.rank = Rank::of(0)}), InvalidInput);
}

TEST(Cluster, marks_what_has_not_converged) {
  Matrix chain = Matrix::Zero(900, 900);
  for (Index i = 1; i < 900; ++i) chain(i, i - 1) = chain(i - 1, i) = 1;
  const Clustering found =
      cluster(samples::from_dense(chain), 3, {.solver = solver::Lanczos{}, .max_iterations = 3});
  EXPECT_FALSE(found.converged);
  EXPECT_GT(found.residual, 1e-8);
  EXPECT_EQ(found.labels.size(), 900U);
}

TEST(Cluster, gives_the_same_bits_for_the_same_seed_on_any_number_of_threads) {
  const Labels truth = equal_clusters(700, 3);
  const Graph R =
      sample_planted_partition(samples::shuffled_labels(700, 4, 1), 0.5, 0.1, 2, SelfLoops::add);
  const Graph G = sample_rpp(R, truth, {.p = 0.4, .q = 0.3, .r = 0.2, .s = 0.1}, 3);
  const auto run = [&](int threads, Method method) {
    set_num_threads(threads);
    Clustering found =
        cluster(G, R, 3, {.method = method, .rank = Rank::of(40), .num_groups = 4, .seed = 5});
    set_num_threads({});
    return found;
  };
  for (const Method method : {Method::nsc, Method::urepsc, Method::nrepsc, Method::nfairsc}) {
    const Clustering one = run(1, method);
    for (const int threads : {2, 3}) {
      const Clustering other = run(threads, method);
      EXPECT_EQ(one.labels, other.labels);
      EXPECT_EQ(one.eigenvalues, other.eigenvalues);
      EXPECT_EQ(one.embedding, other.embedding);
      EXPECT_EQ(one.residual, other.residual);
      EXPECT_EQ(one.constraint_residual, other.constraint_residual);
    }
  }
}

}  // namespace
}  // namespace repsc
