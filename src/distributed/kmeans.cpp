// k-means on rows that are spread over ranks: few rows are gathered; with many, a sample is.
#include "distributed/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "distributed/exact_sum.hpp"
#include "kmeans/distances.hpp"
#include "kmeans/lloyd.hpp"
#include "kmeans/seeding.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

/// Rows of all ranks, in order.
Matrix gathered(const Communicator& ranks, const Matrix& own) {
  const std::vector<double> all =
      ranks.gather(std::span(own.data(), static_cast<std::size_t>(own.size())));
  return Eigen::Map<const Matrix>(all.data(), static_cast<Eigen::Index>(all.size()) / own.cols(),
                                  own.cols());
}

/// The first `count` different rows of all ranks, and more; fewer if there are no more.
Matrix first_distinct(const SpreadRows& rows, const Matrix& points, int count) {
  std::vector<Index> found;
  for (Index i = 0; i < rows.stored() && static_cast<int>(found.size()) < count; ++i) {
    const bool is_new = std::none_of(found.begin(), found.end(),
                                     [&](Index j) { return points.row(i) == points.row(j); });
    if (is_new) found.push_back(i);
  }
  return gathered(rows.ranks(), points(found, Eigen::all));
}

/// lightweight_coreset() of the rows of all ranks: the same rows, however many ranks there are.
WeightedRows spread_coreset(const SpreadRows& rows, const Matrix& X, std::int64_t size,
                            std::uint64_t key) {
  const Vector mean = (rows.column_sums(X) / rows.num_nodes()).transpose();
  const auto squared = [&](Index i) {
    return squared_distance(X.data() + i * X.cols(), mean.data(), X.cols());
  };
  const double all = rows.sum(1, [&](Index i, auto&& part) { part[0] += squared(i); })[0];
  const Expected expected(size, rows.num_nodes(), all);
  std::vector<double> weights;
  std::vector<Index> drawn;
  std::vector<Index> names;
  for (Index i = 0; i < rows.stored(); ++i) {
    const Index name = rows.begin() + i;
    const double on_average = expected.draws(squared(i));
    const double count = rounded_at_random(on_average, key, static_cast<std::uint64_t>(name));
    if (count == 0) continue;
    drawn.push_back(i);
    names.push_back(name);
    weights.push_back(count / on_average);
  }
  return {.points = gathered(rows.ranks(), X(drawn, Eigen::all)),
          .weights = rows.ranks().gather(std::span<const double>(weights)),
          .rows = rows.ranks().gather(std::span<const Index>(names)),
          .stride = rows.num_nodes() / size};
}

/// Rows of the sample by greedy k-means++; where it has too few different ones, also `others`.
Matrix start_centers(const WeightedRows& sample, const Matrix& others, int num_clusters,
                     RandomStream& random) {
  const std::vector<Index> chosen = greedy_kmeanspp(sample, num_clusters, random);
  if (chosen.size() == static_cast<std::size_t>(num_clusters)) {
    return sample.points(chosen, Eigen::all);
  }
  Matrix all(static_cast<Eigen::Index>(chosen.size()) + others.rows(), others.cols());
  all << sample.points(chosen, Eigen::all), others;
  std::vector<Index> rows(chosen.size());
  std::iota(rows.begin(), rows.end(), 0);
  complete_with_distinct_rows(all, num_clusters, rows);
  return all(rows, Eigen::all);
}

