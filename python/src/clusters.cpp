// cluster() and path(): options in, results out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "repsc/cluster.hpp"

namespace repsc::python {
namespace {

Rank rank_from(const nb::handle& value) {
  if (nb::isinstance<nb::int_>(value)) return Rank::of(nb::cast<Index>(value));
  return nb::cast<std::string>(value) == "exact" ? Rank::exact() : Rank{};
}

/// The options by their names in C++, each set from a value that the package has checked. What is
/// not given keeps its default; a name that is not here is an error.
ClusterOptions options_from(const nb::dict& given) {
  using Set = std::function<void(ClusterOptions&, const nb::handle&)>;
  static const std::map<std::string, Set> setters{
      {"method",
       [](auto& options, const auto& value) {
         options.method = method_by_name(nb::cast<std::string>(value));
       }},
      {"rank", [](auto& options, const auto& value) { options.rank = rank_from(value); }},
      {"num_groups",
       [](auto& options, const auto& value) { options.num_groups = nb::cast<int>(value); }},
      {"solver",
       [](auto& options, const auto& value) {
         options.solver = solver_by_name(nb::cast<std::string>(value));
       }},
      {"tolerance",
       [](auto& options, const auto& value) { options.tolerance = nb::cast<double>(value); }},
      {"max_iterations",
       [](auto& options, const auto& value) { options.max_iterations = nb::cast<int>(value); }},
      {"kmeans_restarts",
       [](auto& options, const auto& value) { options.kmeans_restarts = nb::cast<int>(value); }},
      {"regularization",
       [](auto& options, const auto& value) { options.regularization = nb::cast<double>(value); }},
      {"seed",
       [](auto& options, const auto& value) { options.seed = nb::cast<std::uint64_t>(value); }},
      {"memory_limit",
       [](auto& options, const auto& value) {
         options.memory_limit = nb::cast<std::int64_t>(value);
       }},
  };
  ClusterOptions options;
  for (const auto& [name, value] : given) {
    const auto setter = setters.find(nb::cast<std::string>(name));
    if (setter == setters.end()) {
      throw nb::type_error(("no such option: " + nb::cast<std::string>(name)).c_str());
    }
    setter->second(options, value);
  }
  return options;
}

nb::dict as_dict(Clustering result) {
  nb::dict fields;
  fields["n_clusters"] = result.num_clusters;
  fields["method"] = name(result.method);
  fields["inertia"] = result.inertia;
  fields["converged"] = result.converged;
  fields["settled"] = result.settled;
  fields["residual"] = result.residual;
  fields["constraint_rank"] = result.constraint_rank;
  fields["constraint_residual"] = result.constraint_residual;
  fields["n_iter"] = result.iterations;
  fields["solver"] = result.solver;
  nb::dict seconds;
  seconds["constraint"] = result.seconds.constraint;
  seconds["eigen"] = result.seconds.eigen;
  seconds["kmeans"] = result.seconds.kmeans;
  fields["seconds"] = seconds;
  fields["groups"] = result.groups.empty() ? nb::none() : numpy_array(std::move(result.groups));
  fields["labels"] = numpy_array(std::move(result.labels));
  fields["embedding"] = numpy_array(std::move(result.embedding));
  fields["eigenvalues"] = numpy_array(std::move(result.eigenvalues));
  return fields;
}

nb::dict run_cluster(const Graph& similarity, const std::optional<Graph>& representation,
                     const std::optional<InputArray<Label>>& given_groups, int num_clusters,
                     const nb::dict& given, const nb::object& on_progress) {
  const ClusterOptions options = options_from(given);
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
                   const std::vector<Index>& ranks, const nb::dict& given,
                   const nb::object& on_progress) {
  const ClusterOptions options = options_from(given);
  RankPath found = interruptible(
      [=](const ProgressFn& progress) {
        ClusterOptions with_progress = options;
        with_progress.progress = progress;
        return path(similarity, representation, num_clusters, ranks, with_progress);
      },
      on_progress);
  nb::list steps;
  for (PathStep& step : found.steps) {
    steps.append(nb::make_tuple(step.rank, as_dict(std::move(step.clustering))));
  }
  return nb::make_tuple(steps, found.decomposition_seconds);
}

double effective_tolerance(Index num_nodes, const nb::dict& given) {
  return tolerance_for(num_nodes, options_from(given));
}

}  // namespace

void bind_clusters(nb::module_& module) {
  module.attr("automatic_regularization") = automatic_regularization;
  module.def("cluster", &run_cluster, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("path", &run_path, nb::arg("similarity"), nb::arg("representation"),
             nb::arg("num_clusters"), nb::arg("ranks"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("tolerance_for", &effective_tolerance, nb::arg("num_nodes"), nb::arg("options"));
  module.def("available_solvers", [] {
    std::vector<std::string> names{solver::Auto::name};
    for (const Solver& solver : available_solvers()) names.push_back(name(solver));
    return names;
  });
}

}  // namespace repsc::python
