// Clusters over ranks: sums over all rows are exact (exact_sum.hpp), labels and counts of other
// ranks' rows are exchanged once.
#include "distributed/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"
#include "distributed/exact_sum.hpp"
#include "distributed/metrics.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 1024;  // rows

double term(double leaving, double measure) { return measure > 0 ? leaving / 2 / measure : 0; }

/// What is left of a measure; nothing where only rounding errors are left.
double without(double measure, double mass) {
  const double left = measure - mass;
  return left > 1e-12 * measure ? left : 0;
}

}  // namespace

SpreadClusters::SpreadClusters(const DistributedProblem& problem, int num_clusters, CutKind cut)
    : problem_(problem), cut_(cut), sizes_(static_cast<std::size_t>(num_clusters)) {
  const Vector degrees = problem.similarity->degrees();
  masses_ = cut == CutKind::normalized ? degrees : Vector::Ones(degrees.size());
  const double volume = rows().sum(1, [&](Index i, auto&& part) { part[0] += degrees[i]; })[0];
  cut_scale_ = (num_clusters - 1) / 2.0;
  if (cut == CutKind::ratio) cut_scale_ *= volume / rows().num_nodes();
  std::int64_t entries[] = {rows().stored()};
  if (const DistributedGraph* R = problem.representation->graph()) {
    entries[0] = R->num_entries();
    if (rows().shared()) {
      const auto cells = static_cast<std::size_t>(rows().num_nodes()) * sizes_.size();
      room_ = SharedMemory::among(rows().ranks(), cells * sizeof(std::int32_t));
    }
  }
  rows().ranks().sum(entries);
  num_representatives_ = static_cast<double>(entries[0]);
}

void SpreadClusters::assign(Labels own) {
  own_ = std::move(own);
  sizes_ = spread_sizes(rows(), own_, num_clusters());
  count_links();
  if (const DistributedGroups* groups = problem_.representation->groups()) {
    count_groups(*groups);
  } else {
    count_representatives(*problem_.representation->graph());
  }
}

void SpreadClusters::count_links() {
  const DistributedGraph& A = *problem_.similarity;
  const Labels labels = A.by_column(own_);
  links_.setZero(rows().stored(), num_clusters());
  Matrix values(rows().stored(), 2);  // leaving, measure
  parallel_ranges(rows().stored(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto neighbors = A.neighbors(i);
      const auto weights = A.weights(i);
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        if (neighbors[e] == A.column_of(i)) continue;  // a self-loop is never cut
        links_(i, labels[static_cast<std::size_t>(neighbors[e])]) +=
            weights.empty() ? 1.0 : weights[e];
      }
      const Label a = own_[static_cast<std::size_t>(i)];
      double leaving = 0;
      for (Label k = 0; k < num_clusters(); ++k) leaving += k == a ? 0 : links_(i, k);
      values(i, 0) = leaving;
      values(i, 1) = masses_[i];
    }
  });
  const Matrix sums =
      exact_sums_by_key(rows().ranks(), own_, num_clusters(), values, rows().num_nodes());
  leaving_.assign(sums.col(0).begin(), sums.col(0).end());
  measures_.assign(sums.col(1).begin(), sums.col(1).end());
}

void SpreadClusters::count_groups(const DistributedGroups& groups) {
  const CountMatrix table = spread_group_table(rows(), groups, own_, num_clusters());
  counts_.assign(table.data(), table.data() + table.size());
  double sum = 0;
  for (Index g = 0; g < groups.count(); ++g) {
    sum += static_cast<double>(groups.sizes[static_cast<std::size_t>(g)]) * score_of(counts(g));
  }
  average_score_ = sum / rows().num_nodes();
}

