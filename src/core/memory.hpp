// How much memory is there to take.
#pragma once

#include <cstdint>
#include <string>

namespace repsc {

/// What this process may still take: /proc/meminfo's MemAvailable, or what the limit of its control
/// group leaves, whichever is less; the largest number where neither can be read. `root` stands for
/// "/" in tests.
[[nodiscard]] std::int64_t free_memory_bytes(const std::string& root = "");

/// 1536 as "1.5 KiB".
[[nodiscard]] std::string bytes_in_words(std::int64_t bytes);

}  // namespace repsc
