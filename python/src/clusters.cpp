// cluster() and path(): options in, results out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "options.hpp"
#include "results.hpp"

namespace repsc::python {
namespace {

nb::dict run_cluster(const Graph& similarity, const std::optional<Graph>& representation,
                     const std::optional<InputArray<Label>>& given_groups, int num_clusters,
                     const nb::dict& given, const nb::object& on_progress) {
  const ClusterOptions options = cluster_options_from(given);
  std::optional<Labels> groups;
  if (given_groups) groups = labels_from(*given_groups);
  return as_dict(interruptible(
      [=](const ProgressFn& progress) {
        ClusterOptions with_progress = options;
        with_progress.progress = progress;
        if (groups) return cluster(similarity, *groups, num_clusters, with_progress);
        return representation ? cluster(similarity, *representation, num_clusters, with_progress)
                              : cluster(similarity, num_clusters, with_progress);
      },
      on_progress));
}

nb::tuple run_path(const Graph& similarity, const Graph& representation, int num_clusters,
                   const std::vector<Index>& ranks, const std::vector<double>& strengths,
                   const nb::dict& given, const nb::object& on_progress) {
  const ClusterOptions options = cluster_options_from(given);
  RankPath found = interruptible(
      [=](const ProgressFn& progress) {
        ClusterOptions with_progress = options;
        with_progress.progress = progress;
        return path(similarity, representation, num_clusters,
                    PathPoints{.ranks = ranks, .strengths = strengths}, with_progress);
      },
      on_progress);
  nb::list steps;
  for (PathStep& step : found.steps) {
    steps.append(nb::make_tuple(step.rank, as_dict(std::move(step.clustering))));
  }
  return nb::make_tuple(steps, found.decomposition_seconds);
}

double effective_tolerance(Index num_nodes, const nb::dict& given) {
  return tolerance_for(num_nodes, cluster_options_from(given));
}

}  // namespace

void bind_clusters(nb::module_& module) {
  module.attr("automatic_regularization") = automatic_regularization;
  module.def("cluster", &run_cluster, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("path", &run_path, nb::arg("similarity"), nb::arg("representation"),
             nb::arg("num_clusters"), nb::arg("ranks"), nb::arg("strengths"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("tolerance_for", &effective_tolerance, nb::arg("num_nodes"), nb::arg("options"));
  module.def("available_solvers", [] {
    std::vector<std::string> names{solver::Auto::name};
    for (const Solver& solver : available_solvers()) names.push_back(name(solver));
    return names;
  });
}

}  // namespace repsc::python
