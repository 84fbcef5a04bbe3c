// Tries every separator on the first lines of a table.
#include "io/table_form.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "io/column_names.hpp"
#include "io/fields.hpp"

namespace repsc {
namespace {

constexpr std::size_t most_records = 200;

struct Cell {
  std::string text;
  bool quoted = false;

  [[nodiscard]] bool number() const { return parse_number(text).has_value(); }
};
using Record = std::vector<Cell>;

// A number, or one with a decimal comma.
bool is_number(std::string text, bool decimal_comma) {
  if (decimal_comma) {
    const std::size_t comma = text.find(',');
    if (comma != std::string::npos) text[comma] = '.';
  }
  return parse_number(text).has_value();
}

// Lines of a text, one after the other.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view rest_;
};

// The records of a sample with one separator.
struct Reading {
  std::vector<Record> records;
  bool broken = false;  // a quote is not closed, or text follows one
};

Reading read_with(std::string_view sample, bool complete, char separator, bool skip_first) {
  struct Stop {
    bool at_end = false;
  };
  Reading reading;
  Lines lines(sample);
  if (skip_first) (void)lines.next();
  FieldSplitter splitter(separator);
  const auto next_line = [&] {
    const auto line = lines.next();
    if (!line) throw Stop{.at_end = true};
    return *line;
  };
  const auto fail = [](const std::string&, const std::vector<Remedy>&) { throw Stop(); };
  try {
    while (reading.records.size() < most_records) {
      const auto line = lines.next();
      if (!line) break;
      if (is_comment_or_blank(*line)) continue;
      Record record;
      for (const Field& field : splitter.split(*line, next_line, fail)) {
        record.push_back({std::string(field.text), field.quoted});
      }
      const bool empty = std::all_of(record.begin(), record.end(), [](const Cell& cell) {
        return cell.text.empty() && !cell.quoted;
      });
      if (!empty) reading.records.push_back(std::move(record));
    }
  } catch (const Stop& stop) {
    reading.broken = !stop.at_end || complete;
  }
  return reading;
}

// R's write.table() writes no name above the names of the rows.
bool has_row_names(const std::vector<Record>& records, bool named_columns) {
  if (records.size() < 2 || records[0].size() + 1 != records[1].size()) return false;
  const auto all_quoted = [](const Record& record) {
    return std::all_of(record.begin(), record.end(), [](const Cell& cell) { return cell.quoted; });
  };
  const bool quoted = all_quoted(records[0]) &&
                      std::all_of(records.begin() + 1, records.end(),
                                  [](const Record& record) { return record.front().quoted; });
  return quoted || named_columns;
}

std::size_t num_columns(const std::vector<Record>& records) {
  return records.empty() ? 0 : records[std::min<std::size_t>(1, records.size() - 1)].size();
}

// Whether all records have the same number of fields, at least two, and name their nodes.
bool fits(const Reading& reading, const TableShape& shape) {
  if (reading.broken || reading.records.empty()) return false;
  const std::size_t columns = num_columns(reading.records);
  if (columns < 2) return false;
  for (std::size_t i = 0; i < reading.records.size(); ++i) {
    const Record& record = reading.records[i];
    const bool short_header = i == 0 && has_row_names(reading.records, shape.named_columns);
    if (record.size() != columns && !short_header) return false;
    if (i == 0) continue;  // a header may leave out a name
    for (std::size_t id = 0; id < shape.num_ids; ++id) {
      if (record[id].text.empty()) return false;
    }
  }
  return true;
}

// Whether a field without quotes has one inside: `1 "a,b"` read with commas.
bool has_stray_quotes(const std::vector<Record>& records) {
  return std::any_of(records.begin(), records.end(), [](const Record& record) {
    return std::any_of(record.begin(), record.end(), [](const Cell& cell) {
      return !cell.quoted && cell.text.find('"') != std::string::npos;
    });
  });
}

// Whether all fields are numbers; the third, a weight, may have a decimal comma.
bool all_numbers(const std::vector<Record>& records) {
  const auto numbers = [](const Record& record) {
    for (std::size_t c = 0; c < record.size(); ++c) {
      if (!is_number(record[c].text, c == 2)) return false;
    }
    return true;
  };
  const auto first = records.begin() + (records.size() > 1 ? 1 : 0);
  return std::all_of(first, records.end(), numbers);
}

// Whether the column has numbers below the first line and nothing else.
bool numbers_below(const std::vector<Record>& records, std::size_t column) {
  bool any = false;
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (column >= records[i].size()) return false;
    const Cell& cell = records[i][column];
    if (means_missing(cell.text)) continue;
    if (!is_number(cell.text, true)) return false;
    any = true;
  }
  return any;
}

