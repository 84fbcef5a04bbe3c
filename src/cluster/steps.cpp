// Steps that the methods share.
#include "cluster/steps.hpp"

#include <algorithm>
#include <cmath>

#include "cluster/embedding_on_device.hpp"
#include "cluster/settled_labels.hpp"
#include "cluster/warnings.hpp"
#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/scale.hpp"
#include "kmeans/sample.hpp"
#include "repsc/kmeans.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

Matrix unchanged(const Matrix& H) { return H; }

Matrix row_normalized(const Matrix& H) {
  Matrix result(H.rows(), H.cols());
  parallel_ranges(H.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double length = H.row(i).norm();
      // With more components than clusters a component can have rows of length 0. They are kept as
      // they are.
      result.row(i) = H.row(i) / (length > 0 ? length : 1);
    }
  });
  return result;
}

/// diag(scale) X.
Matrix row_scaled(const Vector& scale, const Matrix& X) {
  Matrix result(X.rows(), X.cols());
  ask_for_large_pages(result.data(), static_cast<std::size_t>(result.size()) * sizeof(double));
  parallel_ranges(X.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) result.row(i) = scale[i] * X.row(i);
  });
  return result;
}

/// rows_of() for these nodes; none: for all.
RowMap watched_rows(const Laplacian& L, EmbeddingRows rows, const std::vector<Index>& nodes) {
  if (nodes.empty() || L.scale().size() == 0) return rows_of(L, rows);
  return rows_of(Vector(L.scale()(nodes)), rows);
}

/// ||WRJH||_F / ||WR||_F with columns of length 1, which T has if all degrees are equal.
double penalty_residual(const Laplacian& M, const Matrix& X) {
  if (M.scale().size() == 0) return M.penalty()->residual(X);
  const double length = std::sqrt(M.degrees().mean());
  return M.penalty()->residual((length * M.scale()).asDiagonal() * X);
}

}  // namespace

InvalidInput with_weights(const NumericalFailure& failure, const ClusterInput& input) {
  const WeightRange of_G = weight_range(input.similarity);
  std::string cause = joined(failure.cause(), "; the weights of G range from ", of_G.smallest,
                             " to ", of_G.largest);
  if (input.representation) {
    const WeightRange of_R = weight_range(*input.representation);
    cause += joined(", those of R from ", of_R.smallest, " to ", of_R.largest);
  }
  return InvalidInput(NumericalFailure(std::move(cause)).fault());
}

double kmeans_tolerance(Index num_nodes, int num_clusters) {
  return num_nodes < rows_worth_sampling(num_clusters) ? 0 : KMeansOptions().tolerance;
}

Normalization normalization_of(Method method) {
  return is_normalized(method) ? Normalization::symmetric : Normalization::none;
}

ClusterOptions numerical_options(const ClusterOptions& given) {
  return {.solver = given.solver,
          .tolerance = given.tolerance,
          .max_iterations = given.max_iterations,
          .kmeans_restarts = given.kmeans_restarts,
          .seed = given.seed,
          .memory_limit = given.memory_limit,
          .progress = given.progress,
          .deadline = given.deadline,
          .device = given.device};
}

SpectrumOptions spectrum_options(const Plan& plan) {
  return {.tolerance = plan.tolerance,
          .max_iterations = plan.options.max_iterations,
          .seed = plan.options.seed,
          .memory_limit = plan.options.memory_limit,
          .progress = plan.options.progress,
          .device = plan.device};
}

void require_rank_memory(const Representation& R, Index asked, const Plan& plan) {
  const Index num_nodes = R.num_nodes();
  const Index rank = std::min(asked, R.num_sets());  // no more than that are different
  require_memory(rank_constraint_bytes(num_nodes, rank, is_normalized(plan.method)),
                 plan.options.memory_limit,
                 joined("the constraint of rank ", rank, " on ", num_nodes, " nodes"),
                 {{Remedy::Action::lower, "rank"}, {Remedy::Action::use, "groups"}});
}

