// index.html.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/page.hpp"

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

const char* source_title(Source source) {
  switch (source) {
    case Source::paper:
      return "claims of the paper";
    case Source::ours:
      return "our own statements";
    case Source::construction:
      return "true by construction or proof";
  }
  return "";
}

std::string overview(const std::vector<Claim>& claims) {
  std::string text =
      "<h2 id=\"overview\">Overview</h2>\n<div class=\"scroll\"><table><tr><th>statements</th>"
      "<th>hold</th><th>tested</th></tr>\n";
  for (const Source source : {Source::paper, Source::ours, Source::construction}) {
    const ClaimCount count = count_claims(claims, source);
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", source_title(source),
                        count.held, count.tested);
  }
  text += "</table></div>\n<p>Counted under the default readings, each family by itself. ";
  text += escaped(comparison_rule);
  return text + "</p>\n";
}

// Whether the claim is the first of its id and family, under which other readings are listed.
bool same_claim(const Claim& a, const Claim& b) { return a.id == b.id && a.family == b.family; }

std::string anchor(const Claim& claim) { return fmt::format("{}-{}", claim.id, claim.family); }

std::string verdict(const Claim& claim) {
  return fmt::format("<span class=\"{}\">{}</span>", claim.holds ? "yes" : "no",
                     claim.holds ? "holds" : "does not hold");
}

std::string contents(const std::vector<Chapter>& chapters) {
  std::string text = "<h2 id=\"contents\">Contents</h2>\n<ul class=\"contents\">\n";
  for (const Chapter& chapter : chapters) {
    const Experiment& experiment = *chapter.experiment;
    text += fmt::format("<li><a href=\"#{}\">{}</a> ({}):", experiment.id,
                        escaped(experiment.title), escaped(experiment.paper));
    for (const Claim& claim : chapter.claims) {
      if (!claim.reading.empty()) continue;
      text += fmt::format(" <a class=\"{}\" href=\"#{}\">{}</a>", claim.holds ? "yes" : "no",
                          anchor(claim), anchor(claim));
    }
    text += "</li>\n";
  }
  return text + "<li><a href=\"#families-agree-both\">Both families</a></li>\n</ul>\n";
}

std::string numbers_table(const Claim& claim) {
  if (claim.data.empty()) return "";
  std::string text =
      "<details><summary>numbers</summary><div class=\"scroll\"><table><tr><th>where</th><th>"
      "quantity</th><th>mean</th><th>sd</th><th>n</th></tr>\n";
  for (const ClaimNumber& number : claim.data) {
    const bool mean = number.n > 0;
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        escaped(number.where), escaped(number.quantity), shown(number.value),
                        mean ? shown(number.sd) : "", mean ? fmt::format("{}", number.n) : "");
  }
  return text + "</table></div></details>\n";
}

std::string as_sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text;
}

// A claim with its verdict under every reading.
std::string claim_html(const Claim& claim, const std::vector<Claim>& all) {
  std::string text = fmt::format(
      "<section class=\"claim\" id=\"{0}\"><h4><code>{1}</code>, {2}: {3}</h4>\n<p>{4}.",
      anchor(claim), claim.id, claim.family, verdict(claim), escaped(as_sentence(claim.statement)));
  if (claim.source != Source::paper)
    text += fmt::format(" <em>({})</em>", claim.source == Source::ours ? "not a claim of the paper"
                                                                       : "true by construction");
  text += "</p>\n";
  if (!claim.quote.empty()) {
    text +=
        fmt::format("<p class=\"quote\">{}{}</p>\n",
                    claim.figure.empty() ? "" : escaped(claim.figure) + ". ", escaped(claim.quote));
  }
  text += "<div class=\"scroll\"><table><tr><th>reading</th><th>verdict</th><th>found</th></tr>\n";
  for (const Claim& other : all) {
    if (!same_claim(claim, other)) continue;
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
                        other.reading.empty() ? "default" : escaped(other.reading), verdict(other),
                        escaped(other.numbers), numbers_table(other));
  }
  return text + "</table></div></section>\n";
}

