// The vectors of FIPS 180-4.
#include <gtest/gtest.h>

#include <fstream>

#include "repsc/io.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

std::string sum_of(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file", std::ios::binary) << text;
  const FileDigest digest = digest_of_file(folder / "file");
  EXPECT_EQ(digest.bytes, static_cast<std::int64_t>(text.size()));
  return digest.sha256;
}

TEST(Sha256, has_the_vectors_of_the_standard) {
  EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sum_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, of_a_file_that_cannot_be_read_is_empty) {
  EXPECT_EQ(digest_of_file("no/such/file").sha256, "");
}

}  // namespace
}  // namespace repsc
