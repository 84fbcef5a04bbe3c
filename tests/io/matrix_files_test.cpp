// MatrixMarket, METIS and SciPy files that others write.
#include <gtest/gtest.h>

#include "io/archives.hpp"
#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

class MatrixFiles : public testing::Test {
 protected:
  BuiltGraph read(const std::string& name, const std::string& text) {
    return read_graph(folder_.write(name, text), {.self_loops = SelfLoops::keep});
  }
  BuiltGraph read(const Members& members, bool compressed = true) {
    write_archive(folder_ / "g.npz", members, compressed);
    return read_graph(folder_ / "g.npz", {.self_loops = SelfLoops::keep});
  }
  // 0 - 1 - 2 with weights 2 and 3.
  static ByName path(Index first, double w01 = 2, double w12 = 3) {
    return by_name(
        build_graph(NodeNames(3, first), {{0, 1}, {1, 2}}, {w01, w12}, SelfLoops::keep).graph);
  }

  TemporaryFolder folder_;
};

TEST_F(MatrixFiles, of_matrix_market_are_read_in_all_their_kinds) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(by_name(read("a.mtx", banner + "real symmetric\n3 3 2\n2 1 2\n3 2 3e0\n").graph),
            path(1));
  EXPECT_EQ(
      by_name(read("a.mtx", banner + "integer symmetric\n% c\n\n3 3 2\n2 1 2\n2 3 3\n").graph),
      path(1));  // either triangle
  EXPECT_EQ(by_name(read("a.mtx", banner + "REAL General\r\n3 3 4\r\n2 1 2\r\n1 2 2\r\n3 2 3\r\n"
                                           "2 3 3\r\n")
                        .graph),
            path(1));
  EXPECT_EQ(by_name(read("a.mtx", banner + "pattern symmetric\n3\t3 2\n 2 1 \n3 2").graph),
            path(1, 1, 1));
  const BuiltGraph uneven = read("a.mtx", banner + "real general\n3 3 3\n2 1 2\n1 2 1\n3 2 3\n");
  EXPECT_EQ(by_name(uneven.graph), path(1));
  EXPECT_EQ(uneven.changes.directions_merged, 1);
  EXPECT_EQ(read("a.mtx", banner + "pattern symmetric\n5 5 0\n").graph.num_nodes(), 5);
}

TEST_F(MatrixFiles, of_metis_are_read_with_their_weights) {
  EXPECT_EQ(by_name(read("a.graph", "% c\n3 2\n2\n1 3\n% c\n2\n").graph), path(1, 1, 1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 1\n2 2\n1 2 3 3\n2 3").graph), path(1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 001\r\n2 2\r\n1 2 3 3\r\n2 3\r\n\r\n").graph), path(1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 011 2\n9 9 2 2\n8 8 1 2 3 3\n7 7 2 3\n").graph), path(1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 111\n4 9 2 2\n5 8 1 2 3 3\n6 7 2 3\n").graph), path(1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 10\n9 2\n8 1 3\n7 2\n").graph), path(1, 1, 1));
  EXPECT_EQ(by_name(read("a.graph", "3 2 100\n9 2\n8 1 3\n7 2\n").graph), path(1, 1, 1));
  const Graph isolated = read("a.graph", "4 1\n\n3\n2\n\n").graph;
  EXPECT_EQ(isolated_nodes(isolated), (std::vector<Index>{0, 3}));
}

TEST_F(MatrixFiles, of_metis_may_have_lines_of_megabytes) {
  constexpr Index leaves = 300000;  // a star: the row of its centre is 2 MB long
  std::string text = std::to_string(leaves + 1) + " " + std::to_string(leaves) + "\n";
  std::string rows;
  for (Index leaf = 2; leaf <= leaves + 1; ++leaf) {
    text += std::to_string(leaf) + " ";
    rows += "1\n";
  }
  const Graph star = read("star.graph", text + "\n" + rows).graph;
  EXPECT_EQ(star.num_edges(), leaves);
  EXPECT_EQ(star.neighbors(0).size(), static_cast<std::size_t>(leaves));
}

TEST_F(MatrixFiles, of_scipy_are_read_in_all_their_kinds) {
  EXPECT_EQ(by_name(read(csr_path()).graph), path(0));
  EXPECT_EQ(by_name(read(csr_path(), false).graph), path(0));

  Members unicode = csr_path();
  unicode["format"] = npy("<U3", "()", std::string("c\0\0\0s\0\0\0c\0\0\0", 12));
  unicode["indptr"] = npy<std::int64_t>("<i8", {0, 1, 3, 4});
  unicode["indices"] = npy<std::int64_t>("<i8", {1, 0, 2, 1});
  unicode["data"] = npy<float>("<f4", {2, 2, 3, 3});
  EXPECT_EQ(by_name(read(unicode).graph), path(0));

  Members directed = {{"format", npy("|S3", "()", "coo")},
                      {"shape", npy<std::int32_t>("<i4", {3, 3})},
                      {"row", npy<std::int32_t>("<i4", {1, 2})},
                      {"col", npy<std::int32_t>("<i4", {0, 1})},
                      {"data", npy<std::int16_t>("<i2", {2, 3})}};
  EXPECT_EQ(by_name(read(directed).graph), path(0));
  directed["data"] = npy<std::uint8_t>("|b1", {1, 1});
  EXPECT_EQ(by_name(read(directed).graph), path(0, 1, 1));
  EXPECT_FALSE(read(directed).graph.weighted());
}

