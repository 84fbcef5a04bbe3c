// Columns of a table, by name or by number, and the ids of nodes in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/names.hpp"
#include "io/table_reader.hpp"

namespace repsc {

/// Whether a column that was asked for is a name, so that the table must have a header: "" and
/// numbers of up to three digits are not.
[[nodiscard]] bool is_column_name(const std::string& column);

/// The column of that name, or of that number (from 1). Throws InvalidInput with the names of all
/// columns if there is none; `option` is the option that asked for it, "": none.
[[nodiscard]] std::size_t column_of(const TableReader& table, const std::string& column,
                                    std::size_t count, const std::string& option = "");

/// Whether `node_column` is "row" and no column is called so: rows are nodes.
[[nodiscard]] bool ids_are_rows(const TableReader& table, const std::string& node_column);
/// Whether the header says that the table is `node,value`.
[[nodiscard]] bool is_node_value_table(const TableReader& table);

/// The column that names the nodes: the given one, else the first; or the second, if the first has
/// no name, as the index that pandas and R write, and the second has a usual name of nodes.
[[nodiscard]] std::size_t node_column_of(const TableReader& table, const std::string& node_column,
                                         std::size_t count);

/// Whether all ids of a table are whole numbers in floating-point notation, such as 8.38e+02. Then
/// they stand for these numbers, otherwise each is a name as it is written.
class WholeNumbers {
 public:
  void add(const Field& id);
  [[nodiscard]] bool all() const { return any_ && all_; }

 private:
  bool any_ = false;
  bool all_ = true;
};

}  // namespace repsc
