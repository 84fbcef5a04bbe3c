// Checks of this stage: graphs that are too large, inconsistent tables.
#pragma once

#include "repsc/representation.hpp"

namespace repsc {

/// 2e9 entries are 8 GB of neighbours; a rule that links more is probably a mistake.
inline constexpr Offset max_entries = 2'000'000'000;

/// Throws InvalidInput if `what`, a graph, would have more entries than that.
void require_entries(Offset entries, const char* what, std::vector<Remedy> remedies);

/// The column that `option` names. Throws InvalidInput about the option if there is none.
[[nodiscard]] const Table::Column& find_column(const Table& table, const std::string& name,
                                               std::string_view option);

/// Throws InvalidInput unless every column has a word per node, and a numeric one a finite number
/// for each word that is not empty: read_table() guarantees that, but a table made by the caller
/// may violate it.
void require_consistent(const Table& table);

}  // namespace repsc
