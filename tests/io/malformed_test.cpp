// Malformed files: a message of one line with the file, the line and the value; never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "core/random.hpp"
#include "io/archives.hpp"
#include "repsc/io.hpp"
#include "support/by_name.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The message of reading a file without its path; fails unless it is one line that begins with it.
std::string complaint(const std::string& path) {
  try {
    const BuiltGraph found = read_graph(path, {.self_loops = SelfLoops::keep});
    expect_well_formed(found.graph);
    return "read";
  } catch (const InvalidInput& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, StartsWith(path + ":"));
    EXPECT_THAT(error.fault().where, StartsWith(path));
    EXPECT_THAT(text, StartsWith(error.fault().where + ": " + error.fault().what));
    EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos);
    EXPECT_LT(text.size(), path.size() + 300);
    return text.substr(path.size());
  }
}

struct Case {
  const char* file;
  std::string text;
  const char* expected;  // the beginning of what follows the path
};

const std::string mm = "%%MatrixMarket matrix coordinate real general\n";
const std::string mm_pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string long_line(10 << 20, 'x');

const Case cases[] = {
    {"a.txt", "", ": no edges found"},
    {"a.txt", "\n\n", ": no edges found"},
    {"a.txt", "# only\n% comments\n", ": no edges found"},
    {"a.txt", "a\n", ":1: 1 column but an edge is `u v` or `u v weight`"},
    {"a.txt", "a b\nb c 1\n", ":2: 3 columns but 2 in the lines before"},
    {"a.txt", "a b 1\n\nb c\n", ":3: 2 columns but 3 in the lines before"},
    {"a.txt", "a b 1 x\n", ":1: more than 3 columns but"},
    {"a.txt", "a b c d e f\n", ":1: more than 3 columns but"},
    {"a.txt", "1 2 0.5\n1 3 nan\n", ":2: weight 'nan' is not a finite number"},
    {"a.txt", "1 2 inf\n", ":1: weight 'inf' is not a finite number"},
    {"a.txt", "1 2 1e999\n", ":1: weight '1e999' is not a finite number"},
    {"a.txt", "1 2 -0.5\n", ":1: weight '-0.5' is negative (weights must be at least 0)"},
    {"a.txt", "1 2 1x\n", ":1: weight '1x' is not a finite number"},
    {"a.txt", "a b x\nc d y\n", ":1: weight 'x' is not a finite number"},
    {"a.txt", "a b 1e308\na b 1e308\n", ": the weights of edge 'a' 'b' add up to infinity"},
    {"a.txt", "a,,b\n", ":1: an empty field in 'a,,b'"},
    {"a.txt", ",a\n", ":1: an empty field in ',a'"},
    {"a.txt", "a,b,\n", ":1: an empty field in 'a,b,'"},
    {"a.txt", std::string("a b\n\x01\x02 c\n"), ":2: a control character in '\\x01\\x02'"},
    {"a.txt", std::string("a\0 b\n", 5), ":1: a NUL byte"},
    {"a.txt", "a b\rb c\r", ":1: a control character in 'b\\x0db'"},
    {"a.txt", "a b\n" + long_line, ":2: a line of more than 1048576 bytes"},
    {"a.txt", "a b\n" + long_line + "\nb c\n", ":2: a line of more than 1048576 bytes"},
    {"a.txt", "\x1f\x8b", ": the gzip data end too early, after line 0"},
    {"a.txt", "\x1f\x8b\x08junk that is no gzip at all", ": damaged gzip data after line 0"},

    {"a.mtx", "", ": no edges found"},
    {"a.mtx", "% a comment\n", ":1: expected a MatrixMarket header but found '% a comment'"},
    {"a.mtx", "2 1\n1113 1\n",
     ":1: expected a MatrixMarket header but found '2 1'; read a plain list of edges"},
    {"a.mtx", "%%MatrixMarket\n", ":1: found a MatrixMarket '' but a matrix is needed"},
    {"a.mtx", "%%MatrixMarket vector coordinate real general\n",
     ":1: found a MatrixMarket 'vector'"},
    {"a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", ":1: layout 'array'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate complex general\n", ":1: values 'complex'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", ":1: symmetry 'hermitian'"},
    {"a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", ":1: symmetry 'skew-sym"},
    {"a.mtx", mm, ": no edges found: the line `rows columns entries` is missing"},
    {"a.mtx", mm + "% c\n", ": no edges found"},
    {"a.mtx", mm + "3 3\n", ":2: expected `rows columns entries` but found '3 3'"},
    {"a.mtx", mm + "3 3 2 1\n", ":2: expected `rows columns entries`"},
    {"a.mtx", mm + "-3 -3 2\n", ":2: expected `rows columns entries`"},
    {"a.mtx", mm + "3 4 0\n", ":2: 3 rows and 4 columns but a graph needs a square matrix"},
    {"a.mtx", mm + "0 0 0\n", ":2: no edges found: the file has 0 nodes"},
    {"a.mtx", mm + "3 3 2\n1 2 1\n", ": the header states 2 entries but the file has 1"},
    {"a.mtx", mm + "3 3 1\n1 2 1\n1 3 1\n", ":4: more than the 1 entries that the header states"},
    {"a.mtx", mm + "3 3 1\n1 4 1\n", ":3: node '4' but nodes are numbered from 1 to 3"},
    {"a.mtx", mm + "3 3 1\n0 1 1\n", ":3: node '0' but nodes are numbered from 1 to 3"},
    {"a.mtx", mm + "3 3 1\n-1 1 1\n", ":3: node '-1' but"},
    {"a.mtx", mm + "3 3 1\n1.5 1 1\n", ":3: node '1.5' but"},
    {"a.mtx", mm + "3 3 1\n99999999999999999999 1 1\n", ":3: node '99999999999999999999' but"},
    {"a.mtx", mm + "3 3 1\n1 2\n", ":3: weight '' is not a finite number"},
    {"a.mtx", mm + "3 3 1\n1 2 nan\n", ":3: weight 'nan' is not a finite number"},
    {"a.mtx", mm + "3 3 1\n1 2 -inf\n", ":3: weight '-inf' is not a finite number"},
    {"a.mtx", mm + "3 3 1\n1 2 -2\n", ":3: weight '-2' is negative"},
    {"a.mtx", mm + "3 3 1\n1 2 1 9\n", ":3: more columns than expected in '1 2 1 9'"},
    {"a.mtx", mm_pattern + "3 3 1\n1 2 1\n", ":3: more columns than expected in '1 2 1'"},
    {"a.mtx", mm_pattern + "3 3 1\n1\n", ":3: node '' but"},
    {"a.mtx", mm + "1000000000000000000 1000000000000000000 1\n1 2 1\n",
     ":2: 1000000000000000000 n"},
    {"a.mtx", mm + "99999999999999999999 99999999999999999999 1\n",
     ":2: expected `rows columns entries`"},
    {"a.mtx", mm + "3 3 1000000000000000000\n1 2 1\n", ": the header states 1000000000000000000 e"},
    {"a.mtx", mm + "2147483647 2147483647 1\n1 2 1\n", ": 2147483647 nodes but only 1 entries"},
    {"a.mtx", mm + "3 3 1\n" + long_line, ":3: a line of more than"},
    {"a.mtx", std::string("\0\x01\x02\xff", 4),
     ":1: expected a MatrixMarket header but found '\\x00\\x01"},

    {"a.graph", "", ": no edges found"},
    {"a.graph", "% only\n\n", ": no edges found"},
    {"a.graph", "3\n",
     ":1: expected a METIS header `nodes edges [format [weights]]` but found '3'"},
    {"a.graph", "3 x\n", ":1: expected a METIS header"},
    {"a.graph", "3 2 1 1 1\n", ":1: expected a METIS header"},
    {"a.graph", "0 0\n", ":1: no edges found: the file has 0 nodes"},
    {"a.graph", "3 2 2\n", ":1: METIS format '2' but it must be up to three digits 0 or 1"},
    {"a.graph", "3 2 0001\n", ":1: METIS format '0001'"},
    {"a.graph", "3 2 010 x\n", ":1: number of node weights 'x'"},
    {"a.graph", "3 2 010 1000000000\n", ":1: number of node weights '1000000000'"},
    {"a.graph", "3 2 010\n2\n\n2\n",
     ":3: expected 1 numbers for the size and weights of node 2 but found ''"},
    {"a.graph", "3 2\n2\n1 3\n", ": the header states 3 nodes but the file has 2 rows"},
    {"a.graph", "3 2\n2\n1 3\n2\n1\n", ":5: more than the 3 nodes that the header states"},
    {"a.graph", "3 1\n2\n1 3\n2\n", ": the header states 1 edges but the rows have 4 entries"},
    {"a.graph", "3 2\n2 3\n3\n1\n", ": node 1 lists 2 but node 2 does not list 1"},
    {"a.graph", "3 2\n2\n1 4\n2\n",
     ":3: neighbour '4' of node 2 but nodes are numbered from 1 to 3"},
    {"a.graph", "3 2\n2\n1 0\n2\n", ":3: neighbour '0' of node 2"},
    {"a.graph", "3 2\n2\n1 -1\n2\n", ":3: neighbour '-1' of node 2"},
    {"a.graph", "3 2\n2\n1 99999999999999999999\n2\n", ":3: neighbour '99999999999999999999' of"},
    {"a.graph", "3 2\n2\n1 a\n2\n", ":3: neighbour 'a' of node 2"},
    {"a.graph", "3 2 1\n2 2\n1 2 3\n2 3\n", ":3: neighbour '3' has no weight"},
    {"a.graph", "3 2 1\n2 2\n1 2 3 -3\n2 3\n", ":3: weight '-3' is negative"},
    {"a.graph", "3 2 1\n2 2\n1 2 3 nan\n2 3\n", ":3: weight 'nan' is not a finite number"},
    {"a.graph", "1000000000000000000 1\n2\n1\n", ":1: 1000000000000000000 nodes but at most"},
    {"a.graph", "2147483647 1\n2\n1\n",
     ": the header states 2147483647 nodes but the file has 2 r"},
    {"a.graph", "2 1000000000000000000\n2\n1\n", ": the header states 1000000000000000000 edges"},
    {"a.graph", "2 1\n" + long_line,
     ":2: neighbour 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' of"},
    {"a.graph", std::string("\0\x01\x02\xff", 4), ":1: expected a METIS header"},

    {"a.npz", "", ": not an .npz file"},
    {"a.npz", "PK\x03\x04 and then junk", ": not an .npz file"},
    {"a.npz", "a b\n", ": not an .npz file"},
};

