// The report page: one HTML file with everything in it, and its JSON twin (docs/report.md).
//
//   repsc::PageData data = repsc::assemble_page({G, R}, {{"this result", "labels", labels}}, 5);
//   repsc::write_text_file("report.html", repsc::page_html(repsc::page_json(data)));
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repsc/audit.hpp"
#include "repsc/certify.hpp"

namespace repsc {

/// One clustering on the page.
struct PagePoint {
  std::string name;  ///< "this result"
  std::string what;  ///< "labels from labels.csv"
  Labels labels;
  Audit audit;
};

struct PageFile {
  std::string role;  ///< "similarity graph"
  std::string name;
  std::string sha256 = {};
  std::int64_t bytes = 0;
};

/// How the page came about.
struct Provenance {
  std::string command;
  std::string made;    ///< time, as 2026-11-16T12:00:00Z
  std::string method;  ///< "labels from a file", or what ran
  std::vector<std::string> why = {};
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> options = {};
  std::vector<PageFile> files = {};
  std::vector<std::string> changes = {};  ///< what was dropped or changed while reading
  std::vector<std::pair<std::string, std::string>> warnings = {};  ///< code and message
  std::vector<std::pair<std::string, double>> seconds = {};
};

struct PageData {
  std::string title;
  Graph similarity;
  Representation representation;
  std::optional<Labels> groups = {};            ///< numbered as the names
  std::vector<std::string> group_names = {};    ///< by number
  std::vector<std::string> cluster_names = {};  ///< as in the file of labels; empty: none
  bool show_names = false;                      ///< false: people are numbers
  bool threshold_given = false;
  std::optional<Baselines> baselines = {};
  std::optional<Certificate> certificate = {};  ///< of the point that is shown first
  std::optional<double> any_bound = {};         ///< no clustering cuts less
  std::vector<double> lots_histogram = {};
  std::vector<PagePoint> points = {};  ///< in the order of the slider
  std::size_t start = 0;               ///< the point that is shown first
  Provenance provenance = {};
};

/// A clustering to be shown.
struct ShownClusters {
  std::string name;
  std::string what;
  Labels labels;
};

struct PageOptions {
  std::optional<double> threshold = {};  ///< none: four_fifths
  /// Whether the library's default is among these; false if the result is that already.
  bool with_default = true;
  bool path = true;         ///< whether other clusters are found, if only one clustering is given
  bool certificate = true;  ///< whether a lower bound of the cut is proved
  /// Above this number of nodes there is neither a path nor a certificate: a page for a million
  /// people must not take much longer than reading and measuring them.
  Index most_nodes_searched = 20000;
  std::uint64_t seed = 0;
  std::optional<Baselines> baselines = {};  ///< none: computed
  std::optional<Certificate> known = {};    ///< of the last clustering; none: computed
  ProgressFn progress = {};
};

/// Audits the clusterings, the last of which is the result, and others that were possible; with
/// baselines and a certificate. The caller adds title, names and provenance. `missing` tells
/// what had to be left out, and why.
struct AssembledPage {
  PageData data;
  struct Missing {
    std::string what;  ///< "no baselines"
    InvalidInput why;
  };
  std::vector<Missing> missing = {};
};
[[nodiscard]] AssembledPage assemble_page(const ClusterInput& input,
                                          const std::vector<ShownClusters>& shown, int num_clusters,
                                          const PageOptions& options = {});

/// The data of the page. Arrays are base64 of little-endian numbers, so that a page for a million
/// people stays small.
[[nodiscard]] std::string page_json(const PageData& data);

/// The page with its data in it. What came from files is escaped. Throws InvalidInput if the
/// library was built without the page.
[[nodiscard]] std::string page_html(const std::string& json);

/// Whether the library was built with the page, which takes esbuild and D3.
[[nodiscard]] bool has_page();

}  // namespace repsc
