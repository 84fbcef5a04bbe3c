// Tables of `node,value` lines: reading the labels or groups of nodes, writing clusters.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "graph/lines.hpp"
#include "graph/names.hpp"
#include "graph/text.hpp"
#include "graph/text_writer.hpp"

namespace repsc {
namespace {

struct Row {
  std::string node;
  std::string value;
};

// The separator of the whole file is that of its first line, so that values may hold the others.
char separator_of(std::string_view line) {
  bool quoted_part = false;
  std::string outside;
  for (const char c : trimmed(line)) {
    if (c == '"') quoted_part = !quoted_part;
    if (!quoted_part) outside += c;
  }
  for (const char c : {',', ';', '\t'}) {
    if (outside.find(c) != std::string::npos) return c;
  }
  return ' ';
}

// Takes a field and the separator behind it off `rest`. Quotes as in RFC 4180: "" stands for ".
std::string take_field(std::string_view& rest, char separator, const LineReader& lines) {
  const auto skip_blanks = [&] {
    const auto skipped = [&](char c) {
      return is_blank(c) && (separator == ' ' || c != separator);
    };
    while (!rest.empty() && skipped(rest.front())) rest.remove_prefix(1);
  };
  const auto ends_field = [&](char c) { return separator == ' ' ? is_blank(c) : c == separator; };
  skip_blanks();
  std::string field;
  if (rest.starts_with('"')) {
    rest.remove_prefix(1);
    for (;;) {
      const std::size_t quote = rest.find('"');
      if (quote == std::string_view::npos) lines.fail("a quote that does not end on its line");
      field += rest.substr(0, quote);
      rest.remove_prefix(quote + 1);
      if (!rest.starts_with('"')) break;
      field += '"';
      rest.remove_prefix(1);
    }
    skip_blanks();
    if (!rest.empty() && separator != ' ' && rest.front() != separator) {
      lines.fail("text behind a closing quote: " + in_quotes(rest));
    }
  } else {
    const auto end = std::find_if(rest.begin(), rest.end(), ends_field);
    field = trimmed(rest.substr(0, static_cast<std::size_t>(end - rest.begin())));
    rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
  }
  return field;
}

Row split_row(std::string_view line, char separator, const LineReader& lines) {
  const auto refuse = [&] {
    lines.fail("two columns `node,value` expected but " + in_quotes(line));
  };
  std::string_view rest = separator == '\t' ? line : trimmed(line);
  Row row;
  row.node = take_field(rest, separator, lines);
  if (rest.empty()) refuse();
  if (separator != ' ') rest.remove_prefix(1);
  row.value = take_field(rest, separator, lines);
  if (!rest.empty()) refuse();
  if (row.node.empty() || row.value.empty()) lines.fail("an empty field in " + in_quotes(line));
  return row;
}

// Edge lists read 8.38e+02 as 838, so tables that write it so mean 838 too.
std::optional<Index> find_node(const std::string& name, const NodeNames& names) {
  if (const auto node = names.find(name)) return node;
  const auto whole = whole_number_name(name);
  return whole ? names.find(*whole) : std::nullopt;
}

std::optional<std::int64_t> whole_number(const std::string& word) {
  const std::string text = whole_number_name(word).value_or(word);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Numbers the values ascending where all of them are whole numbers.
void sort_values(NamedLabels& result) {
  std::vector<std::int64_t> numbers;
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
  std::vector<Label> new_label(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    new_label[order[place]] = static_cast<Label>(place);
    values.push_back(result.values[order[place]]);
  }
  for (Label& label : result.labels) label = new_label[static_cast<std::size_t>(label)];
  result.values = std::move(values);
}

void require_all_labelled(const Labels& labels, const NodeNames& names, const LineReader& lines) {
  const auto missing = std::count(labels.begin(), labels.end(), Label{-1});
  if (missing == 0) return;
  std::string first;
  int listed = 0;
  for (Index node = 0; node < names.size() && listed < 3; ++node) {
    if (labels[static_cast<std::size_t>(node)] != -1) continue;
    first += (listed++ == 0 ? "" : ", ") + in_quotes(names[node]);
  }
  lines.fail_file(fmt::format("{} of {} nodes have no line ({}{})", missing, names.size(), first,
                              missing > 3 ? ", ..." : ""));
}

}  // namespace

NamedLabels read_labels(const std::string& path, const NodeNames& names, Offset* ignored) {
  LineReader lines(path);
  NamedLabels result;
  result.labels.assign(static_cast<std::size_t>(names.size()), Label{-1});
  NodeNames::Table words;
  Offset others = 0;
  char separator = '\0';  // not known before the first line
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty() || line->starts_with('#') || line->starts_with('%')) continue;
    const bool first = separator == '\0';
    if (first) separator = separator_of(*line);
    const Row row = split_row(*line, separator, lines);
    const std::optional<Index> node = find_node(row.node, names);
    if (!node) {
      if (!first) ++others;  // a first line about no node is the header
      continue;
    }
    const Label value = words.insert(row.value);
    Label& label = result.labels[static_cast<std::size_t>(*node)];
    if (label != -1 && label != value) {
      lines.fail(fmt::format("node {} has the value {} but had {} before", in_quotes(row.node),
                             in_quotes(row.value), in_quotes(words[label])));
    }
    label = value;
  }
  require_all_labelled(result.labels, names, lines);
  for (Label label = 0; label < words.size(); ++label) result.values.emplace_back(words[label]);
  sort_values(result);
  if (ignored != nullptr) *ignored = others;
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
