// Sums over all ranks that do not depend on how rows are spread over them, nor on the order of
// additions: numbers become whole multiples of a unit, which are added without rounding.
//
//   M      the largest absolute value among all summands of one sum, 2^(e-1) <= M < 2^e
//   x      = 2^(e-b) hi + 2^(e-2b) lo, hi and lo whole numbers of at most b bits, up to 2^(e-2b-1)
//
// With n summands, b = 62 - log2(n) bits keep the sums of hi and of lo within 64 bits. The rest
// that is dropped is below M 2^-62 even for 2^31 summands, far below the rounding of doubles.
#pragma once

#include <span>

#include "repsc/distributed.hpp"

namespace repsc {

/// The sum of each column over the rows of `parts` of all ranks, which have `count` rows in all.
/// Throws NumericalFailure, on every rank, if a number is not finite.
[[nodiscard]] Vector exact_sum(const Communicator& ranks, const Matrix& parts, std::int64_t count);

/// Row g: the sum of the rows i of `values` with keys[i] = g, over all ranks; `count` rows in all.
[[nodiscard]] Matrix exact_sums_by_key(const Communicator& ranks, std::span<const Label> keys,
                                       Index num_keys, const Matrix& values, std::int64_t count);

}  // namespace repsc
