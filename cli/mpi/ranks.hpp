// What the parts of repsc-mpi share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "commands.hpp"
#include "repsc/distributed.hpp"

namespace repsc::cli {

/// `repsc-mpi cluster`. `slepc_options` are those for SLEPc, taken from the command line before.
void add_distributed_cluster_command(CLI::App& tool, const Communicator& ranks,
                                     const std::string& slepc_options, Run& run);

/// Wrong usage, if `words` has an option that only the serial tool has. Throws CLI::ParseError.
void refuse_serial_options(const std::vector<std::string>& words);

}  // namespace repsc::cli
