// Runs experiments in parallel, writes every row at once, and resumes an interrupted run.
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
  double seconds_left = 0;  ///< an estimate; NaN if there is none yet
};

/// Callbacks, called from one thread at a time. Both may be empty.
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

/// Writes results.csv, summary.csv, parameters.json and the figures to out/ID, and index.html and
/// claims.json to `out`. Rows that an earlier call with the same parameters has finished are not
/// run again. Throws InvalidInput that names the first differing parameter otherwise.
RunReport run_experiments(const RunOptions& options, const Watcher& watcher = {});

/// About how long an experiment takes on one thread of this machine, in seconds. Throws
/// DataMissing.
[[nodiscard]] double estimated_seconds(const Experiment& experiment, const Request& request,
                                       double machine_factor);
/// The ratio of this machine's time to that of the machine on which the costs were recorded, by a
/// short measurement.
[[nodiscard]] double machine_factor();

}  // namespace repsc::experiments