RowMap rows_of(const Laplacian& L, EmbeddingRows rows) {
  if (rows == EmbeddingRows::unit || L.normalization() == Normalization::none) {
    return rows_of(Vector(), rows);
  }
  return [&L](const Matrix& X) { return row_scaled(L.scale(), X); };
}

RowMap rows_of(Vector scale, EmbeddingRows rows) {
  // T = D^-1/2 X only scales rows, so X and T have the same unit rows.
  if (rows == EmbeddingRows::unit) return row_normalized;
  if (scale.size() == 0) return unchanged;
  return [scale = std::move(scale)](const Matrix& X) { return row_scaled(scale, X); };
}

Eigenpairs lowest_eigenvectors(const Laplacian& L, const Constraint& constraint, const Plan& plan,
                               StartVectors start, bool leave_on_device) {
  const int K = plan.num_clusters;
  EigenQuery query{.count = K,
                   .tolerance = plan.tolerance,
                   .max_iterations = plan.options.max_iterations,
                   .seed = plan.options.seed,
                   .start = &start.X,
                   .doubtful_start = start.doubtful,
                   .started = [&] { start.X = Matrix(); },
                   .progress = plan.options.progress,
                   .deadline = plan.options.deadline,
                   .memory_limit = plan.options.memory_limit,
                   .device = plan.device,
                   .leave_on_device = leave_on_device};
  std::vector<Index> watched = watched_nodes(L.num_nodes(), plan.options.seed);
  RowMap rows = watched_rows(L, plan.settling_rows, watched);
  SettledLabels settled(K, plan.options.seed, std::move(watched), std::move(rows),
                        L.penalty() == nullptr);
  if (plan.until_labels_settle) {
    if (L.penalty() != nullptr) query.objective_tolerance = settled_objective;
    query.stopping_rule = &settled;
  }
  return smallest_eigenpairs({L, constraint.projector}, query, plan.options.solver);
}

SpectralEmbedding embedded(Eigenpairs pairs, const Laplacian& L, const Constraint& constraint,
                           const Plan& plan) {
  SpectralEmbedding result;
  result.pairs = std::move(pairs);
  result.constraint_rank = constraint.projector.rank();
  result.rank_unique = constraint.unique;
  if (plan.constraint.source == ConstraintSource::low_rank) {
    result.warnings =
        rank_warnings(constraint.rank_asked, constraint.spectrum_rank, constraint.unique);
  }
  if (result.pairs.on_device != nullptr) {
    embed_on_device(L, constraint, plan, result);
    return result;
  }
  const Matrix& X = result.pairs.vectors;
  result.rows = rows_of(L, plan.embedding_rows)(X);
  append(localization_warnings(X, plan.method), result.warnings);
  if (L.penalty() != nullptr) {
    result.constraint_residual = penalty_residual(L, X);
    result.strength = L.strength();
  } else {
    result.constraint_residual = constraint.residual(X);
  }
  return result;
}

SpectralEmbedding embed(const Laplacian& L, const Constraint& constraint, const Plan& plan,
                        EmbeddingStart start) {
  const Stopwatch watch;
  Matrix X = std::move(start.rows);
  parallel_ranges(X.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) X.row(i) /= L.scale()[i];
  });
  Eigenpairs pairs =
      lowest_eigenvectors(L, constraint, plan, {std::move(X)}, embeds_on_device(L, constraint));
  SpectralEmbedding result = embedded(std::move(pairs), L, constraint, plan);
  result.seconds = start.seconds + watch.seconds();
  return result;
}

SpectralEmbedding embed_softly(const Laplacian& L, const Laplacian& M, const Plan& plan) {
  const Stopwatch watch;
  const Constraint none = no_constraint(M.num_nodes());
  const bool dense =
      plan.options.solver && std::holds_alternative<solver::Lapack>(*plan.options.solver);
  if (dense || M.strength() == 0 || !plan.until_labels_settle) return embed(M, none, plan);
  Plan brief = plan;
  brief.options.solver = solver::Lanczos{};
  brief.options.max_iterations = std::min(plan.options.max_iterations, products_before_penalty);
  const Eigenpairs plain = lowest_eigenvectors(L, none, brief);
  Eigenpairs pairs = lowest_eigenvectors(
      M, none, plan,
      {plain.vectors.rightCols(plan.num_clusters - 1), /*doubtful=*/true});  // the first is known
  pairs.iterations += plain.iterations;
  SpectralEmbedding result = embedded(std::move(pairs), M, none, plan);
  result.seconds = watch.seconds();
  return result;
}

