// The report page and its data.
#include "repsc/page.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>

#include "page/arrays.hpp"
#include "page/template.hpp"

namespace repsc {
namespace {

using Json = nlohmann::ordered_json;

/// A graph is drawn node by node up to this size; the edges of a larger one would neither be seen
/// nor fit.
constexpr Index most_nodes_drawn = 2000;
constexpr Offset most_edges_drawn = 40000;

bool drawn(const Graph& G) {
  return G.num_nodes() <= most_nodes_drawn && G.num_edges() <= most_edges_drawn;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json optional_number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json outcome_json(const Outcome& outcome) {
  return {{"cut", number(outcome.cut)}, {"average_balance", number(outcome.average_balance)}};
}

Json scale_json(const std::optional<Baselines>& baselines) {
  if (!baselines) return nullptr;
  const Lots& lots = baselines->random;
  return {{"plain", outcome_json(baselines->plain)},
          {"random",
           {{"cut", number(lots.cut)},
            {"cut_spread", number(lots.cut_spread)},
            {"average_balance", number(lots.average_balance)},
            {"balance_spread", number(lots.balance_spread)}}},
          {"exact", baselines->exact ? outcome_json(*baselines->exact) : Json(nullptr)},
          {"fair_balance", number(baselines->fair_balance)},
          {"reachable_balance", number(baselines->reachable_balance)}};
}

Json bound_json(const PageData& data) {
  if (!data.certificate) return nullptr;
  const Certificate& proof = *data.certificate;
  return {{"lower_bound", number(proof.lower_bound)},
          {"any_bound", optional_number(data.any_bound)},
          {"deviation", number(proof.deviation)},
          {"gap", number(proof.gap)},
          {"strength", number(proof.strength)},
          {"price_of_fairness_at_least", optional_number(proof.price_of_fairness_at_least)},
          {"verified", proof.verified},
          {"reason", proof.verified ? Json(nullptr) : Json(proof.reason)}};
}

Json cluster_table(const Audit& audit) {
  Json rows = Json::array();
  for (const ClusterAudit& cluster : audit.clusters) {
    rows.push_back({{"size", cluster.size},
                    {"internal_share", number(cluster.internal_share)},
                    {"conductance", number(cluster.conductance)},
                    {"cut", number(cluster.cut)},
                    {"representatives", cluster.representatives},
                    {"expected_representatives", number(cluster.expected_representatives)},
                    {"poorly_represented", cluster.poorly_represented}});
  }
  return rows;
}

Json group_table(const Audit& audit) {
  if (audit.groups.empty()) return nullptr;
  Json cells = Json::array();
  for (const GroupCell& cell : audit.groups) {
    cells.push_back({{"group", cell.group},
                     {"cluster", cell.cluster},
                     {"count", cell.count},
                     {"expected", number(cell.expected)},
                     {"low", cell.low},
                     {"high", cell.high},
                     {"beyond_chance", cell.beyond_chance()}});
  }
  return cells;
}

/// A column of the people.
template <typename Number, typename Field>
std::string column(const std::vector<Person>& people, const Field& field) {
  std::vector<double> values;
  values.reserve(people.size());
  for (const Person& person : people) values.push_back(static_cast<double>(field(person)));
  return encoded<Number>(values);
}

/// A row of numbers for each of the people.
template <typename Number, typename Field>
std::string rows(const std::vector<Person>& people, const Field& field) {
  std::vector<double> values;
  for (const Person& person : people) {
    const auto& row = field(person);
    values.insert(values.end(), row.begin(), row.end());
  }
  return encoded<Number>(values);
}

Json help_json(const std::vector<Person>& people) {
  return {{"kind", column<std::uint8_t>(people, [](const Person& p) { return int(p.help.kind); })},
          {"node", column<std::uint32_t>(people, [](const Person& p) { return p.help.node; })},
          {"from", column<std::uint16_t>(people, [](const Person& p) { return p.help.from; })},
          {"to", column<std::uint16_t>(people, [](const Person& p) { return p.help.to; })},
          {"other", column<std::uint32_t>(people, [](const Person& p) { return p.help.other; })},
          {"balance", column<float>(people, [](const Person& p) { return p.help.balance; })},
          {"price", column<float>(people, [](const Person& p) { return p.help.cut_change; })}};
}

Json names_json(const PageData& data, const std::vector<Index>& nodes) {
  if (!data.show_names) return nullptr;
  Json found = Json::array();
  for (const Index node : nodes) found.push_back(data.similarity.names()[node]);
  return found;
}

/// People who are not listed, but whose move or swap would help somebody who is.
std::vector<Index> helpers(const std::vector<Person>& people) {
  std::vector<Index> listed;
  std::vector<Index> mentioned;
  listed.reserve(people.size());
  mentioned.reserve(2 * people.size());
  for (const Person& person : people) {
    listed.push_back(person.node);
    if (person.help.kind != HelpfulStep::Kind::none) mentioned.push_back(person.help.node);
    if (person.help.kind == HelpfulStep::Kind::swap) mentioned.push_back(person.help.other);
  }
  std::sort(listed.begin(), listed.end());
  std::sort(mentioned.begin(), mentioned.end());
  mentioned.erase(std::unique(mentioned.begin(), mentioned.end()), mentioned.end());
  std::vector<Index> found;
  std::set_difference(mentioned.begin(), mentioned.end(), listed.begin(), listed.end(),
                      std::back_inserter(found));
  return found;
}

/// Where the sorted numbers have this one.
std::ptrdiff_t place_of(const std::vector<Label>& numbers, Label number) {
  return std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
}

/// Of the groups that have people, in the order of the audit.
std::vector<std::string> names_of_groups(const PageData& data, const Audit& audit) {
  std::vector<std::string> names;
  names.reserve(audit.group_numbers.size());
  for (const Label number : audit.group_numbers) {
    const auto at = static_cast<std::size_t>(number);
    names.push_back(at < data.group_names.size() ? data.group_names[at] : std::to_string(number));
  }
  return names;
}

Json people_json(const PageData& data, const Audit& audit) {
  const std::vector<Person>& people = audit.people;
  Json json{{"total", audit.num_nodes}, {"count", people.size()}};
  json["node"] = column<std::uint32_t>(people, [](const Person& p) { return p.node; });
  std::vector<Index> nodes;
  nodes.reserve(people.size());
  for (const Person& person : people) nodes.push_back(person.node);
  json["name"] = names_json(data, nodes);
  json["cluster"] = column<std::uint16_t>(people, [](const Person& p) { return p.cluster; });
  json["group"] = data.groups
                      ? Json(column<std::uint16_t>(
                            people,
                            [&](const Person& p) {
                              return place_of(audit.group_numbers,
                                              (*data.groups)[static_cast<std::size_t>(p.node)]);
                            }))
                      : Json(nullptr);
  json["balance"] = column<float>(people, [](const Person& p) { return p.balance; });
  json["limit"] = column<float>(people, [](const Person& p) { return p.limit; });
  json["representatives"] =
      column<std::uint32_t>(people, [](const Person& p) { return p.num_representatives; });
  json["found"] = rows<std::uint32_t>(people, [](const Person& p) { return p.found; });
  json["expected"] = rows<float>(people, [](const Person& p) { return p.expected; });
  json["reason"] = column<std::uint8_t>(people, [](const Person& p) { return int(p.reason); });
  json["help"] = help_json(people);
  if (data.show_names) {
    const std::vector<Index> others = helpers(people);
    json["others"] = {{"node", encoded<std::uint32_t>(others)}, {"name", names_json(data, others)}};
  } else {
    json["others"] = nullptr;
  }
  return json;
}

std::vector<double> entries(const Matrix& matrix) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  }
  return values;
}

Json point_json(const PageData& data, const PagePoint& point) {
  const Audit& audit = point.audit;
  const Metrics& metrics = audit.metrics;
  VerdictFacts facts{.baselines = data.baselines, .threshold_given = data.threshold_given};
  const bool first = &point == &data.points[data.start];
  if (first && data.certificate)
    facts.price_at_least = data.certificate->price_of_fairness_at_least;
  Json json{{"name", point.name},
            {"what", point.what},
            {"verdict", verdict(audit, facts)},
            {"cut", number(metrics.normalized_cut)},
            {"ratio_cut", number(metrics.ratio_cut)},
            {"average_balance", number(metrics.average_balance)},
            {"minimum_balance", number(metrics.minimum_balance)},
            {"proportional_balance", number(metrics.average_proportional_balance)},
            {"structure_kept", nullptr},
            {"fairness_gained", nullptr},
            {"modularity", number(metrics.modularity)},
            {"without", audit.num_missing},
            {"below_threshold", audit.num_below},
            {"without_representatives", audit.num_isolated},
            {"cluster_table", cluster_table(audit)},
            {"group_table", group_table(audit)},
            {"balances", encoded<float>(audit.histogram)},
            {"balances_by_group", Json::array()},
            {"labels", nullptr},
            {"links", encoded<float>(entries(audit.links))},
            {"people", people_json(data, audit)}};
  if (data.baselines) {
    json["structure_kept"] = number(data.baselines->structure_kept(metrics.normalized_cut));
    json["fairness_gained"] = number(data.baselines->fairness_gained(metrics.average_balance));
  }
  for (const auto& each : audit.histogram_by_group) {
    json["balances_by_group"].push_back(encoded<float>(each));
  }
  if (drawn(data.similarity)) json["labels"] = encoded<std::uint16_t>(point.labels);
  return json;
}

/// The nodes of each cluster around a place on a circle, from which the page's layout starts.
Json graph_json(const PageData& data) {
  const Graph& G = data.similarity;
  if (!drawn(G)) return {{"kind", "clusters"}};
  std::vector<Index> ends;
  for (Index i = 0; i < G.num_nodes(); ++i) {
    for (const Index j : G.neighbors(i)) {
      if (j > i) ends.insert(ends.end(), {i, j});
    }
  }
  const PagePoint& start = data.points[data.start];
  std::vector<Index> placed(static_cast<std::size_t>(start.audit.num_clusters));
  std::vector<double> x;
  std::vector<double> y;
  for (Index i = 0; i < G.num_nodes(); ++i) {
    const auto k = static_cast<std::size_t>(start.labels[static_cast<std::size_t>(i)]);
    const double centre =
        2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(placed.size());
    const double turn = 2.399963 * placed[k];  // the golden angle: a disc filled evenly
    const double share =
        static_cast<double>(placed[k]) / static_cast<double>(start.audit.clusters[k].size);
    const double radius = 0.16 * std::sqrt(share);
    ++placed[k];
    x.push_back(0.5 + 0.32 * std::cos(centre) + radius * std::cos(turn));
    y.push_back(0.5 + 0.32 * std::sin(centre) + radius * std::sin(turn));
  }
  return {{"kind", "nodes"},
          {"count", G.num_nodes()},
          {"edges", encoded<std::uint32_t>(ends)},
          {"x", encoded<float>(x)},
          {"y", encoded<float>(y)}};
}

Json provenance_json(const PageData& data) {
  const Provenance& from = data.provenance;
  Json json{{"version", version},
            {"command", from.command},
            {"made", from.made},
            {"method", from.method},
            {"why", from.why},
            {"seed", from.seed},
            {"options", Json::object()},
            {"files", Json::array()},
            {"sizes",
             {{"nodes", data.similarity.num_nodes()},
              {"similarity_edges", data.similarity.num_edges()},
              {"representation_edges", data.representation.by_groups()
                                           ? Json(nullptr)
                                           : Json(data.representation.graph().num_edges() -
                                                  data.representation.graph().num_self_loops())},
              {"groups", data.points[data.start].audit.group_numbers.size()}}},
            {"changes", from.changes},
            {"warnings", Json::array()},
            {"seconds", Json::object()}};
  for (const auto& [name, value] : from.options) json["options"][name] = value;
  for (const PageFile& file : from.files) {
    json["files"].push_back(
        {{"role", file.role}, {"name", file.name}, {"sha256", file.sha256}, {"bytes", file.bytes}});
  }
  for (const auto& [code, message] : from.warnings) {
    json["warnings"].push_back({{"code", code}, {"message", message}});
  }
  for (const auto& [stage, seconds] : from.seconds) json["seconds"][stage] = seconds;
  return json;
}

/// For a script element: JSON in which no character could end it or start a comment.
std::string escaped(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const bool separator = json.compare(i, 3, "\xe2\x80\xa8") == 0 ||
                           json.compare(i, 3, "\xe2\x80\xa9") == 0;  // U+2028 and U+2029
    if (separator) {
      text += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (c == '<') {
      text += "\\u003c";
    } else if (c == '>') {
      text += "\\u003e";
    } else if (c == '&') {
      text += "\\u0026";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string page_json(const PageData& data) {
  require(!data.points.empty() && data.start < data.points.size(), "a report needs a clustering");
  const Audit& first = data.points[data.start].audit;
  Json json{
      {"schema", "repsc-report-1"},
      {"title", data.title},
      {"nodes", first.num_nodes},
      {"clusters", first.num_clusters},
      {"threshold",
       {{"value", first.threshold}, {"chosen_by", data.threshold_given ? "user" : "default"}}},
      {"groups", names_of_groups(data, first)},
      {"cluster_names", data.cluster_names},
      {"representatives", data.representation.by_groups() ? "group" : "graph"},
      {"names_shown", data.show_names},
      {"baselines", scale_json(data.baselines)},
      {"certificate", bound_json(data)},
      {"random_balances", encoded<float>(data.lots_histogram)},
      {"start", data.start},
      {"points", Json::array()},
      {"graph", graph_json(data)},
      {"provenance", provenance_json(data)}};
  for (const PagePoint& point : data.points) json["points"].push_back(point_json(data, point));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string page_html(const std::string& json) {
  const std::string_view page = page_template();
  if (page.empty()) {
    throw InvalidInput(
        Fault{.what = "this repsc was built without the report page",
              .remedies = {advice("install esbuild and node-d3, and build it again")}});
  }
  constexpr std::string_view mark = "@REPSC_REPORT_DATA@";
  const std::size_t at = page.find(mark);
  std::string text(page.substr(0, at));
  text += escaped(json);
  text += page.substr(at + mark.size());
  return text;
}

bool has_page() { return !page_template().empty(); }

}  // namespace repsc
