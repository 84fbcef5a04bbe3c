// Random graphs.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "repsc/models.hpp"

namespace repsc::python {
namespace {

Graph run_planted(const InputArray<Label>& given, double within, double across,
                  std::uint64_t seed) {
  return interruptible(
      [=, labels = labels_from(given)](const ProgressFn&) {
        return sample_planted_partition(labels, within, across, seed);
      },
      nb::none());
}

Graph run_regular(Index num_nodes, int num_clusters, Index degree, std::uint64_t seed) {
  return interruptible(
      [=](const ProgressFn&) {
        return sample_regular_representation(num_nodes, num_clusters, degree, seed);
      },
      nb::none());
}

Graph run_rpp(const std::optional<Graph>& representation,
              const std::optional<InputArray<Label>>& given_groups,
              const InputArray<Label>& given_clusters,
              const std::tuple<double, double, double, double>& given, std::uint64_t seed) {
  const auto [p, q, r, s] = given;
  const RppProbabilities probabilities{.p = p, .q = q, .r = r, .s = s};
  Labels groups;
  if (given_groups) groups = labels_from(*given_groups);
  return interruptible(
      [=, clusters = labels_from(given_clusters)](const ProgressFn&) {
        return representation ? sample_rpp(*representation, clusters, probabilities, seed)
                              : sample_rpp_groups(groups, clusters, probabilities, seed);
      },
      nb::none());
}

}  // namespace

void bind_models(nb::module_& module) {
  module.def("sample_planted_partition", &run_planted, nb::arg("labels"), nb::arg("within"),
             nb::arg("across"), nb::arg("seed"));
  module.def("sample_regular_representation", &run_regular, nb::arg("num_nodes"),
             nb::arg("num_clusters"), nb::arg("degree"), nb::arg("seed"));
  module.def("sample_rpp", &run_rpp, nb::arg("representation").none(), nb::arg("groups").none(),
             nb::arg("clusters"), nb::arg("probabilities"), nb::arg("seed"));
}

}  // namespace repsc::python