std::string figures_html(const std::string& id, const std::vector<Panel>& panels) {
  std::string text = "<div class=\"panels\">\n";
  for (const Panel& panel : panels) {
    text += fmt::format(
        "<figure><a href=\"{0}/{1}.pdf\"><img src=\"{0}/{1}.svg\" width=\"520\" height=\"400\" "
        "alt=\"{2}. {3}\" loading=\"lazy\"></a><figcaption><strong>{4}.</strong> {2}. {3}"
        "</figcaption></figure>\n",
        id, panel.file, escaped(panel.title), escaped(panel.caption), escaped(panel.paper));
  }
  return text + "</div>\n";
}

std::string readings_html(const Chapter& chapter) {
  const Experiment& experiment = *chapter.experiment;
  if (experiment.readings.empty()) return "";
  std::string text = "<h3>Readings</h3>\n<ul>\n";
  for (const Reading& reading : experiment.readings) {
    const bool ran = std::any_of(
        chapter.panels.begin(), chapter.panels.end(),
        [&](const ReadingPanels& panels) { return panels.reading.name == reading.name; });
    text += fmt::format(
        "<li><code>{}</code>: {}{}</li>\n", reading.name, escaped(reading.changes),
        ran ? "." : fmt::format(" (not run; <code>--reading {}</code>).", reading.name));
  }
  text += "</ul>\n";
  for (std::size_t i = 1; i < chapter.panels.size(); ++i) {
    const ReadingPanels& panels = chapter.panels[i];
    text += fmt::format("<details><summary>Reading <code>{}</code>: {}</summary>\n{}</details>\n",
                        panels.reading.name, escaped(panels.reading.changes),
                        figures_html(experiment.id, panels.panels));
  }
  return text;
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
    for (const std::string& note : chapter.about.notes)
      text += fmt::format("<li>{}</li>\n", escaped(note));
    text += "</ul>\n";
  }
  if (!chapter.panels.empty()) text += figures_html(experiment.id, chapter.panels.front().panels);
  text += readings_html(chapter);
  text += "<h3>Claims</h3>\n";
  for (const Claim& claim : chapter.claims) {
    if (claim.reading.empty()) text += claim_html(claim, chapter.claims);
  }
  return text;
}

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>repsc: the paper's experiments</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #222; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.85rem; } td, th { border: 1px solid #ccc; padding: 0.3rem 0.5rem; text-align: left; vertical-align: top; }
.scroll { overflow-x: auto; max-width: 100%; } .scroll table { overflow-wrap: normal; } .scroll td:last-child { min-width: 14rem; }
.scroll details td { min-width: 0 !important; }
.yes { color: #005a3c; font-weight: bold; } .no { color: #a33b00; font-weight: bold; }
.contents a.yes, .contents a.no { font-weight: normal; margin-right: 0.4em; font-size: 0.85rem; }
.claim { border-left: 3px solid #ccc; padding-left: 0.8rem; margin: 1rem 0; } .claim h4, .claim p { margin: 0.2rem 0; }
.quote { color: #555; font-size: 0.9rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; } img { width: 100%; height: auto; border: 1px solid #eee; } figcaption { font-size: 0.85rem; }
summary { cursor: pointer; }
</style></head><body>
<h1>The paper's experiments</h1>
<p>Gupta and Dukkipati, "Consistency of Constrained Spectral Clustering under Graph Induced Fair Planted
Partitions", NeurIPS 2022, computed anew by repsc. Figures are numbered in the order of the paper's source.
R is the representation graph, r the rank of its approximation (the paper's italic R), P a number of groups.
Points are means over repeats, bars one standard deviation; where curves share their values of x, marks are moved
apart a little. RCut and NCut carry the paper's factor 1/2.</p>
)";

}  // namespace

std::string index_html(const std::vector<Chapter>& chapters) {
  const std::vector<Claim> claims = all_claims(chapters);
  std::string text = page_head + overview(claims) + contents(chapters);
  for (const Chapter& chapter : chapters) text += chapter_html(chapter);
  if (!claims.empty()) {
    const Claim& families = claims.back();
    text += fmt::format("<h2>Both families</h2>\n{}", claim_html(families, {families}));
  }
  return text + "</body></html>\n";
}

}  // namespace repsc::experiments
