// One clustering by several processes: the steps of src/cluster, each on the rows that a rank
// holds.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "cluster/settled_labels.hpp"
#include "cluster/steps.hpp"
#include "cluster/warnings.hpp"
#include "distributed/eigensolver.hpp"
#include "distributed/gathered.hpp"
#include "distributed/kmeans.hpp"
#include "distributed/lanczos.hpp"
#include "distributed/metrics.hpp"
#include "distributed/refine.hpp"
#include "distributed/root_alone.hpp"
#include "eigensolver/trials.hpp"
#include "graph/scale.hpp"
#include "plan/precision.hpp"

namespace repsc {
namespace {

class Run {
 public:
  Run(const Communicator& ranks, ClusterInput input, int num_clusters,
      const DistributedOptions& options)
      : ranks_(ranks),
        options_(options),
        K_(num_clusters),
        alone_(is_for_root_alone(ranks, input, options)),
        whole_(alone_ && ranks.is_root() ? std::make_unique<Pipeline>(input) : nullptr),
        problem_(distributed(std::move(input))) {
    const InputKinds given{.representation = problem_.has_graph,
                           .groups = problem_.groups.has_value()};
    method_ = choose_distributed_method(given, options);
    require_option(K_ >= 2 && K_ <= rows().num_nodes(), "num_clusters", K_,
                   "it must be from 2 to the number of nodes, ", rows().num_nodes());
    require_equal_arithmetic(ranks);
  }

  DistributedClustering run() {
    DistributedClustering result;
    Clustering& found = result.clustering;
    const Traffic before = ranks_.traffic();
    if (alone_) {
      found = clustered_by_root(rows(), whole_.get(), K_, options_of_one_process());
    } else {
      cluster_spread(found);
    }
    result.facts = facts(before);
    const Stopwatch watch;
    result.metrics = measured(found.labels);
    if (found.refinement) result.start = measured(found.before_refinement);
    if (options_.baselines) place(result);
    if (!alone_) warn(result);
    result.evaluate_seconds = watch.seconds();
    result.names = problem_.names;
    return result;
  }

 private:
  [[nodiscard]] const SpreadRows& rows() const { return *problem_.rows; }

  /// Takes the input, so that the whole graphs are released here. Where weights have to be scaled,
  /// rank 0 does so, and sends the rows of all.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  [[nodiscard]] DistributedProblem distributed(ClusterInput input) {
    std::int32_t exponents[2] = {0, 0};  // of G and of R
    on_root(ranks_, [&] {
      ScaledGraph G = well_scaled(input.similarity);
      input.similarity = std::move(G.graph);
      exponents[0] = G.exponent;
      if (!input.representation) return;
      ScaledGraph R = well_scaled(*input.representation);
      input.representation = std::move(R.graph);
      exponents[1] = R.exponent;
    });
    ranks_.broadcast(exponents, sizeof(exponents));
    exponent_ = exponents[0];
    const bool scaled = exponents[0] != 0 || exponents[1] != 0;
    return distribute(ranks_, input, options_.input_everywhere && !scaled, options_.exchange);
  }

  [[nodiscard]] double in_given_unit(double value) const { return std::ldexp(value, exponent_); }

  [[nodiscard]] Metrics measured(const Labels& own) const {
    Metrics metrics = evaluate_spread(problem_, own, K_);
    metrics.ratio_cut = in_given_unit(metrics.ratio_cut);
    return metrics;
  }

  /// Steps 1 to 4 of the paper's algorithms, on spread rows.
  void cluster_spread(Clustering& found) {
    const Stopwatch watch;
    DistributedLaplacian L(*problem_.similarity, repsc::normalization_of(method_));
    const DistributedProjector P = constraint(L, found);
    found.seconds.constraint = watch.seconds();
    embed_and_cluster(L, P, found);
    if (options_.refine) refine(found);
  }

