// repsc graph: representation graphs from groups, attributes, rules and layers, and format
// conversion.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "repsc/representation.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

struct Output {
  CommonOptions common;
  std::string path = "-";
  std::optional<GraphFormat> format = {};  ///< none: by the ending
  Neighbors neighbors = Neighbors::plain;  ///< of .rgraph
};

void add_output_options(CLI::App& command, Output& output) {
  command
      .add_option("-o,--output", output.path,
                  "output file; - writes an edge list to standard output")
      ->type_name("FILE|-")
      ->capture_default_str();
  add_automatic_choice(command, "--to", output.format, format_choices(),
                       "format of the output; auto: chosen by the ending of the file name");
  add_common_options(command, output.common);
}

/// Whether the output names its nodes by the numbers of their rows only.
bool stores_rows_only(const Output& output) {
  const GraphFormat format = output.format ? *output.format : format_of_path(output.path);
  return format != GraphFormat::edge_list && format != GraphFormat::rgraph;
}

int write(const Graph& graph, const Output& output, Console& console) {
  write_graph(graph, output.path, output.format, output.neighbors);
  const std::string where = output.path == "-" ? "standard output" : output.path;
  console.note_at_end("{}: {}, {}", where, counted(graph.num_nodes(), "node"),
                      counted(graph.num_edges(), "edge"));
  if (!stores_rows_only(output) || numbered_from(graph.names())) return exit_fine;
  if (output.path == "-") {
    console.note_at_end(
        "{} has no node names, only their order; write to a file, or an edge list, to keep names",
        where);
  } else {
    console.note_at_end("{0}.names: the names of the nodes; keep it beside {0}", where);
  }
  return exit_fine;
}

/// A table of attributes, one line per node.
struct TableInput {
  std::string path;
  std::string id_column;
};

void add_table_input(CLI::App& command, TableInput& table, const char* files = "FILE|-") {
  command
      .add_option("FILE", table.path,
                  "a table with a line per node: commas, semicolons, tabs or blanks")
      ->required()
      ->type_name(files);
  command
      .add_option("--id", table.id_column,
                  "column that names the nodes (default: the first); row or row0: the table has "
                  "none, and its rows are the nodes 1, 2, ... or 0, 1, ...")
      ->type_name("COLUMN|row|row0");
}

/// Reads the table of a command, and writes the graph that `make` returns for it. `columns` are
/// those that `make` will ask for.
template <typename Options, typename Make>
int write_from_table(const Options& options, const std::string& path,
                     std::vector<std::string> columns, const Make& make) {
  Console console(options.output.common);
  require_writable(options.output.path);
  const Table table =
      read_table(path, {.node_column = options.table.id_column, .columns = std::move(columns)});
  if (!table.header.empty()) {
    console.note_at_end("{}: skipped the header '{}'", path == "-" ? "standard input" : path,
                        table.header);
  }
  return write(make(table, console), options.output, console);
}

struct GroupsOptions {
  Output output;
  TableInput table;
  std::string column;
};

// The column of groups: the given one, or the only column besides the node names.
const Table::Column& group_column(const Table& table, const GroupsOptions& options) {
  if (!options.column.empty()) return table.column(options.column);
  if (table.columns.size() != 1) {
    throw InvalidInput(
        Fault{.what = joined("there are ", table.columns.size(), " columns besides the node names"),
              .remedies = {{Remedy::Action::use, "column", "NAME"}},
              .where = options.table.path});
  }
  return table.columns.front();
}

Graph group_graph(const Table& table, const GroupsOptions& options, Console& console) {
  const Table::Column& column = group_column(table, options);
  std::map<std::string, Label> numbers;
  Labels groups;
  for (Index i = 0; i < table.names.size(); ++i) {
    const std::string& word = column.words[static_cast<std::size_t>(i)];
    require(!word.empty(), options.table.path, ": node ", table.names[i],
            " has no value in column ", column.name);
    groups.push_back(numbers.emplace(word, static_cast<Label>(numbers.size())).first->second);
  }
  console.note_at_end("{}", counted(static_cast<std::int64_t>(numbers.size()), "group"));
  return representation_from_groups(groups, table.names);
}

int run_groups(const GroupsOptions& given) {
  GroupsOptions options = given;
  const auto [file, column] = split_column(options.table.path);
  options.table.path = file;
  if (options.column.empty()) options.column = column;
  std::vector<std::string> columns;
  if (!options.column.empty()) columns.push_back(options.column);
  return write_from_table(
      options, options.table.path, columns,
      [&](const Table& table, Console& console) { return group_graph(table, options, console); });
}

