// Decompositions of a representation graph, each computed once.
#include <algorithm>

#include "cluster/steps.hpp"
#include "graph/scale.hpp"
#include "repsc/cluster.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

/// Plain spectral clustering of R into groups, of the family of `plan` and with its settings.
Plan grouping_plan(const Graph& R, int num_groups, const Plan& plan) {
  ClusterOptions options = numerical_options(plan.options);
  options.method = is_normalized(plan.method) ? Method::nsc : Method::usc;
  options.embedding_rows = plan.options.embedding_rows;
  return repsc::plan({R}, num_groups, options);
}

}  // namespace

RepresentationWork::RepresentationWork(const Representation& representation)
    : R_(representation.by_groups() ? representation
                                    : Representation(well_scaled(representation.graph()).graph)) {}

void RepresentationWork::announce(Index rank, int num_groups) {
  announced_rank_ = std::max(announced_rank_, rank);
  announced_groups_ = std::max(announced_groups_, num_groups);
}

std::shared_ptr<const RepresentationSpectrum> RepresentationWork::spectrum(
    Index rank, const SpectrumOptions& options) {
  // The one of a device that has failed: the CPU's has other digits.
  if (spectrum_ && spectrum_->on_device != nullptr && options.device == nullptr) spectrum_.reset();
  if (spectrum_ && spectrum_->suffices_for(rank)) return spectrum_;
  const Stopwatch watch;
  const Index count = std::max(rank, announced_rank_);
  auto found = std::make_shared<RepresentationSpectrum>(decompose(R_, count, options));
  if (!found->converged) {
    throw InvalidInput(Fault{
        .what = joined("the ", count, " leading eigenvectors of the representation graph did ",
                       "not converge in ", options.max_iterations, " iterations"),
        .option = "rank",
        .value = joined(count),
        .remedies = {{Remedy::Action::raise, "max_iterations"}, {Remedy::Action::lower, "rank"}}});
  }
  spectrum_ = std::move(found);
  spectrum_seconds_ += watch.seconds();
  ++num_decompositions_;
  return spectrum_;
}

const Matrix& RepresentationWork::laplacian_vectors(int count, const Plan& grouping) {
  const bool normalized = is_normalized(grouping.method);
  Matrix& vectors = laplacian_vectors_[normalized ? 1 : 0];
  if (vectors.cols() >= count) return vectors;
  const Stopwatch watch;
  Plan all = grouping;
  all.num_clusters = std::max(count, announced_groups_);
  // Settled labels for many groups do not imply settled labels for few.
  all.until_labels_settle = grouping.until_labels_settle && all.num_clusters == count;
  const Laplacian L(R_.graph(), normalization_of(grouping.method));
  vectors = lowest_eigenvectors(L, no_constraint(R_.num_nodes()), all).vectors;
  groups_seconds_[normalized ? 1 : 0] += watch.seconds();
  ++num_decompositions_;
  return vectors;
}

const Labels& RepresentationWork::groups(int num_groups, const Plan& plan) {
  const auto [place, is_new] = groups_.try_emplace({is_normalized(plan.method), num_groups});
  if (!is_new) return place->second;
  const Plan grouping = grouping_plan(R_.graph(), num_groups, plan);
  const Matrix X = laplacian_vectors(num_groups, grouping).leftCols(num_groups);
  const Laplacian L(R_.graph(), normalization_of(grouping.method));
  place->second = kmeans(rows_of(L, grouping.embedding_rows)(X), num_groups,
                         {.restarts = grouping.options.kmeans_restarts,
                          .seed = grouping.options.seed,
                          .progress = grouping.options.progress,
                          .deadline = grouping.options.deadline})
                      .labels;
  return place->second;
}

}  // namespace repsc
