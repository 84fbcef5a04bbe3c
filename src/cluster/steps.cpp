// Steps that the methods share.
#include "cluster/steps.hpp"

#include <cmath>

#include "cluster/label_watch.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

/// Above, waiting for full precision costs more than all the rest.
constexpr Index precise_nodes = 2000;

/// Whether labels rather than residuals end an iteration.
bool until_settled(Index num_nodes, const ClusterOptions& options) {
  return options.tolerance == 0 && num_nodes > precise_nodes;
}

SpectrumOptions spectrum_options(const Graph& R, const ClusterOptions& options) {
  return {.tolerance = tolerance_for(R.num_nodes(), options),
          .max_iterations = options.max_iterations,
          .seed = options.seed,
          .memory_limit = options.memory_limit,
          .progress = options.progress};
}

/// R itself, where that leaves K dimensions and a dense decomposition is affordable. Else none, and
/// the spectrum of R, if it was computed.
struct Exact {
  std::optional<Constraint> constraint;
  std::shared_ptr<const RepresentationSpectrum> spectrum;
};

Exact cheap_exact_constraint(const Graph& R, int K, const Vector& scale,
                             const ClusterOptions& options) {
  constexpr Index affordable = 2000;
  const Index N = R.num_nodes();
  if (const Labels groups = clique_groups(R); !groups.empty()) {
    const Constraint constraint = group_constraint(groups, scale);
    if (constraint.projector.dimension() >= K)
      return {exact_constraint(R, K, scale, spectrum_options(R, options)), nullptr};
  }
  if (N > affordable) return {};
  auto all =
      std::make_shared<RepresentationSpectrum>(decompose(R, N, spectrum_options(R, options)));
  if (N - all->constraint_rank() < K) return {std::nullopt, std::move(all)};
  return {exact_constraint(R, *all, K, scale), nullptr};
}

/// Rank::automatic: R itself where that is cheap; else soft, or, where it has to be hard, the
/// approximation of rank automatic_rank().
std::optional<Constraint> automatic_constraint(const Graph& R, int K, const Vector& scale,
                                               const ClusterOptions& options) {
  Exact exact = cheap_exact_constraint(R, K, scale, options);
  if (exact.constraint || options.constraint == ConstraintKind::automatic) return exact.constraint;
  const Index r = automatic_rank(R.num_nodes(), K);
  if (!exact.spectrum)
    exact.spectrum =
        std::make_shared<RepresentationSpectrum>(decompose(R, r, spectrum_options(R, options)));
  return rank_constraint(std::move(exact.spectrum), r, scale);
}

Matrix as_it_is(const Matrix& H) { return H; }

/// No row can vanish: 1, or D^1/2 1, is among the columns.
Matrix row_normalized(const Matrix& H) {
  // A component that no eigenvector reaches has rows of length 0, which stay where they are.
  Vector lengths = H.rowwise().norm();
  lengths = (lengths.array() > 0).select(lengths, 1.0);
  return H.array().colwise() / lengths.array();
}

}  // namespace

double tolerance_for(Index num_nodes, const ClusterOptions& options) {
  if (options.tolerance > 0) return options.tolerance;
  return num_nodes <= precise_nodes ? 1e-8 : 1e-6;
}

Index automatic_rank(Index num_nodes, int num_clusters) {
  const Index tenth = std::max<Index>(1, num_nodes / 10);
  const Index affordable = num_nodes > 5000 ? std::min<Index>(tenth, 128) : tenth;
  return std::max<Index>(1, std::min<Index>(affordable, num_nodes - num_clusters));
}

std::optional<Constraint> representation_constraint(const Graph& R, int K, const Vector& scale,
                                                    const ClusterOptions& options) {
  if (options.constraint == ConstraintKind::soft) {
    require(options.rank.kind == Rank::Kind::automatic,
            "rank: a soft constraint takes R as it is; leave --rank out or use --constraint hard");
    return std::nullopt;
  }
  switch (options.rank.kind) {
    case Rank::Kind::automatic:
      return automatic_constraint(R, K, scale, options);
    case Rank::Kind::exact:
      return exact_constraint(R, K, scale, spectrum_options(R, options));
    case Rank::Kind::given:
      break;
  }
  const Index r = options.rank.value;
  return rank_constraint(leading_spectrum(R, r, K, options), r, scale);
}

std::shared_ptr<const RepresentationSpectrum> leading_spectrum(const Graph& R, Index rank, int K,
                                                               const ClusterOptions& options) {
  const Index N = R.num_nodes();
  require(rank >= 1 && rank <= N - K, "rank: ", rank, " but it must be from 1 to N - K = ", N - K,
          " so that ", K, " dimensions are left");
  require_memory(
      rank_constraint_bytes(N, rank, is_normalized(options.method)), options.memory_limit,
      "the constraint of rank " + std::to_string(rank) + " on " + std::to_string(N) + " nodes",
      "lower --rank, use groups");
  auto spectrum =
      std::make_shared<RepresentationSpectrum>(decompose(R, rank, spectrum_options(R, options)));
  require(spectrum->converged, "rank: the ", rank,
          " leading eigenvectors of the representation graph "
          "did not converge in ",
          options.max_iterations,
          " iterations; raise --max-iterations or "
          "lower --rank");
  return spectrum;
}

