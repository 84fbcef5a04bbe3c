// CRC-32C (Castagnoli), the checksum that processors compute: x86 with SSE 4.2, ARM with CRC.
#pragma once

#include <cstddef>
#include <cstdint>

namespace repsc {

/// The checksum of `bytes` bytes that follow others with the checksum `before`; 0: none before.
[[nodiscard]] std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0);

/// The same by a table, as on processors without such an instruction.
[[nodiscard]] std::uint32_t crc32c_by_table(const void* data, std::size_t bytes,
                                            std::uint32_t before = 0);

}  // namespace repsc
