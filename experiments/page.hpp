// The pages of a folder of finished experiments: index.html and claims.json.
#pragma once

#include <string>
#include <vector>

#include "experiments/folder.hpp"
#include "experiments/panel.hpp"

namespace repsc::experiments {

/// The panels of one reading.
struct ReadingPanels {
  Reading reading = {};
  std::vector<Panel> panels = {};
};

struct Chapter {
  const Experiment* experiment = nullptr;
  About about = {};
  std::vector<ReadingPanels> panels = {};  ///< the default reading first
  std::vector<Claim> claims = {};          ///< of every reading, those of the default first
};

/// All panels of the default reading and, for each other reading with rows, those of the measure
/// that the paper shows: the ratio of balance to cut, or the accuracy.
[[nodiscard]] std::vector<ReadingPanels> panels_by_reading(const Experiment& experiment,
                                                           const std::vector<Row>& rows);
/// The claims under every reading with rows.
[[nodiscard]] std::vector<Claim> claims_by_reading(const Experiment& experiment,
                                                   const std::vector<Row>& rows);

/// Reads back every experiment that is finished in `out`, in the order of the catalogue.
[[nodiscard]] std::vector<Chapter> finished_chapters(const std::string& out);

/// The claims of all chapters, and the one about both families.
[[nodiscard]] std::vector<Claim> all_claims(const std::vector<Chapter>& chapters);
/// "All the results follow the same trends as URepSC": verdicts of the two families agree, of the
/// paper's other claims under the default reading.
[[nodiscard]] Claim families_agree(const std::vector<Claim>& claims);

/// How many claims of a source hold, under the default reading.
struct ClaimCount {
  int held = 0;
  int tested = 0;
};
[[nodiscard]] ClaimCount count_claims(const std::vector<Claim>& claims, Source source);

/// The rule by which claims compare numbers, in a sentence.
inline constexpr const char* comparison_rule =
    "Means a and b over repeats are compared by the standard error of a - b, sqrt(sd_a^2 / n_a + "
    "sd_b^2 / n_b): a is at least b if a - b is not below -2 standard errors, and higher than b if "
    "a - b is above 2 standard errors; equal numbers are not higher. \"In most cases\" means more "
    "than half of the cases. The best point of a curve is that of the highest mean.";

[[nodiscard]] std::string claims_json(const std::vector<Chapter>& chapters);
[[nodiscard]] std::string index_html(const std::vector<Chapter>& chapters);

}  // namespace repsc::experiments
