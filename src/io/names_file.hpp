// Names of nodes beside a graph file whose format holds none: `G.mtx.names`, one name per line in
// the order of the rows.
//
// The graph file says that it has such a file and which names those are, by a comment (an extra
// member of .npz), so that names of another graph are noticed. A file of names that was written by
// hand needs no such comment: its number of names has to be right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repsc/graph.hpp"

namespace repsc {

/// What a graph file says about the names of its nodes.
struct NamesMark {
  std::optional<Index> first = {};                ///< they are numbered from 0 or from 1
  std::optional<std::uint64_t> fingerprint = {};  ///< they are in the file of names
  [[nodiscard]] bool any() const { return first || fingerprint; }
  /// "from-0", "names-0123456789abcdef".
  [[nodiscard]] std::string word() const;
  [[nodiscard]] static NamesMark of_word(const std::string& word);
};

/// Before the mark in a comment of a text format.
inline constexpr const char* names_comment = "% repsc: nodes ";

[[nodiscard]] std::string names_path(const std::string& path);
[[nodiscard]] std::uint64_t fingerprint(const NodeNames& names);

/// Writes the file of names beside `path`, completely or not at all.
void write_names(const NodeNames& names, const std::string& path);
/// Removes the file of names beside `path`, if there is one.
void remove_names(const std::string& path);

/// The names of the `count` nodes in the file `path`, given its mark: from the file of names beside
/// it, numbers, or nothing, if the format's own numbers are the names. Throws InvalidInput, naming
/// both files, if names are missing, too few or too many, or belong to another graph.
[[nodiscard]] std::optional<NodeNames> names_beside(const std::string& path, const NamesMark& mark,
                                                    Index count);

}  // namespace repsc
