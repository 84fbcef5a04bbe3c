// The pages of a folder of finished experiments: index.html and claims.json.
#pragma once

#include <string>
#include <vector>

#include "experiments/folder.hpp"
#include "experiments/panel.hpp"

namespace repsc::experiments {

struct Chapter {
  const Experiment* experiment = nullptr;
  About about = {};
  std::vector<Panel> panels = {};
  std::vector<Claim> claims = {};
};

/// Reads back every experiment that is finished in `out`, in the order of the catalogue.
[[nodiscard]] std::vector<Chapter> finished_chapters(const std::string& out);

/// The claims of all chapters, and the one about both families.
[[nodiscard]] std::vector<Claim> all_claims(const std::vector<Chapter>& chapters);
/// "All the results follow the same trends as URepSC": verdicts of the two families agree.
[[nodiscard]] Claim families_agree(const std::vector<Claim>& claims);

[[nodiscard]] std::string claims_json(const std::vector<Chapter>& chapters);
[[nodiscard]] std::string index_html(const std::vector<Chapter>& chapters);

}  // namespace repsc::experiments
