// k-means: the best of several runs of Lloyd's iteration from greedy k-means++ starts.
#include "repsc/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "kmeans/lloyd.hpp"
#include "kmeans/seeding.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 4096;  // rows
// Below, each restart runs on one thread and restarts run side by side; above, one after the other,
// which needs less memory. The result is the same.
constexpr Eigen::Index side_by_side_rows = 100'000;

void check_options(const Matrix& points, int num_clusters, const KMeansOptions& options) {
  require(num_clusters >= 1, "k-means: ", num_clusters, " clusters but it must be 1 or more");
  require(points.rows() <= std::numeric_limits<Index>::max(), "k-means: ", points.rows(),
          " rows but at most ", std::numeric_limits<Index>::max(), " can be numbered");
  require(num_clusters <= points.rows(), "k-means: ", num_clusters, " clusters but only ",
          points.rows(), " rows");
  require(options.restarts >= 1, "k-means: ", options.restarts, " restarts, needs 1 or more");
  require(options.max_iterations >= 1, "k-means: ", options.max_iterations,
          " iterations, needs 1 or more");
  require(options.tolerance >= 0 && std::isfinite(options.tolerance), "k-means: tolerance ",
          options.tolerance, " but it must be a number >= 0");
}

// The largest absolute value. Throws InvalidInput for a value that is not finite.
double largest_value(const Matrix& points) {
  std::vector<double> largest(static_cast<std::size_t>((points.rows() + grain - 1) / grain), 0.0);
  parallel_ranges(points.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    double& result = largest[static_cast<std::size_t>(begin / grain)];
    for (std::int64_t i = begin; i < end; ++i) {
      for (const double value : points.row(i)) {
        require(std::isfinite(value), "k-means: row ", i, " holds ", value,
                ", which is not a finite number");
        result = std::max(result, std::abs(value));
      }
    }
  });
  return *std::max_element(largest.begin(), largest.end());
}

// The power of two to divide by, so that squares neither overflow nor vanish; 0 where they do not.
int scaling_exponent(double largest) {
  constexpr int harmless = 100;
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) <= harmless ? 0 : exponent;
}

Matrix scaled(const Matrix& points, int exponent) {
  return points.unaryExpr([exponent](double value) { return std::ldexp(value, exponent); });
}

// Numbers clusters in the order of their first rows.
void renumber(LloydResult& run) {
  const Label unseen = -1;
  Labels number(static_cast<std::size_t>(run.centers.rows()), unseen);
  Matrix centers(run.centers.rows(), run.centers.cols());
  Label next = 0;
  for (Label& label : run.labels) {
    Label& renamed = number[static_cast<std::size_t>(label)];
    if (renamed == unseen) {
      renamed = next++;
      centers.row(renamed) = run.centers.row(label);
    }
    label = renamed;
  }
  run.centers = std::move(centers);
}

class Restarts {
 public:
  Restarts(const Matrix& points, int exponent, int num_clusters, const KMeansOptions& options)
      : points_(points),
        scaled_(exponent == 0 ? Matrix() : scaled(points, -exponent)),
        exponent_(exponent),
        num_clusters_(num_clusters),
        options_(options) {}

  [[nodiscard]] LloydResult best() const {
    return points_.rows() < side_by_side_rows ? side_by_side() : one_by_one();
  }

 private:
  [[nodiscard]] LloydResult run(int restart) const {
    const Matrix& X = exponent_ == 0 ? points_ : scaled_;
    RandomStream random(options_.seed, static_cast<std::uint64_t>(restart));
    std::vector<Index> rows = greedy_kmeanspp(X, num_clusters_, random);
    if (rows.size() < static_cast<std::size_t>(num_clusters_)) {
      complete_with_distinct_rows(points_, num_clusters_, rows);
    }
    Matrix centers(num_clusters_, X.cols());
    for (int k = 0; k < num_clusters_; ++k) {
      centers.row(k) = X.row(rows[static_cast<std::size_t>(k)]);
    }
    return lloyd(X, std::move(centers), options_.max_iterations, options_.tolerance);
  }

  void report(int done, double inertia) const {
    if (!options_.progress) return;
    options_.progress({"kmeans", done, options_.restarts, std::ldexp(inertia, 2 * exponent_)});
  }

  [[nodiscard]] LloydResult side_by_side() const {
    std::vector<LloydResult> runs(static_cast<std::size_t>(options_.restarts));
    parallel_chunks(options_.restarts, [&](std::int64_t restart) {
      runs[static_cast<std::size_t>(restart)] = run(static_cast<int>(restart));
    });
    // The first of equals: min_element keeps the lower restart.
    auto best = std::min_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return a.inertia < b.inertia;
    });
    report(options_.restarts, best->inertia);
    return std::move(*best);
  }

  [[nodiscard]] LloydResult one_by_one() const {
    LloydResult best = run(0);
    report(1, best.inertia);
    for (int restart = 1; restart < options_.restarts; ++restart) {
      LloydResult next = run(restart);
      if (next.inertia < best.inertia) best = std::move(next);
      report(restart + 1, best.inertia);
    }
    return best;
  }

  const Matrix& points_;
  Matrix scaled_;  // empty where points_ need no scaling
  int exponent_;
  int num_clusters_;
  const KMeansOptions& options_;
};

}  // namespace

KMeansResult kmeans(const Matrix& points, int num_clusters, const KMeansOptions& options) {
  check_options(points, num_clusters, options);
  const int exponent = scaling_exponent(largest_value(points));
  LloydResult best = Restarts(points, exponent, num_clusters, options).best();
  renumber(best);
  return {std::move(best.labels), scaled(best.centers, exponent),
          std::ldexp(best.inertia, 2 * exponent), best.iterations};
}

}  // namespace repsc
