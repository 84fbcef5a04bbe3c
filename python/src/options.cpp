// One line for each option: its name, and how it is set.
#include "options.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <map>

namespace repsc::python {
namespace {

template <typename Options>
using Setters = std::map<std::string, std::function<void(Options&, const nb::handle&)>>;

/// Sets a member to the value as it is.
template <typename Options, typename Value>
auto plain(Value Options::*member) {
  return [member](Options& options, const nb::handle& value) {
    options.*member = nb::cast<Value>(value);
  };
}

/// Sets a member to what a word stands for.
template <typename Options, typename Member, typename Value>
auto word(Member Options::*member, Value (*meaning)(const std::string&)) {
  return [member, meaning](Options& options, const nb::handle& value) {
    options.*member = meaning(nb::cast<std::string>(value));
  };
}

template <typename Options>
Options options_from(const nb::dict& given, const Setters<Options>& setters) {
  Options options;
  for (const auto& [name, value] : given) {
    const auto setter = setters.find(nb::cast<std::string>(name));
    if (setter == setters.end()) {
      throw nb::type_error(("no such option: " + nb::cast<std::string>(name)).c_str());
    }
    if (!value.is_none()) setter->second(options, value);  // None: the library chooses
  }
  return options;
}

/// From now on: options are converted right before the computation.
template <typename Options>
void set_time_limit(Options& options, const nb::handle& value) {
  options.deadline = Deadline::after(nb::cast<double>(value));
}

void set_rank(ClusterOptions& options, const nb::handle& value) {
  options.rank = nb::isinstance<nb::str>(value) ? Rank::exact() : Rank::of(nb::cast<Index>(value));
}

ConstraintKind constraint_by_name(const std::string& name) {
  return name == "hard" ? ConstraintKind::hard : ConstraintKind::soft;
}

EmbeddingRows embedding_rows_by_name(const std::string& name) {
  return name == "plain" ? EmbeddingRows::plain : EmbeddingRows::unit;
}

/// "auto": the average degree.
void set_regularization(ClusterOptions& options, const nb::handle& value) {
  options.regularization.reset();
  if (!nb::isinstance<nb::str>(value)) options.regularization = nb::cast<double>(value);
}

void set_refinement(ClusterOptions& options, const nb::handle& value) {
  options.refinement = refine_options_from(nb::cast<nb::dict>(value));
}

CutKind cut_by_name(const std::string& name) {
  return name == "ratio" ? CutKind::ratio : CutKind::normalized;
}

/// "ratio": the mu at which balance / cut is largest is found.
void set_mu(RefineOptions& options, const nb::handle& value) {
  options.maximize_ratio = nb::isinstance<nb::str>(value);
  if (!options.maximize_ratio) options.mu = nb::cast<double>(value);
}

}  // namespace

ClusterOptions cluster_options_from(const nb::dict& given) {
  using Options = ClusterOptions;
  static const Setters<Options> setters{
      {"method", word(&Options::method, method_by_name)},
      {"rank", set_rank},
      {"constraint", word(&Options::constraint, constraint_by_name)},
      {"strength", plain(&Options::strength)},
      {"embedding_rows", word(&Options::embedding_rows, embedding_rows_by_name)},
      {"refine", plain(&Options::refine)},
      {"refinement", set_refinement},
      {"keep_structure", plain(&Options::keep_structure)},
      {"fairness", plain(&Options::fairness)},
      {"num_groups", plain(&Options::num_groups)},
      {"solver", word(&Options::solver, solver_by_name)},
      {"device", word(&Options::device, device_by_name)},
      {"tolerance", plain(&Options::tolerance)},
      {"max_iterations", plain(&Options::max_iterations)},
      {"kmeans_restarts", plain(&Options::kmeans_restarts)},
      {"regularization", set_regularization},
      {"seed", plain(&Options::seed)},
      {"memory_limit", plain(&Options::memory_limit)},
      {"time_limit", set_time_limit<Options>},
  };
  return options_from(given, setters);
}

RefineOptions refine_options_from(const nb::dict& given) {
  using Options = RefineOptions;
  static const Setters<Options> setters{
      {"mu", set_mu},
      {"cut", word(&Options::cut, cut_by_name)},
      {"min_cluster_size", plain(&Options::min_cluster_size)},
      {"max_rounds", plain(&Options::max_rounds)},
      {"seed", plain(&Options::seed)},
      {"time_limit", set_time_limit<Options>},
  };
  return options_from(given, setters);
}

CertifyOptions certify_options_from(const nb::dict& given) {
  using Options = CertifyOptions;
  static const Setters<Options> setters{
      {"cut", word(&Options::cut, cut_by_name)}, {"tolerance", plain(&Options::tolerance)},
      {"plain_cut", plain(&Options::plain_cut)}, {"verify", plain(&Options::verify)},
      {"seed", plain(&Options::seed)},           {"memory_limit", plain(&Options::memory_limit)},
      {"time_limit", set_time_limit<Options>},
  };
  return options_from(given, setters);
}

}  // namespace repsc::python