TEST(MalformedText, is_refused_with_the_file_the_line_and_the_value) {
  const TemporaryFolder folder;
  for (const Case& wrong : cases) {
    const std::string path = folder.write(wrong.file, wrong.text);
    EXPECT_THAT(complaint(path), StartsWith(wrong.expected))
        << wrong.file << ": " << wrong.text.substr(0, 200);
  }
}

TEST(MalformedText, is_refused_with_its_place_and_a_remedy_as_data) {
  const TemporaryFolder folder;
  const auto fault = [&](const char* file, const std::string& text) {
    const std::string path = folder.write(file, text);
    return fault_of([&] { return read_graph(path); });
  };
  const Fault line = fault("a.txt", "a b 1\na c -2\n");
  EXPECT_EQ(line.where, folder / "a.txt:2");
  EXPECT_EQ(line.what, "weight '-2' is negative (weights must be at least 0)");
  EXPECT_TRUE(line.remedies.empty());
  EXPECT_EQ(fault("a.txt", "").where, folder / "a.txt");
  const Fault header = fault("a.mtx", "2 1\n");
  EXPECT_EQ(header.where, folder / "a.mtx:1");
  ASSERT_EQ(header.remedies.size(), 1U);
  EXPECT_EQ(header.remedies[0].action, Remedy::Action::advice);
  EXPECT_EQ(header.remedies[0].value, "read a plain list of edges as an edge list");
  EXPECT_EQ(fault("a.npz.gz", "").remedies[0].value, "use the ending .npz");
}