// Whether the first field of a column has a usual name of nodes. `node1` may be a node: it names a
// column only if none below it is called so.
bool names_column(const std::vector<Record>& records, std::size_t column,
                  bool (*role)(std::string_view)) {
  const Record& first = records.front();
  if (column >= first.size() || !role(first[column].text)) return false;
  if (!is_numbered_name(first[column].text)) return true;
  return records.size() > 1 &&
         std::none_of(records.begin() + 1, records.end(), [&](const Record& record) {
           return column < record.size() && names_nodes(record[column].text);
         });
}

bool names_columns(const std::vector<Record>& records, const TableShape& shape) {
  const Record& first = records.front();
  const auto names = [&](std::size_t column) { return names_column(records, column, names_nodes); };
  if (shape.num_ids == 2) {
    const auto any = [&](bool (*role)(std::string_view)) {
      for (std::size_t c = 0; c < first.size(); ++c) {
        if (names_column(records, c, role)) return true;
      }
      return false;
    };
    return (names(0) && names(1)) || (any(names_first_end) && any(names_second_end));
  }
  return names(0) || (first[0].text.empty() && names(1));
}

bool has_header(const std::vector<Record>& records, const TableShape& shape, bool row_names) {
  if (records.empty()) return false;
  if (shape.named_columns || row_names) return true;
  const Record& first = records.front();
  if (std::any_of(first.begin(), first.end(), [](const Cell& cell) { return cell.number(); })) {
    return false;
  }
  if (names_columns(records, shape)) return true;
  std::size_t numeric = 0;
  for (std::size_t c = 0; c < first.size(); ++c) {
    for (std::size_t other = 0; other < c; ++other) {
      if (first[other].text == first[c].text) return false;  // columns have different names
    }
    if (!numbers_below(records, c)) continue;
    if (means_missing(first[c].text) && c > 0) return false;  // the value of the first line
    ++numeric;
  }
  return numeric > 0 && (numeric == first.size() || records.size() > 2);
}

bool has_quotes(const std::vector<Record>& records) {
  return std::any_of(records.begin(), records.end(), [](const Record& record) {
    return std::any_of(record.begin(), record.end(), [](const Cell& cell) { return cell.quoted; });
  });
}

// `sep=;`: a line by which Excel is told the separator.
std::optional<char> stated_separator(std::string_view sample) {
  const std::optional<std::string_view> line = Lines(sample).next();
  if (!line || line->size() != 5 || !line->starts_with("sep=")) return std::nullopt;
  return std::string_view(",;\t").find(line->back()) != std::string_view::npos
             ? std::optional(line->back())
             : std::nullopt;
}

}  // namespace

bool is_comment_or_blank(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#' || text.front() == '%';
}

TableForm recognize_table(std::string_view sample, bool complete, const TableShape& shape) {
  if (!complete) sample = sample.substr(0, sample.rfind('\n') + 1);  // npos + 1 is 0
  TableForm form;
  const auto finish = [&](char separator, const Reading& reading) {
    form.separator = separator;
    form.row_names = has_row_names(reading.records, shape.named_columns);
    form.header = has_header(reading.records, shape, form.row_names);
    form.quotes = has_quotes(reading.records) || reading.broken;
    return form;
  };
  if (const auto stated = stated_separator(sample)) {
    form.separator_line = true;
    return finish(*stated, read_with(sample, complete, *stated, true));
  }
  constexpr std::array<char, 4> separators = {'\t', ';', ',', ' '};
  std::array<Reading, 4> readings;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < separators.size(); ++i) {
    readings[i] = read_with(sample, complete, separators[i], false);
  }
  for (const bool stray_quotes : {false, true}) {
    for (std::size_t i = 0; i < separators.size() && !best; ++i) {
      if (!stray_quotes && has_stray_quotes(readings[i].records)) continue;
      if (fits(readings[i], shape)) best = i;
    }
  }
  const Reading& blanks = readings.back();
  if (best && separators[*best] != ' ' && separators[*best] != ';' && fits(blanks, shape) &&
      num_columns(blanks.records) > num_columns(readings[*best].records) &&
      all_numbers(blanks.records)) {
    best = readings.size() - 1;
  }
  if (!best) {
    // No separator fits all lines: the one that the first line uses most, so that the error names
    // the first line that differs.
    best = shape.num_ids == 0 ? 2 : readings.size() - 1;
    std::size_t most = 1;
    for (std::size_t i = 0; i + 1 < separators.size(); ++i) {
      if (readings[i].records.empty() || readings[i].records.front().size() <= most) continue;
      most = readings[i].records.front().size();
      best = i;
    }
  }
  return finish(separators[*best], readings[*best]);
}

}  // namespace repsc
