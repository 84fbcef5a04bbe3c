// What all fuzz harnesses share. Each harness is one file that defines read_and_check(): it gives
// the bytes to a reader as a file, and checks what the reader promises about the result. A file
// that is refused with InvalidInput or IoError is fine; any other end is a finding.
#pragma once

#include <string>

#include "repsc/io.hpp"

namespace repsc::fuzz {

/// Defined by each harness.
void read_and_check(const std::string& bytes);

/// A file of that name in a folder of this process, with these bytes; its path.
std::string file(const std::string& name, const std::string& bytes);
/// The path of a file in that folder.
std::string path(const std::string& name);

/// Ends the program with the message unless `ok`.
void must(bool ok, const char* what);

/// The promises of Graph and of the report of changes: rows ascending, symmetric, weights above 0
/// and finite, no self-loop, counts that fit to each other and to a file of so many bytes.
void check_graph(const BuiltGraph& found, std::size_t bytes);

/// Written in every format, the graph and its names read back the same.
void check_round_trip(const Graph& graph);

void must_be_same(const Graph& a, const Graph& b, const char* what);

}  // namespace repsc::fuzz
