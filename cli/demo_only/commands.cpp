// The commands of repsc-demo, which is compiled in half the time of repsc.
#include "commands.hpp"

namespace repsc::cli {

void add_commands(CLI::App& tool, Run& run) { add_demo_command(tool, run); }

}  // namespace repsc::cli
