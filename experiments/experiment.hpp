// What an experiment is: instances (graphs that were sampled or read once), each of which answers
// settings (a method with its parameters) with outcomes. A setting and its outcome are one row.
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
/// all experiments together, `tiny` seconds (for tests; no figure of it means anything).
enum class Size { tiny, quick, paper };
[[nodiscard]] std::string name(Size size);

/// One question: which method, on what, with which parameters. Parameters that play no part are 0.
struct Setting {
  std::string experiment = {};
  bool normalized = false;
  std::string method =
      {};  ///< "usc", "nrepsc", ..., also "urepsc-exact", "-literal", "-soft", "-refined"
  Index nodes = 0;
  int clusters = 0;
  Index degree = 0;     ///< d of a regular R
  Index rank = 0;       ///< R, of the approximation of the representation graph
  int groups = 0;       ///< P, protected groups found in R
  double strength = 0;  ///< of the soft constraint
  double mu = 0;        ///< of the refinement
  double p = 0, q = 0, r = 0, s = 0;
  int run = 0;  ///< the repeat, from 0
  std::uint64_t seed = 0;
};

/// The answer. NaN where a quantity has no meaning, such as accuracy without a truth.
struct Outcome {
  double accuracy = unknown;
  double ratio_cut = unknown;
  double normalized_cut = unknown;
  double average_balance = unknown;
  double minimum_balance = unknown;
  double rate = unknown;            ///< p N ln N / gamma^2, of the consistency experiment
  double seconds = unknown;         ///< of this row's own work
  double shared_seconds = unknown;  ///< of the decomposition that it shares with other rows
  bool converged = true;
};

struct Row {
  Setting setting = {};
  Outcome outcome = {};
};

using Emit = std::function<void(const Row&)>;

/// Settings that share graphs and decompositions; answers those that are still wanted.
struct Instance {
  std::vector<Setting> settings = {};
  std::function<void(std::span<const Setting> wanted, const Emit& emit)> answer = {};
};

struct Request {
  Size size = Size::quick;
  int repeats = 3;
  std::uint64_t seed = 0;
  std::string data = {};  ///< folder of the real networks
  /// Methods beyond the paper's that join the plots: "exact"; our own: "soft", "refined".
  std::vector<std::string> also = {};
  [[nodiscard]] bool wants(const std::string& method) const {
    return std::find(also.begin(), also.end(), method) != also.end();
  }
};

/// A real network is not where it should be. The message says what to get, and from where.
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
  std::string varies = {};  ///< what stands on the horizontal axis
  bool needs_data = false;
  bool alone = false;  ///< measures time: instances run one after the other on one thread

  std::function<std::vector<Instance>(const Request&)> instances = {};
  std::function<std::vector<Panel>(const Summary&)> panels = {};
  std::function<std::vector<Claim>(const Summary&)> claims = {};
  /// What is to be known about the data or the reading of the paper; may be empty.
  std::function<std::vector<std::string>(const Request&)> notes = {};
};

[[nodiscard]] const std::vector<Experiment>& catalogue();
/// Throws InvalidInput that lists the ids.
[[nodiscard]] const Experiment& experiment_by_id(const std::string& id);

/// About how long one setting takes on the machine that the costs were recorded on, in seconds.
[[nodiscard]] double recorded_cost(const Setting& setting);

/// Repeats of an experiment where the user gives none.
[[nodiscard]] int default_repeats(Size size);

/// A seed for each combination of the base seed and the numbers of an instance.
[[nodiscard]] std::uint64_t mixed_seed(std::uint64_t seed, std::span<const std::int64_t> numbers);

}  // namespace repsc::experiments
