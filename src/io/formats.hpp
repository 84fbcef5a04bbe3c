// One reader and one writer for each file format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/edge_store.hpp"
#include "io/names_file.hpp"
#include "io/plain_lines.hpp"
#include "repsc/io.hpp"

namespace repsc {

/// Each thread parses `chunk_bytes` of text at a time; 0: line by line. The result does not depend
/// on it.
[[nodiscard]] BuiltGraph read_edge_list(const std::string& path, const ReadOptions& options,
                                        std::size_t chunk_bytes = usual_chunk_bytes);
[[nodiscard]] BuiltGraph read_matrix_market(const std::string& path, const ReadOptions& options,
                                            std::size_t chunk_bytes = usual_chunk_bytes);
[[nodiscard]] BuiltGraph read_metis(const std::string& path, const ReadOptions& options);
[[nodiscard]] BuiltGraph read_npz(const std::string& path, const ReadOptions& options);
[[nodiscard]] BuiltGraph read_rgraph(const std::string& path, const ReadOptions& options);

/// What a file says about the names of its nodes, by a comment before its header or a member of the
/// archive.
[[nodiscard]] NamesMark read_text_mark(const std::string& path);
[[nodiscard]] NamesMark read_npz_mark(const std::string& path);

/// Formats without names store the mark, if there is one.
void write_edge_list(const Graph& graph, const std::string& path);
void write_matrix_market(const Graph& graph, const std::string& path, const NamesMark& mark = {});
void write_metis(const Graph& graph, const std::string& path, const NamesMark& mark = {});
void write_npz(const Graph& graph, const std::string& path, const NamesMark& mark = {});
void write_rgraph(const Graph& graph, const std::string& path, Neighbors neighbors);

/// Whether a name contains characters that edge lists do not allow in names.
[[nodiscard]] bool has_control_character(std::string_view name);

/// How the edges of a file are sorted on disk, if that is asked for. Throws InvalidInput for less
/// than 2^20 bytes of memory.
[[nodiscard]] std::optional<SortOnDisk> sort_on_disk(const ReadOptions& options);

/// The header of a file with numbered nodes may state more nodes than the file contains, and each
/// node needs memory. Throws InvalidInput for more than 2^20 + 64 * num_entries nodes.
void require_plausible_size(std::uint64_t num_nodes, Offset num_entries, const std::string& source);

/// Throws InvalidInput unless 0 < num_nodes < 2^31. `where` is the file, and the line if there is
/// one.
void require_countable(std::uint64_t num_nodes, const std::string& where);

}  // namespace repsc
