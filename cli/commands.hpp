// The commands of the tool. Each function adds one command to the parser. Parsing the called
// command sets `run` to the function that executes it and returns the exit code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace repsc::cli {

using Run = std::function<int()>;

/// Those of this program: commands.cpp has all of them, demo_only/commands.cpp the demo.
void add_commands(CLI::App& tool, Run& run);

void add_cluster_command(CLI::App& tool, Run& run);
void add_choose_k_command(CLI::App& tool, Run& run);
void add_path_command(CLI::App& tool, Run& run);
void add_refine_command(CLI::App& tool, Run& run);
void add_evaluate_command(CLI::App& tool, Run& run);
void add_certify_command(CLI::App& tool, Run& run);
void add_report_command(CLI::App& tool, Run& run);
void add_explain_command(CLI::App& tool, Run& run);
void add_compare_command(CLI::App& tool, Run& run);
void add_generate_command(CLI::App& tool, Run& run);
void add_graph_command(CLI::App& tool, Run& run);
/// `graph info`, a command of `graph`.
void add_graph_info(CLI::App& graph, Run& run);
void add_theory_command(CLI::App& tool, Run& run);
void add_experiment_command(CLI::App& tool, Run& run);
void add_demo_command(CLI::App& tool, Run& run);

}  // namespace repsc::cli
