// Tables of `node,value` lines: reading the labels or groups of nodes, writing clusters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "core/text.hpp"
#include "graph/names.hpp"
#include "io/table_columns.hpp"
#include "io/table_reader.hpp"
#include "io/text_writer.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

std::optional<std::int64_t> whole_number(const std::string& word) {
  const std::string text = whole_number_name(word).value_or(word);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Numbers the values in ascending order if all of them are whole numbers.
void sort_values(NamedLabels& result) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(result.values.size());
  for (const std::string& value : result.values) {
    const auto number = whole_number(value);
    if (!number) return;
    numbers.push_back(*number);
  }
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<std::string> values;
  values.reserve(order.size());
  std::vector<Label> new_label(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    new_label[order[place]] = static_cast<Label>(place);
    values.push_back(result.values[order[place]]);
  }
  for (Label& label : result.labels) label = new_label[static_cast<std::size_t>(label)];
  result.values = std::move(values);
}

// The lines of a file. Those about a node of the graph by the name that it has there take four
// bytes per node; all others are kept by name, each node once, in order of its first line.
struct Lines {
  std::vector<Label> direct;         // word of each node of the graph, -1: none
  NodeNames::Table nodes;            // the others
  std::vector<Label> values;         // word of each of them
  std::vector<std::int64_t> counts;  // lines of each of them
  std::vector<std::int64_t> rows;    // first line of each of them
  NodeNames::Table words;            // the values
  std::vector<std::int64_t> first;   // first line with each word, about a node of the graph
  bool whole_numbers = false;        // all nodes are whole numbers, written as floats
};

// Which column is the value, if none is named.
std::size_t only_value(const TableReader& table, std::size_t count,
                       const std::optional<std::size_t>& id) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < count; ++c) {
    const bool index = c == 0 && !table.header().empty() && table.header()[0].empty();
    if (id != c && !index) columns.push_back(c);
  }
  if (columns.size() == 1) return columns.front();
  const std::string found = table.header().empty() ? in_quotes(table.record())
                                                   : fmt::format("{} columns ({})", count,
                                                                 fmt::join(table.header(), ", "));
  std::vector<Remedy> remedies;
  if (columns.size() > 1) remedies = {advice("name the column behind the file, FILE:column")};
  table.fail("expected two columns `node,value` but found " + found, std::move(remedies));
}

constexpr std::int64_t no_line = std::numeric_limits<std::int64_t>::max();

void require_same_word(const Lines& lines, std::string_view name, Label before, Label now,
                       const TableReader& table) {
  if (before == now) return;
  table.fail(fmt::format("node {} has the value {} but had {} before", in_quotes(name),
                         in_quotes(lines.words[now]), in_quotes(lines.words[before])));
}

void add_line(Lines& lines, std::string_view name, Label word, std::int64_t row,
              const TableReader& table) {
  const Index before = lines.nodes.size();
  const Index node = lines.nodes.insert(name);
  if (node == before) {
    lines.values.push_back(word);
    lines.counts.push_back(1);
    lines.rows.push_back(row);
    return;
  }
  ++lines.counts[static_cast<std::size_t>(node)];
  require_same_word(lines, name, lines.values[static_cast<std::size_t>(node)], word, table);
}

void add_direct_line(Lines& lines, Index node, std::string_view name, Label word, std::int64_t row,
                     const TableReader& table) {
  Label& label = lines.direct[static_cast<std::size_t>(node)];
  if (label != -1) return require_same_word(lines, name, label, word, table);
  label = word;
  std::int64_t& first = lines.first[static_cast<std::size_t>(word)];
  first = std::min(first, row);
}

// A table `node,value` has ids, whatever is said about other tables of the same command.
bool rows_are_nodes(const TableReader& table, const LabelOptions& options) {
  return ids_are_rows(table, options.node_column) &&
         !(options.column.empty() && is_node_value_table(table));
}