Laplacian laplacian_of(const Graph& A, Normalization normalization, const ClusterOptions& options) {
  double tau = options.regularization;
  if (tau == automatic_regularization) tau = A.degrees().mean();
  return {A, normalization, tau};
}

Eigenpairs lowest_eigenvectors(const Laplacian& L, const Constraint& constraint, int K,
                               const ClusterOptions& options, const Embedding& embedding,
                               const Matrix& start) {
  EigenQuery query{.count = K,
                   .tolerance = tolerance_for(L.num_nodes(), options),
                   .max_iterations = options.max_iterations,
                   .seed = options.seed,
                   .start = start,
                   .progress = options.progress,
                   .memory_limit = options.memory_limit};
  LabelWatch watch(K, options.seed);
  if (until_settled(L.num_nodes(), options)) {
    if (L.penalty() != nullptr) query.objective_tolerance = 1e-3;
    query.settled = [&](const Matrix& X, double residual) {
      return watch.settled(embedding(X), residual);
    };
  }
  return smallest_eigenpairs({L, constraint.projector}, query, options.solver);
}

Eigenpairs lowest_soft_eigenvectors(const Laplacian& L, const Laplacian& M, int K,
                                    const ClusterOptions& options) {
  constexpr int short_iteration = 20;
  const Constraint none = no_constraint(M.num_nodes());
  const Embedding embedding = embedding_of(M, EmbeddingRows::unit, options);
  const bool dense = std::holds_alternative<solver::Lapack>(options.solver);
  if (dense || M.strength() == 0 || !until_settled(M.num_nodes(), options))
    return lowest_eigenvectors(M, none, K, options, embedding);
  ClusterOptions brief = options;
  brief.solver = solver::Lanczos{};
  brief.max_iterations = std::min(options.max_iterations, short_iteration);
  const Eigenpairs plain = lowest_eigenvectors(L, none, K, brief, embedding);
  Eigenpairs pairs = lowest_eigenvectors(M, none, K, options, embedding,
                                         plain.vectors.rightCols(K - 1));  // the first is known
  pairs.iterations += plain.iterations;
  return pairs;
}

Embedding embedding_of(const Laplacian& L, EmbeddingRows standard, const ClusterOptions& options) {
  const bool given = options.embedding_rows != EmbeddingRows::automatic;
  const EmbeddingRows rows = given ? options.embedding_rows : standard;
  // Scaling a row by its node's degree does not change its direction.
  if (rows == EmbeddingRows::unit) return row_normalized;
  if (L.normalization() == Normalization::none) return as_it_is;
  return [&L](const Matrix& X) -> Matrix { return L.scale().asDiagonal() * X; };
}

Clustering cluster_rows(Matrix embedding, const Eigenpairs& pairs, const Constraint& constraint,
                        int K, const ClusterOptions& options) {
  const Stopwatch timer;
  KMeansResult parts = kmeans(
      embedding, K,
      {.restarts = options.kmeans_restarts, .seed = options.seed, .progress = options.progress});
  Clustering result;
  result.labels = std::move(parts.labels);
  result.num_clusters = K;
  result.embedding = std::move(embedding);
  result.eigenvalues = pairs.values;
  result.inertia = parts.inertia;
  result.converged = pairs.converged;
  result.settled = pairs.settled;
  result.residual = pairs.residual;
  result.constraint_rank = constraint.projector.rank();
  result.constraint_residual = constraint.residual(pairs.vectors);
  result.iterations = pairs.iterations;
  result.solver = pairs.solver;
  result.seconds.kmeans = timer.seconds();
  return result;
}

Laplacian penalized(const Laplacian& L, const Graph& R, int K, const ClusterOptions& options) {
  constexpr std::int64_t blocks = 3;   // of a product: scaled vectors, R times them, and again
  constexpr std::int64_t vectors = 2;  // sums of the rows of R, and their inverses
  const std::int64_t width = std::max(4, (K + 2) / 4 * 4);
  require_memory((blocks * width + vectors) * L.num_nodes() * std::int64_t{sizeof(double)},
                 options.memory_limit,
                 "the soft constraint on " + std::to_string(L.num_nodes()) + " nodes",
                 "use groups");
  return L.penalized(R, options.strength);
}

Clustering cluster_soft_rows(const Laplacian& M, const Eigenpairs& pairs, int K,
                             const ClusterOptions& options) {
  const Embedding embedding = embedding_of(M, EmbeddingRows::unit, options);
  Clustering result =
      cluster_rows(embedding(pairs.vectors), pairs, no_constraint(M.num_nodes()), K, options);
  Matrix H = pairs.vectors;
  if (M.scale().size() > 0) {
    const double length = std::sqrt(M.degrees().mean());
    H = (length * M.scale()).asDiagonal() * H;
  }
  result.constraint_residual = M.penalty()->residual(H);
  result.strength = M.strength();
  return result;
}

void check_sizes(const Graph& A, Index other_nodes, int K, const char* other) {
  require(A.num_nodes() == other_nodes, "the similarity graph has ", A.num_nodes(), " nodes, the ",
          other, " ", other_nodes);
  require(K >= 2 && K <= A.num_nodes(), "clusters: ", K, " but it must be from 2 to the number of ",
          "nodes, ", A.num_nodes());
}

}  // namespace repsc
