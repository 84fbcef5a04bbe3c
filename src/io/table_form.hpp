// The form of a table, recognized from its first lines and used for all of them: what separates the
// fields, and whether the first line is a header.
//
// The separator is the first of tab, semicolon and comma that splits all of these lines into the
// same number of fields, at least two; otherwise blanks. Blanks are preferred if they give more
// columns and all fields are then numbers: `1 2<tab>0.5`, or `1 2 0,5` with a decimal comma.
//
// The first line is a header if none of its fields is a number, and
//   - a column was asked for by name, or
//   - below it a column holds nothing but numbers: two or more, or all columns do, or
//   - its first field (the first two of an edge list) is a usual name of a column of nodes, such as
//     node, id, name, source, target (io/column_names.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repsc {

/// What a reader wants from a table.
struct TableShape {
  std::size_t num_ids = 1;     ///< columns that name nodes: 2 in an edge list; 0: rows are nodes
  bool named_columns = false;  ///< a column was asked for by name: the first line is a header
};

struct TableForm {
  char separator = ' ';         ///< ',', ';', a tab, or ' ' for any number of blanks and tabs
  bool separator_line = false;  ///< the first line is `sep=;`, as Excel writes it
  bool header = false;
  bool row_names = false;  ///< lines have a name of the row that the header does not count (R)
  bool quotes = false;     ///< a field has quotes
};

/// Recognizes the form from the beginning of a file; `complete` if that is all of it.
[[nodiscard]] TableForm recognize_table(std::string_view sample, bool complete,
                                        const TableShape& shape);

/// Whether a line holds no record: it is blank, or a comment that begins with '#' or '%'.
[[nodiscard]] bool is_comment_or_blank(std::string_view line);

}  // namespace repsc