Lines read_lines(TableReader& table, const NodeNames& names, const LabelOptions& options) {
  const std::vector<Field>* fields = table.next();
  Lines lines;
  lines.direct.assign(static_cast<std::size_t>(names.size()), Label{-1});
  if (fields == nullptr) return lines;
  const std::size_t count = table.header().empty() ? fields->size() : table.header().size();
  std::optional<std::size_t> id;
  if (!rows_are_nodes(table, options)) {
    const bool named = !ids_are_rows(table, options.node_column);
    id = node_column_of(table, named ? options.node_column : "", count);
  }
  const std::size_t value = options.column.empty() ? only_value(table, count, id)
                                                   : column_of(table, options.column, count);
  WholeNumbers numbers;
  for (std::int64_t row = 0; fields != nullptr; fields = table.next(), ++row) {
    if (fields->size() != count) {
      table.fail(count == 2
                     ? "expected two columns `node,value` but found " + in_quotes(table.record())
                     : fmt::format("{} fields, but {} in the lines before", fields->size(), count));
    }
    const Field name = id ? (*fields)[*id] : Field{"0"};
    const std::string_view word = (*fields)[value].text;
    if (name.text.empty() || word.empty()) {
      table.fail("an empty field in " + in_quotes(table.record()));
    }
    const Label value_word = lines.words.insert(word);
    lines.first.resize(static_cast<std::size_t>(lines.words.size()), no_line);
    if (!id) {
      add_line(lines, std::to_string(row), value_word, row, table);
      continue;
    }
    numbers.add(name);
    // Where nodes are matched by rows, a name may be that of another node.
    const auto node = options.rows ? std::nullopt : names.find(name.text);
    if (node) {
      add_direct_line(lines, *node, name.text, value_word, row, table);
    } else {
      add_line(lines, name.text, value_word, row, table);
    }
  }
  lines.whole_numbers = numbers.all();
  return lines;
}

/// Of all lines.
NodeNames nodes_of(const Lines& lines, const NodeNames& names) {
  auto table = std::make_shared<NodeNames::Table>(lines.nodes);
  for (Index node = 0; node < names.size(); ++node) {
    if (lines.direct[static_cast<std::size_t>(node)] != -1) table->insert(names[node]);
  }
  return NodeNames(std::shared_ptr<const NodeNames::Table>(std::move(table)));
}

// The number that the first node of a table has.
Index first_number(const NodeNames& names, const std::string& where, const char* which) {
  if (const auto first = numbered_from(names)) return *first;
  throw InvalidInput(Fault{
      .what = fmt::format("the nodes of the {} are not numbered from 0 or from 1, so rows do not "
                          "say which node they are about",
                          which),
      .where = where});
}

void require_all_labelled(const Labels& labels, const NodeNames& names, const Lines& lines,
                          const LabelOptions& options, const TableReader& table) {
  std::vector<Index> missing;
  for (Index node = 0; node < names.size(); ++node) {
    if (labels[static_cast<std::size_t>(node)] == -1) missing.push_back(node);
  }
  if (missing.empty()) return;
  std::string first;
  for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 3); ++i) {
    first += (i == 0 ? "" : ", ") + in_quotes(names[missing[i]]);
  }
  std::string what = fmt::format("{} of {} nodes have no line ({}{})", missing.size(), names.size(),
                                 first, missing.size() > 3 ? ", ..." : "");
  std::vector<Remedy> remedies;
  const NodeNames in_file = nodes_of(lines, names);
  if (in_file.size() > 0 && counted_differently(names, in_file)) {
    const bool from_zero = in_file.find("0").has_value();
    what = fmt::format("the lines count nodes from {}, the graph from {}", from_zero ? 0 : 1,
                       from_zero ? 1 : 0);
    remedies = {{Remedy::Action::use, "nodes", "rows"}};
  } else if (options.graph != nullptr) {
    const std::vector<Index> isolated = isolated_nodes(*options.graph);
    if (std::includes(isolated.begin(), isolated.end(), missing.begin(), missing.end())) {
      what += missing.size() == 1 ? ", and it has no edges" : ", and none of them has an edge";
      remedies = {{Remedy::Action::use, "isolated", "drop"}};
    }
  }
  table.fail_file(what, std::move(remedies));
}