void add_groups(CLI::App& graph, Run& run) {
  auto options = std::make_shared<GroupsOptions>();
  CLI::App* command = graph.add_subcommand("groups", "link all nodes of each group");
  add_table_input(*command, options->table, "FILE[:COLUMN]|-");
  command
      ->add_option("--column,--group-column", options->column,
                   "column of the groups, if the file has several columns")
      ->type_name("COLUMN");
  add_output_options(*command, options->output);
  command->footer("Example:\n  repsc graph groups groups.csv -o R.txt");
  command->callback([options, &run] { run = [options] { return run_groups(*options); }; });
}

struct NeighborsOptions {
  Output output;
  TableInput table;
  NeighborOptions neighbors;
};

int run_neighbors(const NeighborsOptions& options) {
  std::vector<std::string> columns = options.neighbors.columns;
  columns.insert(columns.end(), options.neighbors.categorical.begin(),
                 options.neighbors.categorical.end());
  return write_from_table(options, options.table.path, std::move(columns),
                          [&](const Table& table, Console&) {
                            return representation_from_neighbors(table, options.neighbors);
                          });
}

void add_neighbors(CLI::App& graph, Run& run) {
  auto options = std::make_shared<NeighborsOptions>();
  CLI::App* command = graph.add_subcommand("knn", "link each node to its nearest neighbours");
  add_table_input(*command, options->table);
  command
      ->add_option("--neighbors", options->neighbors.num_neighbors,
                   "number of neighbours of each node")
      ->capture_default_str()
      ->check(at_least(1));
  add_words(*command, "--columns", options->neighbors.columns, "columns to compare (default: all)");
  add_words(*command, "--categorical", options->neighbors.categorical,
            "numeric columns to compare as words");
  add_output_options(*command, options->output);
  command->footer(
      "Example:\n"
      "  repsc graph knn people.csv --neighbors 10 --columns age,school -o R.txt\n\n"
      "Numeric columns are scaled to standard deviation 1; two different words have\ndistance 1.");
  command->callback([options, &run] { run = [options] { return run_neighbors(*options); }; });
}

struct RuleOptions {
  Output output;
  TableInput table;
  std::vector<std::string> within;
  RepresentationRule rule;
};

std::pair<std::string, double> parse_within(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  double width = 0;
  const bool fine = equals != std::string::npos && equals > 0 &&
                    CLI::detail::lexical_cast(text.substr(equals + 1), width) &&
                    std::isfinite(width) && width >= 0;
  if (!fine) refuse_value("--within", text, "COLUMN=NUMBER, such as age=5");
  return {text.substr(0, equals), width};
}

int run_rule(const RuleOptions& options) {
  std::vector<std::string> columns = options.rule.same;
  for (const auto& within : options.rule.within) columns.push_back(within.first);
  return write_from_table(
      options, options.table.path, std::move(columns),
      [&](const Table& table, Console&) { return representation_by_rule(table, options.rule); });
}

void add_rule(CLI::App& graph, Run& run) {
  auto options = std::make_shared<RuleOptions>();
  CLI::App* command = graph.add_subcommand("attributes", "link nodes by a rule over columns");
  add_table_input(*command, options->table);
  add_words(*command, "--within", options->within, "numeric columns that may differ by at most X")
      ->type_name("COLUMN=X,...");
  add_words(*command, "--same", options->rule.same, "columns that must be equal");
  add_output_options(*command, options->output);
  command->footer(
      "Example:\n"
      "  repsc graph attributes people.csv --within age=5 --same school -o R.txt\n\n"
      "Two nodes are linked if every part of the rule holds; an empty value never\nmatches.");
  command->callback([options, &run] {
    for (const std::string& text : options->within) {
      options->rule.within.push_back(parse_within(text));
    }
    if (options->rule.within.empty() && options->rule.same.empty()) {
      refuse("attributes", "no rule was given; give --within or --same");
    }
    run = [options] { return run_rule(*options); };
  });
}

struct LayersOptions {
  Output output;
  std::string path;
  std::string layers;
  MultiplexOptions multiplex;
};

int run_layers(const LayersOptions& options) {
  Console console(options.output.common);
  require_writable(options.output.path);
  return write(graph_from_multiplex(options.path, options.multiplex), options.output, console);
}

