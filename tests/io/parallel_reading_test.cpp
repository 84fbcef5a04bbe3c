// Edge lists of all kinds, read in chunks of any size on any number of threads, give what a reader
// of twenty lines gives: one line after the other, into a map of the standard library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <sstream>

#include "core/random.hpp"
#include "io/formats.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

using testing::HasSubstr;

std::vector<std::string> naive_fields(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::string field;
  bool quoted = false;  // inside of quotes
  bool any = false;     // the field has begun, though it may be empty
  const auto end_field = [&] {
    if (any || separator != ' ') fields.push_back(field);
    field.clear();
    any = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = c == ' ' || c == '\t';
    if (c == '"' && !any) {
      quoted = any = true;
    } else if (c == '"' && quoted) {
      if (i + 1 < line.size() && line[i + 1] == '"') {
        field += line[++i];
      } else {
        quoted = false;
      }
    } else if (!quoted && (c == separator || (separator == ' ' && blank))) {
      end_field();
    } else if (quoted || !blank) {
      field += c;
      any = true;
    }
  }
  end_field();
  return fields;
}

struct NaiveGraph {
  std::vector<std::string> names;
  std::map<std::pair<Index, Index>, double> entries;  // both directions
  GraphChanges changes;
};

NaiveGraph naive_read(const std::string& text, char separator, bool weights) {
  NaiveGraph graph;
  std::map<std::string, Index> numbers;
  std::map<std::pair<Index, Index>, double> sums;
  const auto number = [&](const std::string& name) {
    const auto [place, added] = numbers.emplace(name, static_cast<Index>(numbers.size()));
    if (added) graph.names.push_back(name);
    return place->second;
  };
  std::istringstream file(text);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#' || line[first] == '%') continue;
    const std::vector<std::string> fields = naive_fields(line, separator);
    const Index u = number(fields[0]);
    const Index v = number(fields[1]);
    const double weight = weights ? std::stod(fields[2]) : 1;
    if (weight == 0) {
      graph.changes.zero_weights_dropped += u != v ? 1 : 0;
      continue;
    }
    const auto [place, added] = sums.emplace(std::pair(u, v), weight);
    if (added) continue;
    ++graph.changes.duplicates_merged;
    if (weights) place->second += weight;
  }
  Offset one_way = 0;
  Offset both_ways = 0;
  for (const auto& [pair, sum] : sums) {
    const auto back = sums.find({pair.second, pair.first});
    const double other = back == sums.end() ? 0 : back->second;
    graph.entries[pair] = graph.entries[{pair.second, pair.first}] = std::max(sum, other);
    if (pair.first == pair.second) continue;
    if (back == sums.end()) ++one_way;
    if (back != sums.end() && pair.first < pair.second) {
      ++both_ways;
      if (sum != other) ++graph.changes.directions_merged;
    }
  }
  graph.changes.directions_dropped = both_ways > 0 ? one_way : 0;
  return graph;
}

std::string in_words(const GraphChanges& changes) {
  std::ostringstream out;
  out << changes.zero_weights_dropped << " zeros, " << changes.duplicates_merged << " duplicates, "
      << changes.directions_merged << " directions merged, " << changes.directions_dropped
      << " dropped\n";
  return out.str();
}

std::string in_words(const NaiveGraph& graph) {
  std::ostringstream out;
  out << in_words(graph.changes) << std::hexfloat;
  for (const std::string& name : graph.names) out << name << "\n";
  for (const auto& [pair, weight] : graph.entries) {
    out << pair.first << " " << pair.second << " " << weight << "\n";
  }
  return out.str();
}

// The graph or the error.
std::string read(const std::string& path, std::size_t chunk_bytes) {
  std::ostringstream out;
  try {
    const auto [graph, changes] =
        read_edge_list(path, {.self_loops = SelfLoops::keep}, chunk_bytes);
    out << in_words(changes) << std::hexfloat;
    for (Index u = 0; u < graph.num_nodes(); ++u) out << graph.names()[u] << "\n";
    for (Index u = 0; u < graph.num_nodes(); ++u) {
      for (std::size_t i = 0; i < graph.neighbors(u).size(); ++i) {
        const double weight = graph.weighted() ? graph.weights(u)[i] : 1;
        out << u << " " << graph.neighbors(u)[i] << " " << weight << "\n";
      }
    }
  } catch (const InvalidInput& error) {
    out << error.what();
  }
  return out.str();
}

std::string pick(RandomStream& random, const std::vector<std::string>& from) {
  return from[random.below(from.size())];
}