TEST(MalformedArchive, is_refused_with_the_member_and_the_value) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npz";
  const auto with = [&](const std::string& member, const std::string& bytes) {
    Members members = csr_path();
    members[member] = bytes;
    write_archive(path, members);
    return complaint(path);
  };
  const auto without = [&](const std::string& member) {
    Members members = csr_path();
    members.erase(member);
    write_archive(path, members);
    return complaint(path);
  };
  using I4 = std::vector<std::int32_t>;
  EXPECT_EQ(with("extra", "junk"), "read");
  EXPECT_THAT(without("format"), StartsWith(": not a sparse matrix of SciPy"));
  for (const char* member : {"shape", "indptr", "indices", "data"}) {
    EXPECT_THAT(without(member),
                StartsWith(std::string(": member ") + member + ".npy: cannot be read"));
  }
  EXPECT_THAT(with("format", npy("|S3", "()", "bsr")), StartsWith(": sparse format 'bsr' is not"));
  EXPECT_THAT(with("format", npy("<i4", I4{1})),
              StartsWith(": member format.npy: expected a single word"));
  EXPECT_THAT(with("shape", npy("<i4", I4{3, 4})), StartsWith(": 3 rows and 4 columns"));
  EXPECT_THAT(with("shape", npy("<i4", I4{3})), StartsWith(": member shape.npy: 1 dimensions"));
  EXPECT_THAT(with("shape", npy("<i4", I4{0, 0})), StartsWith(": no edges found"));
  EXPECT_THAT(with("shape", npy("<i4", I4{-3, -3})), StartsWith(": -3 rows"));
  EXPECT_THAT(with("shape", npy<std::int64_t>("<i8", {1000000000000000000, 1000000000000000000})),
              StartsWith(": 1000000000000000000 nodes but at most"));
  EXPECT_THAT(with("shape", npy("<i4", I4{4, 4})),
              StartsWith(": member indptr.npy: 4 elements but 5"));
  EXPECT_THAT(with("indptr", npy("<i4", I4{0, 3, 1, 4})), HasSubstr("1 follows 3"));
  EXPECT_THAT(with("indptr", npy("<i4", I4{1, 1, 3, 4})), HasSubstr("begins with 1"));
  EXPECT_THAT(with("indptr", npy("<i4", I4{0, 1, 3, 3})),
              HasSubstr("ends with 3 but must end with 4"));
  EXPECT_THAT(with("indptr", npy("<i4", I4{0, 1, 3, 9})), HasSubstr("9 follows 3"));
  EXPECT_THAT(with("indptr", npy<double>("<f8", {0, 1, 3, 4})),
              HasSubstr("whole numbers are needed"));
  EXPECT_THAT(with("indices", npy("<i4", I4{1, 0, 3, 1})), HasSubstr("entry 2: (1, 3) but nodes"));
  EXPECT_THAT(with("indices", npy("<i4", I4{1, 0, -2, 1})),
              HasSubstr("entry 2: (1, -2) but nodes"));
  EXPECT_THAT(with("indices", npy(">i4", I4{1, 0, 2, 1})), HasSubstr("big-endian"));
  EXPECT_THAT(with("data", npy<double>("<f8", {2, 2, 3})), HasSubstr("3 elements but 4 expected"));
  EXPECT_THAT(with("data", npy<double>("<f8", {2, 2, 3, -3})),
              HasSubstr("entry 3: (2, 1): weight -3"));
  EXPECT_THAT(with("data", npy<double>("<f8", {2, 2, NAN, 3})), HasSubstr("weight nan but"));
  EXPECT_THAT(with("data", npy<double>("<f8", {2, 2, INFINITY, 3})), HasSubstr("weight inf but"));
  EXPECT_THAT(with("data", npy("<c16", "(4,)", std::string(64, '\0'))), HasSubstr("'c16'"));
  EXPECT_THAT(with("data", npy("<f8", "(4,)", std::string(24, '\0'))), HasSubstr("ends too early"));
  EXPECT_THAT(with("data", npy("<f8", "(4,)", std::string(40, '\0'))),
              HasSubstr("longer than its head"));
  EXPECT_THAT(with("data", npy("<f8", "(2, 2)", std::string(32, '\0'))),
              HasSubstr("one dimension"));
  EXPECT_THAT(with("data", npy("<f8", "(1000000000000000000,)", "")), HasSubstr("but 4 expected"));
  EXPECT_THAT(with("data", "not an array at all"), HasSubstr("is not a NumPy array"));
  EXPECT_THAT(with("data", ""), HasSubstr("ends too early"));
  EXPECT_THAT(with("data", npy("|O", "(4,)", "")), HasSubstr("no simple element type"));

  Members coo = {{"format", npy("|S3", "()", "coo")},
                 {"shape", npy<std::int64_t>("<i8", {2147483647, 2147483647})},
                 {"row", npy("<i4", I4{1})},
                 {"col", npy("<i4", I4{0})},
                 {"data", npy<double>("<f8", {1})}};
  write_archive(path, coo);
  EXPECT_THAT(complaint(path), StartsWith(": 2147483647 nodes but only 1 entries"));
}

