// Representation by a rule: "age within five years and the same school".
//
// Nodes are put in order of their combination of `same` words and then of one `within` column, so
// that the partners of a node by these two parts are a window of neighbours in that order. The
// column whose windows are smallest is swept; the other `within` columns are checked inside.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "representation/checks.hpp"
#include "representation/combinations.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

struct Within {
  const std::vector<double>& numbers;
  double limit;

  [[nodiscard]] double operator[](Index node) const {
    return numbers[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] bool holds(Index i, Index j) const {
    return std::abs((*this)[i] - (*this)[j]) <= limit;
  }
};

// Decimal fractions are rounded when read: 3.2 - 3.0 > 0.2 in binary. The limit is increased by
// that rounding error, at most by a factor of 1e-9, so that whole numbers compare exactly.
double limit_with_rounding(const std::vector<double>& numbers, double value) {
  double largest = 0;
  for (const double x : numbers) {
    if (!std::isnan(x)) largest = std::max(largest, std::abs(x));
  }
  return value + std::min(1e-9 * value, 4 * std::numeric_limits<double>::epsilon() * largest);
}

std::vector<Within> within_parts(const Table& table, const RepresentationRule& rule) {
  std::vector<Within> parts;
  for (const auto& [name, value] : rule.within) {
    const Table::Column& column = find_column(table, name, "within");
    if (!column.numeric()) {
      throw InvalidInput(Fault{.what = joined("column '", name, "' is not numeric"),
                               .option = "within",
                               .value = joined(name, '=', value),
                               .remedies = {{Remedy::Action::use, "same", name}}});
    }
    require_option(std::isfinite(value) && value >= 0, "within", joined(name, '=', value),
                   "the difference must be a number of at least 0");
    parts.push_back({column.numbers, limit_with_rounding(column.numbers, value)});
  }
  return parts;
}

// Whether each node has a value in every column of the rule.
std::vector<bool> complete_nodes(const Table& table, const RepresentationRule& rule) {
  std::vector<bool> complete(static_cast<std::size_t>(table.names.size()), true);
  const auto strike = [&](const Table::Column& column) {
    for (std::size_t i = 0; i < complete.size(); ++i) {
      if (column.words[i].empty()) complete[i] = false;
    }
  };
  for (const auto& part : rule.within) strike(find_column(table, part.first, "within"));
  for (const std::string& name : rule.same) strike(find_column(table, name, "same"));
  return complete;
}

// The combination of `same` words of each complete node; every other node has a combination of its
// own.
Labels combinations(const Table& table, const RepresentationRule& rule,
                    const std::vector<bool>& complete) {
  std::vector<Labels> columns;
  columns.reserve(rule.same.size());
  for (const std::string& name : rule.same) {
    columns.push_back(number_words(find_column(table, name, "same").words));
  }
  Labels labels = number_combinations(columns, table.names.size());
  Label next = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!complete[i]) labels[i] = next++;
  }
  return labels;
}

// Node order[p] has its partners by one `within` part, itself included, in order[first[p],
// last[p]).
struct Sweep {
  std::vector<Index> order;
  std::vector<std::size_t> first;
  std::vector<std::size_t> last;
  Offset candidates = 0;
};

Sweep sweep_column(const Within& part, const Labels& labels) {
  Sweep sweep;
  const std::size_t N = labels.size();
  sweep.order.resize(N);
  std::iota(sweep.order.begin(), sweep.order.end(), 0);
  const auto label = [&](Index node) { return labels[static_cast<std::size_t>(node)]; };
  // A node without a number has its own combination, so that NaN is never compared.
  std::stable_sort(sweep.order.begin(), sweep.order.end(), [&](Index a, Index b) {
    return label(a) != label(b) ? label(a) < label(b) : part[a] < part[b];
  });

  const auto linked = [&](std::size_t p, std::size_t q) {
    const Index a = sweep.order[p];
    const Index b = sweep.order[q];
    return p == q || (label(a) == label(b) && part.holds(a, b));
  };
  sweep.first.resize(N);
  sweep.last.resize(N);
  for (std::size_t p = 0, low = 0, high = 0; p < N; ++p) {
    while (!linked(p, low)) ++low;
    high = std::max(high, p + 1);
    while (high < N && linked(p, high)) ++high;
    sweep.first[p] = low;
    sweep.last[p] = high;
    sweep.candidates += static_cast<Offset>(high - low);
  }
  return sweep;
}

// Calls take(j) for every node j that the whole rule links to order[p], itself included.
template <typename Take>
void for_each_link(const Sweep& sweep, std::size_t p, const std::vector<Within>& rest,
                   const Take& take) {
  const Index i = sweep.order[p];
  for (std::size_t q = sweep.first[p]; q < sweep.last[p]; ++q) {
    const Index j = sweep.order[q];
    if (p == q || std::all_of(rest.begin(), rest.end(),
                              [&](const Within& part) { return part.holds(i, j); })) {
      take(j);
    }
  }
}

constexpr std::int64_t nodes_per_task = 256;

Offset count_links(const Sweep& sweep, std::size_t p, const std::vector<Within>& rest) {
  if (rest.empty()) return static_cast<Offset>(sweep.last[p] - sweep.first[p]);
  Offset count = 0;
  for_each_link(sweep, p, rest, [&](Index) { ++count; });
  return count;
}

Graph link_sweep(const Sweep& sweep, const std::vector<Within>& rest, const NodeNames& names) {
  const std::size_t N = sweep.order.size();
  std::vector<Offset> offsets(N + 1, 0);
  parallel_ranges(static_cast<std::int64_t>(N), nodes_per_task, [&](auto begin, auto end) {
    for (auto p = static_cast<std::size_t>(begin); p < static_cast<std::size_t>(end); ++p) {
      offsets[static_cast<std::size_t>(sweep.order[p]) + 1] = count_links(sweep, p, rest);
    }
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  require_entries(offsets.back(), "the graph of this rule",
                  {advice("make the rule narrower"), advice("link nearest neighbours instead")});

  std::vector<Index> neighbors(static_cast<std::size_t>(offsets.back()));
  parallel_ranges(static_cast<std::int64_t>(N), nodes_per_task, [&](auto begin, auto end) {
    for (auto p = static_cast<std::size_t>(begin); p < static_cast<std::size_t>(end); ++p) {
      const auto row = neighbors.begin() + offsets[static_cast<std::size_t>(sweep.order[p])];
      auto next = row;
      for_each_link(sweep, p, rest, [&](Index j) { *next++ = j; });
      std::sort(row, next);
    }
  });
  return {std::move(offsets), std::move(neighbors), {}, names};
}

}  // namespace

Graph representation_by_rule(const Table& table, const RepresentationRule& rule) {
  if (rule.within.empty() && rule.same.empty()) {
    throw InvalidInput(
        Fault{.what = "the rule has no part",
              .remedies = {{Remedy::Action::use, "same"}, {Remedy::Action::use, "within"}}});
  }
  require_consistent(table);
  const std::vector<Within> parts = within_parts(table, rule);
  const Labels labels = combinations(table, rule, complete_nodes(table, rule));
  if (parts.empty()) return representation_from_groups(labels, table.names);

  Sweep narrowest;
  std::size_t swept = 0;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    Sweep sweep = sweep_column(parts[c], labels);
    if (c == 0 || sweep.candidates < narrowest.candidates) {
      narrowest = std::move(sweep);
      swept = c;
    }
  }
  std::vector<Within> rest;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    if (c != swept) rest.push_back(parts[c]);
  }
  return link_sweep(narrowest, rest, table.names);
}

}  // namespace repsc
