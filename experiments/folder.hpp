// The folder of a run: its parameters, whether it is complete, and its lock.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace repsc::experiments {

/// Locks the folder for this process; throws InvalidInput if another run has locked it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Writes parameters.json, or checks that the one there is the same but for readings that are new.
/// Throws InvalidInput that names the parameter that differs and both values.
void fix_parameters(const std::string& folder, const Experiment& experiment, const Request& request,
                    const std::vector<Instance>& instances);

/// What is known about a finished experiment besides its rows.
struct About {
  Size size = Size::quick;
  int repeats = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> notes = {};
  double seconds = 0;    ///< wall time of the call that finished it
  bool resumed = false;  ///< earlier calls computed a part of it
};
void write_about(const std::string& folder, const About& about);
/// False if the experiment is not finished.
[[nodiscard]] bool read_about(const std::string& folder, About& about);

}  // namespace repsc::experiments
