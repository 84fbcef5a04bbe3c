// Results as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "report/choose_k_json.hpp"
#include "report/metrics_json.hpp"
#include "repsc/report.hpp"

namespace repsc {
namespace {

using Json = nlohmann::ordered_json;

// One top-level field per line: easy to read and to compare.
std::string one_field_per_line(const Json& object) {
  std::string text = "{\n";
  for (const auto& [key, value] : object.items()) {
    if (text.size() > 2) text += ",\n";
    text +=
        "  " + Json(key).dump() + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

// Only the fair methods have groups.
Json number_of_groups(const Labels& groups) {
  if (groups.empty()) return nullptr;
  return 1 + *std::max_element(groups.begin(), groups.end());
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The kind of the constraint; a soft constraint has a strength.
const char* constraint_name(const Clustering& clustering) {
  if (clustering.strength) return "soft";
  const bool plain = clustering.method == Method::usc || clustering.method == Method::nsc;
  return plain ? "none" : "hard";
}

const char* cut_name(CutKind cut) { return cut == CutKind::ratio ? "ratio" : "normalized"; }

Json refinement_object(const std::optional<RefinementFacts>& facts) {
  if (!facts) return nullptr;
  const Refinement& refinement = facts->refinement;
  return {{"cut", cut_name(facts->cut)},
          {"mu", refinement.mu},
          {"min_cluster_size", facts->min_cluster_size},
          {"objective", refinement.objective},
          {"start_objective", refinement.start_objective},
          {"moves", refinement.moves},
          {"rounds", refinement.rounds},
          {"local_optimum", refinement.local_optimum},
          {"start_metrics", metrics_json(facts->start)},
          {"seconds", facts->seconds}};
}

Json certificate_object(const Certificate& certificate) {
  return {{"deviation", certificate.deviation},
          {"lower_bound", certificate.lower_bound},
          {"gap", certificate.gap},
          {"strength", certificate.strength},
          {"price_of_fairness_at_least", optional_number(certificate.price_of_fairness_at_least)},
          {"verified", certificate.verified},
          {"reason", certificate.verified ? Json(nullptr) : Json(certificate.reason)},
          {"cut", cut_name(certificate.cut_kind)},
          {"reached_cut", certificate.cut},
          {"plain_cut", optional_number(certificate.plain_cut)},
          {"eigenproblems", certificate.num_eigenproblems},
          {"time_limit_reached", certificate.out_of_time},
          {"seconds", certificate.seconds}};
}

/// Seconds by stage, with what no stage accounts for, so that they add up to the total.
Json seconds_json(const std::vector<std::pair<const char*, double>>& stages, double total) {
  Json json = Json::object();
  double sum = 0;
  for (const auto& [stage, seconds] : stages) {
    json[stage] = seconds;
    sum += seconds;
  }
  json["other"] = std::max(0.0, total - sum);
  json["total"] = total;
  return json;
}

/// The search for a target, without its start, whose stages are listed.
double search_seconds(const Clustering& clustering, const RunFacts& facts) {
  if (!facts.target) return clustering.seconds.search;
  const StageSeconds& start = clustering.seconds;
  return std::max(0.0, facts.target->result.seconds - start.constraint - start.eigen -
                           start.kmeans - start.refine);
}

Json unreachable_json(const TargetFacts& facts) {
  Json nodes = Json::array();
  for (const UnreachableNode& node : facts.result.unreachable) {
    nodes.push_back({{"node", facts.names[node.node]},
                     {"representatives", node.representatives},
                     {"best", node.best}});
  }
  return nodes;
}

Json target_object(const std::optional<TargetFacts>& facts) {
  if (!facts) return nullptr;
  const TargetResult& result = facts->result;
  Json below = Json::array();
  for (const Index node : result.below) below.push_back(facts->names[node]);
  Json json{{"average_balance", optional_number(facts->targets.average_balance)},
            {"individual_balance", optional_number(facts->targets.individual_balance)},
            {"max_cut_increase", optional_number(facts->targets.max_cut_increase)},
            {"met", result.met},
            {"start", result.start},
            {"mu", result.mu},
            {"cut", cut_name(result.cut_kind)},
            {"reached_cut", result.cut},
            {"plain_cut", result.plain_cut},
            {"reached_average_balance", result.average_balance},
            {"tried", result.tried},
            {"average_balance_limit", result.balance_limit}};
  if (!facts->targets.individual_balance) return json;
  json["satisfied"] = result.satisfied;
  json["below"] = std::move(below);
  json["unreachable"] = unreachable_json(*facts);
  return json;
}

Json outcome_json(const Outcome& outcome) {
  return {{"cut", outcome.cut}, {"average_balance", outcome.average_balance}};
}

Json baselines_json(const std::optional<Baselines>& baselines) {
  if (!baselines) return nullptr;
  const Lots& lots = baselines->random;
  return {{"plain", outcome_json(baselines->plain)},
          {"random",
           {{"cut", lots.cut},
            {"cut_spread", lots.cut_spread},
            {"average_balance", lots.average_balance},
            {"balance_spread", lots.balance_spread},
            {"ratio_cut", lots.ratio_cut},
            {"draws", lots.draws}}},
          {"exact", baselines->exact ? outcome_json(*baselines->exact) : Json(nullptr)},
          {"fair_balance", baselines->fair_balance},
          {"reachable_balance", baselines->reachable_balance}};
}

/// Metrics on the scale between the baselines.
void add_placement(const std::optional<Baselines>& baselines, const Metrics& metrics, Json& json) {
  json["structure_kept"] =
      baselines ? Json(baselines->structure_kept(metrics.normalized_cut)) : Json(nullptr);
  json["fairness_gained"] =
      baselines ? Json(baselines->fairness_gained(metrics.average_balance)) : Json(nullptr);
}

Json search_json(const std::optional<SearchFacts>& search) {
  if (!search) return nullptr;
  return {{"start", search->start}, {"tried", search->tried}, {"met", search->met}};
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"code", warning.code}, {"message", warning.what}});
  }
  return list;
}

Json word_or_null(const std::string& word) { return word.empty() ? Json(nullptr) : Json(word); }

Json graph_file_json(const GraphFileFacts& facts) {
  const GraphChanges& changes = facts.changes;
  Json json{{"file", facts.file},         {"format", facts.format},
            {"nodes", facts.nodes},       {"edges", facts.edges},
            {"weighted", facts.weighted}, {"header", word_or_null(changes.header)}};
  if (changes.separator != '\0') {
    json["separator"] = std::string(1, changes.separator);
    json["columns_ignored"] = word_or_null(changes.columns_ignored);
  }
  json["self_loops_dropped"] = changes.self_loops_dropped;
  json["self_loops_added"] = changes.self_loops_added;
  json["duplicates_merged"] = changes.duplicates_merged;
  json["directions_dropped"] = changes.directions_dropped;
  json["directions_merged"] = changes.directions_merged;
  json["zero_weights_dropped"] = changes.zero_weights_dropped;
  return json;
}

Json input_json(const std::optional<InputFacts>& facts) {
  if (!facts) return nullptr;
  Json json{{"similarity", graph_file_json(facts->similarity)},
            {"representation", nullptr},
            {"groups", nullptr}};
  if (facts->representation) json["representation"] = graph_file_json(*facts->representation);
  if (facts->groups) {
    json["groups"] = {{"file", facts->groups->file},
                      {"column", word_or_null(facts->groups->column)},
                      {"header", word_or_null(facts->groups->header)},
                      {"other_nodes", facts->groups->other_nodes}};
  }
  json["only_in_similarity"] = facts->only_in_similarity;
  json["only_in_representation"] = facts->only_in_representation;
  json["nodes_dropped"] = facts->nodes_dropped;
  json["components"] = facts->components;
  json["isolated_nodes"] = facts->isolated_nodes;
  return json;
}

Json graph_info_object(const GraphInfo& info) {
  const GraphSummary& summary = info.summary;
  Json json = graph_file_json(info.file);
  json["self_loops"] = summary.self_loops;
  json["smallest_weight"] = summary.smallest_weight;
  json["largest_weight"] = summary.largest_weight;
  json["degree"] = {{"smallest", summary.smallest_degree},
                    {"mean", summary.mean_degree},
                    {"largest", summary.largest_degree}};
  json["components"] = summary.components;
  json["largest_component"] = summary.largest_component;
  json["isolated_nodes"] = summary.isolated;
  json["numbered_from"] = summary.numbered_from ? Json(*summary.numbered_from) : Json(nullptr);
  json["regular"] = summary.regular;
  return json;
}

Json distributed_json(const DistributedFacts& facts) {
  return {{"ranks", facts.ranks},
          {"exchanges", facts.exchanges},
          {"messages", facts.messages},
          {"bytes_sent", facts.bytes_sent},
          {"reductions", facts.reductions},
          {"reduced_bytes", facts.reduced_bytes},
          {"ghosts", facts.ghosts},
          {"most_rows", facts.most_rows},
          {"most_entries", facts.most_entries},
          {"most_ghosts", facts.most_ghosts},
          {"most_messages", facts.most_messages},
          {"most_bytes_sent", facts.most_bytes_sent},
          {"most_peak_memory_bytes", facts.most_peak_memory_bytes},
          {"exchange", facts.shared_memory ? "shared memory" : "messages"},
          {"clustered_by", facts.root_alone ? "process 0" : "all processes"}};
}

/// The first fields of a report about a clustering, or about several of the same graph.
Json heading_json(const Clustering& clustering) {
  return {{"repsc", version},
          {"method", name(clustering.method)},
          {"nodes", clustering.labels.size()},
          {"clusters", clustering.num_clusters}};
}

Json clustering_json(const Clustering& clustering, const Metrics& metrics, const RunFacts& facts) {
  const Vector& values = clustering.eigenvalues;
  Json json = heading_json(clustering);
  if (facts.distributed)
    json["nodes"] = facts.distributed->nodes;  // the labels are those of a rank
  json["constraint_rank"] = clustering.constraint_rank;
  json["seed"] = facts.seed;
  json["solver"] = clustering.solver;
  json["eigenvalues"] = std::vector<double>(values.begin(), values.end());
  json["converged"] = clustering.converged;
  json["residual"] = clustering.residual;
  json["constraint_residual"] = clustering.constraint_residual;
  json["iterations"] = clustering.iterations;
  json["metrics"] = metrics_json(metrics);
  std::vector<std::pair<const char*, double>> stages{
      {"load", facts.load_seconds},          {"constraint", clustering.seconds.constraint},
      {"eigen", clustering.seconds.eigen},   {"kmeans", clustering.seconds.kmeans},
      {"refine", clustering.seconds.refine}, {"search", search_seconds(clustering, facts)},
      {"evaluate", facts.evaluate_seconds},  {"write", facts.write_seconds}};
  if (facts.certificate) stages.emplace_back("certify", facts.certificate->seconds);
  json["seconds"] = seconds_json(stages, facts.total_seconds);
  json["peak_memory_bytes"] = facts.peak_memory_bytes;
  json["inertia"] = clustering.inertia;
  json["groups"] = number_of_groups(clustering.groups);
  json["dropped_nodes"] = facts.dropped_nodes;
  json["labels_settled"] = clustering.settled;
  json["constraint"] = constraint_name(clustering);
  json["strength"] = optional_number(clustering.strength);
  json["refinement"] = refinement_object(facts.refinement);
  json["target"] = target_object(facts.target);
  if (facts.certificate) json["certificate"] = certificate_object(*facts.certificate);
  json["rank_unique"] = clustering.rank_unique;
  json["clusters_visible"] = clustering.clusters_visible;
  json["eigengap"] = optional_number(clustering.eigengap);
  json["warnings"] = warnings_json(clustering.warnings);
  json["time_limit_reached"] =
      clustering.out_of_time || (facts.target && facts.target->result.out_of_time);
  if (facts.input) json["input"] = input_json(facts.input);
  json["baselines"] = baselines_json(clustering.baselines);
  add_placement(clustering.baselines, metrics, json);
  json["search"] = search_json(clustering.search);
  if (facts.chosen_clusters) json["chosen_clusters"] = chosen_json(*facts.chosen_clusters);
  json["device"] = clustering.device;
  if (facts.distributed) json["distributed"] = distributed_json(*facts.distributed);
  return json;
}

/// One step of a path: its own times only; loading and decomposition belong to the whole path.
Json step_json(const PathReport& report, std::size_t i, const RunFacts& facts) {
  const PathStep& step = report.path.steps[i];
  RunFacts own = facts;
  own.load_seconds = 0;
  own.evaluate_seconds = 0;
  own.write_seconds = 0;
  own.input.reset();
  own.total_seconds = seconds_of(step);
  Json json{{"rank", step.clustering.strength ? Json(nullptr) : Json(step.rank)}};
  json.update(clustering_json(step.clustering, report.metrics[i], own));
  json.erase("baselines");  // those of the path
  add_placement(facts.baselines, report.metrics[i], json);
  json["on_average_front"] = bool{report.average_front[i]};
  json["on_minimum_front"] = bool{report.minimum_front[i]};
  json["mu"] = optional_number(step.mu);
  return json;
}

}  // namespace

