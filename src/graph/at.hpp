// Numbers of nodes and entries as positions in standard containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace repsc {

[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace repsc
