// The buffers of OpenBLAS, where memory is scarce.
#pragma once

namespace repsc {

/// Makes OpenBLAS allocate buffers for `callers` threads that call it at the same time. It keeps
/// them, so that later calls allocate none. Throws MemoryLimitExceeded if they cannot be allocated.
/// Does nothing where an allocation of address space cannot fail. One thread at a time.
///
/// OpenBLAS itself never gives up: without memory for a buffer it asks for it again, for ever.
void reserve_blas_buffers(int callers);

}  // namespace repsc