// Values are numbered in the order of their first lines, without those that no node of the graph
// has.
void number_values(const Lines& lines, NamedLabels& result) {
  std::vector<Label> order;
  for (Label word = 0; word < lines.words.size(); ++word) {
    if (lines.first[static_cast<std::size_t>(word)] != no_line) order.push_back(word);
  }
  std::sort(order.begin(), order.end(), [&](Label a, Label b) {
    return lines.first[static_cast<std::size_t>(a)] < lines.first[static_cast<std::size_t>(b)];
  });
  std::vector<Label> number(static_cast<std::size_t>(lines.words.size()), -1);
  for (const Label word : order) {
    number[static_cast<std::size_t>(word)] = static_cast<Label>(result.values.size());
    result.values.emplace_back(lines.words[word]);
  }
  for (Label& label : result.labels) {
    if (label != -1) label = number[static_cast<std::size_t>(label)];
  }
}

// A line that looks like a header but is about a node that has no other line may be data.
template <typename Find>
void refuse_doubtful_header(const TableReader& table, const Lines& lines, const NodeNames& names,
                            const Find& find) {
  if (table.header().empty()) return;
  const std::string& name = table.header().front();
  if (name.empty() || lines.nodes.find(name) || !find(name)) return;
  const auto node = names.find(name);
  if (node && lines.direct[static_cast<std::size_t>(*node)] != -1) return;
  table.fail_header(
      fmt::format("this line looks like a header, but {} is a node", in_quotes(name)),
      {advice("if it is about that node, add the line `node,value` above it; if it is a header, "
              "put # in front of it")});
}

}  // namespace

NamedLabels read_labels(const std::string& path, const NodeNames& names,
                        const LabelOptions& options) {
  const bool by_row_asked = options.node_column == "row";
  TableReader table(path,
                    {.num_ids = by_row_asked ? 0U : 1U,
                     .named_columns = is_column_name(options.column) ||
                                      (is_column_name(options.node_column) && !by_row_asked)});
  Lines lines = read_lines(table, names, options);
  const bool by_row = rows_are_nodes(table, options);
  Index shift = 0;  // added to a number in the file
  if (by_row) {
    shift = first_number(names, path, "graph");
    if (lines.nodes.size() != names.size()) {
      std::vector<Remedy> remedies;
      if (lines.nodes.size() == names.size() + 1 && table.header().empty()) {
        remedies = {advice("if the first line is a header, put # in front of it")};
      }
      table.fail_file(fmt::format("{} rows but {} nodes", lines.nodes.size(), names.size()),
                      std::move(remedies));
    }
  } else if (options.rows) {
    shift = first_number(names, path, "graph") - first_number(nodes_of(lines, names), path, "file");
  }
  const auto find = [&](const std::string& name) {
    if (shift != 0) return names.find(std::to_string(whole_number(name).value_or(-1) + shift));
    const auto node = names.find(name);
    if (node || !lines.whole_numbers) return node;
    return names.find(whole_number_name(name).value_or(name));
  };
  NamedLabels result;
  result.header = table.header_line();
  result.labels = lines.direct;
  for (Index other = 0; other < lines.nodes.size(); ++other) {
    const auto at = static_cast<std::size_t>(other);
    const std::string name(lines.nodes[other]);
    const std::optional<Index> node = find(name);
    if (!node) {
      result.other_nodes += lines.counts[at];
      continue;
    }
    const Label word = lines.values[at];
    std::int64_t& first = lines.first[static_cast<std::size_t>(word)];
    first = std::min(first, lines.rows[at]);
    Label& label = result.labels[static_cast<std::size_t>(*node)];
    if (label != -1 && label != word) {
      table.fail_file(
          fmt::format("node {} has two values, in two spellings of its number", in_quotes(name)));
    }
    label = word;
  }
  number_values(lines, result);
  if (!by_row && options.column.empty()) refuse_doubtful_header(table, lines, names, find);
  require_all_labelled(result.labels, names, lines, options, table);
  sort_values(result);
  return result;
}

void write_labels(const Labels& labels, const NodeNames& names, const std::string& path,
                  std::string_view column) {
  require(labels.size() == static_cast<std::size_t>(names.size()), "labels: ", labels.size(),
          " but ", names.size(), " nodes");
  TextWriter out(path);
  out.print("node,{}\n", csv_field(column));
  for (Index node = 0; node < names.size(); ++node) {
    out.print("{},{}\n", csv_field(names[node]), labels[static_cast<std::size_t>(node)]);
  }
  out.commit();
}

}  // namespace repsc
