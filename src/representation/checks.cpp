// The size guard, and the check of tables made by the caller.
#include "representation/checks.hpp"

#include <cmath>

namespace repsc {

void require_entries(Offset entries, const char* what, const char* way_out) {
  require(entries <= max_entries, what, " would have ", entries,
          " entries, more than the limit of ", max_entries, ": ", way_out);
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
