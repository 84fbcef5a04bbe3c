// The report page of `report`, `cluster --report` and `compare --report`.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "inputs.hpp"
#include "repsc/page.hpp"

namespace repsc::cli {

struct PageOptions {
  std::string file;  ///< "": no page is asked for
  std::string json;  ///< the JSON twin
  std::optional<double> threshold = {};
  bool names = false;
  bool path = true;         ///< whether other clusters are computed for the slider
  bool certificate = true;  ///< whether a bound is proved
};

/// --threshold, --names, --no-path, --no-certificate.
void add_page_options(CLI::App& command, PageOptions& options);
/// Only --threshold, which `explain` and `compare` share.
void add_threshold_option(CLI::App& command, std::optional<double>& threshold);

/// The clusters that the page is about.
struct ShownClusters {
  std::string name;
  std::string what;
  Labels labels;
};

/// What the page says about its origin, besides what the inputs tell.
struct PageOrigin {
  std::string title;
  std::vector<PageFile> files;  ///< besides the graphs and groups
  std::string method;
  std::vector<std::string> why = {};
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> warnings = {};
  std::vector<std::pair<std::string, double>> seconds = {};
};

/// Audits the clusters, and others that were possible, and writes the page and its twin. The last
/// one of `shown` is the result. `baselines` and `certificate` are computed if they are missing.
void write_page(const Inputs& inputs, const InputOptions& files,
                const std::vector<ShownClusters>& shown, int num_clusters,
                const PageOptions& options, PageOrigin origin, std::optional<Baselines> baselines,
                std::optional<Certificate> certificate, Console& console);

/// The command as it was typed, quoted for a shell.
void remember_command(int argc, const char* const* argv);
[[nodiscard]] const std::string& command_line();

}  // namespace repsc::cli