  /// How R constrains: groups and cliques exactly, any other R softly, unless the options say
  /// otherwise.
  [[nodiscard]] ConstraintPlan constraint_rule() const {
    if (is_plain(method_)) return {};
    if (is_fair_to_groups(method_)) return {.source = ConstraintSource::given_groups};
    const ConstraintPlan softly{.source = ConstraintSource::soft,
                                .strength = options_.strength.value_or(1)};
    if (options_.strength || options_.constraint == ConstraintKind::soft) return softly;
    if (options_.rank && options_.rank->value)
      return {.source = ConstraintSource::low_rank, .rank = *options_.rank->value};
    const DistributedGroups* const groups = problem_.representation->groups();
    if (groups != nullptr && rows().num_nodes() - groups->count() + 1 >= K_)
      return {.source = ConstraintSource::exact};
    if (options_.rank) refuse_exact();
    if (options_.constraint != ConstraintKind::hard) return softly;
    return {.source = ConstraintSource::low_rank, .rank = automatic_rank(rows().num_nodes(), K_)};
  }

  /// Hard constraints are projections; a soft one is added to L.
  DistributedProjector constraint(DistributedLaplacian& L, Clustering& found) {
    const ConstraintPlan rule = constraint_rule();
    switch (rule.source) {
      case ConstraintSource::given_groups:
        return DistributedProjector::of_groups(rows(), *problem_.groups, L);
      case ConstraintSource::exact:
        return DistributedProjector::of_groups(rows(), *problem_.representation->groups(), L);
      case ConstraintSource::low_rank:
        return low_rank(*problem_.representation, L, rule.rank, found);
      case ConstraintSource::soft:
        found.strength = rule.strength;
        L.penalize(*problem_.representation, rule.strength);
        break;
      case ConstraintSource::none:
      case ConstraintSource::found_groups:  // refused before
        break;
    }
    return DistributedProjector(rows());
  }

  /// The same method and constraint for one process.
  [[nodiscard]] ClusterOptions options_of_one_process() const {
    ClusterOptions options{.method = method_,
                           .embedding_rows = options_.embedding_rows,
                           .refine = options_.refine,
                           .tolerance = options_.tolerance,
                           .max_iterations = options_.max_iterations,
                           .kmeans_restarts = options_.kmeans_restarts,
                           .seed = options_.seed,
                           .progress = options_.progress,
                           .device = DeviceChoice{},
                           .keep_embedding = false};
    if (options_.mu) options.refinement = RefineOptions{.mu = options_.mu};
    const ConstraintPlan rule = constraint_rule();
    if (rule.source == ConstraintSource::exact) options.rank = Rank::exact();
    if (rule.source == ConstraintSource::low_rank) options.rank = Rank::of(rule.rank);
    if (rule.source == ConstraintSource::soft) options.strength = rule.strength;
    return options;
  }

  [[noreturn]] static void refuse_exact() {
    throw InvalidInput(Fault{
        .what =
            "the exact constraint of an R that is no union of cliques needs factors of R, which "
            "several processes do not compute",
        .option = "rank",
        .value = "exact",
        .remedies = {{Remedy::Action::use, "rank", "R"},
                     {Remedy::Action::use, "constraint", "soft"},
                     {Remedy::Action::use, "groups"}}});
  }

  DistributedProjector low_rank(const DistributedRepresentation& R, const DistributedLaplacian& L,
                                Index rank, Clustering& found) const {
    const Index most = rows().num_nodes() - K_;
    require_option(rank >= 1 && rank <= most, "rank", rank, "it must be from 1 to N - K = ", most,
                   " so that ", K_, " dimensions are left");
    // All nodes of a group have the same row, so that no larger rank exists.
    const Index possible = R.groups() != nullptr ? std::min(rank, R.groups()->count()) : rank;
    DistributedProjector P =
        DistributedProjector::of_rank(R, L,
                                      {.rank = possible,
                                       .seed = options_.seed,
                                       .tolerance = tolerance(),
                                       .max_iterations = options_.max_iterations,
                                       .progress = options_.progress});
    found.rank_unique = P.unique();
    append(rank_warnings(rank, P.rank_used(), P.unique()), found.warnings);
    return P;
  }

