// Representation graphs from the columns of a data frame.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "repsc/representation.hpp"

namespace repsc::python {
namespace {

/// Name, words, and numbers where the column is numeric.
using Column = std::tuple<std::string, std::vector<std::string>, std::optional<InputArray<double>>>;

Table table_from(const std::vector<std::string>& names, const std::vector<Column>& columns) {
  Table table;
  table.names = NodeNames(names);
  for (const auto& [name, words, numbers] : columns) {
    Table::Column column{name, words, {}};
    if (numbers) column.numbers.assign(numbers->data(), numbers->data() + numbers->size());
    table.columns.push_back(std::move(column));
  }
  return table;
}

Graph from_neighbors(const std::vector<std::string>& names, const std::vector<Column>& columns,
                     const std::vector<std::string>& categorical, int num_neighbors) {
  const NeighborOptions options{
      .columns = {}, .categorical = categorical, .num_neighbors = num_neighbors};
  return interruptible(
      [options, table = table_from(names, columns)](const ProgressFn&) {
        return representation_from_neighbors(table, options);
      },
      nb::none());
}

Graph by_rule(const std::vector<std::string>& names, const std::vector<Column>& columns,
              const std::vector<std::pair<std::string, double>>& within,
              const std::vector<std::string>& same) {
  return interruptible(
      [rule = RepresentationRule{within, same}, table = table_from(names, columns)](
          const ProgressFn&) { return representation_by_rule(table, rule); },
      nb::none());
}

Graph from_groups(const InputArray<Label>& given) {
  return interruptible(
      [groups = labels_from(given)](const ProgressFn&) {
        return representation_from_groups(groups, NodeNames(static_cast<Index>(groups.size()), 0));
      },
      nb::none());
}

}  // namespace

void bind_representations(nb::module_& module) {
  module.def("representation_from_neighbors", &from_neighbors, nb::arg("names"), nb::arg("columns"),
             nb::arg("categorical"), nb::arg("num_neighbors"));
  module.def("representation_by_rule", &by_rule, nb::arg("names"), nb::arg("columns"),
             nb::arg("within"), nb::arg("same"));
  module.def("representation_from_groups", &from_groups, nb::arg("groups"));
}

}  // namespace repsc::python
