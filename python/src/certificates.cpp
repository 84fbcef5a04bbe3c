// certify(): a lower bound of the cut of clusters that are as fair as given ones.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "options.hpp"
#include "results.hpp"

namespace repsc::python {
namespace {

nb::dict as_dict(const Certificate& result) {
  nb::dict fields;
  fields["deviation"] = result.deviation;
  fields["lower_bound"] = result.lower_bound;
  fields["cut"] = result.cut;
  fields["gap"] = result.gap;
  fields["strength"] = result.strength;
  fields["price_of_fairness_at_least"] = result.price_of_fairness_at_least;
  fields["verified"] = result.verified;
  fields["reason"] = result.reason;
  fields["cut_kind"] = cut_name(result.cut_kind);
  fields["plain_cut"] = result.plain_cut;
  fields["n_eigenproblems"] = result.num_eigenproblems;
  fields["time_limit_reached"] = result.out_of_time;
  fields["seconds"] = result.seconds;
  return fields;
}

nb::dict run_certify(const Graph& similarity, const std::optional<Graph>& representation,
                     const GivenGroups& groups, const InputArray<Label>& given_labels,
                     int num_clusters, const nb::dict& given, const nb::object& on_progress) {
  const CertifyOptions options = certify_options_from(given);
  return as_dict(interruptible(
      [=, input = input_from(similarity, representation, groups),
       labels = labels_from(given_labels)](const ProgressFn& progress) {
        CertifyOptions with_progress = options;
        with_progress.progress = progress;
        Pipeline data(input);
        return certify(data, labels, num_clusters, with_progress);
      },
      on_progress));
}

}  // namespace

void bind_certificates(nb::module_& module) {
  module.def("certify", &run_certify, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("labels"), nb::arg("num_clusters"),
             nb::arg("options"), nb::arg("on_progress").none());
}

}  // namespace repsc::python
