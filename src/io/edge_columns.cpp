// Finds the columns of an edge list by the names in its header.
#include "io/edge_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/column_names.hpp"

namespace repsc {
namespace {

std::optional<std::size_t> only_one(const std::vector<std::string>& header,
                                    bool (*role)(std::string_view)) {
  const auto found = std::find_if(header.begin(), header.end(), role);
  if (found == header.end() || std::any_of(found + 1, header.end(), role)) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

EdgeColumns columns_by_name(const TableReader& table, const std::string& weight_column) {
  const std::vector<std::string>& header = table.header();
  if (header.size() < 2) {
    table.fail_header("1 column but an edge is `u v` or `u v weight`");
  }
  EdgeColumns columns{.count = header.size()};
  const auto first = only_one(header, names_first_end);
  const auto second = only_one(header, names_second_end);
  if (first && second) {
    columns.from = *first;
    columns.to = *second;
  } else if (header.front().empty()) {
    // pandas and R write an index first, without a name; and adjacency matrices like that.
    if (header.size() < 3 || !names_nodes(header[1]) || !names_nodes(header[2])) {
      table.fail_header(
          fmt::format("the first of the columns has no name ({})", fmt::join(header, ", ")),
          {advice("remove that column, or call those of the edges source and target; save an "
                  "adjacency matrix as .mtx or .npz")});
    }
    columns.from = 1;
    columns.to = 2;
  }
  std::vector<std::size_t> weights;
  std::vector<std::size_t> unknown;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (c == columns.from || c == columns.to || (c == 0 && header[c].empty())) continue;
    if (weight_column.empty() ? names_weight(header[c]) : header[c] == weight_column) {
      weights.push_back(c);
    } else if (!names_no_weight(header[c])) {
      unknown.push_back(c);
    }
  }
  if (!weight_column.empty() && weights.size() != 1) {
    throw InvalidInput(Fault{.what = fmt::format("there is {} column '{}'; the columns are: {}",
                                                 weights.empty() ? "no" : "more than one",
                                                 weight_column, fmt::join(header, ", ")),
                             .where = table.where_header()});
  }
  if (weights.empty() && unknown.size() == 1) weights.swap(unknown);
  if (weights.size() > 1 || (weights.empty() && !unknown.empty())) {
    table.fail_header(fmt::format("{} columns ({}) but an edge is `u v` or `u v weight`",
                                  header.size(), fmt::join(header, ", ")),
                      {advice("name the column of the weights behind the file, FILE:column")});
  }
  if (!weights.empty()) columns.weight = weights.front();
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (c == columns.from || c == columns.to || columns.weight == c || header[c].empty()) continue;
    columns.ignored.push_back(header[c]);
  }
  return columns;
}

}  // namespace repsc
