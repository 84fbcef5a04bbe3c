// cluster_to_target() and the nodes that no clustering can satisfy.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "options.hpp"
#include "repsc/targets.hpp"
#include "results.hpp"

namespace repsc::python {
namespace {

/// Average balance, individual balance, cut increase: as in Targets.
using GivenTargets =
    std::tuple<std::optional<double>, std::optional<double>, std::optional<double>>;

/// Node, representatives, best: a column each.
nb::tuple columns_of(const std::vector<UnreachableNode>& nodes) {
  std::vector<Index> numbers;
  std::vector<Index> representatives;
  std::vector<double> best;
  for (const UnreachableNode& node : nodes) {
    numbers.push_back(node.node);
    representatives.push_back(node.representatives);
    best.push_back(node.best);
  }
  const std::size_t count = nodes.size();
  return nb::make_tuple(numpy_array<Index>(std::move(numbers), {count}),
                        numpy_array<Index>(std::move(representatives), {count}),
                        numpy_array<double>(std::move(best), {count}));
}

nb::tuple run_unreachable(const std::optional<Graph>& representation, const GivenGroups& groups,
                          int num_clusters, double alpha) {
  const Representation R = representation_from(representation, groups);
  const std::vector<UnreachableNode> nodes = [&] {
    const nb::gil_scoped_release release;
    return unreachable_nodes(R, num_clusters, alpha);
  }();
  return columns_of(nodes);
}

nb::dict as_fields(TargetResult result) {
  nb::dict fields;
  fields["clustering"] = as_dict(std::move(result.clustering));
  fields["start"] = result.start;
  fields["mu"] = result.mu;
  fields["met"] = result.met;
  fields["cut_kind"] = cut_name(result.cut_kind);
  fields["cut"] = result.cut;
  fields["plain_cut"] = result.plain_cut;
  fields["average_balance"] = result.average_balance;
  fields["satisfied"] = result.satisfied;
  const std::size_t below = result.below.size();
  fields["below"] = numpy_array<Index>(std::move(result.below), {below});
  fields["unreachable"] = columns_of(result.unreachable);
  fields["tried"] = result.tried;
  fields["balance_limit"] = result.balance_limit;
  fields["seconds"] = result.seconds;
  fields["time_limit_reached"] = result.out_of_time;
  return fields;
}

nb::dict run_to_target(const Graph& similarity, const std::optional<Graph>& representation,
                       const GivenGroups& groups, int num_clusters,
                       const GivenTargets& given_targets, Index min_cluster_size,
                       const nb::dict& given, const nb::object& on_progress) {
  const auto& [average, individual, increase] = given_targets;
  const TargetOptions options{.targets = {.average_balance = average,
                                          .individual_balance = individual,
                                          .max_cut_increase = increase},
                              .cluster = cluster_options_from(given),
                              .min_cluster_size = min_cluster_size};
  return as_fields(interruptible(
      [=, R = representation_from(representation, groups)](const ProgressFn& progress) {
        TargetOptions with_progress = options;
        with_progress.cluster.progress = progress;
        return cluster_to_target(similarity, R, num_clusters, with_progress);
      },
      on_progress));
}

}  // namespace

void bind_targets(nb::module_& module) {
  module.def("cluster_to_target", &run_to_target, nb::arg("similarity"),
             nb::arg("representation").none(), nb::arg("groups").none(), nb::arg("num_clusters"),
             nb::arg("targets"), nb::arg("min_cluster_size"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("unreachable_nodes", &run_unreachable, nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("num_clusters"), nb::arg("alpha"));
}

}  // namespace repsc::python
