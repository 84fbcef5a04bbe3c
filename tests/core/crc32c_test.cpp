// CRC-32C: the vectors of RFC 3720, and the instruction against the table and the definition.
#include "core/crc32c.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace repsc {
namespace {

using Bytes = std::vector<unsigned char>;

std::uint32_t checksum(const Bytes& bytes) { return crc32c(bytes.data(), bytes.size()); }

/// Bit by bit: the remainder of the division by Castagnoli's polynomial.
std::uint32_t by_definition(const Bytes& bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const unsigned char byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = (((byte >> bit) ^ rest) & 1U) != 0;
      rest = (rest >> 1U) ^ (one ? 0x82f63b78U : 0U);
    }
  }
  return ~rest;
}

// RFC 3720, B.4.
TEST(Crc32c, has_the_published_values) {
  EXPECT_EQ(crc32c("", 0), 0U);
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283U);
  EXPECT_EQ(crc32c_by_table("123456789", 9), 0xe3069283U);
  EXPECT_EQ(checksum(Bytes(32, 0x00)), 0x8a9136aaU);
  EXPECT_EQ(checksum(Bytes(32, 0xff)), 0x62a8ab43U);
  Bytes ascending(32);
  std::iota(ascending.begin(), ascending.end(), static_cast<unsigned char>(0));
  EXPECT_EQ(checksum(ascending), 0x46dd794eU);
  EXPECT_EQ(checksum(Bytes(ascending.rbegin(), ascending.rend())), 0x113fdb5cU);
}

TEST(Crc32c, is_the_same_by_instruction_table_and_definition) {
  RandomStream random(1);
  for (std::size_t size = 0; size < 100; ++size) {
    Bytes bytes(size);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
    EXPECT_EQ(checksum(bytes), by_definition(bytes)) << size;
    EXPECT_EQ(crc32c_by_table(bytes.data(), size), by_definition(bytes)) << size;
  }
}

TEST(Crc32c, continues_where_the_bytes_before_ended) {
  Bytes bytes(200);
  RandomStream random(2);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::uint32_t before = crc32c(bytes.data(), cut);
    EXPECT_EQ(crc32c(bytes.data() + cut, bytes.size() - cut, before), checksum(bytes));
    EXPECT_EQ(crc32c_by_table(bytes.data() + cut, bytes.size() - cut, before), checksum(bytes));
  }
}

}  // namespace
}  // namespace repsc
