// An allocator that fails on request, in place of malloc in the whole program.
#pragma once

#include <cstdint>

namespace repsc::tests {

enum class Failing { once, from_then_on };

/// Lets allocation `number` fail, counted from 1 and from now on and over all threads; afterwards
/// all others succeed, or none.
void fail_allocation(std::int64_t number, Failing failing);

/// Every allocation succeeds again. Whether one has failed.
bool stop_failing();

}  // namespace repsc::tests
