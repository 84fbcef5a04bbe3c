// refine(): better and fairer labels from labels of any tool.
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "options.hpp"
#include "results.hpp"

namespace repsc::python {
namespace {

nb::dict run_refine(const Graph& similarity, const std::optional<Graph>& representation,
                    const GivenGroups& groups, const InputArray<Label>& given_labels,
                    int num_clusters, const nb::dict& given, const nb::object& on_progress) {
  const RefineOptions options = refine_options_from(given);
  return as_dict(interruptible(
      [=, R = representation_from(representation, groups),
       labels = labels_from(given_labels)](const ProgressFn& progress) {
        RefineOptions with_progress = options;
        with_progress.progress = progress;
        return refine(similarity, R, labels, num_clusters, with_progress);
      },
      on_progress));
}

}  // namespace

void bind_refinements(nb::module_& module) {
  module.def("refine", &run_refine, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("options"), nb::arg("on_progress").none());
}

}  // namespace repsc::python