std::string gzip(const TemporaryFolder& folder, const std::string& text) {
  const std::string path = folder / "compress.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return folder.read("compress.gz");
}

TEST(TruncatedGzip, is_an_error_wherever_it_is_cut) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += std::to_string(i * 7919 % 1000) + " " + std::to_string(i) + "\n";
  const std::string whole = gzip(folder, text);
  EXPECT_EQ(complaint(folder.write("a.txt.gz", whole)), "read");
  for (std::size_t size = 2; size < whole.size(); size += size < 20 ? 1 : 97) {
    EXPECT_THAT(complaint(folder.write("a.txt.gz", whole.substr(0, size))),
                HasSubstr("the gzip data end too early"))
        << size;
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(complaint(folder.write("a.txt.gz", damaged)), HasSubstr("damaged gzip data"));
}

// One to four random changes: a byte set, bytes removed, a byte put in, the end cut off.
std::string mutate(std::string bytes, RandomStream& random) {
  for (std::uint64_t change = 1 + random.below(4); change > 0 && !bytes.empty(); --change) {
    const std::size_t place = random.below(bytes.size());
    switch (random.below(6)) {
      case 0:
        bytes[place] = static_cast<char>(random.below(256));
        break;
      case 1:
        bytes[place] = "0123456789 \n-e.%"[random.below(16)];
        break;
      case 2:
        bytes.erase(place, 1 + random.below(5));
        break;
      case 3:
        bytes.insert(place, 1, "0123456789 \n-e.%"[random.below(16)]);
        break;
      case 4:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.below(8)));
        break;
      default:
        bytes.resize(place);
        break;
    }
  }
  return bytes;
}

