// Agreement of two labellings: accuracy under the best matching, and the adjusted Rand index.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "metrics/labels.hpp"
#include "metrics/matching.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

// The entries of the contingency table that are not 0.
class Contingency {
 public:
  Contingency(const Labels& labels, const Labels& truth)
      : rows_(compact(labels)), columns_(compact(truth)) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ++counts_[key(rows_.labels[i], columns_.labels[i])];
    }
  }

  [[nodiscard]] Index num_rows() const { return rows_.count; }
  [[nodiscard]] Index num_columns() const { return columns_.count; }

  [[nodiscard]] CountMatrix table() const {
    CountMatrix result = CountMatrix::Zero(rows_.count, columns_.count);
    for (const auto& [cell, count] : counts_) {
      result(static_cast<Index>(cell >> 32U), static_cast<Index>(cell & UINT32_MAX)) = count;
    }
    return result;
  }

  // Pairs of nodes that are together in both labellings, in the first, in the second.
  [[nodiscard]] std::int64_t pairs_in_both() const {
    std::int64_t sum = 0;
    for (const auto& [cell, count] : counts_) sum += pairs(count);
    return sum;
  }
  [[nodiscard]] std::int64_t pairs_in_rows() const { return pairs_within(rows_); }
  [[nodiscard]] std::int64_t pairs_in_columns() const { return pairs_within(columns_); }

  static std::int64_t pairs(std::int64_t count) { return count * (count - 1) / 2; }

 private:
  static std::uint64_t key(Label row, Label column) {
    return (static_cast<std::uint64_t>(row) << 32U) | static_cast<std::uint32_t>(column);
  }
  static std::int64_t pairs_within(const CompactLabels& partition) {
    const Members members(partition);
    std::int64_t sum = 0;
    for (Index g = 0; g < members.num_groups(); ++g) {
      sum += pairs(static_cast<std::int64_t>(members[g].size()));
    }
    return sum;
  }

  CompactLabels rows_;
  CompactLabels columns_;
  std::unordered_map<std::uint64_t, Index> counts_;
};

Contingency checked(const Labels& labels, const Labels& truth) {
  check_partition(truth, labels, "true label");
  check_partition(labels, truth, "label");
  return {labels, truth};
}

}  // namespace

double accuracy(const Labels& labels, const Labels& truth) {
  const Contingency contingency = checked(labels, truth);
  if (labels.empty()) return 1;
  constexpr std::int64_t most_cells = 64'000'000;  // 8000 x 8000, a quarter of a gigabyte
  if (std::int64_t{contingency.num_rows()} * contingency.num_columns() > most_cells) {
    throw InvalidInput(
        Fault{.what = joined("accuracy: ", contingency.num_rows(), " clusters against ",
                             contingency.num_columns(),
                             " true ones, but the best matching is found for at most about 8000 x "
                             "8000"),
              .remedies = {advice("use the adjusted Rand index")}});
  }
  return static_cast<double>(largest_matching(contingency.table())) /
         static_cast<double>(labels.size());
}

double adjusted_rand_index(const Labels& labels, const Labels& truth) {
  const Contingency contingency = checked(labels, truth);
  const auto all =
      static_cast<double>(Contingency::pairs(static_cast<std::int64_t>(labels.size())));
  const auto both = static_cast<double>(contingency.pairs_in_both());
  const auto rows = static_cast<double>(contingency.pairs_in_rows());
  const auto columns = static_cast<double>(contingency.pairs_in_columns());
  // Every labelling with these sizes agrees equally: both are one cluster, or both are all
  // singletons.
  if (all == 0 || (rows == columns && (rows == 0 || rows == all))) return 1;
  const double expected = rows / all * columns;
  return (both - expected) / ((rows + columns) / 2 - expected);
}

}  // namespace repsc
