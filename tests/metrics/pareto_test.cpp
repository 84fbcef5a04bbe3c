// The Pareto front against its definition, pair by pair.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "repsc/metrics.hpp"

namespace repsc {
namespace {

bool beats(const TradeOff& a, const TradeOff& b) {
  return a.cost <= b.cost && a.gain >= b.gain && (a.cost < b.cost || a.gain > b.gain);
}

TEST(ParetoFront, holds_exactly_the_points_that_no_other_beats) {
  EXPECT_TRUE(rc::check([] {
    // Few different values: many ties in one coordinate or both.
    const auto coordinates = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 6), rc::gen::inRange(0, 6)));
    std::vector<TradeOff> points;
    for (const auto& [cost, gain] : coordinates) points.push_back({cost / 2.0, gain / 3.0});
    const std::vector<bool> front = pareto_front(points);
    RC_ASSERT(front.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      bool beaten = false;
      for (const TradeOff& other : points) beaten = beaten || beats(other, points[i]);
      RC_ASSERT(front[i] == !beaten);
    }
  }));
}

TEST(ParetoFront, leaves_out_what_is_not_known) {
  const double nan = std::nan("");
  EXPECT_EQ(pareto_front({{1, nan}, {nan, 9}, {2, 1}, {3, 1}}),
            (std::vector<bool>{false, false, true, false}));
  EXPECT_TRUE(pareto_front({}).empty());
}

}  // namespace
}  // namespace repsc