TEST(MutatedFile, is_read_or_refused_but_never_worse) {
  const TemporaryFolder folder;
  std::vector<Edge> edges;
  std::vector<double> weights;
  RandomStream random(17);
  for (int i = 0; i < 40; ++i) {
    edges.push_back({static_cast<Index>(random.below(15)), static_cast<Index>(random.below(15))});
    weights.push_back(random.uniform());
  }
  for (const char* file :
       {"m.txt", "m.txt.gz", "m.mtx", "m.graph", "m.npz", "m.mtx.gz", "m.rgraph"}) {
    int refused = 0;
    for (const bool weighted : {false, true}) {
      const Graph graph = build_graph(NodeNames(15, 1), edges,
                                      weighted ? weights : std::vector<double>{}, SelfLoops::keep)
                              .graph;
      write_graph(graph, folder / file);
      const std::string valid = folder.read(file);
      for (int round = 0; round < 200; ++round) {
        folder.write(file, mutate(valid, random));
        refused += complaint(folder / file) != "read" ? 1 : 0;
        if (testing::Test::HasFailure()) FAIL() << file << " round " << round;
      }
    }
    EXPECT_GT(refused, 100) << file;
  }
}

TEST(RandomBytes, are_refused_by_every_reader) {
  const TemporaryFolder folder;
  RandomStream random(18);
  for (const char* file : {"r.txt", "r.mtx", "r.graph", "r.npz", "r.rgraph"}) {
    for (int round = 0; round < 50; ++round) {
      std::string bytes(1000, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random.below(256));
      EXPECT_NE(complaint(folder.write(file, bytes)), "read");
    }
  }
}

}  // namespace
}  // namespace repsc
