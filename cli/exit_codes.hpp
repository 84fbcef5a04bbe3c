// Exit codes of the tool, as README.md lists them.
#pragma once

namespace repsc::cli {

enum ExitCode : int {
  exit_fine = 0,
  exit_usage = 2,
  exit_bad_input = 3,
  exit_not_converged = 4,
  exit_target_missed = 5,
  exit_internal_error = 70,
  exit_interrupted = 130,
};

}  // namespace repsc::cli
