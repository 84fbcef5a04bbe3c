// Steps that the methods share.
#include "cluster/steps.hpp"

#include "cluster/label_watch.hpp"
#include "core/timer.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

/// Above, waiting for full precision costs more than all the rest.
constexpr Index precise_nodes = 2000;

SpectrumOptions spectrum_options(const Graph& R, const ClusterOptions& options) {
  return {.tolerance = tolerance_for(R.num_nodes(), options),
          .max_iterations = options.max_iterations,
          .seed = options.seed,
          .memory_limit = options.memory_limit,
          .progress = options.progress};
}

/// Rank::automatic: R itself where it leaves K dimensions and a dense decomposition is affordable,
/// else its approximation of rank automatic_rank().
Constraint automatic_constraint(const Graph& R, int K, const Vector& scale,
                                const ClusterOptions& options) {
  constexpr Index affordable = 2000;
  const Index N = R.num_nodes();
  const Index r = automatic_rank(N, K);
  if (const Labels groups = clique_groups(R); !groups.empty()) {
    const Constraint constraint = group_constraint(groups, scale);
    if (constraint.projector.dimension() >= K)
      return exact_constraint(R, K, scale, spectrum_options(R, options));
  }
  if (N > affordable) {
    auto spectrum =
        std::make_shared<RepresentationSpectrum>(decompose(R, r, spectrum_options(R, options)));
    return rank_constraint(std::move(spectrum), r, scale);
  }
  auto all =
      std::make_shared<RepresentationSpectrum>(decompose(R, N, spectrum_options(R, options)));
  if (N - all->constraint_rank() >= K) return exact_constraint(R, *all, K, scale);
  return rank_constraint(std::move(all), r, scale);
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

Constraint representation_constraint(const Graph& R, int K, const Vector& scale,
                                     const ClusterOptions& options) {
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
  if (options.tolerance == 0 && L.num_nodes() > precise_nodes) {
    query.settled = [&](const Matrix& X, double residual) {
      return watch.settled(embedding(X), residual);
    };
  }
  return smallest_eigenpairs({L, constraint.projector}, query, options.solver);
}

Matrix as_it_is(const Matrix& H) { return H; }

Matrix row_normalized(const Matrix& H) {
  // A component that no eigenvector reaches has rows of length 0, which stay where they are.
  Vector lengths = H.rowwise().norm();
  lengths = (lengths.array() > 0).select(lengths, 1.0);
  return H.array().colwise() / lengths.array();
}

Embedding unscaled(const Vector& scale) {
  return [&scale](const Matrix& X) -> Matrix { return scale.asDiagonal() * X; };
}

Clustering cluster_rows(Matrix embedding, const Eigenpairs& pairs, const Constraint& constraint,
                        int K, const ClusterOptions& options) {
  const Timer timer;
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

void check_sizes(const Graph& A, Index other_nodes, int K, const char* other) {
  require(A.num_nodes() == other_nodes, "the similarity graph has ", A.num_nodes(), " nodes, the ",
          other, " ", other_nodes);
  require(K >= 2 && K <= A.num_nodes(), "clusters: ", K, " but it must be from 2 to the number of ",
          "nodes, ", A.num_nodes());
}

}  // namespace repsc
