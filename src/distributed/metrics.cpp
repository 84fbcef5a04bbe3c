// Cuts and balances, computed where the rows are: labels of ghosts are exchanged once, and sums are
// exact (exact_sum.hpp).
#include "distributed/metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "distributed/exact_sum.hpp"
#include "metrics/balance.hpp"
#include "metrics/constraint_residual.hpp"
#include "metrics/edge_weights.hpp"
#include "metrics/group_fairness.hpp"
#include "metrics/tally.hpp"

namespace repsc {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

EdgeWeights spread_edge_weights(const DistributedGraph& A, const Labels& own, int num_clusters) {
  const Labels labels = A.by_column(own);
  Matrix values = Matrix::Zero(A.rows().stored(), 2);  // leaving, all
  for (Index i = 0; i < A.rows().stored(); ++i) {
    const auto neighbors = A.neighbors(i);
    const auto weights = A.weights(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      const double weight = weights.empty() ? 1 : weights[e];
      values(i, 1) += weight;
      if (labels[static_cast<std::size_t>(neighbors[e])] != own[static_cast<std::size_t>(i)]) {
        values(i, 0) += weight;
      }
    }
  }
  const Matrix sums =
      exact_sums_by_key(A.rows().ranks(), own, num_clusters, values, A.rows().num_nodes());
  EdgeWeights result;
  for (int k = 0; k < num_clusters; ++k) {
    result.leaving.push_back(sums(k, 0));
    result.volumes.push_back(sums(k, 1));
  }
  return result;
}

/// What the balances and the residual of all rows of R add up to.
struct BalanceSums {
  double rho = 0;
  double proportional = 0;
  double smallest_rho = 1;
  double smallest_proportional = 1;
  double RJH = 0;  ///< N^2 ||R J H||_F^2
  double R = 0;    ///< ||R||_F^2
};

template <typename Value>
BalanceSums sums_over_rows(const DistributedGraph& R, const Labels& own,
                           const std::vector<Index>& sizes) {
  const SpreadRows& rows = R.rows();
  const Labels labels = R.by_column(own);
  const BalanceOfRows balance(sizes);
  ClusterTally<Index> links(static_cast<int>(sizes.size()));
  ClusterTally<Value> weighted(static_cast<int>(sizes.size()));
  double smallest[2] = {-1, -1};  // negative, because ranks agree on the largest
  const Vector sums = rows.sum(4, [&](Index i, auto&& part) {
    const auto neighbors = R.neighbors(i);
    const auto weights = R.weights(i);
    links.clear();
    weighted.clear();
    Value d = 0;
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      const Label label = labels[static_cast<std::size_t>(neighbors[e])];
      const auto weight = weights.empty() ? Value{1} : static_cast<Value>(weights[e]);
      links.add(label, 1);
      weighted.add(label, weight);
      d += weight;
      part[3] += static_cast<double>(weight * weight);
    }
    const RowBalance row = balance.of(links);
    part[0] += row.rho;
    part[1] += row.proportional;
    part[2] += scaled_row_norm(weighted, d, sizes, rows.num_nodes());
    smallest[0] = std::max(smallest[0], -row.rho);
    smallest[1] = std::max(smallest[1], -row.proportional);
  });
  rows.ranks().max(smallest);
  return {sums[0], sums[1], -smallest[0], -smallest[1], sums[2], sums[3]};
}

BalanceSums sums_over_groups(const CountMatrix& table, const std::vector<Index>& sizes, Index N) {
  const BalanceOfRows balance(sizes);
  ClusterTally<Index> links(static_cast<int>(sizes.size()));
  ClusterTally<std::int64_t> row(static_cast<int>(sizes.size()));
  BalanceSums sums;
  for (Eigen::Index g = 0; g < table.rows(); ++g) {
    links.clear();
    row.clear();
    std::int64_t size = 0;
    for (Label k = 0; k < table.cols(); ++k) {
      links.add(k, table(g, k));
      row.add(k, table(g, k));
      size += table(g, k);
    }
    const auto members = static_cast<double>(size);
    const RowBalance shared = balance.of(links);
    sums.rho += members * shared.rho;
    sums.proportional += members * shared.proportional;
    sums.smallest_rho = std::min(sums.smallest_rho, shared.rho);
    sums.smallest_proportional = std::min(sums.smallest_proportional, shared.proportional);
    sums.RJH += members * scaled_row_norm(row, size, sizes, N);
    sums.R += members * members;
  }
  return sums;
}

