// Threads beside the pool.
#pragma once

#include <thread>

namespace repsc {

/// A thread that leaves signals to the caller's threads, which clean up. Not joinable if there is
/// no memory for another thread, or the system cannot start one.
[[nodiscard]] std::thread start_quietly(void (*body)(void*), void* context);

}  // namespace repsc
