// The report page: audits, baselines and certificates put together.
#include "pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "baselines.hpp"
#include "certificates.hpp"
#include "options.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

/// Other clusters and certificates are computed up to this size unless they are asked not to be: a
/// page for a million people must not take much longer than reading the graphs.
constexpr Index most_nodes_searched = 20000;

std::string& remembered() {
  static std::string text;
  return text;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./:=,+@%") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Now, or SOURCE_DATE_EPOCH, so that a page can be made again byte by byte.
std::string time_made() {
  std::time_t now = std::time(nullptr);
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH")) now = std::atoll(given);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::string base_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

PageFile page_file(const std::string& role, const std::string& path) {
  const FileDigest digest = digest_of_file(path);
  return {role, path == "-" ? "standard input" : base_name(path), digest.sha256, digest.bytes};
}

void add_files(const InputOptions& files, std::vector<PageFile>& list) {
  std::vector<PageFile> own{page_file("similarity graph", files.similarity)};
  if (!files.representation.empty()) {
    own.push_back(page_file("representation graph", files.representation));
  }
  if (!files.groups.empty()) own.push_back(page_file("groups", split_column(files.groups).file));
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

std::vector<PagePoint> audited(const std::vector<ShownClusters>& clusterings, const PageData& data,
                               int K, const AuditOptions& how) {
  std::vector<PagePoint> points;
  points.reserve(clusterings.size());
  for (const ShownClusters& each : clusterings) {
    points.push_back(
        {each.name, each.what, each.labels,
         audit(data.similarity, data.representation, each.labels, K, data.groups, how)});
  }
  std::stable_sort(points.begin(), points.end(), [](const PagePoint& x, const PagePoint& y) {
    return x.audit.metrics.average_balance < y.audit.metrics.average_balance;
  });
  return points;
}

/// Those given, and others that were possible.
std::vector<ShownClusters> with_alternatives(std::vector<ShownClusters> shown, Pipeline& pipeline,
                                             int K, std::uint64_t seed, Console& console) {
  try {
    for (Alternative& each : alternatives(pipeline, shown.back().labels, K, seed)) {
      shown.push_back({std::move(each.name), std::move(each.what), std::move(each.labels)});
    }
  } catch (const InvalidInput& error) {  // as an isolated node: the page has the result alone
    console.note_at_end("the page has no other clusters to compare: {}", error.what());
  }
  return shown;
}

std::optional<double> bound_of_any(const Inputs& inputs, const Labels& labels, int K,
                                   std::uint64_t seed) {
  try {
    return certify(inputs.similarity, labels, K, {.seed = seed}).lower_bound;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

}  // namespace

void remember_command(int argc, const char* const* argv) {
  std::string text = "repsc";
  for (int i = 1; i < argc; ++i) text += fmt::format(" {}", quoted(argv[i]));
  remembered() = text;
}

const std::string& command_line() { return remembered(); }

void add_threshold_option(CLI::App& command, std::optional<double>& threshold) {
  command
      .add_option("--threshold", threshold,
                  "count people whose balance is below it as poorly represented (default: 0.8, "
                  "after the four-fifths rule)")
      ->type_name("FLOAT")
      ->check(probability());
}

void add_page_options(CLI::App& command, PageOptions& options) {
  add_threshold_option(command, options.threshold);
  command.add_flag("--names", options.names,
                   "show the names of nodes on the page (default: Person 1, Person 2, ...)");
  command.add_flag_callback(
      "--no-path", [&options] { options.path = false; },
      "show this result only, without other clusters that were possible (default: up to 20,000 "
      "nodes with them)");
  command.add_flag_callback(
      "--no-certificate", [&options] { options.certificate = false; },
      "do not prove a lower bound of the cut (default: proved up to 20,000 nodes)");
}

void write_page(const Inputs& inputs, const InputOptions& files,
                const std::vector<ShownClusters>& shown, int num_clusters,
                const PageOptions& options, PageOrigin origin, std::optional<Baselines> baselines,
                std::optional<Certificate> certificate, Console& console) {
  const Stopwatch watch;
  const int K = num_clusters;
  PageData data;
  data.title = std::move(origin.title);
  data.similarity = inputs.similarity;
  data.representation = inputs.representatives();
  if (inputs.groups) {
    data.groups = inputs.groups->labels;
    data.group_names = inputs.groups->values;
  }
  data.show_names = options.names;
  data.threshold_given = options.threshold.has_value();
  Pipeline pipeline(cluster_input_of(inputs));
  const bool searched = inputs.similarity.num_nodes() <= most_nodes_searched && K > 1;
  const Labels& own = shown.back().labels;
  if (!baselines) baselines = baselines_of(pipeline, K, {.seed = origin.seed}, console);
  data.baselines = std::move(baselines);
  const AuditOptions how{.threshold = options.threshold.value_or(four_fifths)};
  data.points = audited(searched && options.path && shown.size() == 1
                            ? with_alternatives(shown, pipeline, K, origin.seed, console)
                            : shown,
                        data, K, how);
  data.start = static_cast<std::size_t>(
      std::find_if(data.points.begin(), data.points.end(),
                   [&](const PagePoint& point) { return point.name == shown.back().name; }) -
      data.points.begin());
  if (searched && options.certificate) {
    if (!certificate) {
      CertifyOptions prove{.seed = origin.seed};
      if (data.baselines) prove.plain_cut = data.baselines->plain.cut;
      try {
        certificate = certified(inputs, own, K, prove, console);
      } catch (const InvalidInput& error) {
        console.note_at_end("the page has no certificate: {}", error.what());
      }
    }
    if (certificate && certificate->cut_kind == CutKind::normalized) {
      data.certificate = std::move(certificate);
      data.any_bound = bound_of_any(inputs, own, K, origin.seed);
    }
  }
  data.lots_histogram = lots_histogram(data.representation, K, origin.seed);
  console.clear_progress();

  Provenance& from = data.provenance;
  from.command = command_line();
  from.made = time_made();
  from.method = std::move(origin.method);
  from.why = std::move(origin.why);
  from.seed = origin.seed;
  from.options = {{"threshold", fmt::format("{:g}", how.threshold)},
                  {"names", options.names ? "shown" : "masked"}};
  from.files = std::move(origin.files);
  add_files(files, from.files);
  from.changes = changes_of(inputs.facts);
  from.warnings = std::move(origin.warnings);
  from.seconds = std::move(origin.seconds);
  from.seconds.emplace_back("audit", watch.seconds());
  const std::string json = page_json(data);
  if (!options.file.empty()) write_text_file(options.file, page_html(json));
  if (!options.json.empty()) write_text_file(options.json, json + "\n");
}

}  // namespace repsc::cli
