// ||R J H||_F / ||R||_F for the membership matrix H of given labels, in time O(entries of R).
//
//   J = I - 11'/N            (R J H)_ik = (w_ik - d_i n_k / N) / sqrt(n_k)
//   n_k = |C_k|              w_ik = sum of R_ij over j in C_k,  d_i = sum of R_ij over all j
//
// Clusters with w_ik = 0 add d_i^2 n_k / N^2 each, which is summed for all of them at once. Without
// weights N w_ik - d_i n_k is a whole number, so a residual of 0 comes out as exactly 0.
#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "core/parallel.hpp"
#include "metrics/constraint_residual.hpp"
#include "metrics/labels.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

struct SquaredNorms {
  double RJH = 0;
  double R = 0;
  SquaredNorms& operator+=(const SquaredNorms& other) {
    RJH += other.RJH;
    R += other.R;
    return *this;
  }
};

// Sums are those of rows, then of ranges of rows, so that a device can add up rows on its own and
// still find the same bytes.
template <typename Value>
SquaredNorms row_norms(const Graph& R, const Labels& labels, const std::vector<Index>& sizes,
                       double unit) {
  const auto K = static_cast<int>(sizes.size());
  const Index N = R.num_nodes();
  return parallel_sum(N, tally_grain(K), SquaredNorms{}, [&](std::int64_t begin, std::int64_t end) {
    ClusterTally<Value> row(K);
    SquaredNorms squared;
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto neighbors = R.neighbors(i);
      const auto weights = R.weights(i);
      Value d = 0;
      double square = 0;
      row.clear();
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        Value weight = 1;
        if constexpr (std::is_floating_point_v<Value>) weight = weights[e] * unit;
        row.add(labels[static_cast<std::size_t>(neighbors[e])], weight);
        d += weight;
        square += static_cast<double>(weight * weight);
      }
      squared.R += square;
      squared.RJH += scaled_row_norm(row, d, sizes, N);
    }
    return squared;
  });
}

}  // namespace

double unit_of_squares(const Graph& R) {
  const auto weights = R.weights();
  constexpr std::int64_t grain = 1 << 20;
  const auto count = static_cast<std::int64_t>(weights.size());
  std::vector<double> largest(static_cast<std::size_t>((count + grain - 1) / grain));
  parallel_ranges(count, grain, [&](std::int64_t begin, std::int64_t end) {
    largest[static_cast<std::size_t>(begin / grain)] =
        *std::max_element(weights.begin() + begin, weights.begin() + end);
  });
  const auto most = std::max_element(largest.begin(), largest.end());
  return most == largest.end() ? 1 : std::ldexp(1.0, std::clamp(-std::ilogb(*most), -1000, 1000));
}

double constraint_residual(const Representation& given, const Labels& labels, int num_clusters) {
  if (given.by_groups()) return group_constraint_residual(given.groups(), labels, num_clusters);
  const Graph& representation = given.graph();
  check_labels(labels, representation.num_nodes(), num_clusters, "label");
  const std::vector<Index> sizes = cluster_sizes(labels, num_clusters);
  SquaredNorms squared;
  if (representation.weighted()) {
    squared = row_norms<double>(representation, labels, sizes, unit_of_squares(representation));
  } else {
    squared = row_norms<std::int64_t>(representation, labels, sizes, 1);
  }
  return scaled_residual(squared.RJH, squared.R, representation.num_nodes());
}

double group_constraint_residual(const Labels& groups, const Labels& labels, int num_clusters) {
  check_partition(groups, labels, "group");
  const auto N = static_cast<Index>(groups.size());
  check_labels(labels, N, num_clusters, "label");
  const std::vector<Index> sizes = cluster_sizes(labels, num_clusters);
  const Members members(compact(groups));
  ClusterTally<std::int64_t> row(num_clusters);
  SquaredNorms squared;
  for (Index g = 0; g < members.num_groups(); ++g) {
    row.clear();
    for (const Index j : members[g]) row.add(labels[static_cast<std::size_t>(j)], 1);
    const auto size = static_cast<std::int64_t>(members[g].size());
    const auto rows = static_cast<double>(size);
    squared.RJH += rows * scaled_row_norm(row, size, sizes, N);
    squared.R += rows * rows;
  }
  return scaled_residual(squared.RJH, squared.R, N);
}

}  // namespace repsc