/// The best start: each restart runs on the sample, on one of the ranks.
Matrix best_centers(const Communicator& ranks, const WeightedRows& sample, const Matrix& others,
                    int num_clusters, const SpreadKMeansOptions& options) {
  const Eigen::Index size = num_clusters * sample.points.cols();
  std::vector<double> best(static_cast<std::size_t>(size) + 2, 0.0);  // inertia, restart, centers
  best[0] = std::numeric_limits<double>::infinity();
  for (int restart = ranks.rank(); restart < 2 * options.restarts; restart += ranks.size()) {
    RandomStream random(options.seed, static_cast<std::uint64_t>(restart));
    Matrix centers = start_centers(sample, others, num_clusters, random);
    const LloydResult found = lloyd(sample.points, std::move(centers), options.max_iterations,
                                    options.tolerance, sample.weights);
    if (!(found.inertia < best[0])) continue;  // the first of equals
    best[0] = found.inertia;
    best[1] = restart;
    std::copy_n(found.centers.data(), size, best.begin() + 2);
  }
  const std::vector<double> all = ranks.gather(std::span<const double>(best));
  std::size_t chosen = 0;
  for (std::size_t at = 0; at < all.size(); at += best.size()) {
    if (std::pair(all[at], all[at + 1]) < std::pair(all[chosen], all[chosen + 1])) chosen = at;
  }
  return Eigen::Map<const Matrix>(all.data() + chosen + 2, num_clusters, sample.points.cols());
}

/// Lloyd's iteration on all rows.
class SpreadLloyd {
 public:
  SpreadLloyd(const SpreadRows& rows, const Matrix& points, Matrix centers)
      : rows_(rows),
        X_(points),
        C_(std::move(centers)),
        labels_(static_cast<std::size_t>(points.rows()), -1),
        distance_(labels_.size()) {}

  SpreadKMeansResult run(const SpreadKMeansOptions& options) {
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
      const bool changed = assign();
      const double inertia = move_centers();
      if (options.progress) options.progress({"kmeans", iteration + 1, 0, inertia});
      if (!changed || before - inertia <= options.tolerance * inertia) break;
      before = inertia;
    }
    const double inertia = rows_.sum(1, [&](Index i, auto&& part) {
      part[0] += squared_distance(row(i), center(labels_[static_cast<std::size_t>(i)]), X_.cols());
    })[0];
    renumber();
    return {std::move(labels_), inertia};
  }

 private:
  [[nodiscard]] const double* row(Index i) const { return X_.data() + i * X_.cols(); }
  [[nodiscard]] const double* center(Label k) const { return C_.data() + k * X_.cols(); }
  [[nodiscard]] Label& label(Index i) { return labels_[static_cast<std::size_t>(i)]; }

  /// Every row to its nearest center, the lower of equals. Whether any label changed.
  bool assign() {
    const CenterBlocks centers(C_);
    std::vector<double> distance = centers.room();
    std::int64_t changed = 0;
    for (Index i = 0; i < rows_.stored(); ++i) {
      centers.distances(row(i), distance.data());
      const auto nearest = std::min_element(distance.begin(), distance.end());
      const auto found = static_cast<Label>(nearest - distance.begin());
      changed += found != label(i) ? 1 : 0;
      label(i) = found;
      distance_[static_cast<std::size_t>(i)] = *nearest;
    }
    rows_.ranks().sum({&changed, 1});
    return changed > 0;
  }

  /// Centers become means; returns the inertia before that. A cluster without rows gets the row
  /// farthest from its center.
  double move_centers() {
    const Eigen::Index K = C_.rows();
    const Eigen::Index columns = C_.cols();
    const Vector sums =
        rows_.sum(static_cast<Index>(K * (columns + 1) + 1), [&](Index i, auto&& part) {
          const Label k = label(i);
          part.segment(k * columns, columns) += X_.row(i);
          part[K * columns + k] += 1;
          part[K * (columns + 1)] += distance_[static_cast<std::size_t>(i)];
        });
    Vector sizes = sums.segment(K * columns, K);
    for (Eigen::Index k = 0; k < K; ++k) {
      if (sizes[k] > 0) C_.row(k) = sums.segment(k * columns, columns).transpose() / sizes[k];
    }
    for (Eigen::Index k = 0; k < K; ++k) {
      if (sizes[k] == 0) take_farthest(static_cast<Label>(k), sizes);
    }
    return sums[K * (columns + 1)];
  }

  void take_farthest(Label empty, Vector& sizes) {
    struct Candidate {
      double distance = -1;
      std::int64_t node = -1;
      std::int64_t label = -1;
    } own;
    for (Index i = 0; i < rows_.stored(); ++i) {
      if (sizes[label(i)] < 2 || !(distance_[static_cast<std::size_t>(i)] > own.distance)) continue;
      own = {distance_[static_cast<std::size_t>(i)], rows_.begin() + i, label(i)};
    }
    const std::vector<Candidate> all = rows_.ranks().gather(std::span<const Candidate>(&own, 1));
    const Candidate far =
        *std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
          return a.distance < b.distance;  // the first of equals, which has the lowest node
        });
    if (far.node < 0) return;  // every cluster has one row
    const std::int64_t here = far.node - rows_.begin();
    const bool is_own = here >= 0 && here < rows_.stored();
    const Matrix taken =
        gathered(rows_.ranks(), is_own ? Matrix(X_.row(here)) : Matrix(0, X_.cols()));
    C_.row(empty) = taken.row(0);
    if (is_own) {
      label(static_cast<Index>(here)) = empty;
      distance_[static_cast<std::size_t>(here)] = 0;
    }
    --sizes[far.label];
    ++sizes[empty];
  }

  /// Numbers clusters in the order of their first rows.
  void renumber() {
    std::vector<double> first(static_cast<std::size_t>(C_.rows()),
                              -std::numeric_limits<double>::infinity());
    for (Index i = rows_.stored() - 1; i >= 0; --i) {
      first[static_cast<std::size_t>(label(i))] = -static_cast<double>(rows_.begin() + i);
    }
    rows_.ranks().max(first);
    std::vector<Label> order(first.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Label>(k);
    std::stable_sort(order.begin(), order.end(), [&](Label a, Label b) {
      return first[static_cast<std::size_t>(a)] > first[static_cast<std::size_t>(b)];
    });
    std::vector<Label> number(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
      number[static_cast<std::size_t>(order[place])] = static_cast<Label>(place);
    }
    for (Label& each : labels_) each = number[static_cast<std::size_t>(each)];
  }

  const SpreadRows& rows_;
  const Matrix& X_;
  Matrix C_;
  Labels labels_;
  std::vector<double> distance_;
};

