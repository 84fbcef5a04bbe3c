// Tables of attributes: one value per node and column, numbers as they are written, and the graphs
// that rules make of them.
#include <cmath>
#include <set>

#include "fuzz/harness.hpp"
#include "repsc/representation.hpp"

namespace repsc::fuzz {
namespace {

void check_links(const Graph& R, const NodeNames& names) {
  must(R.num_nodes() == names.size() && R.num_self_loops() == names.size(),
       "a node that does not represent itself");
  for (Index u = 0; u < R.num_nodes(); ++u) {
    for (const Index v : R.neighbors(u)) must(R.has_edge(v, u), "not symmetric");
  }
}

void check_column(const Table& table, const Table::Column& column) {
  const auto nodes = static_cast<std::size_t>(table.names.size());
  must(column.words.size() == nodes, "the number of words");
  must(column.numbers.empty() || column.numbers.size() == nodes, "the number of numbers");
  for (const double number : column.numbers) must(!std::isinf(number), "an infinite number");
  check_links(representation_by_rule(table, {.within = {}, .same = {column.name}}), table.names);
  if (column.numeric()) {
    check_links(representation_by_rule(table, {.within = {{column.name, 1.5}}, .same = {}}),
                table.names);
  }
}

}  // namespace

void read_and_check(const std::string& bytes) {
  const Table table = read_table(file("in.csv", bytes));
  std::set<std::string> names;
  for (const Table::Column& column : table.columns) {
    must(names.insert(column.name).second, "two columns of one name");
    check_column(table, column);
  }
  if (!table.columns.empty()) {
    check_links(representation_from_neighbors(
                    table, {.columns = {}, .categorical = {}, .num_neighbors = 1}),
                table.names);
  }
}

}  // namespace repsc::fuzz
