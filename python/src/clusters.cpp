// cluster() and path(): options in, results out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "options.hpp"
#include "results.hpp"

namespace repsc::python {
namespace {

std::vector<std::string> names_in_python(const std::vector<std::string>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const std::string& option : options) names.push_back(name_in_python(option));
  return names;
}

/// In Python, an option that was given and has no effect is an error.
void require_all_used(const Plan& chosen) {
  if (chosen.ignored.empty()) return;
  std::string options;
  for (const std::string& option : names_in_python(chosen.ignored)) {
    options += (options.empty() ? "" : " and ") + option;
  }
  const std::string them = chosen.ignored.size() == 1 ? "it" : "them";
  throw InvalidOptions(Fault{.what = name(chosen.method) + " ignores " + them,
                             .option = options,
                             .remedies = {{Remedy::Action::advice, "", "leave " + them + " out"}}});
}

nb::dict run_cluster(const Graph& similarity, const std::optional<Graph>& representation,
                     const GivenGroups& groups, int num_clusters, const nb::dict& given,
                     const nb::object& on_progress) {
  const ClusterOptions options = cluster_options_from(given);
  const ClusterInput input = input_from(similarity, representation, groups);
  return as_dict(interruptible(
      [=](const ProgressFn& progress) {
        ClusterOptions with_progress = options;
        with_progress.progress = progress;
        const Plan chosen = plan(input, num_clusters, with_progress);
        require_all_used(chosen);
        return Pipeline(&input).run(chosen);
      },
      on_progress));
}

/// The decisions, and the names of the options and inputs that have no effect.
nb::dict run_plan(const Graph& similarity, const std::optional<Graph>& representation,
                  const GivenGroups& groups, int num_clusters, const nb::dict& given) {
  const ClusterInput input = input_from(similarity, representation, groups);
  const Plan chosen =
      interruptible([=, options = cluster_options_from(given)](
                        const ProgressFn&) { return plan(input, num_clusters, options); },
                    nb::none());
  nb::list decisions;
  for (const Decision& decision : chosen.decisions) {
    decisions.append(nb::make_tuple(decision.what, decision.choice, decision.reason));
  }
  nb::dict result;
  result["method"] = name(chosen.method);
  result["decisions"] = decisions;
  result["ignored"] = names_in_python(chosen.ignored);
  result["text"] = describe(chosen);
  return result;
}

/// The method that plan() names, without the graphs.
std::string method_for(bool representation, bool groups, const nb::dict& given) {
  return name(choose_method({.representation = representation, .groups = groups},
                            cluster_options_from(given)));
}

nb::tuple run_path(const Graph& similarity, const std::optional<Graph>& representation,
                   const GivenGroups& groups, int num_clusters, const std::vector<Index>& ranks,
                   const std::vector<double>& strengths, const std::vector<double>& mus,
                   const nb::dict& given, const nb::object& on_progress) {
  const ClusterOptions options = cluster_options_from(given);
  const PathPoints points{.ranks = ranks, .strengths = strengths, .mus = mus};
  RankPath found = interruptible(
      [=, R = representation_from(representation, groups)](const ProgressFn& progress) {
        ClusterOptions with_progress = options;
        with_progress.progress = progress;
        return path(similarity, R, num_clusters, points, with_progress);
      },
      on_progress);
  nb::list steps;
  for (PathStep& step : found.steps) {
    steps.append(nb::make_tuple(step.rank, as_dict(std::move(step.clustering))));
  }
  return nb::make_tuple(steps, found.decomposition_seconds, found.out_of_time);
}

/// None if plain normalized clustering is impossible.
nb::object run_baselines(const Graph& similarity, const std::optional<Graph>& representation,
                         const GivenGroups& groups, int num_clusters, std::uint64_t seed,
                         const nb::object& on_progress) {
  const ClusterInput input = input_from(similarity, representation, groups);
  const std::optional<Baselines> found = interruptible(
      [=](const ProgressFn& progress) {
        Pipeline pipeline(input);
        return baselines(pipeline, num_clusters, {.seed = seed, .progress = progress});
      },
      on_progress);
  return found ? nb::object(as_dict(*found)) : nb::none();
}

double effective_tolerance(Index num_nodes, const nb::dict& given) {
  return tolerance_for(num_nodes, cluster_options_from(given));
}

}  // namespace

void bind_clusters(nb::module_& module) {
  module.def("cluster", &run_cluster, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("path", &run_path, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("ranks"),
             nb::arg("strengths"), nb::arg("mus"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("baselines", &run_baselines, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("seed"),
             nb::arg("on_progress").none());
  module.def("plan", &run_plan, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("options"));
  module.def("choose_method", &method_for, nb::arg("representation"), nb::arg("groups"),
             nb::arg("options"));
  module.def("cut_of",
             [](const std::string& method) { return cut_name(cut_of(method_by_name(method))); });
  module.def("tolerance_for", &effective_tolerance, nb::arg("num_nodes"), nb::arg("options"));
  module.def("available_solvers", [] {
    std::vector<std::string> names;
    for (const Solver& solver : available_solvers()) names.push_back(name(solver));
    return names;
  });
}

}  // namespace repsc::python
