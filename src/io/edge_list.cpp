// Edge lists: lines `u v` or `u v w`, separated by blanks, tabs or commas; '#' and '%' comments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/text.hpp"
#include "graph/build.hpp"
#include "graph/names.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/text_writer.hpp"

namespace repsc {
namespace {

enum Kind : unsigned char { ordinary = 0, number_sign = 1, separator = 2, control = 4 };

// The role of a byte in a line; number_sign: a character that occurs in floating-point notation of
// whole numbers.
constexpr std::array<unsigned char, 256> make_kinds() {
  std::array<unsigned char, 256> kinds{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) kinds[byte] = control;
  kinds[0x7f] = control;
  for (const char c : {' ', '\t', ','}) kinds[static_cast<unsigned char>(c)] = separator;
  for (const char c : {'.', 'e', 'E'}) kinds[static_cast<unsigned char>(c)] = number_sign;
  return kinds;
}
constexpr std::array<unsigned char, 256> kinds = make_kinds();

struct Fields {
  std::array<std::string_view, 4> field;
  std::array<bool, 4> may_be_float{};
  std::size_t count = 0;
};

bool is_skipped(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#' || text.front() == '%';
}

// Blanks and at most one comma separate two fields. Stops after four fields, one more than allowed.
Fields split(std::string_view line, const LineReader& lines) {
  Fields result;
  std::size_t place = 0;
  const auto skip_blanks = [&] {
    while (place < line.size() && is_blank(line[place])) ++place;
  };
  skip_blanks();
  while (place < line.size() && result.count < result.field.size()) {
    const std::size_t begin = place;
    unsigned char kind = ordinary;
    unsigned char seen = ordinary;
    for (; place < line.size(); ++place) {
      kind = kinds[static_cast<unsigned char>(line[place])];
      if (kind >= separator) break;
      seen |= kind;
    }
    if (place < line.size() && kind == control) {
      lines.fail("a control character in " + in_quotes(line.substr(begin)) +
                 " (is this a text file?)");
    }
    if (place == begin) lines.fail("an empty field in " + in_quotes(line));
    result.field[result.count] = line.substr(begin, place - begin);
    result.may_be_float[result.count++] = seen == number_sign;
    skip_blanks();
    if (place < line.size() && line[place] == ',') {
      ++place;
      skip_blanks();
      if (place == line.size()) lines.fail("an empty field in " + in_quotes(line));
    }
  }
  return result;
}

class EdgeListReader {
 public:
  EdgeListReader(const std::string& path, const ReadOptions& options, std::size_t chunk_bytes)
      : lines_(path, options.progress),
        self_loops_(options.self_loops),
        chunk_bytes_(chunk_bytes) {}

  BuiltGraph read() {
    read_first_lines();
    const NumberedLineStyle style{.commas = true,
                                  .hash_comments = true,
                                  .weights = num_columns_ == 3,
                                  .largest = 999'999'999,
                                  .longest_line = lines_.limit()};
    read_numbered_lines(
        lines_, style, chunk_bytes_,
        [&](const NumberedLines& numbered) { return add_numbered(numbered); },
        [&](std::string_view line) {
          if (!is_skipped(line)) add(split(line, lines_));
        });
    std::vector<Index>().swap(node_of_number_);
    if (table_->size() == 0) lines_.fail_file("no edges found");
    table_->shrink();
    NodeNames names(std::shared_ptr<const NodeNames::Table>(std::move(table_)));
    BuiltGraph result =
        assemble(std::move(names), std::move(edges_), self_loops_, lines_.name()).built;
    result.changes.header_skipped = header_skipped_;
    return result;
  }

 private:
  // The first line is a header if it contains no number and the second line is certainly data: all
  // fields are numbers, or at least the weight is.
  void read_first_lines() {
    const std::optional<std::string> first = next_data_line();
    if (!first) return;
    const std::int64_t first_number = lines_.number();
    const Fields head = split(*first, lines_);
    const std::optional<std::string> second =
        std::none_of(head.field.begin(), head.field.begin() + head.count, is_number)
            ? next_data_line()
            : std::nullopt;
    if (!second) return add(head);
    const Fields next = split(*second, lines_);
    const bool all = std::all_of(next.field.begin(), next.field.begin() + next.count, is_number);
    header_skipped_ = all || (head.count == 3 && next.count == 3 && is_number(next.field[2]));
    if (header_skipped_) {
      num_columns_ = head.count;
    } else {
      add(head, first_number);
    }
    add(next);
  }

  static bool is_number(std::string_view field) { return parse_number(field).has_value(); }

  std::optional<std::string> next_data_line() {
    while (const auto line = lines_.next()) {
      if (!is_skipped(*line)) return std::string(*line);
    }
    return std::nullopt;
  }

  void add(const Fields& fields) { add(fields, lines_.number()); }

