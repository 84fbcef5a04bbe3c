// The columns of an edge list.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/table_reader.hpp"

namespace repsc {

struct EdgeColumns {
  std::size_t from = 0;
  std::size_t to = 1;
  std::optional<std::size_t> weight = {};
  std::size_t count = 0;  ///< fields of each line; 0: as the first line of data has them
  std::vector<std::string> ignored = {};

  /// `u v` or `u v w`, in this order.
  [[nodiscard]] bool usual() const {
    return from == 0 && to == 1 && count == (weight ? 3U : 2U) && weight.value_or(2) == 2;
  }
};

/// Which column is what, by the names in the header. Throws InvalidInput where that is not clear.
[[nodiscard]] EdgeColumns columns_by_name(const TableReader& table,
                                          const std::string& weight_column);

}  // namespace repsc
