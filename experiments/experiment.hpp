// An experiment has instances (graphs that are sampled or read once). Each instance runs settings
// (a method with its parameters) and returns outcomes. A setting and its outcome are one row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "repsc/core.hpp"

namespace repsc::experiments {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// How much of an experiment runs: `paper` has the paper's parameters, `quick` takes minutes for
/// all experiments together, `tiny` takes seconds (for tests; its figures are meaningless).
enum class Size { tiny, quick, paper };
[[nodiscard]] std::string name(Size size);

/// One setting: the method, its graph and its parameters. Parameters that the method ignores are 0.
struct Setting {
  std::string experiment = {};
  std::string reading = {};  ///< of what the paper leaves open; "": the default
  bool normalized = false;
  std::string method =
      {};  ///< "usc", "nrepsc", ..., also "urepsc-exact", "-literal", "-soft", "-refined";
           ///< "usc-types", "urepsc-types": on an R of types, RepSC with R itself;
           ///< "ulots" and "nlots": labels drawn by lot; "nauto": the library's default
  Index nodes = 0;
  int clusters = 0;
  Index degree = 0;     ///< d of a regular R
  Index rank = 0;       ///< r, of the approximation of the representation graph
  int groups = 0;       ///< P, protected groups found in R
  double strength = 0;  ///< of the soft constraint
  double mu = 0;        ///< of the refinement
  double p = 0, q = 0, r = 0, s = 0;
  int run = 0;  ///< the repeat, from 0
  std::uint64_t seed = 0;
};

/// The result. NaN if a quantity is not defined, such as accuracy without true clusters.
struct Outcome {
  double accuracy = unknown;
  double ratio_cut = unknown;
  double normalized_cut = unknown;
  double average_balance = unknown;
  double minimum_balance = unknown;
  double rate = unknown;              ///< p N ln N / gamma^2, of the consistency experiment
  double structure_kept = unknown;    ///< between lots (0) and plain clustering (1)
  double fairness_gained = unknown;   ///< between plain clustering (0) and lots (1)
  double smallest_cluster = unknown;  ///< its number of nodes
  double largest_cluster = unknown;
  double single_nodes = unknown;    ///< number of clusters of one node
  double seconds = unknown;         ///< of this row's own work
  double shared_seconds = unknown;  ///< of the decomposition that this row shares with others
  bool converged = true;
};

struct Row {
  Setting setting = {};
  Outcome outcome = {};
};

using Emit = std::function<void(const Row&)>;

/// Settings that share graphs and decompositions; runs those that have no row yet.
struct Instance {
  std::vector<Setting> settings = {};
  std::function<void(std::span<const Setting> wanted, const Emit& emit)> answer = {};
};

/// One of the ways to read what the paper leaves open. Each changes one thing of the default.
struct Reading {
  std::string name = {};     ///< "groups-spread"; "" is the default
  std::string changes = {};  ///< what it changes, in a sentence
  /// False: the graphs are those of the default, and so are the rows of methods that it does not
  /// run.
  bool other_graphs = true;
};

struct Request {
  Size size = Size::quick;
  int repeats = 3;
  std::uint64_t seed = 0;
  std::string data = {};  ///< folder of the real networks
  /// Additional methods in the plots: "exact"; the extensions "soft", "refined" and "default".
  std::vector<std::string> also = {};
  /// Readings besides the default, by name; "all": every reading of the experiment.
  std::vector<std::string> readings = {};
  [[nodiscard]] bool wants(const std::string& method) const {
    return std::find(also.begin(), also.end(), method) != also.end();
  }
};

/// The file of a real network is missing. The message says which file to download and where it
/// comes from.
class DataMissing : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

struct Panel;
struct Claim;
class Summary;

/// One line of the catalogue, see catalogue().
struct Experiment {
  std::string id = {};
  std::string title = {};
  std::string paper = {};   ///< figure and panels, numbered in the order of the paper's source
  std::string varies = {};  ///< quantity on the horizontal axis
  bool needs_data = false;
  bool alone = false;  ///< measures time: instances run one after the other on one thread
  std::vector<Reading> readings = {};  ///< besides the default

  std::function<std::vector<Instance>(const Request&)> instances = {};
  std::function<std::vector<Panel>(const Summary&)> panels = {};
  std::function<std::vector<Claim>(const Summary&)> claims = {};
  /// Notes on the data or the interpretation of the paper; may be empty.
  std::function<std::vector<std::string>(const Request&)> notes = {};
};

[[nodiscard]] const std::vector<Experiment>& catalogue();
/// Throws InvalidInput that lists the ids.
[[nodiscard]] const Experiment& experiment_by_id(const std::string& id);

/// The names of the readings that a request asks of an experiment with `known` ones, "" first.
[[nodiscard]] std::vector<std::string> wanted_readings(const std::vector<Reading>& known,
                                                       const Request& request);
/// Throws InvalidInput that lists the names if no experiment of `ids` has the reading.
void require_reading(const std::string& name, const std::vector<std::string>& ids);

/// The rows of a reading; if it has the graphs of the default, with the default's rows of methods
/// that it does not run, at its numbers of nodes.
[[nodiscard]] std::vector<Row> rows_of_reading(const std::vector<Row>& rows,
                                               const Reading& reading);

/// FairSC's groups by normalized spectral clustering of R in the normalized family. The default is
/// unnormalized spectral clustering in both: what the paper calls spectral clustering unless it
/// says otherwise.
inline constexpr const char* fairsc_by_nsc = "fairsc-nsc";
[[nodiscard]] Reading fairsc_by_nsc_reading();

/// About how long finding groups in R takes, which all settings of an instance share; and how long
/// one setting takes besides. In seconds on the machine that the costs were recorded on.
[[nodiscard]] double grouping_cost(Index nodes, int groups);
[[nodiscard]] double recorded_cost(const Setting& setting);

/// Default number of repeats of an experiment.
[[nodiscard]] int default_repeats(Size size);

/// A seed for each combination of the base seed and the numbers of an instance.
[[nodiscard]] std::uint64_t mixed_seed(std::uint64_t seed, std::span<const std::int64_t> numbers);

}  // namespace repsc::experiments
