// Readings: what the paper leaves open, one default and others by name.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/experiment.hpp"

namespace repsc::experiments {

Reading fairsc_by_nsc_reading() {
  return {.name = fairsc_by_nsc,
          .changes =
              "NFairSC's groups come from normalized instead of unnormalized spectral "
              "clustering of R",
          .other_graphs = false};
}

std::vector<std::string> wanted_readings(const std::vector<Reading>& known,
                                         const Request& request) {
  const auto asked = [&](const std::string& name) {
    return std::find(request.readings.begin(), request.readings.end(), name) !=
           request.readings.end();
  };
  std::vector<std::string> names{""};
  for (const Reading& reading : known) {
    if (asked(reading.name) || asked("all")) names.push_back(reading.name);
  }
  return names;
}

void require_reading(const std::string& name, const std::vector<std::string>& ids) {
  if (name == "all") return;
  std::set<std::string> known;
  for (const std::string& id : ids) {
    for (const Reading& reading : experiment_by_id(id).readings) known.insert(reading.name);
  }
  if (known.contains(name)) return;
  std::string list = "all";
  for (const std::string& other : known) list += fmt::format(", {}", other);
  throw InvalidInput(
      Fault{.what = fmt::format("it must be one of {}", list), .option = "reading", .value = name});
}

std::vector<Row> rows_of_reading(const std::vector<Row>& rows, const Reading& reading) {
  std::vector<Row> own;
  std::set<std::string> methods;
  std::set<Index> nodes;
  for (const Row& row : rows) {
    if (row.setting.reading != reading.name) continue;
    own.push_back(row);
    methods.insert(row.setting.method);
    nodes.insert(row.setting.nodes);
  }
  if (own.empty() || reading.name.empty() || reading.other_graphs) return own;
  for (const Row& row : rows) {
    const Setting& setting = row.setting;
    if (setting.reading.empty() && nodes.contains(setting.nodes) &&
        !methods.contains(setting.method)) {
      own.push_back(row);
    }
  }
  return own;
}

}  // namespace repsc::experiments
