// Parsing in chunks on all threads gives what reading line by line gives, errors included.
#include <gtest/gtest.h>

#include <sstream>

#include "core/random.hpp"
#include "graph/names.hpp"
#include "io/formats.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using Reader = BuiltGraph (*)(const std::string&, const ReadOptions&, std::size_t);

// All that a caller can see of a file: the graph, what was changed, or the error.
std::string seen(Reader read, const std::string& path, std::size_t chunk_bytes) {
  std::ostringstream out;
  try {
    const auto [graph, changes] = read(path, {.self_loops = SelfLoops::keep}, chunk_bytes);
    out << describe(changes) << "\n";
    for (Index u = 0; u < graph.num_nodes(); ++u) {
      out << graph.names()[u] << ":";
      for (const Index v : graph.neighbors(u)) out << " " << v;
      for (const double weight : graph.weights(u)) out << " " << std::hexfloat << weight;
      out << "\n";
    }
  } catch (const InvalidInput& error) {
    out << error.what();
  }
  return out.str();
}

std::string pick(RandomStream& random, const std::vector<std::string>& from) {
  return from[random.below(from.size())];
}

// One line in `odd` is not a plain line of numbers, and some of those are wrong.
std::string random_file(RandomStream& random, bool weights, bool matrix_market, bool wrong) {
  const std::uint64_t odd = 2 + random.below(30);
  const std::uint64_t nodes = 1 + random.below(40);
  const std::string end = pick(random, {"\n", "\r\n"});
  std::vector<std::string> lines;
  std::vector<std::string> strange = {"% c", "", "  ", "%", "\t % 1 2 3"};
  if (!matrix_market) {
    strange.insert(strange.end(), {"# 1 2", "1.2e1 7.0", "ann bob", "1 ann", "007 7", "1e0 01",
                                   "3, 4", "4 ,5", "-1 2", "1234567890 12345678901"});
    for (std::string& line : strange) {
      const bool data = !line.empty() && line.find_first_of("%#") == std::string::npos;
      if (weights && data && line != "  ") line += " 2.5";
    }
  }
  if (wrong) {
    strange.insert(strange.end(), {"1", "1 2 3 4", "1 2 nan", "1 2 -1", "1 2 x", "1,,2", "1 2,",
                                   "0 1", "1 999999999", "1 2\x01", "1 2 1e999", "1\r2"});
  }
  std::string text;
  std::uint64_t entries = 0;
  const std::uint64_t count = 1 + random.below(60);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (random.below(odd) == 0) {
      text += pick(random, strange);
    } else {
      text += pick(random, {"", "", " ", "\t"});
      text += std::to_string(1 + random.below(nodes));
      text += pick(random, {" ", "\t", "   "});
      text += std::to_string(1 + random.below(nodes));
      if (weights) text += pick(random, {" 1", " 0.25", " 3e-2", " 0", " 1e3", " +2", " 7."});
      text += pick(random, {"", "", " "});
      ++entries;
    }
    if (i + 1 < count || random.below(2) == 0) text += end;
  }
  if (!matrix_market) return text;
  if (wrong && random.below(4) == 0) entries += random.below(3) - 1;
  std::ostringstream file;
  file << "%%MatrixMarket matrix coordinate " << (weights ? "real" : "pattern") << " general\n"
       << nodes << " " << nodes << " " << entries << end << text;
  return file.str();
}

void expect_chunks_change_nothing(Reader read, bool matrix_market) {
  const TemporaryFolder folder;
  int errors = 0;
  int graphs = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomStream random(seed);
    const bool weights = random.below(2) == 0;
    const std::string text = random_file(random, weights, matrix_market, seed % 3 == 0);
    const std::string path = folder.write("g", text);
    const std::string expected = seen(read, path, 0);
    (expected.starts_with(path) ? errors : graphs) += 1;
    for (const std::size_t chunk :
         {std::size_t{1}, std::size_t{7}, std::size_t{64}, usual_chunk_bytes}) {
      set_num_threads(1 + static_cast<int>(seed % 3));
      ASSERT_EQ(seen(read, path, chunk), expected) << "chunks of " << chunk << " of\n" << text;
    }
  }
  set_num_threads({});
  EXPECT_GT(errors, 50);
  EXPECT_GT(graphs, 200);
}

TEST(Chunks, change_nothing_in_an_edge_list) {
  expect_chunks_change_nothing(read_edge_list, false);
}

TEST(Chunks, change_nothing_in_a_matrix_market_file) {
  expect_chunks_change_nothing(read_matrix_market, true);
}

TEST(Chunks, of_a_file_larger_than_all_buffers_come_in_order) {
  const TemporaryFolder folder;
  RandomStream random(5);
  std::ostringstream file;
  for (int i = 0; i < 300'000; ++i) {
    file << random.below(90'000) << " " << random.below(90'000) << "\n";
    if (i % 70'000 == 60'000) file << "# " << std::string(300'000, 'x') << "\nname " << i << "\n";
  }
  const std::string text = file.str();
  const std::string path = folder.write("g.txt", text);
  const std::string expected = seen(read_edge_list, path, 0);
  EXPECT_EQ(seen(read_edge_list, path, 10'000), expected);
  EXPECT_EQ(seen(read_edge_list, path, usual_chunk_bytes), expected);
  const std::string broken = folder.write("h.txt", text + "1 2 3\n" + text);
  EXPECT_EQ(seen(read_edge_list, broken, usual_chunk_bytes), seen(read_edge_list, broken, 0));
  const std::string endless = folder.write("i.txt", text + std::string(2 << 20, '#') + "\n");
  EXPECT_EQ(seen(read_edge_list, endless, usual_chunk_bytes), seen(read_edge_list, endless, 0));
}

TEST(Chunks, cut_a_text_only_where_lines_end) {
  const std::string text = "a\nbcd\n\nefghij\nk\n";
  const std::vector<std::string_view> five = cut_at_line_ends(text, 5);
  EXPECT_EQ(five, (std::vector<std::string_view>{"a\nbcd\n", "\nefghij\n", "k\n"}));
  EXPECT_EQ(cut_at_line_ends(text, 1).size(), 5U);
  EXPECT_EQ(cut_at_line_ends(text, 1000).size(), 1U);
}

}  // namespace
}  // namespace repsc
