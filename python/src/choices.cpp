// choose_k(): how many clusters?
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <limits>

#include "arrays.hpp"
#include "bindings.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "repsc/choose_k.hpp"

namespace repsc::python {
namespace {

/// A column of the table.
template <typename Row>
nb::object column(const std::vector<Row>& rows, const std::function<double(const Row&)>& value) {
  Vector values(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values[static_cast<Eigen::Index>(i)] = value(rows[i]);
  }
  return numpy_array(std::move(values));
}

nb::dict columns_of(const std::vector<KSigns>& signs) {
  nb::dict columns;
  const auto add = [&](const char* name, const std::function<double(const KSigns&)>& value) {
    columns[name] = column(signs, value);
  };
  add("eigenvalue", [](const KSigns& at) { return at.eigenvalue; });
  add("eigengap", [](const KSigns& at) { return at.eigengap; });
  add("gap_ratio", [](const KSigns& at) { return at.gap_ratio; });
  add("cut", [](const KSigns& at) { return at.cut; });
  add("z", [](const KSigns& at) { return at.z; });
  add("share", [](const KSigns& at) { return at.share; });
  add("smallest_cluster", [](const KSigns& at) { return at.smallest_cluster; });
  add("stability", [](const KSigns& at) {
    return at.stability.value_or(std::numeric_limits<double>::quiet_NaN());
  });
  return columns;
}

nb::dict as_fields(const ClusterCount& found) {
  std::vector<KSigns> plain;
  std::vector<KSigns> deciding;
  plain.reserve(found.rows.size());
  deciding.reserve(found.rows.size());
  for (const KRow& row : found.rows) {
    plain.push_back(row.plain);
    deciding.push_back(row.deciding());
  }
  const auto of_rows = [&](const std::function<double(const KRow&)>& value) {
    return column(found.rows, value);
  };
  nb::dict fields;
  fields["n_clusters"] = of_rows([](const KRow& row) { return row.num_clusters; });
  fields["clear"] = of_rows([](const KRow& row) { return row.clear ? 1.0 : 0.0; });
  fields["random_cut"] = of_rows([](const KRow& row) { return row.random.cut; });
  fields["random_cut_spread"] = of_rows([](const KRow& row) { return row.random.cut_spread; });
  fields["deciding"] = columns_of(deciding);
  fields["plain"] = columns_of(plain);
  fields["recommended"] = found.recommended;
  fields["reason"] = found.reason;
  fields["candidates"] = found.candidates;
  fields["n_components"] = found.num_components;
  fields["constrained"] = found.constraint != ConstraintSource::none;
  fields["strength"] = found.constraint == ConstraintSource::soft
                           ? std::optional<double>(found.strength)
                           : std::nullopt;
  fields["time_limit_reached"] = found.out_of_time;
  return fields;
}

nb::dict run_choose_k(const Graph& similarity, const std::optional<Graph>& representation,
                      const GivenGroups& groups, int from, int to, std::uint64_t seed,
                      std::optional<std::int64_t> memory_limit, std::optional<double> time_limit,
                      const nb::object& on_progress) {
  const ClusterInput input = input_from(similarity, representation, groups);
  const ChooseKOptions options{.from = from,
                               .to = to,
                               .seed = seed,
                               .memory_limit = memory_limit,
                               .deadline = Deadline::after(time_limit)};
  return as_fields(interruptible(
      [=](const ProgressFn& progress) {
        ChooseKOptions with_progress = options;
        with_progress.progress = progress;
        return choose_k(input, with_progress);
      },
      on_progress));
}

}  // namespace

void bind_choices(nb::module_& module) {
  module.def("choose_k", &run_choose_k, nb::arg("similarity"), nb::arg("representation").none(),
             nb::arg("groups").none(), nb::arg("from_"), nb::arg("to"), nb::arg("seed"),
             nb::arg("memory_limit").none(), nb::arg("time_limit").none(),
             nb::arg("on_progress").none());
}

}  // namespace repsc::python
