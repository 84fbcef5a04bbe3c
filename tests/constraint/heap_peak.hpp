// The heap that a piece of work takes at its peak: what it asks for, the same on every machine.
// The memory of the process would also hold what BLAS keeps for itself, which depends on the
// processor.
#pragma once

#include <cstddef>
#include <functional>

namespace repsc {

/// Bytes beyond those in use at the start; all threads count.
[[nodiscard]] std::ptrdiff_t heap_peak(const std::function<void()>& work);

}  // namespace repsc
