// Edge lists: lines `u v` or `u v w`, or a table with a header that names these columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "graph/build.hpp"
#include "io/edge_columns.hpp"
#include "io/formats.hpp"
#include "io/node_index.hpp"
#include "io/table_reader.hpp"
#include "io/text_writer.hpp"

namespace repsc {
namespace {

enum Kind : unsigned char { ordinary = 0, number_sign = 1, comma = 2, control = 4 };

// The role of a byte in a name; number_sign: a character that occurs in floating-point notation of
// whole numbers.
constexpr std::array<unsigned char, 256> make_kinds() {
  std::array<unsigned char, 256> kinds{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) kinds[byte] = control;
  kinds[0x7f] = control;
  for (const char c : {'\t', '\n'}) kinds[static_cast<unsigned char>(c)] = ordinary;
  for (const char c : {'.', 'e', 'E'}) kinds[static_cast<unsigned char>(c)] = number_sign;
  kinds[static_cast<unsigned char>(',')] = comma;
  return kinds;
}
constexpr std::array<unsigned char, 256> kinds = make_kinds();

unsigned char kinds_in(std::string_view name) {
  unsigned char seen = ordinary;
  for (const char c : name) seen |= kinds[static_cast<unsigned char>(c)];
  return seen;
}

class EdgeListReader {
 public:
  EdgeListReader(const std::string& path, const ReadOptions& options, std::size_t chunk_bytes)
      : table_(path, {.num_ids = 2, .named_columns = !options.weight_column.empty()},
               options.progress),
        self_loops_(options.self_loops),
        chunk_bytes_(chunk_bytes),
        edges_(sort_on_disk(options)) {
    if (!table_.header().empty()) columns_ = columns_by_name(table_, options.weight_column);
  }

  BuiltGraph read() {
    if (const auto* first = table_.next()) {
      add(*first);
      read_rest();
    }
    if (names().size() == 0) table_.fail_file("no edges found");
    check_header();
    settle_numbers();
    BuiltGraph result =
        assemble(nodes_.take_names(), std::move(edges_), self_loops_, table_.lines().name()).built;
    GraphChanges& changes = result.changes;
    changes.header_skipped = !table_.header().empty();
    changes.header = table_.header_line();
    changes.columns_ignored = fmt::format("{}", fmt::join(columns_.ignored, ", "));
    changes.separator = table_.form().separator;
    return result;
  }

 private:
  void read_rest() {
    LineReader& lines = table_.lines();
    const PlainLineStyle style{.separator = table_.form().separator,
                               .hash_comments = true,
                               .weights = columns_.weight.has_value(),
                               .names = true,
                               .largest = 999'999'999,
                               .longest_line = lines.limit()};
    // Lines are parsed on all threads unless a record may span lines or has other columns.
    const bool plain = columns_.usual() && !table_.form().quotes;
    read_plain_lines<ParsedEdges>(
        lines, plain ? chunk_bytes_ : 0,
        [&](std::string_view text, ParsedEdges& part) { nodes_.parse(text, style, part); },
        [&](std::span<ParsedEdges> parts) {
          for (const ParsedEdges& part : parts) all_floats_ = all_floats_ && part.edges.empty();
          nodes_.store(parts, edges_, lines.name());
          return true;
        },
        [&](std::string_view line) {
          if (is_comment_or_blank(line)) return;
          const std::int64_t number = lines.number();
          const std::vector<Field>& fields = table_.split(line);
          if (plain && lines.number() != number) {
            table_.fail("a quote that opens in this line is not closed in it");
          }
          if (!all_empty(fields)) add(fields);
        });
  }

  static bool all_empty(const std::vector<Field>& fields) {
    return std::all_of(fields.begin(), fields.end(),
                       [](const Field& field) { return field.text.empty() && !field.quoted; });
  }

  void add(const std::vector<Field>& fields) {
    check_columns(fields);
    const Index from = node(fields[columns_.from]);
    const Index to = node(fields[columns_.to]);
    if (columns_.weight) {
      edges_.add(from, to, table_weight(fields[*columns_.weight].text, table_));
    } else {
      edges_.add(from, to);
    }
  }

  void check_columns(const std::vector<Field>& fields) {
    for (const std::size_t c : {columns_.from, columns_.to}) {
      if (c < fields.size() && fields[c].text.empty()) {
        table_.fail("an empty field in " + in_quotes(table_.record()));
      }
    }
    if (columns_.count == 0) {
      if (fields.size() != 2 && fields.size() != 3) {
        table_.fail(fmt::format("{} but an edge is `u v` or `u v weight`",
                                fields.size() == 1 ? "1 column" : "more than 3 columns"));
      }
      columns_.count = fields.size();
      if (fields.size() == 3) columns_.weight = 2;
    }
    if (fields.size() != columns_.count) {
      table_.fail(fmt::format("{} column{} but {} in the lines before", fields.size(),
                              fields.size() == 1 ? "" : "s", columns_.count));
    }
    if (columns_.weight && fields[*columns_.weight].text.empty()) {
      table_.fail("an empty field in " + in_quotes(table_.record()));
    }
  }

  Index node(const Field& field) {
    const unsigned char seen = kinds_in(field.text);
    if ((seen & control) != 0) {
      table_.fail("a control character in " + in_quotes(field.text) + " (is this a text file?)");
    }
    if ((seen & comma) != 0 && !field.quoted && table_.form().separator == ' ') {
      table_.fail("a comma in " + in_quotes(field.text) + ", but blanks separate the fields here",
                  {advice("separate all fields in the same way, or put the name in quotes")});
    }
    const Index count = names().size();
    const Index found = names().insert(field.text, table_.lines().name());
    const bool whole = (seen & number_sign) != 0 && !field.quoted &&
                       (all_floats_ || found == count) && whole_number_name(field.text).has_value();
    all_floats_ = all_floats_ && whole;
    if (whole && found == count && field.text.find('.') != std::string_view::npos) {
      floats_.push_back(found);
    }
    return found;
  }