  [[nodiscard]] double tolerance() const {
    return tolerance_for(rows().num_nodes(), {.tolerance = options_.tolerance});
  }

  /// Whether labels have settled, if that ends the iteration. The rule names all nodes
  /// that it looks at, since no rank has them otherwise.
  [[nodiscard]] std::unique_ptr<SettledLabels> settled_labels(const DistributedLaplacian& L,
                                                              EmbeddingRows settling) const {
    const Index N = rows().num_nodes();
    if (!until_labels_settle(N, {.tolerance = options_.tolerance})) return nullptr;
    std::vector<Index> watched = watched_nodes(N, options_.seed);
    if (watched.empty()) {
      watched.resize(static_cast<std::size_t>(N));
      std::iota(watched.begin(), watched.end(), 0);
    }
    Vector scale;
    if (L.normalized()) scale = rows().rows(Matrix(L.scale()), watched);
    return std::make_unique<SettledLabels>(K_, options_.seed, std::move(watched),
                                           rows_of(scale, settling), !L.penalized());
  }

  /// As lowest_eigenvectors() of the serial tool: to the tolerance, or until labels have settled.
  [[nodiscard]] Eigenpairs eigenpairs(const DistributedLaplacian& L, const DistributedProjector& P,
                                      EmbeddingRows settling, const Matrix* start = nullptr) const {
    EigenQuery query{.count = K_,
                     .tolerance = tolerance(),
                     .max_iterations = options_.max_iterations,
                     .seed = options_.seed,
                     .start = start,
                     .doubtful_start = start != nullptr,
                     .progress = options_.progress};
    std::unique_ptr<SettledLabels> settled = settled_labels(L, settling);
    query.stopping_rule = settled.get();
    if (settled && L.penalized()) query.objective_tolerance = settled_objective;
    // Where products converge slowly, rank 0 may take over, which can factorize.
    const bool may_gather =
        !options_.solver && rows().num_nodes() > max_spread_dense_nodes && can_be_gathered(L, P);
    EigenQuery trial = query;
    if (may_gather) {
      const bool factors = may_be_factorized(rows().num_nodes(), L.num_entries());
      const bool patient = !factors || (query.stopping_rule != nullptr && filter_pays(L));
      trial.max_iterations = std::min(query.max_iterations, trial_products(patient));
      trial.end_if_slow = [=](int products) { return factors && products > early_products; };
    }
    Eigenpairs pairs = lowest_pairs(L, P, trial, options_.solver, options_.slepc_options);
    if (pairs.converged || !may_gather) return pairs;
    settled = settled_labels(L, settling);
    query.stopping_rule = settled.get();
    pairs = gathered_pairs(*problem_.similarity, L, P, query);
    measure(L, P, query, pairs);
    return pairs;
  }

  /// As embed_softly(): the iteration starts from a short one without the penalty.
  [[nodiscard]] Eigenpairs soft_eigenpairs(const DistributedLaplacian& L,
                                           const DistributedProjector& none,
                                           EmbeddingRows settling) const {
    const bool iterates = !options_.solver || *options_.solver == DistributedSolver::lanczos;
    const bool settles = until_labels_settle(rows().num_nodes(), {.tolerance = options_.tolerance});
    if (!iterates || !settles || L.strength() == 0) return eigenpairs(L, none, settling);
    const DistributedLaplacian plain(*problem_.similarity, repsc::normalization_of(method_));
    const Eigenpairs first =
        lowest_pairs(plain, none,
                     {.count = K_,
                      .tolerance = tolerance(),
                      .max_iterations = std::min(options_.max_iterations, products_before_penalty),
                      .seed = options_.seed,
                      .progress = options_.progress},
                     DistributedSolver::lanczos);
    const Matrix start = first.vectors.rightCols(K_ - 1);  // the first is known
    Eigenpairs pairs = eigenpairs(L, none, settling, &start);
    pairs.iterations += first.iterations;
    return pairs;
  }

