// Checks of sizes, of the names of columns, and of tables made by the caller.
#include "representation/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace repsc {

void require_entries(Offset entries, const char* what, std::vector<Remedy> remedies) {
  if (entries <= max_entries) return;
  throw InvalidInput(Fault{.what = joined(what, " would have ", entries,
                                          " entries, more than the limit of ", max_entries),
                           .remedies = std::move(remedies)});
}

const Table::Column& find_column(const Table& table, const std::string& name,
                                 std::string_view option) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const Table::Column& column) { return column.name == name; });
  if (found != table.columns.end()) return *found;
  std::vector<std::string> names;
  names.reserve(table.columns.size());
  for (const Table::Column& column : table.columns) names.push_back(column.name);
  throw InvalidInput(Fault{.what = fmt::format("there is no column '{}'; the columns are: {}", name,
                                               fmt::join(names, ", ")),
                           .option = std::string(option),
                           .value = name});
}

void require_consistent(const Table& table) {
  const auto N = static_cast<std::size_t>(table.names.size());
  for (const Table::Column& column : table.columns) {
    require(column.words.size() == N, "column '", column.name, "' has ", column.words.size(),
            " values for ", N, " nodes");
    if (!column.numeric()) continue;
    require(column.numbers.size() == N, "column '", column.name, "' has ", column.numbers.size(),
            " numbers for ", N, " nodes");
    for (std::size_t i = 0; i < N; ++i) {
      const double number = column.numbers[i];
      if (column.words[i].empty() ? std::isnan(number) : std::isfinite(number)) continue;
      require(false, "column '", column.name, "' has the word '", column.words[i],
              "' and the number ", number, " for node ", table.names[static_cast<Index>(i)]);
    }
  }
}

}  // namespace repsc