BalanceSums balance_sums(const DistributedProblem& problem, const Labels& own,
                         const std::vector<Index>& sizes) {
  const SpreadRows& rows = *problem.rows;
  if (const DistributedGroups* groups = problem.representation->groups()) {
    return sums_over_groups(spread_group_table(rows, *groups, own, static_cast<int>(sizes.size())),
                            sizes, rows.num_nodes());
  }
  const DistributedGraph& R = *problem.representation->graph();
  double weighted[1] = {R.weighted() ? 1.0 : 0.0};  // a rank without entries does not know
  rows.ranks().max(weighted);
  return weighted[0] != 0 ? sums_over_rows<double>(R, own, sizes)
                          : sums_over_rows<std::int64_t>(R, own, sizes);
}

/// A permutation of [0, 4^bits) by four rounds of a Feistel network (Luby and Rackoff 1988).
std::uint64_t permuted(std::uint64_t x, unsigned bits, std::uint64_t key) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t left = x >> bits;
  std::uint64_t right = x & mask;
  for (std::uint64_t round = 0; round < 4; ++round) {
    std::uint64_t mixed = key ^ (right * 4 + round);
    const std::uint64_t next = left ^ (splitmix64(mixed) & mask);
    left = right;
    right = next;
  }
  return left << bits | right;
}

}  // namespace

std::vector<Index> spread_sizes(const SpreadRows& rows, const Labels& own, int num_clusters) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(num_clusters), 0);
  for (const Label label : own) ++counts[static_cast<std::size_t>(label)];
  rows.ranks().sum(counts);
  return {counts.begin(), counts.end()};
}

CountMatrix spread_group_table(const SpreadRows& rows, const DistributedGroups& groups,
                               const Labels& own, int num_clusters) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(groups.count()) *
                                   static_cast<std::size_t>(num_clusters));
  for (std::size_t i = 0; i < own.size(); ++i) {
    ++counts[static_cast<std::size_t>(groups.own[i]) * static_cast<std::size_t>(num_clusters) +
             static_cast<std::size_t>(own[i])];
  }
  rows.ranks().sum(counts);
  CountMatrix table(groups.count(), num_clusters);
  std::copy(counts.begin(), counts.end(), table.data());
  return table;
}

Label lot_of(Index node, Index num_nodes, int num_clusters, std::uint64_t key) {
  const unsigned bits =
      (static_cast<unsigned>(std::bit_width(static_cast<std::uint32_t>(num_nodes))) + 1) / 2;
  auto place = static_cast<std::uint64_t>(node);
  do {
    place = permuted(place, bits, key);
  } while (place >= static_cast<std::uint64_t>(num_nodes));  // until it is a node again
  return static_cast<Label>(place % static_cast<std::uint64_t>(num_clusters));
}

