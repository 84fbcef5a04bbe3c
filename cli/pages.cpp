// The report page: audits, baselines and certificates put together.
#include "pages.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "baselines.hpp"
#include "command_line.hpp"
#include "options.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

/// Now, or SOURCE_DATE_EPOCH, so that a page can be made again byte by byte.
std::string time_made() {
  std::time_t now = std::time(nullptr);
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH")) now = std::atoll(given);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

void add_files(const InputOptions& files, std::vector<PageFile>& list) {
  std::vector<PageFile> own{page_file("similarity graph", files.similarity)};
  if (!files.representation.empty()) {
    own.push_back(page_file("representation graph", files.representation));
  }
  if (!files.groups.empty()) own.push_back(page_file("groups", files.groups));
  list.insert(list.begin(), own.begin(), own.end());
}

void add_changes(const GraphFileFacts& file, const char* which, std::vector<std::string>& changes) {
  const std::string words = describe(file.changes);
  if (!words.empty()) changes.push_back(fmt::format("{}: {}", which, words));
}

std::vector<std::string> changes_of(const InputFacts& facts) {
  std::vector<std::string> changes;
  add_changes(facts.similarity, "similarity graph", changes);
  if (facts.representation) add_changes(*facts.representation, "representation graph", changes);
  if (facts.nodes_dropped > 0) {
    changes.push_back(
        fmt::format("nodes dropped, because they are isolated or in one graph only: {}",
                    grouped(facts.nodes_dropped)));
  }
  return changes;
}

std::vector<std::pair<std::string, double>> stages(const Clustering& result,
                                                   const RunFacts& facts) {
  const StageSeconds& seconds = result.seconds;
  return {{"read", facts.load_seconds},        {"constraint", seconds.constraint},
          {"eigenvectors", seconds.eigen},     {"k-means", seconds.kmeans},
          {"refinement", seconds.refine},      {"search", seconds.search},
          {"measures", facts.evaluate_seconds}};
}

}  // namespace

std::string shown_file(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

PageFile page_file(const std::string& role, const std::string& path) {
  const std::string file = split_column(path).file;
  const FileDigest digest = digest_of_file(file);
  return {role, shown_file(file), digest.sha256, digest.bytes};
}

void add_threshold_option(CLI::App& command, std::optional<double>& threshold) {
  command
      .add_option("--threshold", threshold,
                  "count people whose balance is below it as poorly represented (default: 0.8, "
                  "after the four-fifths rule)")
      ->type_name("FLOAT")
      ->check(probability());
}

void add_page_options(CLI::App& command, PageRequest& options) {
  add_threshold_option(command, options.how.threshold);
  command.add_flag("--names", options.names,
                   "show the names of nodes on the page (default: Person 1, Person 2, ...)");
  command.add_flag_callback(
      "--no-path", [&options] { options.how.path = false; },
      "show this result only, without other clusters that were possible (default: up to 20,000 "
      "nodes with them)");
  command.add_flag_callback(
      "--no-certificate", [&options] { options.how.certificate = false; },
      "do not prove a lower bound of the cut (default: proved up to 20,000 nodes)");
}

void write_cluster_page(const Inputs& inputs, const InputOptions& files, const Clustering& result,
                        const std::vector<Decision>& why, const RunFacts& facts,
                        const PageRequest& request, Console& console) {
  PageOrigin origin{
      .title = fmt::format("Clusters of {}", shown_file(inputs.facts.similarity.file)),
      .files = {},
      .method = name(result.method),
      .seed = facts.seed,
      .seconds = stages(result, facts)};
  if (result.search) origin.method += fmt::format(", a fair bargain from {}", result.search->start);
  for (const Decision& each : why) {
    origin.why.push_back(fmt::format("{}: {} ({})", each.what, each.choice, each.reason));
  }
  for (const Warning& warning : result.warnings) {
    origin.warnings.emplace_back(warning.code, in_words(warning));
  }
  const std::vector<ShownClusters> shown{{"this result", origin.method, result.labels}};
  PageRequest asked = request;
  asked.how.with_default = !result.search;  // a result of the search is the default itself
  write_page(inputs, files, shown, result.num_clusters, asked, std::move(origin), result.baselines,
             facts.certificate, console);
}

void write_page(const Inputs& inputs, const InputOptions& files,
                const std::vector<ShownClusters>& shown, int num_clusters,
                const PageRequest& request, PageOrigin origin,
                const std::optional<Baselines>& baselines,
                const std::optional<Certificate>& certificate, Console& console) {
  const Stopwatch watch;
  PageOptions how = request.how;
  how.seed = origin.seed;
  how.baselines = baselines;
  how.known = certificate;
  how.progress = console.progress();
  auto [data, missing] = assemble_page(cluster_input_of(inputs), shown, num_clusters, how);
  console.clear_progress();
  for (const auto& [what, why] : missing) {
    console.note_at_end("{} has {}: {}", request.file, what, in_words(why));
  }
  data.title = std::move(origin.title);
  if (inputs.groups) data.group_names = inputs.groups->values;
  data.cluster_names = std::move(origin.cluster_names);
  data.show_names = request.names;

  Provenance& from = data.provenance;
  from.command = command_line();
  from.made = time_made();
  from.method = std::move(origin.method);
  from.why = std::move(origin.why);
  from.seed = origin.seed;
  from.options = {{"threshold", fmt::format("{:g}", how.threshold.value_or(four_fifths))},
                  {"names", request.names ? "shown" : "masked"}};
  from.files = std::move(origin.files);
  add_files(files, from.files);
  from.changes = changes_of(inputs.facts);
  from.warnings = std::move(origin.warnings);
  from.seconds = std::move(origin.seconds);
  from.seconds.emplace_back("audit", watch.seconds());
  const std::string json = page_json(data);
  if (!request.file.empty()) write_text_file(request.file, page_html(json));
  if (!request.json.empty()) write_text_file(request.json, json + "\n");
}

}  // namespace repsc::cli
