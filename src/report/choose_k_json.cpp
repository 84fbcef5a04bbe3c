// The choice of a number of clusters as JSON.
#include "report/choose_k_json.hpp"

namespace repsc {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* constraint_word(ConstraintSource constraint) {
  if (constraint == ConstraintSource::none) return "none";
  return constraint == ConstraintSource::soft ? "soft" : "exact";
}

Json signs_json(const KSigns& signs) {
  return {{"eigenvalue", signs.eigenvalue},
          {"eigengap", signs.eigengap},
          {"gap_ratio", signs.gap_ratio},
          {"cut", signs.cut},
          {"z", signs.z},
          {"share_below_random", signs.share},
          {"smallest_cluster", signs.smallest_cluster},
          {"stability", value_or_null(signs.stability)}};
}

Json row_json(const KRow& row) {
  return {{"clusters", row.num_clusters},
          {"clear", row.clear},
          {"random", {{"cut", row.random.cut}, {"cut_spread", row.random.cut_spread}}},
          {"plain", signs_json(row.plain)},
          {"constrained", row.constrained ? signs_json(*row.constrained) : Json(nullptr)}};
}

}  // namespace

Json chosen_json(const ClusterCount& found) {
  Json table = Json::array();
  for (const KRow& row : found.rows) table.push_back(row_json(row));
  return {{"recommended", value_or_null(found.recommended)},
          {"reason", found.reason},
          {"candidates", found.candidates},
          {"components", found.num_components},
          {"constraint", constraint_word(found.constraint)},
          {"strength", found.constraint == ConstraintSource::soft ? Json(found.strength) : Json()},
          {"table", std::move(table)}};
}

}  // namespace repsc
