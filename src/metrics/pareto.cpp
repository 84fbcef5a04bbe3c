// The Pareto front of costs and gains, by one pass in the order of the costs.
#include <algorithm>
#include <cmath>

#include "repsc/metrics.hpp"

namespace repsc {

std::vector<bool> pareto_front(const std::vector<TradeOff>& points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isnan(points[i].cost) && !std::isnan(points[i].gain)) order.push_back(i);
  }
  // Cheapest first, of equal costs the largest gain first.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (points[a].cost != points[b].cost) return points[a].cost < points[b].cost;
    return points[a].gain > points[b].gain;
  });
  std::vector<bool> front(points.size(), false);
  const TradeOff* last = nullptr;  // the last point on the front: the largest gain so far
  for (const std::size_t i : order) {
    const TradeOff& point = points[i];
    const bool equal = last != nullptr && point.cost == last->cost && point.gain == last->gain;
    front[i] = last == nullptr || point.gain > last->gain || equal;
    if (front[i]) last = &point;
  }
  return front;
}

}  // namespace repsc
