// Block Lanczos on rows that are spread over ranks.
#pragma once

#include "distributed/rows.hpp"
#include "linalg/lanczos.hpp"

namespace repsc {

/// thick_restart_lanczos(); the operator gets and gives the own rows. Every rank takes the same
/// decisions, because all that they depend on has the same bits everywhere.
[[nodiscard]] KrylovResult spread_lanczos(const SpreadRows& rows, const KrylovOperator& A,
                                          const KrylovOptions& options);

/// Throws InvalidInput, on every rank, if ranks compute different bits from the same numbers, as
/// processors of different kinds may: then they would not take the same decisions.
void require_equal_arithmetic(const Communicator& ranks);

}  // namespace repsc
