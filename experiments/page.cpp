// What the pages show: panels and claims of every reading, and claims.json.
#include "experiments/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/rows.hpp"

namespace repsc::experiments {
namespace {

using Json = nlohmann::ordered_json;

bool shows_the_papers_measure(const Panel& panel) {
  return panel.file.starts_with("ratio-unnormalized") ||
         panel.file.starts_with("ratio-normalized") || panel.file.starts_with("accuracy-");
}

// The other readings of which there are rows, each with its rows.
std::vector<std::pair<Reading, std::vector<Row>>> other_readings(const Experiment& experiment,
                                                                 const std::vector<Row>& rows) {
  std::vector<std::pair<Reading, std::vector<Row>>> result;
  for (const Reading& reading : experiment.readings) {
    std::vector<Row> own = rows_of_reading(rows, reading);
    if (!own.empty()) result.emplace_back(reading, std::move(own));
  }
  return result;
}

Json json_of(const ClaimNumber& number) {
  Json entry{{"where", number.where}, {"quantity", number.quantity}, {"value", number.value}};
  if (number.n > 0) {
    entry["sd"] = number.sd;
    entry["n"] = number.n;
  }
  return entry;
}

Json json_of(const Claim& claim) {
  Json entry{{"id", claim.id},           {"experiment", claim.experiment}, {"family", claim.family},
             {"reading", claim.reading}, {"source", name(claim.source)},   {"figure", claim.figure},
             {"quote", claim.quote},     {"claim", claim.statement},       {"holds", claim.holds},
             {"numbers", claim.numbers}, {"data", Json::array()}};
  for (const ClaimNumber& number : claim.data) entry["data"].push_back(json_of(number));
  if (!claim.holds && !claim.tried.empty()) entry["tried"] = claim.tried;
  return entry;
}

}  // namespace

std::vector<ReadingPanels> panels_by_reading(const Experiment& experiment,
                                             const std::vector<Row>& rows) {
  std::vector<ReadingPanels> result{{{}, experiment.panels(Summary(rows_of_reading(rows, {})))}};
  for (const auto& [reading, own] : other_readings(experiment, rows)) {
    ReadingPanels more{reading, experiment.panels(Summary(own))};
    std::erase_if(more.panels, [](const Panel& panel) { return !shows_the_papers_measure(panel); });
    for (Panel& panel : more.panels) {
      panel.file = fmt::format("{}-{}", reading.name, panel.file);
      panel.title = fmt::format("{} [{}]", panel.title, reading.name);
    }
    result.push_back(std::move(more));
  }
  return result;
}

std::vector<Claim> claims_by_reading(const Experiment& experiment, const std::vector<Row>& rows) {
  std::vector<Claim> claims = experiment.claims(Summary(rows_of_reading(rows, {})));
  for (const auto& [reading, own] : other_readings(experiment, rows)) {
    for (Claim& claim : experiment.claims(Summary(own))) {
      if (!claim.reading.empty()) continue;  // it has a reading of its own, which this is not
      claim.reading = reading.name;
      claims.push_back(std::move(claim));
    }
  }
  return claims;
}

std::vector<Chapter> finished_chapters(const std::string& out) {
  std::vector<Chapter> chapters;
  for (const Experiment& experiment : catalogue()) {
    const std::string folder = fmt::format("{}/{}", out, experiment.id);
    Chapter chapter;
    if (!read_about(folder, chapter.about)) continue;
    chapter.experiment = &experiment;
    const RowFile file(folder + "/results.csv");
    if (file.rows().empty()) continue;
    chapter.panels = panels_by_reading(experiment, file.rows());
    chapter.claims = claims_by_reading(experiment, file.rows());
    chapters.push_back(std::move(chapter));
  }
  return chapters;
}

Claim families_agree(const std::vector<Claim>& claims) {
  Claim result{
      .id = "families-agree",
      .experiment = "all",
      .family = "both",
      .statement =
          "the results of the normalized methods follow the same trends as those of "
          "the unnormalized ones: each claim of the paper has one verdict in both families",
      .source = Source::paper,
      .quote =
          "\"All the results follow the same trends as URepSC\" (Appendix, "
          "Experiments with NRepSC)"};
  std::map<std::string, std::vector<bool>> verdicts;
  for (const Claim& claim : claims) {
    if (claim.source == Source::paper && claim.reading.empty())
      verdicts[claim.id].push_back(claim.holds);
  }
  int pairs = 0, agreeing = 0;
  std::string different;
  for (const auto& [id, holds] : verdicts) {
    if (holds.size() != 2) continue;
    ++pairs;
    agreeing += holds[0] == holds[1] ? 1 : 0;
    if (holds[0] != holds[1]) different += fmt::format("{}{}", different.empty() ? "" : ", ", id);
  }
  result.holds = pairs > 0 && agreeing == pairs;
  result.numbers =
      fmt::format("{} claims compared; {}", pairs,
                  different.empty() ? "all agree" : fmt::format("different: {}", different));
  result.data = {{"", "claims compared", double(pairs)},
                 {"", "claims that agree", double(agreeing)}};
  return result;
}

std::vector<Claim> all_claims(const std::vector<Chapter>& chapters) {
  std::vector<Claim> claims;
  for (const Chapter& chapter : chapters)
    claims.insert(claims.end(), chapter.claims.begin(), chapter.claims.end());
  if (!claims.empty()) claims.push_back(families_agree(claims));
  return claims;
}

ClaimCount count_claims(const std::vector<Claim>& claims, Source source) {
  ClaimCount count;
  for (const Claim& claim : claims) {
    if (claim.source != source || !claim.reading.empty()) continue;
    ++count.tested;
    count.held += claim.holds ? 1 : 0;
  }
  return count;
}

std::string claims_json(const std::vector<Chapter>& chapters) {
  const std::vector<Claim> claims = all_claims(chapters);
  Json counts = Json::object();
  for (const Source source : {Source::paper, Source::ours, Source::construction}) {
    const ClaimCount count = count_claims(claims, source);
    counts[name(source)] = {{"hold", count.held}, {"tested", count.tested}};
  }
  Json runs = Json::object();
  for (const Chapter& chapter : chapters) {
    runs[chapter.experiment->id] = {{"size", name(chapter.about.size)},
                                    {"repeats", chapter.about.repeats},
                                    {"seed", chapter.about.seed}};
  }
  Json list = Json::array();
  for (const Claim& claim : claims) list.push_back(json_of(claim));
  return Json{{"repsc", version},
              {"rule", comparison_rule},
              {"counts", counts},
              {"runs", runs},
              {"claims", list}}
             .dump(2) +
         '\n';
}

}  // namespace repsc::experiments
