// index.html and claims.json.
#include "experiments/page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/rows.hpp"

namespace repsc::experiments {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

const Chapter* chapter_of(const std::vector<Chapter>& chapters, const std::string& id) {
  for (const Chapter& chapter : chapters) {
    if (chapter.experiment->id == id) return &chapter;
  }
  return nullptr;
}

std::string size_of_run(const Chapter* chapter) {
  if (chapter == nullptr) return "";
  return fmt::format("{}, {} repeats", name(chapter->about.size), chapter->about.repeats);
}

std::string claims_table(const std::vector<Chapter>& chapters) {
  std::string text =
      "<table><tr><th>experiment</th><th>family</th><th>claim</th><th>verdict</th><th>numbers</th>"
      "<th>run</th></tr>\n";
  for (const Claim& claim : all_claims(chapters)) {
    std::string numbers = escaped(claim.numbers);
    if (!claim.holds && !claim.tried.empty())
      numbers += "<br><em>Tried: " + escaped(claim.tried) + "</em>";
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td "
        "class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(claim.experiment), claim.family, escaped(claim.statement),
        claim.holds ? "yes" : "no", claim.holds ? "holds" : "does not hold", numbers,
        size_of_run(chapter_of(chapters, claim.experiment)));
  }
  return text + "</table>\n";
}

std::string chapter_html(const Chapter& chapter) {
  const Experiment& experiment = *chapter.experiment;
  std::string text = fmt::format(
      "<h2 id=\"{0}\">{1}</h2>\n<p><code>{0}</code> &middot; the paper's {2} "
      "&middot; varies: {3} &middot; size {4}, {5} repeats, seed {6} &middot; "
      "{7:.0f} s{8} &middot; <a href=\"{0}/results.csv\">rows</a>, "
      "<a href=\"{0}/summary.csv\">summary</a>, "
      "<a href=\"{0}/parameters.json\">parameters</a></p>\n",
      experiment.id, escaped(experiment.title), escaped(experiment.paper),
      escaped(experiment.varies), name(chapter.about.size), chapter.about.repeats,
      chapter.about.seed, chapter.about.seconds,
      chapter.about.resumed ? " (last run; earlier runs computed a part)" : "");
  if (!chapter.about.notes.empty()) {
    text += "<ul>\n";
    for (const std::string& note : chapter.about.notes) text += "<li>" + escaped(note) + "</li>\n";
    text += "</ul>\n";
  }
  text += "<div class=\"panels\">\n";
  for (const Panel& panel : chapter.panels) {
    const std::string path = experiment.id + '/' + panel.file;
    text += fmt::format(
        "<figure><a href=\"{0}.pdf\"><img src=\"{0}.svg\" alt=\"{1}\" loading=\"lazy\"></a>"
        "<figcaption><strong>{2}.</strong> {1}. {3} Size: {4}.</figcaption></figure>\n",
        path, escaped(panel.title), escaped(panel.paper), escaped(panel.caption),
        name(chapter.about.size));
  }
  return text + "</div>\n";
}

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>repsc: the paper's experiments</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-size: 0.85rem; } td, th { border: 1px solid #ccc; padding: 0.3rem 0.5rem; text-align: left; vertical-align: top; }
.yes { color: #005a3c; font-weight: bold; } .no { color: #a33b00; font-weight: bold; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1rem; }
figure { margin: 0; } img { width: 100%; border: 1px solid #eee; } figcaption { font-size: 0.85rem; }
</style></head><body>
<h1>The paper's experiments</h1>
<p>Gupta and Dukkipati, "Consistency of Constrained Spectral Clustering under Graph Induced Fair Planted
Partitions", NeurIPS 2022, computed anew by repsc. Figures are numbered in the order of the paper's source.
Points are means over repeats, bars one standard deviation; RCut and NCut carry the paper's factor 1/2.</p>
)";

}  // namespace

std::vector<Chapter> finished_chapters(const std::string& out) {
  std::vector<Chapter> chapters;
  for (const Experiment& experiment : catalogue()) {
    const std::string folder = out + '/' + experiment.id;
    Chapter chapter;
    if (!read_about(folder, chapter.about)) continue;
    chapter.experiment = &experiment;
    const RowFile file(folder + "/results.csv");
    const Summary summary(file.rows());
    if (summary.rows().empty()) continue;
    chapter.panels = experiment.panels(summary);
    chapter.claims = experiment.claims(summary);
    chapters.push_back(std::move(chapter));
  }
  return chapters;
}

Claim families_agree(const std::vector<Claim>& claims) {
  Claim result{.id = "families-agree",
               .experiment = "all",
               .family = "both",
               .statement =
                   "the results of the normalized methods follow the same trends as those of "
                   "the unnormalized ones: each claim above has one verdict in both families"};
  std::map<std::string, std::vector<bool>> verdicts;
  for (const Claim& claim : claims) {
    if (claim.family != "both") verdicts[claim.id].push_back(claim.holds);
  }
  std::size_t pairs = 0;
  std::string different;
  for (const auto& [id, holds] : verdicts) {
    if (holds.size() != 2) continue;
    ++pairs;
    if (holds[0] != holds[1]) different += (different.empty() ? "" : ", ") + id;
  }
  result.holds = pairs > 0 && different.empty();
  result.numbers = fmt::format("{} claims compared; {}", pairs,
                               different.empty() ? "all agree" : "different: " + different);
  return result;
}

std::vector<Claim> all_claims(const std::vector<Chapter>& chapters) {
  std::vector<Claim> claims;
  for (const Chapter& chapter : chapters)
    claims.insert(claims.end(), chapter.claims.begin(), chapter.claims.end());
  if (!claims.empty()) claims.push_back(families_agree(claims));
  return claims;
}

std::string claims_json(const std::vector<Chapter>& chapters) {
  auto list = nlohmann::ordered_json::array();
  for (const Claim& claim : all_claims(chapters)) {
    const Chapter* chapter = chapter_of(chapters, claim.experiment);
    nlohmann::ordered_json entry{{"id", claim.id},         {"experiment", claim.experiment},
                                 {"family", claim.family}, {"claim", claim.statement},
                                 {"holds", claim.holds},   {"numbers", claim.numbers}};
    if (chapter != nullptr) {
      entry["size"] = name(chapter->about.size);
      entry["repeats"] = chapter->about.repeats;
    }
    if (!claim.holds && !claim.tried.empty()) entry["tried"] = claim.tried;
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"repsc", version}, {"claims", list}}.dump(2) + '\n';
}

std::string index_html(const std::vector<Chapter>& chapters) {
  std::string text = page_head;
  text += "<h2>Claims of the paper and results</h2>\n" + claims_table(chapters);
  for (const Chapter& chapter : chapters) text += chapter_html(chapter);
  return text + "</body></html>\n";
}

}  // namespace repsc::experiments
