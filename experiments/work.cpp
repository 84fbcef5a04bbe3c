// Shared work, and the methods on top of it. The methods are those of repsc/cluster.hpp, taken
// apart so that a sweep pays for a decomposition once.
#include "experiments/work.hpp"

#include <algorithm>

#include "repsc/eigensolver.hpp"
#include "repsc/kmeans.hpp"
#include "repsc/metrics.hpp"
#include "repsc/refine.hpp"

namespace repsc::experiments {
namespace {

Normalization normalization(bool normalized) {
  return normalized ? Normalization::symmetric : Normalization::none;
}

Index largest_rank(const Graph& R, std::span<const Setting> settings) {
  Index rank = 1;
  for (const Setting& setting : settings) {
    rank = std::max(rank, setting.method.ends_with("-exact") ? R.num_nodes() : setting.rank);
  }
  return rank;
}

int most_groups(std::span<const Setting> settings) {
  int groups = 2;
  for (const Setting& setting : settings) groups = std::max(groups, setting.groups);
  return groups;
}

Constraint constraint_of(const Setting& setting, RepresentationWork& R, const Vector& scale) {
  if (setting.method.ends_with("repsc-exact"))
    return exact_constraint(R.graph(), *R.spectrum(), setting.clusters, scale);
  if (setting.method.ends_with("repsc")) return rank_constraint(R.spectrum(), setting.rank, scale);
  if (setting.method.ends_with("fairsc"))
    return group_constraint(R.groups(setting.normalized, setting.groups), scale);
  return no_constraint(R.graph().num_nodes());
}

bool is_refined(const Setting& setting) { return setting.method.ends_with("-refined"); }

bool is_soft(const Setting& setting) {
  return setting.method.ends_with("-soft") || is_refined(setting);
}

// What k-means sees: rows of H; of T = D^-1/2 X; of length 1 for plain NSC and soft constraints.
Matrix embedding(const Setting& setting, Matrix X, const Vector& scale) {
  if (setting.method == "nsc" || is_soft(setting)) {
    X.rowwise().normalize();
    return X;
  }
  if (!setting.normalized) return X;
  return scale.asDiagonal() * X;
}

Labels refined(const Setting& setting, const Labels& labels, const SimilarityWork& G,
               const RepresentationWork& R) {
  return refine(G.graph(), R.graph(), labels, setting.clusters,
                {.mu = setting.mu,
                 .cut = setting.normalized ? CutKind::normalized : CutKind::ratio,
                 .seed = setting.seed})
      .labels;
}

void measure(Outcome& outcome, const Labels& labels, int K, const SimilarityWork& G,
             const RepresentationWork& R) {
  const Metrics metrics = evaluate(G.graph(), R.graph(), labels, K);
  outcome.ratio_cut = metrics.ratio_cut;
  outcome.normalized_cut = metrics.normalized_cut;
  outcome.average_balance = metrics.average_balance;
  outcome.minimum_balance = metrics.minimum_balance;
  if (!G.truth().empty()) outcome.accuracy = accuracy(labels, G.truth());
}

}  // namespace

RepresentationWork::RepresentationWork(Graph R, std::uint64_t seed, Index max_rank, int max_groups)
    : R_(std::move(R)), seed_(seed), max_rank_(max_rank), max_groups_(max_groups) {}

RepresentationWork::RepresentationWork(const Graph& R, std::uint64_t seed,
                                       std::span<const Setting> settings)
    : RepresentationWork(R, seed, largest_rank(R, settings), most_groups(settings)) {}

std::shared_ptr<const RepresentationSpectrum> RepresentationWork::spectrum() {
  if (!spectrum_) {
    const Stopwatch watch;
    spectrum_ = std::make_shared<RepresentationSpectrum>(decompose(R_, max_rank_, {.seed = seed_}));
    spectrum_seconds_ = watch.seconds();
    ++num_decompositions_;
  }
  return spectrum_;
}

const Matrix& RepresentationWork::laplacian_vectors(bool normalized) {
  std::optional<Matrix>& vectors = vectors_[normalized];
  if (!vectors) {
    const Stopwatch watch;
    const Laplacian L(R_, normalization(normalized));
    const Constraint none = no_constraint(R_.num_nodes());
    vectors =
        smallest_eigenpairs({L, none.projector}, {.count = max_groups_, .seed = seed_}).vectors;
    vectors_seconds_[normalized] = watch.seconds();
    ++num_decompositions_;
  }
  return *vectors;
}

const Labels& RepresentationWork::groups(bool normalized, int P) {
  const auto [place, isnew] = groups_.try_emplace({normalized, P});
  if (isnew) {
    Matrix H = laplacian_vectors(normalized).leftCols(P);
    if (normalized) H.rowwise().normalize();
    // Three restarts: with hundreds of groups the cost is that of all else together.
    place->second = kmeans(H, P, {.restarts = 3, .seed = seed_}).labels;
  }
  return place->second;
}

const Laplacian& SimilarityWork::laplacian(bool normalized) {
  std::optional<Laplacian>& L = laplacians_[normalized];
  if (!L) L.emplace(G_, normalization(normalized));
  return *L;
}

Outcome run_method(const Setting& setting, SimilarityWork& G, RepresentationWork& R) {
  Outcome outcome;
  try {
    const Laplacian& plain = G.laplacian(setting.normalized);
    const double shared_before = R.spectrum_seconds() + R.groups_seconds(setting.normalized);
    const Stopwatch watch;
    const Laplacian L = is_soft(setting) ? plain.penalized(R.graph(), setting.strength) : plain;
    const Constraint constraint = constraint_of(setting, R, L.scale());
    const Eigenpairs pairs = smallest_eigenpairs({L, constraint.projector},
                                                 {.count = setting.clusters, .seed = setting.seed});
    const Matrix points = embedding(setting, pairs.vectors, L.scale());
    Labels labels = kmeans(points, setting.clusters, {.seed = setting.seed}).labels;
    if (is_refined(setting)) labels = refined(setting, labels, G, R);
    const double shared_now = R.spectrum_seconds() + R.groups_seconds(setting.normalized);
    outcome.seconds = watch.seconds() - (shared_now - shared_before);
    outcome.shared_seconds = setting.rank > 0 || setting.method.ends_with("-exact")
                                 ? R.spectrum_seconds()
                             : setting.groups > 0 ? R.groups_seconds(setting.normalized)
                                                  : 0;
    outcome.converged = pairs.converged;
    measure(outcome, labels, setting.clusters, G, R);
  } catch (const InvalidInput&) {
    outcome.converged = false;
  }
  return outcome;
}

}  // namespace repsc::experiments