TEST_F(MatrixFiles, of_scipy_keep_which_way_csc_entries_point) {
  // Entry (0, 1) = 5 and (1, 0) = 1 + 1; read as csr by mistake, only the counts would differ.
  Members csc = csr_path();
  csc["format"] = npy("|S3", "()", "csc");
  csc["indptr"] = npy<std::int32_t>("<i4", {0, 2, 3, 3});
  csc["indices"] = npy<std::int32_t>("<i4", {1, 1, 0});
  csc["data"] = npy<double>("<f8", {1, 1, 5});
  const BuiltGraph found = read(csc);
  EXPECT_EQ(found.graph.weights(0)[0], 5);
  EXPECT_EQ(found.changes.duplicates_merged, 1);
  EXPECT_EQ(found.changes.directions_merged, 1);
}

// scipy.sparse.save_npz of scipy.sparse.csr_array([[0, 2, 0], [2, 0, 3], [0, 3, 0]], float32), by
// SciPy 1.17.1 and NumPy 2.4.6, in base64.
constexpr const char* saved_by_scipy =
    "UEsDBC0AAAAIAAAAIQCLYdpL//////////8LABQAaW5kaWNlcy5ucHkBABAAkAAAAAAAAABMAAAAAAAAAJvsF+ob"
    "EMnIUMZQrZ6SWpxcpG6loG6TaaKuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GiY6mjoKtQoUAC5GBghg"
    "AmIQGwBQSwMELQAAAAgAAAAhANlMY4X//////////woAFABpbmRwdHIubnB5AQAQAJAAAAAAAAAATgAAAAAAAACb"
    "7BfqGxDJyFDGUK2eklqcXKRupaBuk2mirqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RomOpo6CrUKFAAu"
    "BiBgBGJmIGYBYgBQSwMELQAAAAgAAAAhAKPDdJf//////////woAFABmb3JtYXQubnB5AQAQAIMAAAAAAAAARQAA"
    "AAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBeE2ysrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqaOgq1"
    "ChQBruTiIgBQSwMELQAAAAgAAAAhAPHZFqL//////////wkAFABzaGFwZS5ucHkBABAAkAAAAAAAAABJAAAAAAAA"
    "AJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TaaGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6mjoKtQoU"
    "AC5mBgiA0QBQSwMELQAAAAgAAAAhAJCt2YD//////////wgAFABkYXRhLm5weQEAEACQAAAAAAAAAEwAAAAAAAAA"
    "m+wX6hsQychQxlCtnpJanFykbqWgbpNmoq6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvkaJjqaOgq1ChQA"
    "LgYGBgcIdgBjAFBLAwQtAAAACAAAACEAgi340///////////DQAUAF9pc19hcnJheS5ucHkBABAAgQAAAAAAAABD"
    "AAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loF6TZKiuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5Gpo6"
    "CrUKFAEuRgBQSwECLQMtAAAACAAAACEAi2HaS0wAAACQAAAACwAAAAAAAAAAAAAAgAEAAAAAaW5kaWNlcy5ucHlQ"
    "SwECLQMtAAAACAAAACEA2UxjhU4AAACQAAAACgAAAAAAAAAAAAAAgAGJAAAAaW5kcHRyLm5weVBLAQItAy0AAAAI"
    "AAAAIQCjw3SXRQAAAIMAAAAKAAAAAAAAAAAAAACAARMBAABmb3JtYXQubnB5UEsBAi0DLQAAAAgAAAAhAPHZFqJJ"
    "AAAAkAAAAAkAAAAAAAAAAAAAAIABlAEAAHNoYXBlLm5weVBLAQItAy0AAAAIAAAAIQCQrdmATAAAAJAAAAAIAAAA"
    "AAAAAAAAAACAARgCAABkYXRhLm5weVBLAQItAy0AAAAIAAAAIQCCLfjTQwAAAIEAAAANAAAAAAAAAAAAAACAAZ4C"
    "AABfaXNfYXJyYXkubnB5UEsFBgAAAAAGAAYAUQEAACADAAAAAA==";

std::string decode_base64(std::string_view text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) break;  // '=' at the end
    bits = (bits << 6U) | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 255U);
  }
  return bytes;
}

TEST_F(MatrixFiles, of_scipy_are_read_as_scipy_itself_writes_them) {
  EXPECT_EQ(by_name(read("scipy.npz", decode_base64(saved_by_scipy)).graph), path(0));
}

}  // namespace
}  // namespace repsc