  // Names such as `source` and `target` that also name nodes: the first line may be an edge.
  void check_header() const {
    if (table_.header().empty()) return;
    const std::string& from = table_.header()[columns_.from];
    const std::string& to = table_.header()[columns_.to];
    if (from.empty() || to.empty() || !names().find(from) || !names().find(to)) return;
    table_.fail_header(
        fmt::format("this line looks like a header, but {} and {} also name nodes below",
                    in_quotes(from), in_quotes(to)),
        {advice("if it is an edge, add the line `source target` above it; if it is a header, put # "
                "in front of it")});
  }

  // Ids that are all written as floats stand for whole numbers: 8.38e+02 for 838. Otherwise names
  // stay as they are written, but 1.0 and 1 in the same file are hardly two nodes.
  void settle_numbers() {
    if (!all_floats_) {
      for (const Index node : floats_) {
        const std::string name(names()[node]);
        const std::string whole = whole_number_name(name).value_or("");
        if (!names().find(whole)) continue;
        table_.fail_file(fmt::format("{} and {} are the same number, written in two ways",
                                     in_quotes(name), in_quotes(whole)),
                         {advice("write all ids in the same way, or put names in quotes")});
      }
      return;
    }
    auto numbers = std::make_shared<NodeNames::Table>();
    std::vector<Index> number_of;
    number_of.reserve(static_cast<std::size_t>(names().size()));
    for (Index node = 0; node < names().size(); ++node) {
      const std::string_view name = names()[node];
      number_of.push_back(numbers->insert(whole_number_name(name).value_or(std::string(name))));
    }
    if (numbers->size() != names().size()) {  // 1.0 and 1e0 are one node
      EdgeStore merged(edges_.on_disk());
      const bool weights = edges_.weights_given();
      edges_.visit([&](Index from, Index to, double weight) {
        const Index u = number_of[static_cast<std::size_t>(from)];
        const Index v = number_of[static_cast<std::size_t>(to)];
        if (weights) {
          merged.add(u, v, weight);
        } else {
          merged.add(u, v);
        }
      });
      edges_ = std::move(merged);
    }
    nodes_.replace_names(std::move(numbers));
  }

  NodeNames::Table& names() { return nodes_.names(); }
  [[nodiscard]] const NodeNames::Table& names() const { return nodes_.names(); }

  TableReader table_;
  SelfLoops self_loops_;
  std::size_t chunk_bytes_;
  EdgeColumns columns_;
  NodeIndex nodes_;
  EdgeStore edges_;
  bool all_floats_ = true;     // every id so far is a whole number in floating-point notation
  std::vector<Index> floats_;  // nodes written like 1.0
};

// A name as it is written: in quotes if it would be read differently without.
std::string written_name(const std::string& name, const std::string& path) {
  if ((kinds_in(name) & control) != 0) {
    throw InvalidInput(Fault{.what = "an edge list cannot contain the node name " + in_quotes(name),
                             .remedies = {advice("rename the node: no control characters")},
                             .where = path});
  }
  const std::string field = csv_field(name);
  const bool misread = whole_number_name(name).has_value() || name.starts_with("\xef\xbb\xbf");
  return misread && field == name ? fmt::format("\"{}\"", name) : field;
}

// Lines of the file: every edge once, from its smaller node, and nodes without edges. line()
// returns whether to go on.
template <typename Line>
void for_each_line(const Graph& graph, const Line& line) {
  for (Index u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.neighbors(u);
    const auto weights = graph.weights(u);
    if (row.empty() && !line(u, u, 0.0)) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= u && !line(u, row[i], weights.empty() ? 1.0 : weights[i])) return;
    }
  }
}

// Whether the first line, of two names, would be read back as a header. One with a weight is none.
bool looks_like_header(const Graph& graph, const std::vector<std::string>& names) {
  if (names.empty()) return false;  // numbers
  constexpr int enough = 300;
  std::string sample;
  int count = 0;
  for_each_line(graph, [&](Index u, Index v, double) {
    sample += fmt::format("{} {}\n", names[static_cast<std::size_t>(u)],
                          names[static_cast<std::size_t>(v)]);
    return ++count < enough;
  });
  return recognize_table(sample, true, {.num_ids = 2}).header;
}

}  // namespace

BuiltGraph read_edge_list(const std::string& path, const ReadOptions& options,
                          std::size_t chunk_bytes) {
  return EdgeListReader(path, options, chunk_bytes).read();
}

void write_edge_list(const Graph& graph, const std::string& path) {
  const NodeNames& names = graph.names();
  std::vector<std::string> written;
  if (!names.implied()) {
    written.reserve(static_cast<std::size_t>(names.size()));
    for (Index node = 0; node < names.size(); ++node) {
      written.push_back(written_name(names[node], path));
    }
  }
  const auto name = [&](Index node) {
    return written.empty() ? names[node] : written[static_cast<std::size_t>(node)];
  };
  bool weights = graph.weighted() || looks_like_header(graph, written);
  for (Index node = 0; node < graph.num_nodes(); ++node) weights |= graph.num_neighbors(node) == 0;

  TextWriter out(path);
  for_each_line(graph, [&](Index u, Index v, double weight) {
    out.print("{} {}", name(u), name(v));
    if (weights) out.print(" {}", weight);
    out.print("\n");
    return true;
  });
  out.commit();
}

}  // namespace repsc