  /// The rows that k-means clusters.
  [[nodiscard]] static Matrix embedded(const DistributedLaplacian& L, Matrix X, EmbeddingRows how) {
    if (how == EmbeddingRows::plain) return L.normalized() ? Matrix(L.scale().asDiagonal() * X) : X;
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      double squares = 0;
      for (Eigen::Index j = 0; j < X.cols(); ++j) squares += X(i, j) * X(i, j);
      if (squares > 0) X.row(i) /= std::sqrt(squares);
    }
    return X;
  }

  [[nodiscard]] SpreadKMeansResult clustered(const Matrix& points, bool visible) const {
    return spread_kmeans(
        rows(), points, K_,
        {.restarts = options_.kmeans_restarts,
         .tolerance =
             visible ? kmeans_tolerance(rows().num_nodes(), K_) : tolerance_without_clusters,
         .seed = options_.seed,
         .among_equals = [&](const Labels& own) { return outcome_of(problem_, own, K_).cut; },
         .progress = options_.progress});
  }

  void embed_and_cluster(const DistributedLaplacian& L, const DistributedProjector& P,
                         Clustering& found) {
    const Stopwatch eigen_watch;
    const bool unit = method_ == Method::nsc || found.strength;
    const EmbeddingRows how =
        options_.embedding_rows.value_or(unit ? EmbeddingRows::unit : EmbeddingRows::plain);
    Eigenpairs pairs = found.strength ? soft_eigenpairs(L, P, how) : eigenpairs(L, P, how);
    found.method = method_;
    found.num_clusters = K_;
    found.eigenvalues = pairs.values;
    found.residual = pairs.residual;
    found.converged = pairs.converged;
    found.settled = pairs.settled;
    found.clusters_visible = !pairs.stalled;
    found.iterations = pairs.iterations;
    found.solver = pairs.solver;
    found.constraint_rank = P.rank();
    found.constraint_residual =
        found.strength ? L.penalty_residual(pairs.vectors) : P.residual(pairs.vectors);
    if (pairs.next) found.eigengap = std::max(0.0, *pairs.next - pairs.values[K_ - 1]);
    found.seconds.eigen = eigen_watch.seconds();
    const Stopwatch kmeans_watch;
    SpreadKMeansResult parts =
        clustered(embedded(L, std::move(pairs.vectors), how), !pairs.stalled);
    found.labels = std::move(parts.labels);
    found.inertia = parts.inertia;
    if (!is_normalized(method_)) {
      for (double& value : found.eigenvalues) value = in_given_unit(value);
      if (found.eigengap) found.eigengap = in_given_unit(*found.eigengap);
    }
    if (pairs.stalled) found.warnings.push_back(no_visible_clusters(found));
    found.seconds.kmeans = kmeans_watch.seconds();
  }

  void refine(Clustering& found) const {
    const Stopwatch watch;
    found.refinement = refine_spread(problem_, found.labels, K_,
                                     {.mu = options_.mu,
                                      .cut = cut_of(method_),
                                      .seed = options_.seed,
                                      .progress = options_.progress});
    if (cut_of(method_) == CutKind::ratio)
      found.refinement->cut = in_given_unit(found.refinement->cut);
    found.before_refinement = std::exchange(found.labels, found.refinement->labels);
    found.seconds.refine = watch.seconds();
  }