void add_layers(CLI::App& graph, Run& run) {
  auto options = std::make_shared<LayersOptions>();
  CLI::App* command = graph.add_subcommand("multiplex", "join layers of a multiplex network");
  command->add_option("FILE", options->path, "lines `layer u v` or `layer u v w`")
      ->required()
      ->type_name("FILE|-");
  command->add_option("--layers", options->layers, "layers to join, such as 1-3,8 (default: all)")
      ->type_name("RANGES");
  command
      ->add_option("--nearest", options->multiplex.nearest,
                   "link each node only to this many partners in each layer; 0: all")
      ->capture_default_str()
      ->check(at_least(0));
  add_choice<Volume>(
      *command, "--volume", options->multiplex.volume,
      {{"sum", Volume::sum},
       {"max", Volume::larger},
       {"out", Volume::outgoing},
       {"in", Volume::incoming}},
      "how partners are ranked: by the sum of both directions, the larger one, or one direction");
  add_choice(*command, "--self-loops", options->multiplex.self_loops, self_loop_choices(),
             "self-loops of the graph");
  add_output_options(*command, options->output);
  command->footer(
      "Example:\n"
      "  repsc graph multiplex trade.edges --layers 1-182 --nearest 5 -o R.txt\n"
      "  repsc graph multiplex trade.edges --layers 183-364 --self-loops drop -o G.txt");
  command->callback([options, &run] {
    if (!options->layers.empty()) {
      options->multiplex.layers = as_usage([&] { return parse_layers(options->layers); });
    }
    run = [options] { return run_layers(*options); };
  });
}

struct ConvertOptions {
  Output output;
  std::string path;
  std::optional<GraphFormat> format = {};  ///< none: by the ending
  SelfLoops self_loops = SelfLoops::keep;
  bool compress = false;
  std::optional<std::int64_t> memory = {};
};

int run_convert(const ConvertOptions& options) {
  Console console(options.output.common);
  require_writable(options.output.path);
  Output output = options.output;
  if (options.compress) output.neighbors = Neighbors::gaps;
  // Beside the output, where there has to be room for it anyway.
  const std::string folder = std::filesystem::path(output.path).parent_path().string();
  return write(load_graph(options.path,
                          {.format = options.format,
                           .self_loops = options.self_loops,
                           .memory = options.memory,
                           .scratch_folder = folder.empty() ? "." : folder},
                          console),
               output, console);
}

void add_convert(CLI::App& graph, Run& run) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = graph.add_subcommand("convert", "change the format of a graph file");
  command->add_option("IN", options->path, "graph to convert")->required()->type_name("FILE|-");
  command->add_option("OUT,-o,--output", options->output.path, "converted graph")
      ->required()
      ->type_name("FILE|-");
  add_automatic_choice(*command, "--from", options->format, format_choices(),
                       "format of the input; auto: chosen by the ending of the file name");
  add_automatic_choice(*command, "--to", options->output.format, format_choices(),
                       "format of the output; auto: chosen by the ending of the file name");
  add_choice(*command, "--self-loops", options->self_loops, self_loop_choices(),
             "self-loops of the graph");
  command->add_flag(
      "--compress", options->compress,
      "of .rgraph: neighbours as differences in few bytes; smaller, and slower to go through");
  add_memory_option(*command, options->memory,
                    "sort the edges on disk, beside the output, unless they fit into this much "
                    "memory: 512M, 4G");
  add_common_options(*command, options->output.common);
  command->footer(
      "Examples:\n"
      "  repsc graph convert G.mtx G.npz\n"
      "  repsc graph convert edges.txt.gz G.rgraph --memory 4G");
  command->callback([options, &run] {
    const auto is_rgraph = [&] {
      const Output& output = options->output;
      const auto format =
          as_usage([&] { return output.format ? *output.format : format_of_path(output.path); });
      return format == GraphFormat::rgraph;
    };
    if (options->compress && !is_rgraph()) {
      refuse("--compress", "only .rgraph files can be written so");
    }
    run = [options] { return run_convert(*options); };
  });
}

}  // namespace

void add_graph_command(CLI::App& tool, Run& run) {
  CLI::App* graph = tool.add_subcommand("graph", "describe, make and convert graphs");
  graph->require_subcommand(1);
  add_groups(*graph, run);
  add_neighbors(*graph, run);
  add_rule(*graph, run);
  add_layers(*graph, run);
  add_convert(*graph, run);
  add_graph_info(*graph, run);
  graph->footer(
      "Examples:\n"
      "  repsc graph info G.mtx\n"
      "  repsc graph attributes people.csv --within age=5 --same school -o R.txt\n"
      "  repsc graph multiplex trade.edges --layers 1-182 --nearest 5 -o R.txt\n"
      "  repsc graph convert G.mtx G.rgraph");
}

}  // namespace repsc::cli
