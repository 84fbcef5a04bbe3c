// Rows with numbers made up for a test, and those of a run.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/panel.hpp"
#include "experiments/rows.hpp"
#include "experiments/run.hpp"
#include "experiments/summary.hpp"

namespace repsc::experiments {

/// Fills in a setting of both families: "repsc" becomes "urepsc" and "nrepsc".
inline void add_both(std::vector<Row>& rows, Setting setting, const std::string& base,
                     const Outcome& outcome) {
  for (const bool normalized : {false, true}) {
    setting.normalized = normalized;
    setting.method = method_name(normalized, base);
    rows.push_back({setting, outcome});
  }
}

inline Claim claim_of(const std::string& experiment, const std::string& id, std::vector<Row> rows) {
  sort_rows(rows);
  for (const Claim& claim : experiment_by_id(experiment).claims(Summary(rows))) {
    if (claim.id == id) return claim;
  }
  throw InvalidInput("no claim " + id);
}

/// A run that takes a second.
inline RunOptions tiny(const std::string& out, std::vector<std::string> ids) {
  return {.ids = std::move(ids),
          .request = {.size = Size::tiny, .repeats = 2, .seed = 7},
          .out = out,
          .threads = 2};
}

/// The rows that a run left.
inline std::vector<Row> rows_in(const std::string& folder) {
  return RowFile(folder + "/results.csv").rows();
}

/// The rows as sorted text without what the clock says.
inline std::vector<std::string> without_seconds(std::vector<Row> rows) {
  std::vector<std::string> lines;
  for (Row& row : rows) {
    row.outcome.seconds = row.outcome.shared_seconds = 0;
    lines.push_back(csv_line(row));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace repsc::experiments