std::string cluster_json(const Clustering& clustering, const Metrics& metrics,
                         const RunFacts& facts) {
  return one_field_per_line(clustering_json(clustering, metrics, facts));
}

std::string choose_k_json(const ClusterCount& found, const RunFacts& facts) {
  Json json{{"repsc", version}, {"seed", facts.seed}};
  json.update(chosen_json(found));
  json["time_limit_reached"] = found.out_of_time;
  json["seconds"] = facts.total_seconds;
  json["input"] = input_json(facts.input);
  return one_field_per_line(json);
}

std::string path_json(const PathReport& report, const RunFacts& facts) {
  const std::vector<PathStep>& steps = report.path.steps;
  const Clustering& first = steps.front().clustering;
  Json path = Json::array();
  Json ranks = Json::array();
  Json strengths = Json::array();
  bool converged = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Clustering& step = steps[i].clustering;
    if (!steps[i].mu && step.strength) strengths.push_back(*step.strength);
    if (!steps[i].mu && !step.strength) ranks.push_back(steps[i].rank);
    converged = converged && step.converged;
    path.push_back(step_json(report, i, facts));
  }
  Json json = heading_json(first);
  json["seed"] = facts.seed;
  json["ranks"] = std::move(ranks);
  json["converged"] = converged;
  json["path"] = std::move(path);
  double of_steps = 0;
  for (const PathStep& step : steps) of_steps += seconds_of(step);
  json["seconds"] = seconds_json({{"load", facts.load_seconds},
                                  {"decomposition", report.path.decomposition_seconds},
                                  {"steps", of_steps},
                                  {"evaluate", facts.evaluate_seconds},
                                  {"write", facts.write_seconds}},
                                 facts.total_seconds);
  json["peak_memory_bytes"] = facts.peak_memory_bytes;
  json["dropped_nodes"] = facts.dropped_nodes;
  json["strengths"] = std::move(strengths);
  json["complete"] = !report.path.out_of_time;
  json["time_limit_reached"] = report.path.out_of_time && !facts.interrupted;
  json["interrupted"] = facts.interrupted;
  json["input"] = input_json(facts.input);
  json["baselines"] = baselines_json(facts.baselines);
  return one_field_per_line(json);
}

