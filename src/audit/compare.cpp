// Two clusterings of the same people: who gains and who loses.
#include <algorithm>

#include "metrics/labels.hpp"
#include "repsc/audit.hpp"

namespace repsc {

Comparison compare(const Graph& similarity, const Representation& representation,
                   const Labels& before, int num_before, const Labels& after, int num_after,
                   const std::optional<Labels>& groups, std::size_t most_people) {
  Comparison result{.before = evaluate(similarity, representation, before, num_before),
                    .after = evaluate(similarity, representation, after, num_after)};
  const Vector first = balance(representation, before, num_before);
  const Vector second = balance(representation, after, num_after);
  for (Index i = 0; i < first.size(); ++i) {
    const double gain = second[i] - first[i];
    if (gain > 0) {
      result.gainers.push_back({i, first[i], second[i]});
      result.mean_gain += gain;
    } else if (gain < 0) {
      result.losers.push_back({i, first[i], second[i]});
      result.mean_loss -= gain;
    }
  }
  result.num_gained = static_cast<Index>(result.gainers.size());
  result.num_lost = static_cast<Index>(result.losers.size());
  result.mean_gain /= std::max<Index>(1, result.num_gained);
  result.mean_loss /= std::max<Index>(1, result.num_lost);
  const auto larger = [](const Comparison::Change& x, const Comparison::Change& y) {
    return std::abs(x.after - x.before) > std::abs(y.after - y.before);
  };
  for (auto* changes : {&result.gainers, &result.losers}) {
    std::stable_sort(changes->begin(), changes->end(), larger);
    if (changes->size() > most_people) changes->resize(most_people);
  }
  result.agreement = adjusted_rand_index(before, after);
  if (groups) {
    check_partition(*groups, before, "group");
    const NumberedLabels numbered = compact_in_order(*groups);
    for (const Label number : numbered.numbers) result.groups.push_back({.number = number});
    for (Index i = 0; i < first.size(); ++i) {
      auto& group =
          result.groups[static_cast<std::size_t>(numbered.labels[static_cast<std::size_t>(i)])];
      ++group.num_nodes;
      group.before += first[i];
      group.after += second[i];
    }
    for (Comparison::OfGroup& group : result.groups) {
      group.before /= group.num_nodes;
      group.after /= group.num_nodes;
    }
  }
  return result;
}

}  // namespace repsc
