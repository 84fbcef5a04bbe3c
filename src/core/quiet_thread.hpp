// Threads beside the pool.
#pragma once

#include <thread>

namespace repsc {

/// A thread that leaves signals to the caller's threads, which clean up. Not joinable if there is
/// no memory for another thread, or the system cannot start one.
[[nodiscard]] std::thread start_quietly(void (*body)(void*), void* context);

/// The same for a callable that outlives the thread.
template <typename Body>
[[nodiscard]] std::thread start_quietly(Body& body) {
  return start_quietly([](void* context) { (*static_cast<Body*>(context))(); }, &body);
}

}  // namespace repsc