KMeansResult cluster_points(const Graph& similarity, const Matrix& points, const Plan& plan,
                            bool visible, std::shared_ptr<const DeviceMatrix> on_device = nullptr) {
  KMeansOptions how{.restarts = plan.options.kmeans_restarts,
                    .seed = plan.options.seed,
                    .among_equals =
                        [&](const Labels& labels) {
                          return normalized_cut(similarity, labels, plan.num_clusters, plan.device);
                        },
                    .progress = plan.options.progress,
                    .deadline = plan.options.deadline,
                    .device = plan.device,
                    .on_device = std::move(on_device)};
  how.tolerance = kmeans_tolerance(similarity.num_nodes(), plan.num_clusters);
  if (!visible) how.tolerance = tolerance_without_clusters;
  return kmeans(points, plan.num_clusters, how);
}

Clustering cluster_rows(const Graph& similarity, SpectralEmbedding embedding, const Plan& plan) {
  const Stopwatch watch;
  KMeansResult parts = cluster_points(similarity, embedding.rows, plan, !embedding.pairs.stalled,
                                      std::move(embedding.pairs.on_device));
  Clustering result;
  result.out_of_time = embedding.pairs.out_of_time || parts.out_of_time;
  result.labels = std::move(parts.labels);
  result.num_clusters = plan.num_clusters;
  result.embedding = std::move(embedding.rows);
  result.eigenvalues = std::move(embedding.pairs.values);
  result.inertia = parts.inertia;
  result.converged = embedding.pairs.converged;
  result.settled = embedding.pairs.settled;
  result.clusters_visible = !embedding.pairs.stalled;
  if (embedding.pairs.next) {
    result.eigengap =
        std::max(0.0, *embedding.pairs.next - result.eigenvalues[plan.num_clusters - 1]);
  }
  result.residual = embedding.pairs.residual;
  result.constraint_rank = embedding.constraint_rank;
  result.constraint_residual = embedding.constraint_residual;
  result.strength = embedding.strength;
  result.rank_unique = embedding.rank_unique;
  result.warnings = std::move(embedding.warnings);
  result.iterations = embedding.pairs.iterations;
  result.solver = std::move(embedding.pairs.solver);
  result.device = std::move(embedding.pairs.device);
  result.num_components = embedding.pairs.num_components;
  if (embedding.pairs.stalled) result.warnings.push_back(no_visible_clusters(result));
  const bool asked_for_device = plan.device != nullptr && plan.options.device.has_value();
  if (asked_for_device && result.device == "cpu" && plan.num_clusters > 1)
    result.warnings.push_back(device_not_used(result.solver));
  result.seconds.eigen = embedding.seconds;
  result.seconds.kmeans = watch.seconds();
  return result;
}

Clustering with_unit_rows(const Graph& similarity, const Clustering& found, const Plan& plan) {
  const Stopwatch watch;
  Clustering other = found;
  other.embedding = row_normalized(found.embedding);
  KMeansResult parts = cluster_points(similarity, other.embedding, plan, found.clusters_visible);
  other.labels = std::move(parts.labels);
  other.inertia = parts.inertia;
  other.out_of_time = other.out_of_time || parts.out_of_time;
  other.seconds = {.kmeans = watch.seconds()};
  return other;
}

void refine_clustering(Pipeline& data, const RefineOptions& how, Clustering& found) {
  const Stopwatch watch;
  found.before_refinement = std::move(found.labels);
  found.refinement = refine(data.similarity(), data.representation().representation(),
                            found.before_refinement, found.num_clusters, how);
  found.labels = found.refinement->labels;
  found.out_of_time = found.out_of_time || found.refinement->out_of_time;
  found.seconds.refine = watch.seconds();
}

}  // namespace repsc
