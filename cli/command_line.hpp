// The command as it was typed, for reports that say how to make them again.
#pragma once

#include <string>

namespace repsc::cli {

void remember_command(int argc, const char* const* argv);
/// Quoted for a shell.
[[nodiscard]] const std::string& command_line();

}  // namespace repsc::cli
