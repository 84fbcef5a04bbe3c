// Results as CSV, one line a node.
#include <fmt/format.h>

#include <iterator>

#include "graph/text.hpp"
#include "repsc/report.hpp"

namespace repsc {

std::string balances_csv(const NodeBalances& nodes) {
  std::string text = "node,cluster,balance";
  auto out = std::back_inserter(text);
  for (Eigen::Index k = 0; k < nodes.counts.cols(); ++k) fmt::format_to(out, ",count_{}", k);
  text += '\n';
  for (Index i = 0; i < nodes.names.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    fmt::format_to(out, "{},{},{}", csv_field(nodes.names[i]), nodes.labels[at], nodes.balance[i]);
    const Index row = nodes.count_rows.empty() ? i : nodes.count_rows[at];
    for (const std::int32_t count : nodes.counts.row(row)) fmt::format_to(out, ",{}", count);
    text += '\n';
  }
  return text;
}

std::string embedding_csv(const Matrix& embedding, const NodeNames& names) {
  std::string text = "node";
  auto out = std::back_inserter(text);
  for (Eigen::Index column = 1; column <= embedding.cols(); ++column) {
    fmt::format_to(out, ",x_{}", column);
  }
  text += '\n';
  for (Index i = 0; i < names.size(); ++i) {
    text += csv_field(names[i]);
    for (const double x : embedding.row(i)) fmt::format_to(out, ",{}", x);
    text += '\n';
  }
  return text;
}

}  // namespace repsc
