// Tables of attributes from CSV files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/text.hpp"
#include "io/csv.hpp"
#include "representation/checks.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

// The field that names the nodes. Its own name may be empty: pandas writes its index without one.
std::size_t find_node_column(const CsvReader& csv, const std::vector<std::string>& header,
                             const std::string& node_column) {
  if (node_column.empty()) return 0;
  const auto found = std::find(header.begin(), header.end(), node_column);
  if (found == header.end()) {
    throw InvalidInput(Fault{.what = fmt::format("there is no column '{}'; the columns are: {}",
                                                 node_column, fmt::join(header, ", ")),
                             .option = "node_column",
                             .value = node_column,
                             .where = csv.where()});
  }
  return static_cast<std::size_t>(found - header.begin());
}

void check_header(const CsvReader& csv, const std::vector<std::string>& header, std::size_t node) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (header[c].empty() && c != node) csv.fail(fmt::format("column {} has no name", c + 1));
    if (!seen.insert(header[c]).second) csv.fail("two columns are called " + in_quotes(header[c]));
  }
}

// The words as numbers; empty if a word is not a number, or if there is no word at all.
std::vector<double> as_numbers(const std::vector<std::string>& words) {
  std::vector<double> numbers;
  numbers.reserve(words.size());
  bool any = false;
  for (const std::string& word : words) {
    if (word.empty()) {
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    const std::optional<double> number = parse_number(std::string_view(word).substr(plus ? 1 : 0));
    if (!number) return {};
    numbers.push_back(*number);
    any = true;
  }
  if (!any) return {};
  return numbers;
}

// Names of nodes with the line of each, so that the message about a repeated name can say where the
// first was.
class NodeLines {
 public:
  void add(const CsvReader& csv, const std::string& name) {
    if (name.empty()) csv.fail("the name of the node is empty");
    const auto [first, is_new] = lines_.try_emplace(name, csv.line());
    if (!is_new) {
      csv.fail(
          fmt::format("node {} appears twice, first on line {}", in_quotes(name), first->second));
    }
  }

 private:
  std::unordered_map<std::string, std::int64_t> lines_;
};

}  // namespace

const Table::Column& Table::column(const std::string& name) const {
  return find_column(*this, name, "column");
}

Table read_table(const std::string& path, const std::string& node_column) {
  CsvReader csv(path);
  const std::vector<std::string>* record = csv.next();
  if (record == nullptr) csv.fail_file("the file is empty; its first line must name the columns");
  const std::vector<std::string> header = *record;
  const std::size_t node = find_node_column(csv, header, node_column);
  check_header(csv, header, node);

  NodeLines lines;
  std::vector<std::vector<std::string>> words(header.size());
  while ((record = csv.next()) != nullptr) {
    if (record->size() != header.size()) {
      csv.fail(fmt::format("{} fields, but the first line names {} columns", record->size(),
                           header.size()));
    }
    lines.add(csv, (*record)[node]);
    for (std::size_t c = 0; c < header.size(); ++c) words[c].push_back((*record)[c]);
  }
  if (words[node].empty()) csv.fail_file("no rows after the line that names the columns");

  Table table;
  table.names = NodeNames(words[node]);
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (c == node) continue;
    std::vector<double> numbers = as_numbers(words[c]);
    table.columns.push_back({header[c], std::move(words[c]), std::move(numbers)});
  }
  return table;
}

}  // namespace repsc