std::string refinement_json(const RefinementFacts& refinement, const Metrics& metrics,
                            const std::vector<std::string>& cluster_names, const RunFacts& facts) {
  Json json;
  json["repsc"] = version;
  json["nodes"] = refinement.refinement.labels.size();
  json["clusters"] = cluster_names.size();
  json["seed"] = facts.seed;
  json["metrics"] = metrics_json(metrics);
  json["refinement"] = refinement_object(refinement);
  json["cluster_names"] = cluster_names;
  json["seconds"] = seconds_json({{"load", facts.load_seconds},
                                  {"refine", refinement.seconds},
                                  {"evaluate", facts.evaluate_seconds},
                                  {"write", facts.write_seconds}},
                                 facts.total_seconds);
  json["peak_memory_bytes"] = facts.peak_memory_bytes;
  json["dropped_nodes"] = facts.dropped_nodes;
  json["time_limit_reached"] = refinement.refinement.out_of_time;
  json["input"] = input_json(facts.input);
  json["baselines"] = baselines_json(facts.baselines);
  add_placement(facts.baselines, metrics, json);
  return one_field_per_line(json);
}

std::string certificate_json(const Metrics& metrics, const std::vector<std::string>& cluster_names,
                             const RunFacts& facts) {
  const Certificate certificate = facts.certificate.value_or(Certificate{});
  std::size_t nodes = 0;
  for (const Index size : metrics.cluster_sizes) nodes += static_cast<std::size_t>(size);
  Json json;
  json["repsc"] = version;
  json["nodes"] = nodes;
  json["clusters"] = cluster_names.size();
  json["seed"] = facts.seed;
  json["metrics"] = metrics_json(metrics);
  json["certificate"] = certificate_object(certificate);
  json["cluster_names"] = cluster_names;
  json["seconds"] = seconds_json({{"load", facts.load_seconds},
                                  {"certify", certificate.seconds},
                                  {"evaluate", facts.evaluate_seconds}},
                                 facts.total_seconds);
  json["peak_memory_bytes"] = facts.peak_memory_bytes;
  json["dropped_nodes"] = facts.dropped_nodes;
  json["time_limit_reached"] = certificate.out_of_time;
  json["input"] = input_json(facts.input);
  return one_field_per_line(json);
}

