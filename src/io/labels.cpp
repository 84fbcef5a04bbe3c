// Tables of `node,value` lines: reading the labels or groups of nodes, writing clusters.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "core/text.hpp"
#include "graph/names.hpp"
#include "io/csv.hpp"
#include "io/text_writer.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

struct Row {
  const std::string& node;
  const std::string& value;
};

Row two_columns(const CsvReader& csv, const std::vector<std::string>& fields) {
  if (fields.size() != 2) {
    csv.fail("expected two columns `node,value` but found " + in_quotes(csv.record()));
  }
  if (fields[0].empty() || fields[1].empty()) {
    csv.fail("an empty field in " + in_quotes(csv.record()));
  }
  return {fields[0], fields[1]};
}

// Edge lists read 8.38e+02 as 838, so tables do the same.
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

// Numbers the values in ascending order if all of them are whole numbers.
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

void require_all_labelled(const Labels& labels, const NodeNames& names, const CsvReader& csv) {
  const auto missing = std::count(labels.begin(), labels.end(), Label{-1});
  if (missing == 0) return;
  std::string first;
  int listed = 0;
  for (Index node = 0; node < names.size() && listed < 3; ++node) {
    if (labels[static_cast<std::size_t>(node)] != -1) continue;
    first += (listed++ == 0 ? "" : ", ") + in_quotes(names[node]);
  }
  csv.fail_file(fmt::format("{} of {} nodes have no line ({}{})", missing, names.size(), first,
                            missing > 3 ? ", ..." : ""));
}

}  // namespace

NamedLabels read_labels(const std::string& path, const NodeNames& names, Offset* ignored) {
  CsvReader csv(path, {.comments = true, .blanks = true});
  NamedLabels result;
  result.labels.assign(static_cast<std::size_t>(names.size()), Label{-1});
  NodeNames::Table words;
  Offset others = 0;
  bool first = true;
  while (const auto* fields = csv.next()) {
    const Row row = two_columns(csv, *fields);
    const bool may_be_header = std::exchange(first, false);
    const std::optional<Index> node = find_node(row.node, names);
    if (!node) {
      if (!may_be_header) ++others;
      continue;
    }
    const Label value = words.insert(row.value);
    Label& label = result.labels[static_cast<std::size_t>(*node)];
    if (label != -1 && label != value) {
      csv.fail(fmt::format("node {} has the value {} but had {} before", in_quotes(row.node),
                           in_quotes(row.value), in_quotes(words[label])));
    }
    label = value;
  }
  require_all_labelled(result.labels, names, csv);
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
