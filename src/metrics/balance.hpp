// Both balances of every node, in one pass over R.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "metrics/tally.hpp"
#include "repsc/metrics.hpp"

namespace repsc {

struct RowBalance {
  double rho = 1;
  double proportional = 1;
};

/// Both balances of a row of R, from the counts of its representatives by cluster. Refers to
/// `sizes`, those of the clusters.
class BalanceOfRows {
 public:
  explicit BalanceOfRows(const std::vector<Index>& sizes)
      : sizes_(sizes),
        non_empty_(sizes.size() -
                   static_cast<std::size_t>(std::count(sizes.begin(), sizes.end(), 0))) {}

  [[nodiscard]] int count() const { return static_cast<int>(sizes_.size()); }

  template <typename Value>
  [[nodiscard]] RowBalance of(const ClusterTally<Value>& counts) const {
    const std::size_t touched = counts.touched().size();
    if (touched == 0) return {1, 1};
    if (touched < non_empty_) return {0, 0};
    Value smallest = std::numeric_limits<Value>::max();
    Value largest = 0;
    double sparsest = std::numeric_limits<double>::infinity();
    double densest = 0;
    for (const Label k : counts.touched()) {
      smallest = std::min(smallest, counts[k]);
      largest = std::max(largest, counts[k]);
      // Fractions of the same value have the same quotient, so that exact proportions give
      // exactly 1.
      const double rate = static_cast<double>(counts[k]) / sizes_[static_cast<std::size_t>(k)];
      sparsest = std::min(sparsest, rate);
      densest = std::max(densest, rate);
    }
    const bool all = touched == sizes_.size();
    return {all ? static_cast<double>(smallest) / static_cast<double>(largest) : 0,
            sparsest / densest};
  }

 private:
  const std::vector<Index>& sizes_;
  std::size_t non_empty_;
};

struct NodeBalance {
  Vector rho;           ///< balance()
  Vector proportional;  ///< proportional_balance()
};

/// `sizes` are those of the clusters. The labels must have been checked, and be as many as the
/// nodes of R.
[[nodiscard]] NodeBalance node_balance(const Representation& representation, const Labels& labels,
                                       const std::vector<Index>& sizes, Counting counting);

}  // namespace repsc
