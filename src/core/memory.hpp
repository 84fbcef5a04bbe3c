// Available memory.
#pragma once

#include <cstdint>
#include <string>

namespace repsc {

/// The memory that this process can still use: MemAvailable of /proc/meminfo, or the unused part of
/// its control group's limit, whichever is less; the largest number if neither can be read. Tests
/// pass another `root` than "/".
[[nodiscard]] std::int64_t free_memory_bytes(const std::string& root = "");

/// Whether an allocation of address space can fail: it is limited (ulimit -v), or the system
/// promises no more than it has.
[[nodiscard]] bool address_space_may_run_out();

/// 1536 as "1.5 KiB".
[[nodiscard]] std::string bytes_in_words(std::int64_t bytes);

}  // namespace repsc
