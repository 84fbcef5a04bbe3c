// CRC-32C by the processor's instruction where it has one, eight bytes at a time, else by a table.
#include "core/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace repsc {
namespace {

using Checksum = std::uint32_t;

constexpr std::array<Checksum, 256> make_table() {
  constexpr Checksum polynomial = 0x82f63b78;  // of Castagnoli, its bits reversed
  std::array<Checksum, 256> table{};
  for (Checksum byte = 0; byte < 256; ++byte) {
    Checksum rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? polynomial : 0);
    table[byte] = rest;
  }
  return table;
}
constexpr std::array<Checksum, 256> table = make_table();

#if defined(__aarch64__) && defined(__linux__)

// Assembler, because compilers disagree on how a single function may use an extension.
Checksum add_byte(Checksum rest, unsigned char byte) {
  asm(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(rest) : "r"(byte));
  return rest;
}
Checksum add_word(Checksum rest, std::uint64_t word) {
  asm(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(rest) : "r"(word));
  return rest;
}
bool has_instruction() { return (::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#define REPSC_WITH_CRC

#elif defined(__x86_64__)

__attribute__((target("sse4.2"))) inline Checksum add_byte(Checksum rest, unsigned char byte) {
  return __builtin_ia32_crc32qi(rest, byte);
}
__attribute__((target("sse4.2"))) inline Checksum add_word(Checksum rest, std::uint64_t word) {
  return static_cast<Checksum>(__builtin_ia32_crc32di(rest, word));
}
bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }
#define REPSC_WITH_CRC __attribute__((target("sse4.2")))

#else

Checksum add_byte(Checksum rest, unsigned char byte) {
  return (rest >> 8U) ^ table[(rest ^ byte) & 255U];
}
Checksum add_word(Checksum rest, std::uint64_t word) {
  for (int byte = 0; byte < 8; ++byte, word >>= 8U) {
    rest = add_byte(rest, static_cast<unsigned char>(word));
  }
  return rest;
}
bool has_instruction() { return false; }
#define REPSC_WITH_CRC

#endif

REPSC_WITH_CRC Checksum by_instruction(const unsigned char* data, std::size_t bytes,
                                       Checksum rest) {
  for (; bytes >= 8; bytes -= 8, data += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data, sizeof word);
    rest = add_word(rest, word);
  }
  for (; bytes > 0; --bytes) rest = add_byte(rest, *data++);
  return rest;
}

}  // namespace

std::uint32_t crc32c_by_table(const void* data, std::size_t bytes, std::uint32_t before) {
  const auto* byte = static_cast<const unsigned char*>(data);
  Checksum rest = ~before;
  for (; bytes > 0; --bytes) rest = (rest >> 8U) ^ table[(rest ^ *byte++) & 255U];
  return ~rest;
}

std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before) {
  static const bool fast = has_instruction();
  if (!fast) return crc32c_by_table(data, bytes, before);
  return ~by_instruction(static_cast<const unsigned char*>(data), bytes, ~before);
}

}  // namespace repsc
