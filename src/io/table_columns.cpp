// Columns of a table.
#include "io/table_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text.hpp"
#include "io/column_names.hpp"

namespace repsc {

bool is_column_name(const std::string& column) {
  constexpr std::size_t most_digits = 3;
  if (column.empty()) return false;
  return column.size() > most_digits || !parse_count(column);
}

std::size_t column_of(const TableReader& table, const std::string& column, std::size_t count,
                      const std::string& option) {
  const std::vector<std::string>& header = table.header();
  const auto found = std::find(header.begin(), header.end(), column);
  if (found != header.end()) {
    if (std::find(found + 1, header.end(), column) != header.end()) {
      table.fail_header("two columns are called " + in_quotes(column));
    }
    return static_cast<std::size_t>(found - header.begin());
  }
  const auto number = is_column_name(column) ? std::nullopt : parse_count(column);
  if (number && *number >= 1 && *number <= count) return static_cast<std::size_t>(*number - 1);
  std::vector<std::string> columns = header;
  for (std::size_t c = columns.size(); c < count; ++c) columns.push_back(fmt::format("{}", c + 1));
  throw InvalidInput(Fault{.what = fmt::format("there is no column '{}'; the columns are: {}",
                                               column, fmt::join(columns, ", ")),
                           .option = option,
                           .value = option.empty() ? "" : column,
                           .where = table.where_header()});
}

bool ids_are_rows(const TableReader& table, const std::string& node_column) {
  const std::vector<std::string>& header = table.header();
  return node_column == "row" && std::find(header.begin(), header.end(), "row") == header.end();
}

bool is_node_value_table(const TableReader& table) {
  return table.header().size() == 2 && names_nodes(table.header().front());
}

std::size_t node_column_of(const TableReader& table, const std::string& node_column,
                           std::size_t count) {
  if (!node_column.empty()) return column_of(table, node_column, count, "node_column");
  const std::vector<std::string>& header = table.header();
  const bool index = header.size() > 2 && header[0].empty() && names_nodes(header[1]);
  return index ? 1 : 0;
}

void WholeNumbers::add(const Field& id) {
  any_ = true;
  all_ = all_ && !id.quoted && whole_number_name(id.text).has_value();
}

}  // namespace repsc
