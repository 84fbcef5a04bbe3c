// The audits of `repsc explain` and `repsc compare` as JSON.
#include <nlohmann/json.hpp>

#include "report/metrics_json.hpp"
#include "repsc/report.hpp"

namespace repsc {
namespace {

using Json = nlohmann::ordered_json;

const char* word(HelpfulStep::Kind kind) {
  switch (kind) {
    case HelpfulStep::Kind::none:
      return "none";
    case HelpfulStep::Kind::move:
      return "move";
    case HelpfulStep::Kind::swap:
      return "swap";
  }
  return "";
}

const char* word(Shortfall reason) {
  switch (reason) {
    case Shortfall::none:
      return "none";
    case Shortfall::isolated:
      return "isolated";
    case Shortfall::too_few:
      return "too_few";
    case Shortfall::one_cluster:
      return "one_cluster";
    case Shortfall::some_missing:
      return "some_missing";
    case Shortfall::uneven:
      return "uneven";
  }
  return "";
}

Json help_object(const HelpfulStep& step, const NodeNames& names,
                 const std::vector<std::string>& clusters) {
  Json json{{"kind", word(step.kind)}, {"balance", step.balance}};
  if (step.kind == HelpfulStep::Kind::none) return json;
  json["node"] = names[step.node];
  json["from"] = clusters[static_cast<std::size_t>(step.from)];
  json["to"] = clusters[static_cast<std::size_t>(step.to)];
  if (step.kind == HelpfulStep::Kind::swap) json["other"] = names[step.other];
  json["normalized_cut_change"] = step.cut_change;
  return json;
}

Json changes_json(const std::vector<Comparison::Change>& changes, const NodeNames& names) {
  Json rows = Json::array();
  for (const Comparison::Change& each : changes) {
    rows.push_back({{"node", names[each.node]}, {"before", each.before}, {"after", each.after}});
  }
  return rows;
}

std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string people_json(const std::vector<Person>& people, const NodeNames& names,
                        const std::vector<std::string>& cluster_names) {
  Json rows = Json::array();
  for (const Person& person : people) {
    rows.push_back({{"node", names[person.node]},
                    {"cluster", cluster_names[static_cast<std::size_t>(person.cluster)]},
                    {"balance", person.balance},
                    {"balance_limit", person.limit},
                    {"representatives", person.num_representatives},
                    {"found", person.found},
                    {"expected", person.expected},
                    {"reason", word(person.reason)},
                    {"reason_in_words", in_words(person.reason)},
                    {"help", help_object(person.help, names, cluster_names)}});
  }
  return written({{"clusters", cluster_names}, {"people", std::move(rows)}});
}

std::string comparison_json(const Comparison& found, const NodeNames& names,
                            const std::vector<std::string>& group_names) {
  Json groups = Json::array();
  for (const Comparison::OfGroup& group : found.groups) {
    groups.push_back({{"group", group_names[static_cast<std::size_t>(group.number)]},
                      {"nodes", group.num_nodes},
                      {"before", group.before},
                      {"after", group.after}});
  }
  return written({{"nodes", names.size()},
                  {"before", metrics_json(found.before)},
                  {"after", metrics_json(found.after)},
                  {"gained", found.num_gained},
                  {"lost", found.num_lost},
                  {"mean_gain", found.mean_gain},
                  {"mean_loss", found.mean_loss},
                  {"adjusted_rand_index", found.agreement},
                  {"largest_losses", changes_json(found.losers, names)},
                  {"largest_gains", changes_json(found.gainers, names)},
                  {"groups", std::move(groups)}});
}

}  // namespace repsc
