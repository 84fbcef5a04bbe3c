// What the user of a result should know about it.
#include "cluster/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"

namespace repsc {
namespace {

/// What helps against clusters of a few nodes.
std::vector<Remedy> against_small_clusters(Method method) {
  const Remedy other = advice("try another number of clusters");
  if (is_normalized(method)) return {{Remedy::Action::use, "regularization", "auto"}, other};
  return {advice("use a normalized method"), other};
}

/// The three largest squares of the entries of a column, and the sum of all.
struct Squares {
  double largest[3] = {0, 0, 0};  ///< ascending
  double sum = 0;

  void add(double square) {
    if (square <= largest[0]) return;
    largest[0] = square;
    std::sort(std::begin(largest), std::end(largest));
  }
  [[nodiscard]] double share_of_largest() const {
    return sum > 0 ? (largest[0] + largest[1] + largest[2]) / sum : 0;
  }
};

struct SquaresOfColumns {
  std::vector<Squares> columns;

  SquaresOfColumns& operator+=(const SquaresOfColumns& other) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (const double square : other.columns[k].largest) columns[k].add(square);
      columns[k].sum += other.columns[k].sum;
    }
    return *this;
  }
};

SquaresOfColumns squares_of(const Matrix& X) {
  const SquaresOfColumns zero{std::vector<Squares>(static_cast<std::size_t>(X.cols()))};
  return parallel_sum(X.rows(), 4096, zero, [&](std::int64_t begin, std::int64_t end) {
    SquaresOfColumns own = zero;
    for (std::int64_t i = begin; i < end; ++i) {
      for (Eigen::Index k = 0; k < X.cols(); ++k) {
        Squares& column = own.columns[static_cast<std::size_t>(k)];
        const double square = X(i, k) * X(i, k);
        column.sum += square;
        column.add(square);
      }
    }
    return own;
  });
}

}  // namespace

std::vector<Warning> rank_warnings(Index asked, Index used, bool unique) {
  std::vector<Warning> warnings;
  if (asked > used) {
    warnings.push_back(
        {.code = "rank_above_rank_of_representation",
         .what = fmt::format("rank {} is above the rank of R, {}: the constraint is that of R "
                             "itself",
                             asked, used)});
  }
  if (!unique) {
    warnings.push_back(
        {.code = "rank_not_unique",
         .what = fmt::format("eigenvalues {} and {} of R have the same absolute value: the best "
                             "approximation of rank {} is not unique, and one of them was used",
                             used, used + 1, used),
         .remedies = {advice("choose a rank that parts no equal eigenvalues")}});
  }
  return warnings;
}

std::vector<Warning> localization_warnings(const Matrix& X, Method method) {
  constexpr Eigen::Index few_nodes = 50;  // below, three nodes are a good part of all
  if (X.rows() < few_nodes) return {};
  Eigen::Index localized = 0;
  for (const Squares& column : squares_of(X).columns)
    localized += column.share_of_largest() > most_in_three_nodes;
  if (localized == 0) return {};
  return {{.code = "localized_embedding",
           .what = fmt::format("{} of {} eigenvectors {} no more than three nodes: such nodes are "
                               "cut off one by one",
                               localized, X.cols(), localized == 1 ? "describes" : "describe"),
           .remedies = against_small_clusters(method)}};
}

Warning no_visible_clusters(const Clustering& found) {
  return {
      .code = "no_visible_clusters",
      .what = fmt::format("G has no {} clusters to be seen: there is no gap after its {} lowest "
                          "eigenvalues (largest {:.4g}), labels change as long as the iteration "
                          "runs, and it was ended after {} products",
                          found.num_clusters, found.num_clusters,
                          found.eigenvalues[found.num_clusters - 1], found.iterations),
      .remedies = {advice("try another number of clusters"),
                   {Remedy::Action::use, "tolerance", "1e-6"}}};
}

Warning device_not_used(const std::string& solver) {
  const bool could = solver == solver::Lanczos::name;
  return {.code = "device_not_used",
          .what = fmt::format("the eigenvectors were computed on the CPU: {}",
                              could ? "a soft constraint by an R in packed rows is not on the "
                                      "device"
                                    : fmt::format("the solver {} is not on the device", solver))};
}

Warning device_failed(const std::string& what) {
  return {
      .code = "device_failed",
      .what = fmt::format("everything was computed on the CPU, because a device failed ({})", what),
      .remedies = {{Remedy::Action::use, "device", "cpu"}}};
}

std::vector<Warning> size_warnings(const std::vector<Index>& sizes, Method method) {
  constexpr double least_share = 0.005;
  const auto num_clusters = static_cast<int>(sizes.size());
  const double N = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  // With hundreds of clusters a cluster of average size is no larger than that.
  const double least = std::min(least_share * N, N / num_clusters / 2);
  const auto small = std::count_if(sizes.begin(), sizes.end(),
                                   [&](Index size) { return static_cast<double>(size) < least; });
  if (small == 0) return {};
  const Index smallest = *std::min_element(sizes.begin(), sizes.end());
  return {{.code = "small_clusters",
           .what = fmt::format("{} of {} clusters {} less than 0.5 % of the nodes, the smallest {}",
                               small, num_clusters, small == 1 ? "has" : "have", smallest),
           .remedies = against_small_clusters(method)}};
}

std::vector<Warning> lots_warnings(const Baselines& baselines, double cut) {
  if (!baselines.like_random(cut)) return {};
  const Lots& lots = baselines.random;
  return {
      {.code = "no_better_than_lots",
       .what = fmt::format("the cut is within three spreads of that of clusters drawn by lot: "
                           "normalized cut {:.4g}, lots {:.4g} with a spread of {:.2g}",
                           cut, lots.cut, lots.cut_spread),
       .remedies = {advice("ask for less fairness"), advice("try another number of clusters")}}};
}

std::vector<Warning> component_warnings(Index num_components, int num_clusters, Method method) {
  if (num_components <= 1) return {};
  std::vector<Remedy> remedies{advice("cluster the largest component alone")};
  if (is_normalized(method)) {
    remedies.insert(remedies.begin(), {Remedy::Action::use, "regularization", "auto"});
  }
  return {{.code = "several_components",
           .what = fmt::format("G has {} components{}", num_components,
                               num_components > num_clusters
                                   ? ", more than clusters: which of them share a cluster is "
                                     "arbitrary"
                                   : ", which no edge connects: clusters may be components"),
           .remedies = std::move(remedies)}};
}

}  // namespace repsc