  void add(const Fields& fields, std::int64_t number) {
    check_columns(fields, number);
    const Index from = node(fields, 0);
    const Index to = node(fields, 1);
    if (fields.count == 2) {
      edges_.add(from, to);
    } else {
      edges_.add(from, to, lines_.weight_at(number, fields.field[2]));
    }
  }

  void check_columns(const Fields& fields, std::int64_t number) {
    if (fields.count != 2 && fields.count != 3) {
      lines_.fail_at(number, fmt::format("{} but an edge is `u v` or `u v weight`",
                                         fields.count == 1 ? "1 column" : "more than 3 columns"));
    }
    if (num_columns_ == 0) num_columns_ = fields.count;
    if (fields.count != num_columns_) {
      lines_.fail_at(
          number, fmt::format("{} columns but {} in the lines before", fields.count, num_columns_));
    }
  }

  Index node(const Fields& fields, std::size_t column) {
    if (fields.may_be_float[column]) {
      if (const auto name = whole_number_name(fields.field[column])) return table_->insert(*name);
    }
    return table_->insert(fields.field[column]);
  }

  bool add_numbered(const NumberedLines& numbered) {
    for (std::size_t i = 0; i < numbered.pairs.size(); ++i) {
      const Index from = node(numbered.pairs[i].from);
      const Index to = node(numbered.pairs[i].to);
      if (numbered.weights.empty()) {
        edges_.add(from, to);
      } else {
        edges_.add(from, to, numbered.weights[i]);
      }
    }
    return true;
  }

  // The node named by a whole number. Small numbers are looked up in an array in front of the
  // table; it takes less memory than the edges do.
  Index node(std::uint32_t number) {
    constexpr Offset always_small = 1 << 16;
    if (number < node_of_number_.size() && node_of_number_[number] >= 0) {
      return node_of_number_[number];
    }
    const Index found = table_->insert(std::to_string(number));
    if (number < always_small + edges_.size()) {
      if (number >= node_of_number_.size()) node_of_number_.resize(std::size_t{number} + 1, -1);
      node_of_number_[number] = found;
    }
    return found;
  }

  LineReader lines_;
  SelfLoops self_loops_;
  std::size_t chunk_bytes_;
  std::vector<Index> node_of_number_;  // -1: not yet seen
  std::shared_ptr<NodeNames::Table> table_ = std::make_shared<NodeNames::Table>();
  EdgeStore edges_;
  std::size_t num_columns_ = 0;
  bool header_skipped_ = false;
};

void require_writable(const std::string& name, const std::string& path) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw InvalidInput(Fault{.what = what, .remedies = {advice(remedy)}, .where = path});
  };
  const bool comment =
      name.front() == '#' || name.front() == '%' || name.starts_with("\xef\xbb\xbf");
  const bool split = std::any_of(name.begin(), name.end(), [](char c) {
    return kinds[static_cast<unsigned char>(c)] >= separator;
  });
  if (comment || split) {
    refuse("an edge list cannot contain the node name " + in_quotes(name),
           "rename the node: no blanks, commas or control characters, no '#' or '%' first");
  }
  if (const auto read_back = whole_number_name(name)) {
    refuse("the node name " + in_quotes(name) + " would be read back as " + in_quotes(*read_back),
           "rename the node");
  }
}

// Lines of the file: every edge once, from its smaller node, and nodes without edges.
template <typename Line>
void for_each_line(const Graph& graph, const Line& line) {
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    const auto weights = graph.weights(u);
    if (row.empty()) line(u, u, 0.0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= u) line(u, row[i], weights.empty() ? 1.0 : weights[i]);
    }
  }
}

// A first line of two words, and then one of two numbers, would be read back as a header.
bool looks_like_header(const Graph& graph) {
  std::vector<bool> number;  // of the four names in the first two lines
  for (Index u = 0; u < graph.num_nodes() && number.size() < 4; ++u) {
    for (const Index v : graph.neighbors(u)) {
      if (v < u || number.size() >= 4) continue;
      number.push_back(parse_number(graph.names()[u]).has_value());
      number.push_back(parse_number(graph.names()[v]).has_value());
    }
  }
  return number == std::vector<bool>{false, false, true, true};
}

}  // namespace

BuiltGraph read_edge_list(const std::string& path, const ReadOptions& options,
                          std::size_t chunk_bytes) {
  return EdgeListReader(path, options, chunk_bytes).read();
}

void write_edge_list(const Graph& graph, const std::string& path) {
  const NodeNames& names = graph.names();
  if (!names.implied()) {
    for (Index node = 0; node < names.size(); ++node) require_writable(names[node], path);
  }
  bool weights = graph.weighted() || looks_like_header(graph);
  for (Index node = 0; node < graph.num_nodes(); ++node) weights |= graph.neighbors(node).empty();

  TextWriter out(path);
  for_each_line(graph, [&](Index u, Index v, double weight) {
    out.print("{} {}", names[u], names[v]);
    if (weights) out.print(" {}", weight);
    out.print("\n");
  });
  out.commit();
}

}  // namespace repsc
