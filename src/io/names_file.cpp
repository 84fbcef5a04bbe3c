// The file of names beside a graph file.
#include "io/names_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/text.hpp"
#include "graph/names.hpp"
#include "io/fields.hpp"
#include "io/lines.hpp"
#include "io/text_writer.hpp"

namespace repsc {
namespace {

constexpr std::string_view written_by_us = "# repsc: names of the nodes, in the order of the rows";
constexpr std::string_view numbered = "from-";
constexpr std::string_view named = "names-";

struct NamesFile {
  std::shared_ptr<NodeNames::Table> names = std::make_shared<NodeNames::Table>();
  bool ours = false;
};

NamesFile read_names(const std::string& path) {
  LineReader lines(path);
  NamesFile file;
  FieldSplitter splitter('\n');  // the whole line is one field
  const auto next_line = [&]() -> std::string_view {
    const auto line = lines.next();
    if (!line) lines.fail("a quote that opens in this name is never closed");
    return *line;
  };
  const auto fail = [&](const std::string& what, std::vector<Remedy> remedies) {
    lines.fail(what, std::move(remedies));
  };
  while (const auto line = lines.next()) {
    if (lines.number() == 1 && *line == written_by_us) {
      file.ours = true;
      continue;
    }
    const std::string_view text = trimmed(*line);
    if (text.empty() || text.front() == '#') continue;
    const std::int64_t number = lines.number();
    const std::string_view name = splitter.split(*line, next_line, fail).front().text;
    if (name.empty()) lines.fail_at(number, "an empty name");
    const Index count = file.names->size();
    if (file.names->insert(name) != count) {
      lines.fail_at(number, "the name " + in_quotes(name) + " appears twice");
    }
  }
  return file;
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw InvalidInput(
      Fault{.what = what,
            .remedies = {advice(fmt::format("put the right names into {0}, or convert the graph "
                                            "again; delete {0} if it is outdated",
                                            names_path(path)))},
            .where = path});
}

}  // namespace

std::string NamesMark::word() const {
  if (fingerprint) return fmt::format("{}{:016x}", named, *fingerprint);
  return first ? fmt::format("{}{}", numbered, *first) : "";
}

NamesMark NamesMark::of_word(const std::string& word) {
  NamesMark mark;
  const auto rest = [&](std::string_view prefix) { return word.data() + prefix.size(); };
  const char* const end = word.data() + word.size();
  if (word.starts_with(numbered)) {
    Index first = 0;
    if (std::from_chars(rest(numbered), end, first).ptr == end && (first == 0 || first == 1)) {
      mark.first = first;
    }
  } else if (word.starts_with(named)) {
    std::uint64_t value = 0;
    if (std::from_chars(rest(named), end, value, 16).ptr == end) mark.fingerprint = value;
  }
  return mark;
}

std::string names_path(const std::string& path) { return path + ".names"; }

// FNV-1a over the names, each with a byte behind it that no name ends with.
std::uint64_t fingerprint(const NodeNames& names) {
  constexpr std::uint64_t prime = 0x100000001b3ULL;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (Index node = 0; node < names.size(); ++node) {
    for (const char c : names[node]) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
    hash = (hash ^ 0xffU) * prime;
  }
  return hash;
}

void write_names(const NodeNames& names, const std::string& path) {
  for (Index node = 0; node < names.size(); ++node) {
    const std::string name = names[node];
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\t');
    });
    if (!control) continue;
    throw InvalidInput(Fault{.what = "a file of names cannot contain " + in_quotes(name),
                             .remedies = {advice("rename the node: no control characters")},
                             .where = names_path(path)});
  }
  TextWriter out(names_path(path));
  out.print("{}\n", written_by_us);
  for (Index node = 0; node < names.size(); ++node) out.print("{}\n", csv_field(names[node]));
  out.commit();
}

void remove_names(const std::string& path) { ::unlink(names_path(path).c_str()); }

std::optional<NodeNames> names_beside(const std::string& path, const NamesMark& mark, Index count) {
  const std::string beside = names_path(path);
  std::error_code ignored;
  if (!std::filesystem::exists(beside, ignored)) {
    if (mark.fingerprint) {
      refuse(path,
             fmt::format("its nodes have names, but the file of names {} is missing", beside));
    }
    return mark.first ? std::optional(NodeNames(count, *mark.first)) : std::nullopt;
  }
  NamesFile file = read_names(beside);
  if (file.names->size() != count) {
    refuse(path, fmt::format("{} nodes, but {} has {} names", count, beside, file.names->size()));
  }
  NodeNames names(std::shared_ptr<const NodeNames::Table>(std::move(file.names)));
  const bool right = mark.fingerprint ? fingerprint(names) == *mark.fingerprint : !file.ours;
  if (!right) refuse(path, fmt::format("the names in {} are those of another graph", beside));
  return names;
}

}  // namespace repsc
