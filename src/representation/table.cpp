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
#include "io/table_columns.hpp"
#include "io/table_reader.hpp"
#include "representation/checks.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

void check_header(const TableReader& table, std::optional<std::size_t> node) {
  const std::vector<std::string>& header = table.header();
  std::unordered_set<std::string_view> seen;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (header[c].empty() && c != node && c != 0) {
      table.fail_header(fmt::format("column {} has no name", c + 1));
    }
    if (!seen.insert(header[c]).second) {
      table.fail_header("two columns are called " + in_quotes(header[c]));
    }
  }
}

// The words as numbers, where semicolons separate fields with decimal commas; empty if a word is
// not a number, or if there is no word at all.
std::vector<double> as_numbers(const std::vector<std::string>& words, bool decimal_comma) {
  std::vector<double> numbers;
  numbers.reserve(words.size());
  bool any = false;
  for (const std::string& word : words) {
    if (word.empty() || word == "NA") {  // R writes NA
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    std::string text = word.substr(plus ? 1 : 0);
    if (const std::size_t comma = text.find(','); decimal_comma && comma != std::string::npos) {
      text[comma] = '.';
    }
    const std::optional<double> number = parse_number(text);
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
  void add(const TableReader& table, const std::string& name) {
    if (name.empty()) table.fail("the name of the node is empty");
    const auto [first, is_new] = lines_.try_emplace(name, table.line());
    if (!is_new) {
      table.fail(
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

Table read_table(const std::string& path, const TableOptions& options) {
  const bool by_row_asked = options.node_column == "row" || options.node_column == "row0";
  TableReader reader(
      path, {.num_ids = by_row_asked ? 0U : 1U,
             .named_columns =
                 std::any_of(options.columns.begin(), options.columns.end(), is_column_name) ||
                 (is_column_name(options.node_column) && !by_row_asked)});
  const std::vector<Field>* record = reader.next();
  if (record == nullptr && reader.header().empty()) {
    reader.fail_file("the file is empty; a table has one line per node");
  }
  if (record == nullptr) reader.fail_file("no rows after the line that names the columns");
  const std::vector<std::string>& header = reader.header();
  const std::size_t count = header.empty() ? record->size() : header.size();
  const bool by_row =
      by_row_asked && std::find(header.begin(), header.end(), options.node_column) == header.end();
  std::optional<std::size_t> node;
  if (!by_row) node = node_column_of(reader, options.node_column, count);
  check_header(reader, node);

  NodeLines lines;
  WholeNumbers numbers;
  std::vector<std::vector<std::string>> words(count);
  for (; record != nullptr; record = reader.next()) {
    if (record->size() != count) {
      reader.fail(header.empty()
                      ? fmt::format("{} fields, but {} in the lines before", record->size(), count)
                      : fmt::format("{} fields, but the first line names {} columns",
                                    record->size(), count));
    }
    if (node) {
      lines.add(reader, std::string((*record)[*node].text));
      numbers.add((*record)[*node]);
    }
    for (std::size_t c = 0; c < count; ++c) words[c].emplace_back((*record)[c].text);
  }
  Table table;
  table.header = reader.header_line();
  if (node) {
    if (numbers.all()) {
      for (std::string& name : words[*node]) name = whole_number_name(name).value_or(name);
    }
    table.names = NodeNames(words[*node]);
  } else {
    table.names =
        NodeNames(static_cast<Index>(words[0].size()), options.node_column == "row0" ? 0 : 1);
  }
  for (std::size_t c = 0; c < count; ++c) {
    const bool index = c == 0 && !header.empty() && header[0].empty();
    if (c == node || index) continue;
    std::vector<double> values = as_numbers(words[c], reader.form().separator == ';');
    if (!values.empty())
      std::replace(words[c].begin(), words[c].end(), std::string("NA"), std::string());
    table.columns.push_back({header.empty() ? fmt::format("{}", c + 1) : header[c],
                             std::move(words[c]), std::move(values)});
  }
  return table;
}

}  // namespace repsc
