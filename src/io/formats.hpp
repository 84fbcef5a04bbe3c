// One reader and one writer for each file format.
#pragma once

#include <string>

#include "io/numbered_lines.hpp"
#include "repsc/io.hpp"

namespace repsc {

/// `chunk_bytes` of text are parsed at once by a thread, 0: line by line. It changes no result.
[[nodiscard]] BuiltGraph read_edge_list(const std::string& path, const ReadOptions& options,
                                        std::size_t chunk_bytes = usual_chunk_bytes);
[[nodiscard]] BuiltGraph read_matrix_market(const std::string& path, const ReadOptions& options,
                                            std::size_t chunk_bytes = usual_chunk_bytes);
[[nodiscard]] BuiltGraph read_metis(const std::string& path, const ReadOptions& options);
[[nodiscard]] BuiltGraph read_npz(const std::string& path, const ReadOptions& options);

void write_edge_list(const Graph& graph, const std::string& path);
void write_matrix_market(const Graph& graph, const std::string& path);
void write_metis(const Graph& graph, const std::string& path);
void write_npz(const Graph& graph, const std::string& path);

/// Files that number their nodes may promise more than they hold, and each node costs memory. So
/// throws InvalidInput where there are far more nodes than entries to justify them: more than a
/// million and 64 an entry.
void require_plausible_size(std::uint64_t num_nodes, Offset num_entries, const std::string& source);

/// Throws InvalidInput unless 0 < num_nodes < 2^31. `where` is the file, and the line if there is
/// one.
void require_countable(std::uint64_t num_nodes, const std::string& where);

}  // namespace repsc
