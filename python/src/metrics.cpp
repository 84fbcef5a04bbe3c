// Cuts, balances and agreement of labels.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "inputs.hpp"
#include "repsc/metrics.hpp"

namespace repsc::python {
namespace {

nb::dict run_evaluate(const Graph& similarity, const std::optional<Graph>& representation,
                      const GivenGroups& groups, const InputArray<Label>& given_labels,
                      int num_clusters) {
  const Labels labels = labels_from(given_labels);
  const Metrics metrics = [&] {
    const nb::gil_scoped_release release;
    if (!representation && !groups) return evaluate(similarity, labels, num_clusters);
    return evaluate(similarity, representation_from(representation, groups), labels, num_clusters);
  }();
  nb::dict fields;
  fields["ratio_cut"] = metrics.ratio_cut;
  fields["normalized_cut"] = metrics.normalized_cut;
  fields["average_balance"] = metrics.average_balance;
  fields["minimum_balance"] = metrics.minimum_balance;
  fields["constraint_residual"] = metrics.constraint_residual;
  fields["cluster_sizes"] =
      numpy_array<Index>(metrics.cluster_sizes, {metrics.cluster_sizes.size()});
  return fields;
}

nb::object run_balance(const std::optional<Graph>& representation, const GivenGroups& groups,
                       const InputArray<Label>& labels, int num_clusters) {
  Vector result = [&] {
    const nb::gil_scoped_release release;
    return balance(representation_from(representation, groups), labels_from(labels), num_clusters);
  }();
  return numpy_array(std::move(result));
}

std::vector<bool> run_pareto_front(const std::vector<std::pair<double, double>>& given) {
  std::vector<TradeOff> points;
  points.reserve(given.size());
  for (const auto& [cost, gain] : given) points.push_back({cost, gain});
  return pareto_front(points);
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def("evaluate", &run_evaluate, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"));
  module.def("balance", &run_balance, nb::arg("representation").none(), nb::arg("groups").none(),
             nb::arg("labels"), nb::arg("num_clusters"));
  module.def(
      "ratio_cut",
      [](const Graph& similarity, const InputArray<Label>& labels, int num_clusters) {
        return ratio_cut(similarity, labels_from(labels), num_clusters);
      },
      nb::arg("similarity"), nb::arg("labels"), nb::arg("num_clusters"),
      nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "normalized_cut",
      [](const Graph& similarity, const InputArray<Label>& labels, int num_clusters) {
        return normalized_cut(similarity, labels_from(labels), num_clusters);
      },
      nb::arg("similarity"), nb::arg("labels"), nb::arg("num_clusters"),
      nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "accuracy",
      [](const InputArray<Label>& labels, const InputArray<Label>& truth) {
        return accuracy(labels_from(labels), labels_from(truth));
      },
      nb::arg("labels"), nb::arg("truth"));
  module.def(
      "adjusted_rand_index",
      [](const InputArray<Label>& labels, const InputArray<Label>& truth) {
        return adjusted_rand_index(labels_from(labels), labels_from(truth));
      },
      nb::arg("labels"), nb::arg("truth"));
  module.def("pareto_front", &run_pareto_front, nb::arg("points"));
}

}  // namespace repsc::python
