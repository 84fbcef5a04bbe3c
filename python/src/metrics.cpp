// Cuts, fairness and agreement of labels.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.hpp"
#include "inputs.hpp"
#include "repsc/metrics.hpp"

namespace repsc::python {
namespace {

Counting counting_of(bool weighted) { return weighted ? Counting::weights : Counting::links; }

/// One value per cluster; NaN for an empty one.
nb::object column_of(const GroupFairness& groups, double ClusterFairness::*value) {
  Vector column(static_cast<Eigen::Index>(groups.clusters.size()));
  for (Eigen::Index k = 0; k < column.size(); ++k) {
    const std::optional<ClusterFairness>& cluster = groups.clusters[static_cast<std::size_t>(k)];
    column[k] = cluster ? (*cluster).*value : std::numeric_limits<double>::quiet_NaN();
  }
  return numpy_array(std::move(column));
}

nb::dict as_dict(const GroupFairness& groups) {
  nb::dict fields;
  fields["average"] = groups.average;
  fields["minimum"] = groups.minimum;
  fields["relative_average"] = groups.relative_average;
  fields["relative_minimum"] = groups.relative_minimum;
  fields["best_possible"] = groups.best_possible;
  fields["largest_deviation"] = groups.largest_deviation;
  fields["smallest_ratio"] = groups.smallest_ratio;
  fields["largest_ratio"] = groups.largest_ratio;
  fields["n_groups"] = groups.num_groups;
  fields["n_empty_clusters"] = groups.num_empty_clusters;
  fields["cluster_balance"] = column_of(groups, &ClusterFairness::balance);
  fields["cluster_relative_balance"] = column_of(groups, &ClusterFairness::relative_balance);
  fields["cluster_largest_deviation"] = column_of(groups, &ClusterFairness::largest_deviation);
  fields["cluster_smallest_ratio"] = column_of(groups, &ClusterFairness::smallest_ratio);
  fields["cluster_largest_ratio"] = column_of(groups, &ClusterFairness::largest_ratio);
  return fields;
}

nb::object numpy_vector(std::vector<double> values) {
  const std::size_t size = values.size();
  return numpy_array<double>(std::move(values), {size});
}

nb::dict as_dict(Metrics metrics) {
  nb::dict fields;
  fields["ratio_cut"] = metrics.ratio_cut;
  fields["normalized_cut"] = metrics.normalized_cut;
  fields["average_balance"] = metrics.average_balance;
  fields["minimum_balance"] = metrics.minimum_balance;
  fields["constraint_residual"] = metrics.constraint_residual;
  fields["average_proportional_balance"] = metrics.average_proportional_balance;
  fields["minimum_proportional_balance"] = metrics.minimum_proportional_balance;
  fields["balance_counts"] = metrics.counting == Counting::links ? "links" : "weights";
  fields["modularity"] = metrics.modularity;
  fields["internal_edge_share"] = metrics.internal_edge_share;
  fields["conductance"] = numpy_vector(std::move(metrics.conductance));
  fields["cluster_internal_shares"] = numpy_vector(std::move(metrics.cluster_internal_shares));
  fields["group_fairness"] = nb::none();
  if (metrics.group_fairness) fields["group_fairness"] = as_dict(*metrics.group_fairness);
  const std::size_t count = metrics.cluster_sizes.size();
  fields["cluster_sizes"] = numpy_array<Index>(std::move(metrics.cluster_sizes), {count});
  return fields;
}

/// Balance is that of R if it is given; groups are measured beside it. `device_name` is that of a
/// clustering.
nb::dict run_evaluate(const Graph& similarity, const std::optional<Graph>& representation,
                      const GivenGroups& groups, const InputArray<Label>& given_labels,
                      int num_clusters, bool weighted, const std::string& device_name) {
  const Labels labels = labels_from(given_labels);
  return as_dict([&] {
    const nb::gil_scoped_release release;
    const std::shared_ptr<CudaDevice> device = device_of_name(device_name);
    if (!representation && !groups) return evaluate(similarity, labels, num_clusters, device);
    Metrics metrics = evaluate(similarity, representation_from(representation, groups), labels,
                               num_clusters, counting_of(weighted), device);
    if (groups && !metrics.group_fairness) {
      metrics.group_fairness = group_fairness(labels_from(*groups), labels, num_clusters);
    }
    return metrics;
  }());
}

nb::dict run_group_fairness(const InputArray<Label>& groups, const InputArray<Label>& labels,
                            int num_clusters) {
  return as_dict(group_fairness(labels_from(groups), labels_from(labels), num_clusters));
}

/// balance() or proportional_balance().
using BalanceOfNodes = Vector (*)(const Representation&, const Labels&, int, Counting);

template <BalanceOfNodes measure>
nb::object run_balance(const std::optional<Graph>& representation, const GivenGroups& groups,
                       const InputArray<Label>& labels, int num_clusters, bool weighted) {
  Vector result = [&] {
    const nb::gil_scoped_release release;
    return measure(representation_from(representation, groups), labels_from(labels), num_clusters,
                   counting_of(weighted));
  }();
  return numpy_array(std::move(result));
}

/// A number for labels of a graph, such as its ratio cut.
using CutOfLabels = double (*)(const Graph&, const Labels&, int);

template <CutOfLabels measure>
double run_cut(const Graph& similarity, const InputArray<Label>& labels, int num_clusters) {
  const nb::gil_scoped_release release;
  return measure(similarity, labels_from(labels), num_clusters);
}

nb::object run_conductance(const Graph& similarity, const InputArray<Label>& labels,
                           int num_clusters) {
  return numpy_vector([&] {
    const nb::gil_scoped_release release;
    return conductance(similarity, labels_from(labels), num_clusters);
  }());
}

template <CutOfLabels measure>
void bind_cut(nb::module_& module, const char* name) {
  module.def(name, &run_cut<measure>, nb::arg("similarity"), nb::arg("labels"),
             nb::arg("num_clusters"));
}

template <BalanceOfNodes measure>
void bind_balance(nb::module_& module, const char* name) {
  module.def(name, &run_balance<measure>, nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("weighted"));
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
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("weighted"), nb::arg("device") = "cpu");
  bind_balance<&balance>(module, "balance");
  bind_balance<&proportional_balance>(module, "proportional_balance");
  bind_cut<&ratio_cut>(module, "ratio_cut");
  bind_cut<&normalized_cut>(module, "normalized_cut");
  bind_cut<&modularity>(module, "modularity");
  module.def("conductance", &run_conductance, nb::arg("similarity"), nb::arg("labels"),
             nb::arg("num_clusters"));
  module.def("group_fairness", &run_group_fairness, nb::arg("groups"), nb::arg("labels"),
             nb::arg("num_clusters"));
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