// A file of the kinds of lines that occur. It begins with plain numbers, so that its separator is
// clear and it has no header; with `late_quotes` quotes follow where the reader expects none.
class MessyFile {
 public:
  MessyFile(RandomStream& random, bool wrong) : random_(random) {
    separator_ = pick(random_, {" ", ","});
    weights_ = random_.below(2) == 0;
    const bool late_quotes = random_.below(2) == 0;
    const std::uint64_t odd = 2 + random_.below(60);
    const std::uint64_t count = 2 + random_.below(200);
    const std::string end = pick(random_, {"\n", "\n", "\r\n"});
    numbers_ = 2 + random_.below(60);
    for (std::uint64_t i = 0; i < (late_quotes ? 260 : 3); ++i) {
      text_ += line(small_number(), small_number()) + end;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (random_.below(odd) == 0) {
        text_ += odd_line(late_quotes, wrong);
      } else {
        text_ += line(name(), name());
      }
      if (i + 1 < count || random_.below(2) == 0) text_ += end;
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] char separator() const { return separator_.front(); }
  [[nodiscard]] bool weights() const { return weights_; }

 private:
  std::string small_number() { return std::to_string(random_.below(numbers_)); }

  std::string name() {
    const std::string number = small_number();
    switch (random_.below(12)) {
      case 0:
        return "user" + number;
      case 1:
        return std::string(random_.below(40), 'x') + "y" + number;  // around 7, 8, 15 and 16 bytes
      case 2:
        return "e" + number + ".5";
      case 3:
        return "J\xc3\xbcrgen" + number;
      case 4:
        return "00" + number;
      case 5:
        return std::to_string(1'000'000 + 1000 * random_.below(numbers_));
      case 6:
        return std::to_string(99'999'990 + random_.below(20));  // 8 and 9 digits
      case 7:
        return std::to_string(999'999'995 + random_.below(10));  // 9 and 10 digits
      default:
        return number;
    }
  }

  std::string line(const std::string& from, const std::string& to) {
    const bool blanks = separator_ == " ";
    std::string result = pick(random_, {"", "", "", " ", "\t"}) + from;
    result += blanks ? pick(random_, {" ", " ", "\t", "   "}) : pick(random_, {",", ",", " , "});
    result += to;
    if (weights_) {
      result += blanks ? pick(random_, {" ", "\t "}) : pick(random_, {",", ", "});
      result += pick(random_, {"1", "1", "0.25", "3e-2", "0", "1e3", "7."});
    }
    return result + pick(random_, {"", "", "", " "});
  }

  // Lines that the fast parser leaves to the reader, or skips.
  std::string odd_line(bool quotes, bool wrong) {
    const std::uint64_t kind = random_.below(wrong ? 12 : quotes ? 8 : 6);
    switch (kind) {
      case 0:
        return "# 1 2 3";
      case 1:
        return pick(random_, {"", "  ", "\t", "%", " % a,b,c,d"});
      case 2:
        return line("3e2", name());
      case 3:
        return line(name(), "0.25");
      case 4:
        return line("-7e-1", "+5");
      case 5:
        return line("1e400", ".");
      case 6:
        return line("\"a \"\"b\"\", c\"", "\"" + name() + "\"");
      case 7:
        return line("x\"y", name());
      case 8:
        return pick(random_, {"1", "1,2,3,4", "1 2 3 4", "1" + separator_ + "2" + separator_});
      case 9:
        return line("a\x01", name());
      case 10:
        return line(name(), name()) + separator_ + "-1";
      default:
        return line("\"open", name());
    }
  }

  RandomStream& random_;
  std::string separator_;
  bool weights_ = false;
  std::uint64_t numbers_ = 1;
  std::string text_;
};

// body(chunk_bytes) for many sizes and numbers of threads.
template <typename Body>
void for_chunks_and_threads(const Body& body) {
  for (const int threads : {1, 2, 3, 8}) {
    set_num_threads(threads);
    for (const std::size_t chunk :
         {std::size_t{1}, std::size_t{30}, std::size_t{500}, usual_chunk_bytes}) {
      body(chunk);
    }
  }
  set_num_threads({});
}

TEST(ParallelReading, gives_the_graph_of_a_naive_reader_on_any_number_of_threads) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    RandomStream random(seed);
    const MessyFile file(random, false);
    const std::string path = folder.write("g.txt", file.text());
    const std::string expected =
        in_words(naive_read(file.text(), file.separator(), file.weights()));
    ASSERT_EQ(read(path, 0), expected) << file.text();
    for_chunks_and_threads([&](std::size_t chunk) {
      ASSERT_EQ(read(path, chunk), expected)
          << "chunks of " << chunk << " on " << num_threads() << " threads of\n"
          << file.text();
    });
  }
}

TEST(ParallelReading, finds_the_first_error_on_any_number_of_threads) {
  const TemporaryFolder folder;
  int errors = 0;
  for (std::uint64_t seed = 1000; seed < 1080; ++seed) {
    RandomStream random(seed);
    const MessyFile file(random, true);
    const std::string path = folder.write("g.txt", file.text());
    const std::string expected = read(path, 0);
    errors += expected.starts_with(path) ? 1 : 0;
    for_chunks_and_threads([&](std::size_t chunk) {
      ASSERT_EQ(read(path, chunk), expected)
          << "chunks of " << chunk << " on " << num_threads() << " threads of\n"
          << file.text();
    });
  }
  EXPECT_GT(errors, 30);
}

