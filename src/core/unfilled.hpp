// Vectors that grow without setting their new numbers, so that threads that fill them in parts also
// share the cost of new pages.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace repsc {

/// resize() leaves new elements uninitialized.
template <typename Value>
struct Unfilled : std::allocator<Value> {
  template <typename Other>
  struct rebind {
    using other = Unfilled<Other>;
  };
  template <typename Other>
  void construct(Other* place) noexcept {
    ::new (static_cast<void*>(place)) Other;
  }
  template <typename Other, typename... Arguments>
  void construct(Other* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

template <typename Value>
using UnfilledVector = std::vector<Value, Unfilled<Value>>;

}  // namespace repsc
