// The nodes of an edge list, numbered in the order in which their names first appear. Parts of the
// file are parsed on all threads with the nodes known so far; then, part by part, the names that
// were not known are numbered.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/pages.hpp"
#include "io/parsed_edges.hpp"
#include "io/plain_lines.hpp"

namespace repsc {

class NodeIndex {
 public:
  [[nodiscard]] NodeNames::Table& names() { return *names_; }
  [[nodiscard]] const NodeNames::Table& names() const { return *names_; }
  /// Other names for the same nodes.
  void replace_names(std::shared_ptr<NodeNames::Table> names) { names_ = std::move(names); }
  /// Gives the names away, once all edges are read.
  [[nodiscard]] NodeNames take_names();

  /// Parses the plain lines at the front of a text. Threads may do this at the same time.
  void parse(std::string_view text, const PlainLineStyle& style, ParsedEdges& part) const;
  /// Numbers the new names of parts, in their order, and stores the edges. `source` is the file,
  /// for messages.
  void store(std::span<ParsedEdges> parts, EdgeStore& edges, const std::string& source);

 private:
  void find(std::span<const NodeText> nodes, ParsedEdges& part) const;
  void find_by_name(std::span<const NodeText> nodes, ParsedEdges& part) const;
  void make_room(std::span<ParsedEdges> parts, Offset num_edges);
  void settle(ParsedEdges& part);

  // The nodes of small whole numbers, in front of the table, plus 1; 0: not known. Takes less
  // memory than the edges do.
  Pages<Index> place_of_number_;
  std::shared_ptr<NodeNames::Table> names_ = std::make_shared<NodeNames::Table>();
};

}  // namespace repsc