std::string graph_info_json(const GraphInfo& similarity,
                            const std::optional<GraphInfo>& representation,
                            const std::optional<NodeOverlap>& nodes,
                            const std::optional<RepresentationInfo>& constraint) {
  Json json = graph_info_object(similarity);
  if (representation) json["representation"] = graph_info_object(*representation);
  if (nodes) {
    json["matching"] = {{"common", nodes->common},
                        {"only_in_similarity", nodes->only_first},
                        {"only_in_representation", nodes->only_second},
                        {"counted_differently", nodes->counted_differently}};
  }
  if (constraint) {
    json["constraint"] = {
        {"rank", constraint->rank ? Json(*constraint->rank) : Json(nullptr)},
        {"rank_at_most", constraint->num_distinct_rows},
        {"groups", constraint->num_groups > 0 ? Json(constraint->num_groups) : Json(nullptr)},
        {"clusters", constraint->num_clusters > 0 ? Json(constraint->num_clusters) : Json(nullptr)},
        {"reachable_balance", optional_number(constraint->reachable_balance)}};
  }
  return one_field_per_line(json);
}

std::string evaluation_json(const Evaluation& evaluation) {
  Json json;
  json["repsc"] = version;
  json["nodes"] = evaluation.num_nodes;
  json["clusters"] = evaluation.cluster_names.size();
  json["metrics"] = metrics_json(evaluation.metrics);
  json["accuracy"] = optional_number(evaluation.accuracy);
  json["adjusted_rand_index"] = optional_number(evaluation.adjusted_rand_index);
  json["cluster_names"] = evaluation.cluster_names;
  if (evaluation.input) json["input"] = input_json(evaluation.input);
  json["baselines"] = baselines_json(evaluation.baselines);
  add_placement(evaluation.baselines, evaluation.metrics, json);
  return one_field_per_line(json);
}

}  // namespace repsc
