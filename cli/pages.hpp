// The report page of `report`, `cluster --report` and `compare --report`.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "inputs.hpp"
#include "repsc/page.hpp"

namespace repsc::cli {

/// What is asked of a page.
struct PageRequest {
  std::string file;  ///< "": no page is asked for
  std::string json;  ///< the JSON twin
  bool names = false;
  PageOptions how = {};
};

/// --threshold, --names, --no-path, --no-certificate.
void add_page_options(CLI::App& command, PageRequest& options);
/// Only --threshold, which `explain` and `compare` share.
void add_threshold_option(CLI::App& command, std::optional<double>& threshold);

/// The name of a file without its folders, for titles and lists.
[[nodiscard]] std::string shown_file(const std::string& path);
/// A file of labels or groups, FILE or FILE:column, with its SHA-256.
[[nodiscard]] PageFile page_file(const std::string& role, const std::string& path);

/// What the page says about its origin, besides what the inputs tell.
struct PageOrigin {
  std::string title;
  std::vector<PageFile> files;  ///< besides the graphs and groups
  std::string method;
  std::vector<std::string> why = {};
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> warnings = {};
  std::vector<std::pair<std::string, double>> seconds = {};
  std::vector<std::string> cluster_names = {};  ///< as in the file of labels
};

/// Writes the page about the clusters, the last of which are the result, and its twin. Baselines
/// and certificate are computed if they are not known.
void write_page(const Inputs& inputs, const InputOptions& files,
                const std::vector<ShownClusters>& shown, int num_clusters,
                const PageRequest& request, PageOrigin origin,
                const std::optional<Baselines>& baselines,
                const std::optional<Certificate>& certificate, Console& console);

/// The page about our own result. `why`: how method and options were chosen.
void write_cluster_page(const Inputs& inputs, const InputOptions& files, const Clustering& result,
                        const std::vector<Decision>& why, const RunFacts& facts,
                        const PageRequest& request, Console& console);

}  // namespace repsc::cli