// Larger than all buffers: names of every chunk appear in chunks before and after it.
std::string large_text(bool numbers) {
  RandomStream random(numbers ? 1 : 2);
  std::string text;
  for (int i = 0; i < 120'000; ++i) {
    const std::string prefix = numbers ? "" : random.below(3) == 0 ? "somebody-called-" : "u";
    text += prefix + std::to_string(random.below(50'000)) + " " + prefix +
            std::to_string(random.below(50'000) * (numbers && i % 1000 == 0 ? 1000 : 1)) + "\n";
  }
  return text;
}

std::string compressed(const TemporaryFolder& folder, const std::string& text) {
  const std::string path = folder / "compressed.gz";
  gzFile file = gzopen(path.c_str(), "wb1");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return folder.read("compressed.gz");
}

TEST(ParallelReading, of_large_files_gives_the_graph_of_a_naive_reader) {
  const TemporaryFolder folder;
  for (const bool numbers : {true, false}) {
    const std::string text = large_text(numbers);
    const std::string expected = in_words(naive_read(text, ' ', false));
    const std::string plain = folder.write("g.txt", text);
    const std::string packed = folder.write("g.txt.gz", compressed(folder, text));
    for (const int threads : {1, 2, 8}) {
      set_num_threads(threads);
      for (const std::size_t chunk : {std::size_t{3000}, usual_chunk_bytes}) {
        ASSERT_TRUE(read(plain, chunk) == expected) << chunk << " bytes, " << threads << " threads";
        ASSERT_TRUE(read(packed, chunk) == expected)
            << chunk << " bytes, " << threads << " threads";
      }
    }
    set_num_threads({});
  }
}

// Large enough for threads that decompress parts of it.
std::string text_of_parts() {
  RandomStream random(12, 0);
  std::string text;
  while (text.size() < 24'000'000) {
    text += std::to_string(random.below(500)) + " " + std::to_string(random.below(500)) + "\n";
  }
  return text;
}

TEST(ParallelReading, of_gzip_parts_gives_what_one_thread_gives) {
  const TemporaryFolder folder;
  const std::string text = text_of_parts();
  const std::string whole = compressed(folder, text);
  const std::string cut = whole.substr(0, whole.size() / 2);
  std::string damaged = whole;
  for (std::size_t i = 0; i < 40; ++i) damaged[whole.size() / 2 + i] ^= 0x55;
  std::string wrong_sum = whole;
  wrong_sum[whole.size() - 5] ^= 1;
  for (const std::string& bytes : {whole, cut, damaged, wrong_sum}) {
    const std::string path = folder.write("g.txt.gz", bytes);
    set_num_threads(1);
    const std::string expected = read(path, usual_chunk_bytes);
    EXPECT_EQ(bytes != whole, expected.find("gzip data") != std::string::npos);
    set_num_threads(4);
    EXPECT_TRUE(read(path, usual_chunk_bytes) == expected);
    set_num_threads({});
  }
}

TEST(ParallelReading, says_after_which_line_gzip_data_are_damaged) {
  const TemporaryFolder folder;
  const std::string text = large_text(true);
  const std::string whole = compressed(folder, text);
  std::string damaged = whole;
  for (std::size_t i = 0; i < 40; ++i) damaged[whole.size() / 2 + i] ^= 0x55;
  for (const auto& [bytes, message] :
       {std::pair{whole.substr(0, whole.size() / 2), "the gzip data end too early, after line "},
        std::pair{damaged, "damaged gzip data after line "}}) {
    const std::string path = folder.write("g.txt.gz", bytes);
    const std::string expected = read(path, 0);
    EXPECT_THAT(expected, HasSubstr(message));
    EXPECT_THAT(expected, testing::Not(HasSubstr("line 0")));
    for_chunks_and_threads([&](std::size_t chunk) {
      if (chunk < 500) return;  // a chunk for every line takes long
      ASSERT_EQ(read(path, chunk), expected) << chunk;
    });
  }
}

TEST(ParallelReading, complains_about_a_line_before_damage_behind_it) {
  const TemporaryFolder folder;
  const std::string text = large_text(true);
  const std::string whole = compressed(folder, "1 2\n1 2 3\n" + text);
  const std::string path = folder.write("g.txt.gz", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(read(path, usual_chunk_bytes), read(path, 0));
  EXPECT_THAT(read(path, 0), HasSubstr("g.txt.gz:2: 3 columns but 2 in the lines before"));
}

}  // namespace
}  // namespace repsc