  /// Plain clustering, the better of both scalings of the rows; and lots.
  [[nodiscard]] std::optional<Baselines> spread_baselines(
      const DistributedClustering& result) const {
    const Vector degrees = problem_.similarity->degrees();
    double isolated[1] = {degrees.size() > 0 && !(degrees.minCoeff() > 0) ? 1.0 : 0.0};
    ranks_.max(isolated);
    if (isolated[0] != 0) return std::nullopt;  // plain normalized clustering is impossible
    Baselines baselines;
    const DistributedLaplacian L(*problem_.similarity, Normalization::symmetric);
    const Eigenpairs pairs = eigenpairs(L, DistributedProjector(rows()), EmbeddingRows::unit);
    for (const EmbeddingRows how : {EmbeddingRows::plain, EmbeddingRows::unit}) {
      const Labels own = clustered(embedded(L, pairs.vectors, how), !pairs.stalled).labels;
      const Outcome plain = outcome_of(problem_, own, K_);
      if (how == EmbeddingRows::plain || plain.cut < baselines.plain.cut) baselines.plain = plain;
    }
    baselines.random = draw_spread_lots(problem_, K_, options_.seed);
    baselines.random.ratio_cut = in_given_unit(baselines.random.ratio_cut);
    baselines.fair_balance = baselines.random.average_balance;
    baselines.reachable_balance = std::numeric_limits<double>::quiet_NaN();
    const bool exact =
        result.clustering.constraint_rank > 0 && !options_.rank && is_normalized(method_);
    if (exact && problem_.representation->groups() != nullptr) {
      const Metrics& own = result.clustering.refinement ? result.start : result.metrics;
      baselines.exact = {own.normalized_cut, own.average_balance};
      baselines.fair_balance = std::max(baselines.fair_balance, own.average_balance);
    }
    if (problem_.representation) baselines.reachable_balance = spread_balance_limit(problem_, K_);
    return baselines;
  }

  void place(DistributedClustering& result) const {
    const std::optional<Baselines> baselines =
        alone_ ? baselines_of_root(ranks_, whole_.get(), K_, options_of_one_process())
               : spread_baselines(result);
    if (!baselines) return;
    Clustering& found = result.clustering;
    found.structure_kept = baselines->structure_kept(result.metrics.normalized_cut);
    if (problem_.representation) {
      found.fairness_gained = baselines->fairness_gained(result.metrics.average_balance);
    }
    append(lots_warnings(*baselines, result.metrics.normalized_cut), found.warnings);
    found.baselines = baselines;
  }

  void warn(DistributedClustering& result) const {
    append(size_warnings(result.metrics.cluster_sizes, method_), result.clustering.warnings);
  }

  /// Of the clustering itself, without metrics and baselines.
  [[nodiscard]] DistributedFacts facts(const Traffic& before) const {
    const Traffic& now = ranks_.traffic();
    const DistributedGraph& G = *problem_.similarity;
    DistributedFacts result{.nodes = rows().num_nodes(), .ranks = ranks_.size()};
    std::int64_t sums[] = {now.bytes - before.bytes, now.messages - before.messages,
                           G.num_ghosts()};
    double most[] = {
        static_cast<double>(sums[0]),         static_cast<double>(sums[1]),
        static_cast<double>(G.num_ghosts()),  static_cast<double>(G.num_entries()),
        static_cast<double>(rows().stored()), static_cast<double>(peak_memory_bytes())};
    result.exchanges = now.exchanges - before.exchanges;
    result.reductions = now.reductions - before.reductions;
    result.reduced_bytes = now.reduced_bytes - before.reduced_bytes;
    ranks_.sum(sums);
    ranks_.max(most);
    result.bytes_sent = sums[0];
    result.messages = sums[1];
    result.ghosts = sums[2];
    result.most_bytes_sent = static_cast<std::int64_t>(most[0]);
    result.most_messages = static_cast<std::int64_t>(most[1]);
    result.most_ghosts = static_cast<std::int64_t>(most[2]);
    result.most_entries = static_cast<std::int64_t>(most[3]);
    result.most_rows = static_cast<std::int64_t>(most[4]);
    result.most_peak_memory_bytes = static_cast<std::int64_t>(most[5]);
    result.shared_memory = static_cast<bool>(rows().shared());
    result.root_alone = alone_;
    return result;
  }

  const Communicator& ranks_;
  const DistributedOptions& options_;
  int K_;
  bool alone_;                       ///< rank 0 clusters, the others wait
  std::unique_ptr<Pipeline> whole_;  ///< the input of rank 0, if it does
  int exponent_ = 0;                 ///< G is that of the input times 2^-exponent
  DistributedProblem problem_;
  Method method_ = Method::nsc;
};

}  // namespace

DistributedClustering cluster_distributed(const Communicator& ranks, ClusterInput input,
                                          int num_clusters, const DistributedOptions& options) {
  return Run(ranks, std::move(input), num_clusters, options).run();
}

}  // namespace repsc
