// The clusters of a dense graph are visible in a part of its edges, where products cost a fraction.
// From the eigenvectors of an eighth of the edges the whole graph needs half of the products that
// it needs from random vectors (docs/performance.md).
//
// A part of the edges leaves some nodes with few neighbours or none. Without regularization they
// would have the lowest eigenvectors (Joseph and Yu 2016).
#include "cluster/sampled_start.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "graph/sample.hpp"

namespace repsc {
namespace {

constexpr int short_iteration = 12;

/// T = D^-1/2 X of the last `count` columns: clusters and constraints concern T, whatever the
/// degrees.
Matrix scaled_rows(const Laplacian& L, const Matrix& X, Index count) {
  Matrix T(X.rows(), count);
  parallel_ranges(X.rows(), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) T.row(i) = L.scale()[i] * X.row(i).tail(count);
  });
  return T;
}

}  // namespace

EmbeddingStart sampled_start(const Pipeline& data, const Plan& plan) {
  if (plan.sampled_start == 0) return {};
  const Stopwatch watch;
  Graph sample = sampled_edges(data.similarity(), plan.sampled_start);
  const double average = sample.num_nodes() > 0 ? sample.degrees().mean() : 0;
  if (average == 0) return {.seconds = watch.seconds()};
  const Laplacian L(std::move(sample), Normalization::symmetric, average);
  const bool by_groups = plan.constraint.source == ConstraintSource::given_groups;
  const Constraint constraint =
      by_groups ? group_constraint(*data.input().groups, L.scale()) : no_constraint(L.num_nodes());
  Plan brief = plan;
  brief.options.solver = solver::Lanczos{};
  brief.options.max_iterations = std::min(plan.options.max_iterations, short_iteration);
  const Eigenpairs pairs = lowest_eigenvectors(L, constraint, brief);
  const Index count = plan.num_clusters - 1;  // the first is known
  return {.rows = scaled_rows(L, pairs.vectors, count), .seconds = watch.seconds()};
}

}  // namespace repsc
