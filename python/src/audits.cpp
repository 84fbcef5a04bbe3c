// report(), explain() and compare(): what clusters mean for each person.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "repsc/page.hpp"
#include "repsc/report.hpp"

namespace repsc::python {
namespace {

/// The same graph with names; as it is without.
Graph named(const Graph& graph, const std::optional<std::vector<std::string>>& names) {
  if (!names) return graph;
  auto owner = std::make_shared<Graph>(graph);
  return Graph(owner->offsets(), owner->neighbors(), owner->weights(), owner, NodeNames(*names));
}

struct PageText {
  std::string title;
  std::string what;
  std::string made;
  std::vector<std::string> group_names;
};

/// The page and its JSON twin.
std::pair<std::string, std::string> run_report(
    const Graph& similarity, const std::optional<Graph>& representation, const GivenGroups& groups,
    const InputArray<Label>& given_labels, int num_clusters, const nb::dict& given,
    const std::optional<std::vector<std::string>>& names, const nb::object& on_progress) {
  PageOptions options;
  options.threshold = nb::cast<std::optional<double>>(given["threshold"]);
  options.path = nb::cast<bool>(given["path"]);
  options.certificate = nb::cast<bool>(given["certificate"]);
  options.seed = nb::cast<std::uint64_t>(given["seed"]);
  const PageText text{nb::cast<std::string>(given["title"]), nb::cast<std::string>(given["what"]),
                      nb::cast<std::string>(given["made"]),
                      nb::cast<std::vector<std::string>>(given["group_names"])};
  return interruptible(
      [=, input = input_from(named(similarity, names), representation, groups),
       labels = labels_from(given_labels)](const ProgressFn& progress) {
        PageOptions with_progress = options;
        with_progress.progress = progress;
        PageData data =
            assemble_page(input, {{"this result", text.what, labels}}, num_clusters, with_progress)
                .data;
        data.title = text.title;
        data.show_names = names.has_value();
        data.group_names = text.group_names;
        data.provenance.command = "repsc.report() in Python";
        data.provenance.method = text.what;
        data.provenance.made = text.made;
        data.provenance.seed = options.seed;
        std::string json = page_json(data);
        std::string page = page_html(json);
        return std::pair(std::move(page), std::move(json));
      },
      on_progress);
}

/// The same JSON as that of the command line.
std::string run_explain(const Graph& similarity, const std::optional<Graph>& representation,
                        const GivenGroups& groups, const InputArray<Label>& given_labels,
                        int num_clusters, const std::vector<Index>& nodes) {
  const Labels labels = labels_from(given_labels);
  std::vector<std::string> clusters;
  clusters.reserve(static_cast<std::size_t>(num_clusters));
  for (int k = 0; k < num_clusters; ++k) clusters.push_back(std::to_string(k));
  const NodeNames numbers(similarity.num_nodes(), 0);
  return people_json(
      explain(similarity, representation_from(representation, groups), labels, num_clusters, nodes),
      numbers, clusters);
}

std::string run_compare(const Graph& similarity, const std::optional<Graph>& representation,
                        const GivenGroups& groups, const InputArray<Label>& before, int num_before,
                        const InputArray<Label>& after, int num_after,
                        const std::vector<std::string>& group_names) {
  std::optional<Labels> numbers;
  if (groups) numbers = labels_from(*groups);
  const NodeNames nodes(similarity.num_nodes(), 0);
  return comparison_json(
      compare(similarity, representation_from(representation, groups), labels_from(before),
              num_before, labels_from(after), num_after, numbers),
      nodes, group_names);
}

}  // namespace

void bind_audits(nb::module_& module) {
  module.def("report", &run_report, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("options"), nb::arg("names").none(), nb::arg("on_progress").none());
  module.def("explain", &run_explain, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("nodes"));
  module.def("compare", &run_compare, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("before"), nb::arg("num_before"), nb::arg("after"),
             nb::arg("num_after"), nb::arg("group_names"));
}

}  // namespace repsc::python
