// Where the real data sets are. They are not part of the repository: tests that need one skip.
//
//   const auto path = data_file("nba/nba_relationship.txt");
//   if (!path) GTEST_SKIP() << no_data;
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace repsc {

inline constexpr const char* no_data =
    "the data set is not here (set the environment variable REPSC_DATA to the folder of data sets)";

/// The file in the folder REPSC_DATA; nothing if absent. `./dev` sets REPSC_DATA where it finds the
/// data sets; a path compiled in here would make every clone compile the tests again.
inline std::optional<std::string> data_file(const std::string& name) {
  const char* folder = std::getenv("REPSC_DATA");
  if (folder == nullptr) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

}  // namespace repsc
