// The commands of repsc, in the order of its help.
#include "commands.hpp"

namespace repsc::cli {

void add_commands(CLI::App& tool, Run& run) {
  add_cluster_command(tool, run);
  add_choose_k_command(tool, run);
  add_path_command(tool, run);
  add_refine_command(tool, run);
  add_evaluate_command(tool, run);
  add_certify_command(tool, run);
  add_report_command(tool, run);
  add_explain_command(tool, run);
  add_compare_command(tool, run);
  add_generate_command(tool, run);
  add_graph_command(tool, run);
  add_theory_command(tool, run);
  add_experiment_command(tool, run);
  add_demo_command(tool, run);
}

}  // namespace repsc::cli
