// What this stage refuses at its door: graphs that are too large, tables that contradict
// themselves.
#pragma once

#include "repsc/representation.hpp"

namespace repsc {

/// 2e9 entries are 8 GB of neighbours; a rule that links more is hardly meant.
inline constexpr Offset max_entries = 2'000'000'000;

/// Throws InvalidInput that says what would be too large and the way out.
void require_entries(Offset entries, const char* what, const char* way_out);

/// Throws InvalidInput unless every column has a word per node, and a numeric one a finite number
/// for each word that is not empty: read_table() sees to that, a caller's own table may not.
void require_consistent(const Table& table);

}  // namespace repsc
