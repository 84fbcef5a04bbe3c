// Labels without gaps.
#include "core/compact_labels.hpp"

#include <unordered_map>

#include "core/pages.hpp"
#include "core/parallel.hpp"

namespace repsc {
namespace {

constexpr std::int64_t labels_at_once = std::int64_t{1} << 18U;

}  // namespace

LabelExtent extent_of(const Labels& labels) {
  return parallel_sum(static_cast<std::int64_t>(labels.size()), labels_at_once, LabelExtent{},
                      [&](std::int64_t begin, std::int64_t end) {
                        const auto [least, most] =
                            std::minmax_element(labels.begin() + begin, labels.begin() + end);
                        return LabelExtent{*least, *most};
                      });
}

Labels copy_of(const Labels& labels) {
  Labels result;
  result.reserve(labels.size());
  ask_for_large_pages(result.data(), labels.size() * sizeof(Label));
  result.assign(labels.begin(), labels.end());
  return result;
}

std::vector<Label> numbers_by_first_use(const Labels& labels, Label range) {
  std::vector<Label> numbers(static_cast<std::size_t>(range), -1);
  Label next = 0;
  for (const Label label : labels) {
    Label& own = numbers[static_cast<std::size_t>(label)];
    if (own < 0) own = next++;
    if (next == range) break;  // most often after a few labels
  }
  return numbers;
}

void renumber(Labels& labels, const std::vector<Label>& numbers) {
  bool same = true;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    same = same && (numbers[k] < 0 || numbers[k] == static_cast<Label>(k));
  }
  if (same) return;
  parallel_ranges(static_cast<std::int64_t>(labels.size()), labels_at_once,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (auto i = begin; i < end; ++i) {
                      Label& label = labels[static_cast<std::size_t>(i)];
                      label = numbers[static_cast<std::size_t>(label)];
                    }
                  });
}

std::vector<Index> label_counts(const Labels& labels, Label range) {
  // Few, large parts, because each has a table.
  const auto count = static_cast<std::int64_t>(labels.size());
  const std::int64_t part = std::max({labels_at_once, std::int64_t{range}, count / 64});
  std::vector<std::vector<Index>> parts(static_cast<std::size_t>((count + part - 1) / part));
  parallel_ranges(count, part, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Index> own(static_cast<std::size_t>(range), 0);
    for (auto i = begin; i < end; ++i)
      ++own[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
    parts[static_cast<std::size_t>(begin / part)] = std::move(own);
  });
  std::vector<Index> counts(static_cast<std::size_t>(range), 0);
  for (const std::vector<Index>& own : parts) {
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += own[k];
  }
  return counts;
}

CompactLabels compact(const Labels& labels) {
  if (labels.empty()) return {};
  const LabelExtent extent = extent_of(labels);
  if (extent.least >= 0 && static_cast<std::size_t>(extent.most) < 2 * labels.size()) {
    const std::vector<Label> numbers = numbers_by_first_use(labels, extent.most + 1);
    CompactLabels result{.labels = labels};
    renumber(result.labels, numbers);
    result.count = 1 + *std::max_element(numbers.begin(), numbers.end());
    return result;
  }
  CompactLabels result;
  result.labels.reserve(labels.size());
  std::unordered_map<Label, Label> number;
  for (const Label label : labels) {
    const auto known = number.try_emplace(label, result.count);
    if (known.second) ++result.count;
    result.labels.push_back(known.first->second);
  }
  return result;
}

NumberedLabels compact_in_order(const Labels& labels) {
  NumberedLabels result{.labels = labels, .numbers = labels};
  std::vector<Label>& numbers = result.numbers;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (Label& label : result.labels) {
    label = static_cast<Label>(std::lower_bound(numbers.begin(), numbers.end(), label) -
                               numbers.begin());
  }
  return result;
}

}  // namespace repsc
