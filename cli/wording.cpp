// The library's errors and option names in the words of the command line.
#include "wording.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace repsc::cli {
namespace {

// Flags that are not the library's name with dashes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> flags{{
    {"num_clusters", "--clusters"},
    {"num_nodes", "--nodes"},
    {"regularization", "--regularize"},
    {"tolerance", "--tol"},
    {"num_neighbors", "--neighbors"},
    {"node_column", "--id"},
    {"kmeans_restarts", "--restarts"},
    {"refinement", "--mu and --min-cluster-size"},
    {"mus", "--refine"},
    {"average_balance", "--target-balance"},
    {"individual_balance", "--target-individual"},
    {"representation", "R"},
    {"similarity", "G"},
    {"experiment", "ID"},
    {"storage", "--graph-storage"},
}};

}  // namespace

std::string flag_of(std::string_view option, std::string_view value) {
  if (option == "refine" && value == "no") return "--no-refine";
  const auto* const found = std::find_if(flags.begin(), flags.end(),
                                         [&](const auto& entry) { return entry.first == option; });
  std::string flag(found != flags.end() ? found->second : option);
  if (found == flags.end()) {
    std::replace(flag.begin(), flag.end(), '_', '-');
    flag.insert(0, flag.size() == 1 ? "-" : "--");
  }
  if (!value.empty()) flag.append(" ").append(value);
  return flag;
}

std::string in_words(const InvalidInput& error) { return worded(error.fault(), flag_of); }

std::string in_words(const Warning& warning) {
  return worded({.what = warning.what, .remedies = warning.remedies}, flag_of);
}

}  // namespace repsc::cli