Metrics evaluate_spread(const DistributedProblem& problem, const Labels& own, int num_clusters) {
  const SpreadRows& rows = *problem.rows;
  const EdgeWeights weights = spread_edge_weights(*problem.similarity, own, num_clusters);
  Metrics metrics;
  metrics.cluster_sizes = spread_sizes(rows, own, num_clusters);
  metrics.ratio_cut = ratio_cut(weights, metrics.cluster_sizes);
  metrics.normalized_cut = normalized_cut(weights);
  metrics.modularity = modularity(weights);
  metrics.internal_edge_share = internal_edge_share(weights);
  metrics.conductance = conductance(weights);
  metrics.cluster_internal_shares = internal_shares(weights);
  metrics.average_balance = metrics.minimum_balance = metrics.constraint_residual = unknown;
  if (problem.representation) {
    const BalanceSums sums = balance_sums(problem, own, metrics.cluster_sizes);
    const double N = rows.num_nodes();
    metrics.average_balance = sums.rho / N;
    metrics.minimum_balance = sums.smallest_rho;
    metrics.average_proportional_balance = sums.proportional / N;
    metrics.minimum_proportional_balance = sums.smallest_proportional;
    metrics.constraint_residual = sums.R > 0 ? std::sqrt(sums.RJH / sums.R) / N : 0;
  }
  if (problem.groups) {
    metrics.group_fairness =
        group_fairness(spread_group_table(rows, *problem.groups, own, num_clusters));
  }
  return metrics;
}

Outcome outcome_of(const DistributedProblem& problem, const Labels& own, int num_clusters) {
  const EdgeWeights weights = spread_edge_weights(*problem.similarity, own, num_clusters);
  if (!problem.representation) return {normalized_cut(weights), unknown};
  const std::vector<Index> sizes = spread_sizes(*problem.rows, own, num_clusters);
  return {normalized_cut(weights),
          balance_sums(problem, own, sizes).rho / problem.rows->num_nodes()};
}

Lots draw_spread_lots(const DistributedProblem& problem, int num_clusters, std::uint64_t seed) {
  const SpreadRows& rows = *problem.rows;
  constexpr double affordable = 1e7;  // entries, as draw_lots() has it
  const double N = rows.num_nodes();
  Lots lots;
  lots.draws = static_cast<int>(std::clamp(
      affordable / std::max(1.0, static_cast<double>(problem.num_entries) + 10 * N), 10.0, 100.0));
  std::vector<Outcome> found;
  for (int draw = 0; draw < lots.draws; ++draw) {
    std::uint64_t key = seed + 0x9e37'79b9'7f4a'7c15ULL * static_cast<std::uint64_t>(draw + 1);
    key = splitmix64(key);
    Labels own(static_cast<std::size_t>(rows.stored()));
    for (Index i = 0; i < rows.stored(); ++i) {
      own[static_cast<std::size_t>(i)] =
          lot_of(rows.begin() + i, rows.num_nodes(), num_clusters, key);
    }
    found.push_back(outcome_of(problem, own, num_clusters));
    lots.cut += found.back().cut / lots.draws;
    lots.average_balance += found.back().average_balance / lots.draws;
  }
  for (const Outcome& each : found) {
    lots.cut_spread += std::pow(each.cut - lots.cut, 2) / (lots.draws - 1);
    lots.balance_spread +=
        std::pow(each.average_balance - lots.average_balance, 2) / (lots.draws - 1);
  }
  lots.cut_spread = std::sqrt(lots.cut_spread);
  lots.balance_spread = std::sqrt(lots.balance_spread);
  const Vector degrees = problem.similarity->degrees();
  const double volume = rows.sum(1, [&](Index i, auto&& part) { part[0] += degrees[i]; })[0];
  lots.ratio_cut = N > 1 ? 0.5 * volume * (num_clusters - 1) / (N - 1) : 0;
  return lots;
}

double spread_balance_limit(const DistributedProblem& problem, int num_clusters) {
  const SpreadRows& rows = *problem.rows;
  const DistributedGraph* const R = problem.representation->graph();
  const DistributedGroups* const groups = problem.representation->groups();
  const double sum = rows.sum(1, [&](Index i, auto&& part) {
    const auto size =
        groups != nullptr
            ? groups->sizes[static_cast<std::size_t>(groups->own[static_cast<std::size_t>(i)])]
            : static_cast<std::int64_t>(R->neighbors(i).size());
    part[0] += balance_limit(static_cast<Index>(size), num_clusters);
  })[0];
  return sum / rows.num_nodes();
}

}  // namespace repsc
