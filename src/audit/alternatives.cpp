// Other clusters that were possible.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "repsc/audit.hpp"
#include "repsc/refine.hpp"

namespace repsc {
namespace {

constexpr std::array weights_of_balance{0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2};

struct Point {
  TradeOff place;
  Alternative labels;
};

TradeOff place_of(const Pipeline& data, const Representation& R, const Labels& labels, int K) {
  return {.cost = normalized_cut(data.similarity(), labels, K),
          .gain = balance(R, labels, K).mean()};
}

bool leaves_a_cluster_empty(const Labels& labels, int K) {
  const std::vector<Index> sizes = cluster_sizes(labels, K);
  return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

/// Descents at every weight, each from the labels before.
void descend(const Pipeline& data, const Representation& R, Labels labels, int K,
             std::uint64_t seed, const std::string& from, std::vector<Point>& points) {
  if (leaves_a_cluster_empty(labels, K)) return;
  for (const double mu : weights_of_balance) {
    const Refinement found =
        refine(data.similarity(), R, labels, K, {.mu = mu, .max_rounds = 0, .seed = seed});
    labels = found.labels;
    points.push_back(
        {{found.cut, found.average_balance},
         {fmt::format("from {}, balance weight {:g}", from, mu),
          fmt::format("moves and swaps from {}, with a weight of {:g} on the balance", from, mu),
          labels}});
  }
}

}  // namespace

std::vector<Alternative> alternatives(Pipeline& data, const Labels& labels, int num_clusters,
                                      std::uint64_t seed, bool with_default) {
  const int K = num_clusters;
  const Representation& R = data.representation().representation();
  ClusterOptions how{.seed = seed};
  how.refine = false;
  Pipeline alone(ClusterInput{data.similarity()});
  const Labels plain = alone.run(plan(alone.input(), K, how)).labels;
  std::vector<Point> points{
      {place_of(data, R, plain, K), {"plain clustering", "plain normalized clustering", plain}}};
  if (with_default) {
    const Labels bargain = data.run(plan(data.input(), K, {.seed = seed})).labels;
    points.push_back({place_of(data, R, bargain, K),
                      {"the default of repsc", "the fair bargain, the default of repsc", bargain}});
  }
  const std::size_t num_starts = points.size();
  for (std::size_t i = 0; i < num_starts; ++i) {
    const Alternative start = points[i].labels;
    descend(data, R, start.labels, K, seed, start.name, points);
  }
  descend(data, R, labels, K, seed, "this result", points);

  std::vector<TradeOff> places;
  places.reserve(points.size() + 1);
  for (const Point& point : points) places.push_back(point.place);
  places.push_back(place_of(data, R, labels, K));
  const std::vector<bool> on_front = pareto_front(places);
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool same_as_given =
        places[i].cost == places.back().cost && places[i].gain == places.back().gain;
    // Plain clustering stays, as what there is without fairness.
    if ((i == 0 || on_front[i]) && !same_as_given) kept.push_back(std::move(points[i]));
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Point& x, const Point& y) { return x.place.gain < y.place.gain; });
  std::vector<Alternative> result;
  for (Point& point : kept) {
    const bool repeated = !result.empty() && result.back().labels == point.labels.labels;
    if (!repeated) result.push_back(std::move(point.labels));
  }
  return result;
}

}  // namespace repsc
