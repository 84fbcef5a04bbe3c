// The usual names of columns in exports of Gephi, SNAP, KONECT, NetworkX, igraph, pandas and R. A
// name is cut into words, "FromNodeId" into from, node, id; digits and signs separate nothing.
#include "io/column_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <vector>

namespace repsc {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 15> first_ends = {
    "source", "src",  "from",   "start", "origin", "sender", "citing", "follower",
    "ego",    "tail", "quelle", "von",   "origen", "begin",  "origine"};
constexpr std::array<std::string_view, 15> second_ends = {
    "target", "tgt",   "to",   "end",  "dst",     "dest",  "destination", "receiver",
    "cited",  "alter", "head", "ziel", "destino", "cible", "recipient"};
constexpr std::array<std::string_view, 30> words_of_node = {
    "node",   "nodes",  "vertex", "vertices", "id",       "ids",       "name",   "names",
    "label",  "user",   "person", "people",   "student",  "player",    "member", "author",
    "page",   "item",   "actor",  "friend",   "followee", "key",       "index",  "uid",
    "nodeid", "knoten", "nodo",   "username", "account",  "individual"};
constexpr std::array<std::string_view, 16> words_of_weight = {
    "weight", "weights", "w",   "value",     "count",  "strength", "score",   "similarity",
    "n",      "freq",    "num", "frequency", "amount", "volume",   "gewicht", "peso"};
constexpr std::array<std::string_view, 20> words_of_no_weight = {
    "type",     "id",   "label",    "year", "time",    "timestamp", "date",
    "kind",     "name", "category", "key",  "timeset", "interval",  "edgeid",
    "datetime", "day",  "month",    "sign", "comment", "index"};
constexpr std::array<std::string_view, 8> missing = {"",     "NA",   "N/A", "NaN",
                                                     "null", "NULL", "nan", "None"};

std::string letters_of(std::string_view column) {
  std::string letters;
  for (const char c : column) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) letters += static_cast<char>(std::tolower(byte));
    if (byte >= 0x80) letters += c;
  }
  return letters;
}

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the letters are words of the lists, one after the other; at least one is of `needed`.
bool consists_of(std::string_view letters, Words needed, Words others, bool found = false) {
  if (letters.empty()) return found;
  for (std::size_t size = 1; size <= letters.size(); ++size) {
    const std::string_view word = letters.substr(0, size);
    const bool one = is_one_of(word, needed);
    if (!one && !is_one_of(word, others)) continue;
    if (consists_of(letters.substr(size), needed, others, found || one)) return true;
  }
  return false;
}

// The letters, without one of a pair at the end: node_a and node_b, node_i and node_j.
bool consists_of_words(std::string_view column, Words needed, Words others) {
  constexpr std::size_t longest = 40;
  std::string letters = letters_of(column);
  if (column.size() > longest || letters.empty()) return false;
  if (consists_of(letters, needed, others)) return true;
  if (letters.size() < 3 ||
      std::string_view("abijuvxy").find(letters.back()) == std::string::npos) {
    return false;
  }
  letters.pop_back();
  return consists_of(letters, needed, others);
}

}  // namespace

bool names_first_end(std::string_view column) {
  return consists_of_words(column, first_ends, words_of_node);
}
bool names_second_end(std::string_view column) {
  return consists_of_words(column, second_ends, words_of_node);
}
bool names_nodes(std::string_view column) {
  return names_first_end(column) || names_second_end(column) ||
         consists_of_words(column, words_of_node, {});
}
bool is_numbered_name(std::string_view column) {
  if (std::any_of(column.begin(), column.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return true;
  }
  std::vector<std::string_view> all(words_of_node.begin(), words_of_node.end());
  all.insert(all.end(), first_ends.begin(), first_ends.end());
  all.insert(all.end(), second_ends.begin(), second_ends.end());
  return !consists_of(letters_of(column), all, {});
}
bool names_weight(std::string_view column) {
  return consists_of_words(column, words_of_weight, words_of_node);
}
bool names_no_weight(std::string_view column) {
  return !names_weight(column) && consists_of_words(column, words_of_no_weight, {});
}

bool means_missing(std::string_view word) { return is_one_of(word, missing); }

}  // namespace repsc