void SpreadClusters::count_representatives(const DistributedGraph& R) {
  const auto K = static_cast<std::size_t>(num_clusters());
  const Labels labels = R.by_column(own_);
  Labels own(static_cast<std::size_t>(rows().stored()) * K, 0);
  parallel_ranges(rows().stored(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      for (const Index j : R.neighbors(i)) {
        ++own[static_cast<std::size_t>(i) * K +
              static_cast<std::size_t>(labels[static_cast<std::size_t>(j)])];
      }
    }
  });
  const double sum = rows().sum(1, [&](Index i, auto&& part) {
    part[0] += score_of(std::span(own).subspan(static_cast<std::size_t>(i) * K, K));
  })[0];
  average_score_ = sum / rows().num_nodes();
  share_counts(R, own);
}

void SpreadClusters::share_counts(const DistributedGraph& R, const Labels& counts) {
  if (!room_) {
    counts_ = R.by_column(counts, num_clusters());
    return;
  }
  const Communicator& ranks = rows().ranks();
  ranks.begin_exchange();  // counted, with nothing to send
  ranks.barrier();         // nobody reads the counts of before any more
  std::copy(counts.begin(), counts.end(),
            reinterpret_cast<std::int32_t*>(room_.data()) +
                static_cast<std::size_t>(rows().begin()) * sizes_.size());
  ranks.barrier();
}

std::span<const std::int32_t> SpreadClusters::counts(Index column) const {
  const auto* const all =
      room_ ? reinterpret_cast<const std::int32_t*>(room_.data()) : counts_.data();
  return {all + static_cast<std::size_t>(column) * sizes_.size(), sizes_.size()};
}

// With fewer representatives than clusters the balance is 0 whatever the labels; the shortfall is
// not, and would draw them for nothing.
bool SpreadClusters::counts_for(std::span<const std::int32_t> counts) const {
  if (score_.alpha < 0) return true;
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) >= num_clusters();
}

double SpreadClusters::score_of(std::span<const std::int32_t> counts) const {
  return counts_for(counts) ? score_.of(counts) : 0;
}

double SpreadClusters::cut() const {
  double sum = 0;
  for (std::size_t k = 0; k < sizes_.size(); ++k) sum += term(leaving_[k], measures_[k]);
  return sum;
}

void SpreadClusters::try_moves(Index row, Trial& trial) const {
  try_cut(row, trial);
  try_scores(row, trial);
}

void SpreadClusters::try_cut(Index row, Trial& trial) const {
  const auto links = links_.row(row);
  double degree = 0;
  for (Label k = 0; k < num_clusters(); ++k) degree += links[k];
  const double mass = masses_[row];
  const auto a = static_cast<std::size_t>(own_[static_cast<std::size_t>(row)]);
  const double left = term(leaving_[a] - degree + 2 * links[static_cast<Eigen::Index>(a)],
                           without(measures_[a], mass)) -
                      term(leaving_[a], measures_[a]);
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    trial.cut[b] =
        left - term(leaving_[b], measures_[b]) +
        term(leaving_[b] + degree - 2 * links[static_cast<Eigen::Index>(b)], measures_[b] + mass);
  }
  trial.cut[a] = 0;
}

void SpreadClusters::try_scores(Index row, Trial& trial) const {
  std::fill(trial.score.begin(), trial.score.end(), 0.0);
  const auto i = static_cast<std::size_t>(row);
  const auto a = static_cast<std::size_t>(own_[i]);
  if (const DistributedGroups* groups = problem_.representation->groups()) {
    const Label group = groups->own[i];
    add_changes(counts(group), a,
                static_cast<double>(groups->sizes[static_cast<std::size_t>(group)]), trial);
    return;
  }
  // Those whom the node represents: R is symmetric.
  for (const Index j : problem_.representation->graph()->neighbors(row)) {
    add_changes(counts(j), a, 1, trial);
  }
}

void SpreadClusters::add_changes(std::span<const std::int32_t> counts, std::size_t from,
                                 double sharing, Trial& trial) const {
  if (!counts_for(counts)) return;
  const double before = score_.of(counts);
  std::copy(counts.begin(), counts.end(), trial.row.begin());
  --trial.row[from];
  score_.with_one_more(trial.row, trial.changes);
  for (std::size_t b = 0; b < trial.score.size(); ++b) {
    if (b != from) trial.score[b] += sharing * (trial.changes[b] - before);
  }
}

}  // namespace repsc