SpreadKMeansResult gathered_kmeans(const SpreadRows& rows, const Matrix& points, int num_clusters,
                                   const SpreadKMeansOptions& options) {
  const auto own = [&](const Labels& labels) {
    const auto first = labels.begin() + rows.begin();
    return Labels(first, first + rows.stored());
  };
  KMeansOptions how{.restarts = options.restarts,
                    .max_iterations = options.max_iterations,
                    .tolerance = options.tolerance,
                    .seed = options.seed,
                    .progress = options.progress};
  if (options.among_equals) {
    how.among_equals = [&](const Labels& labels) { return options.among_equals(own(labels)); };
  }
  const KMeansResult all = kmeans(gathered(rows.ranks(), points), num_clusters, how);
  return {own(all.labels), all.inertia};
}

}  // namespace

SpreadKMeansResult spread_kmeans(const SpreadRows& rows, const Matrix& points, int num_clusters,
                                 const SpreadKMeansOptions& options) {
  const std::int64_t most = options.most_gathered.value_or(rows_worth_sampling(num_clusters) - 1);
  if (rows.num_nodes() <= most) return gathered_kmeans(rows, points, num_clusters, options);
  const WeightedRows sample = spread_coreset(
      rows, points, std::max<std::int64_t>((most + 1) / 4, num_clusters), sample_key(options.seed));
  const Matrix others = first_distinct(rows, points, num_clusters);
  Matrix centers = best_centers(rows.ranks(), sample, others, num_clusters, options);
  return SpreadLloyd(rows, points, std::move(centers)).run(options);
}

}  // namespace repsc
