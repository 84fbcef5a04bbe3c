// Runs experiments: in parallel, with every row on disk at once, and on from where a run stopped.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/panel.hpp"

namespace repsc::experiments {

struct RunProgress {
  std::string experiment = {};
  std::size_t rows_done = 0;  ///< of this experiment, earlier calls included
  std::size_t rows_total = 0;
  double share = 0;         ///< of the work of this call, in [0, 1]
  double seconds_left = 0;  ///< an estimate; NaN where there is none yet
};

/// Told what happens, from one thread at a time. Both may be empty.
struct Watcher {
  std::function<void(const std::string&)> note = {};
  std::function<void(const RunProgress&)> progress = {};
};

struct RunOptions {
  std::vector<std::string> ids = {};
  Request request = {};
  std::string out = {};
  std::optional<int> threads = {};  ///< none: all cores
};

struct RunReport {
  std::vector<std::string> finished = {};
  std::vector<std::pair<std::string, std::string>> skipped =
      {};                          ///< id and why: data that is missing
  std::vector<Claim> claims = {};  ///< of all that `out` holds
};

/// Leaves in out/ID results.csv, summary.csv, parameters.json and the figures, in `out` index.html
/// and claims.json. What an earlier call with the same parameters has finished is not run again;
/// other parameters are refused with InvalidInput that names the first that differs.
RunReport run_experiments(const RunOptions& options, const Watcher& watcher = {});

/// About how long an experiment takes on one thread of this machine, in seconds. Throws
/// DataMissing.
[[nodiscard]] double estimated_seconds(const Experiment& experiment, const Request& request,
                                       double machine_factor);
/// How much slower this machine is than the one that the costs were recorded on; takes a moment.
[[nodiscard]] double machine_factor();

}  // namespace repsc::experiments
