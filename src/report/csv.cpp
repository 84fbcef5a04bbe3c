// Results as CSV, one line per node.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/text.hpp"
#include "repsc/report.hpp"

namespace repsc {

std::string balances_csv(const NodeBalances& nodes) {
  const bool weighted = nodes.weights.size() > 0;
  std::string text = "node,cluster,balance";
  auto out = std::back_inserter(text);
  for (Eigen::Index k = 0; k < nodes.counts.cols(); ++k) fmt::format_to(out, ",count_{}", k);
  for (Eigen::Index k = 0; k < nodes.weights.cols(); ++k) fmt::format_to(out, ",weight_{}", k);
  text += ",proportional_balance\n";
  for (Index i = 0; i < nodes.names.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    fmt::format_to(out, "{},{},{}", csv_field(nodes.names[i]), nodes.labels[at], nodes.balance[i]);
    const Index row = nodes.count_rows.empty() ? i : nodes.count_rows[at];
    for (const std::int32_t count : nodes.counts.row(row)) fmt::format_to(out, ",{}", count);
    if (weighted) {
      for (const double weight : nodes.weights.row(row)) fmt::format_to(out, ",{}", weight);
    }
    fmt::format_to(out, ",{}\n", nodes.proportional_balance[i]);
  }
  return text;
}

std::string path_csv(const PathReport& report, const std::optional<Baselines>& baselines) {
  const std::vector<PathStep>& steps = report.path.steps;
  std::string text =
      "rank,constraint_rank,ratio_cut,normalized_cut,average_balance,minimum_balance,"
      "constraint_residual,residual,converged,iterations,seconds";
  auto out = std::back_inserter(text);
  for (int k = 1; k <= steps.front().clustering.num_clusters; ++k) {
    fmt::format_to(out, ",eigenvalue_{}", k);
  }
  text += ",strength,on_average_front,on_minimum_front,mu,structure_kept,fairness_gained\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Clustering& step = steps[i].clustering;
    const Metrics& metrics = report.metrics[i];
    if (!step.strength) fmt::format_to(out, "{}", steps[i].rank);
    fmt::format_to(out, ",{},{},{},{},{},{},{},{},{},{}", step.constraint_rank, metrics.ratio_cut,
                   metrics.normalized_cut, metrics.average_balance, metrics.minimum_balance,
                   step.constraint_residual, step.residual, step.converged, step.iterations,
                   seconds_of(steps[i]));
    for (const double value : step.eigenvalues) fmt::format_to(out, ",{}", value);
    text += ',';
    if (step.strength) fmt::format_to(out, "{}", *step.strength);
    fmt::format_to(out, ",{},{},", bool{report.average_front[i]}, bool{report.minimum_front[i]});
    if (steps[i].mu) fmt::format_to(out, "{}", *steps[i].mu);
    text += ',';
    if (baselines) {
      fmt::format_to(out, "{},{}", baselines->structure_kept(metrics.normalized_cut),
                     baselines->fairness_gained(metrics.average_balance));
    } else {
      text += ',';
    }
    text += '\n';
  }
  return text;
}

std::string step_name(const PathStep& step) {
  const std::optional<double>& strength = step.clustering.strength;
  const std::string point =
      strength ? fmt::format("strength {}", *strength) : fmt::format("rank {}", step.rank);
  return step.mu ? fmt::format("{} mu {}", point, *step.mu) : point;
}

double seconds_of(const PathStep& step) {
  const StageSeconds& stage = step.clustering.seconds;
  return stage.constraint + stage.eigen + stage.kmeans + stage.refine;
}

std::string path_labels_csv(const RankPath& path, const NodeNames& names) {
  std::string text = "node";
  auto out = std::back_inserter(text);
  for (const PathStep& step : path.steps) {
    std::string column = step_name(step);
    std::replace(column.begin(), column.end(), ' ', '_');
    text += ',' + column;
  }
  text += '\n';
  for (Index i = 0; i < names.size(); ++i) {
    text += csv_field(names[i]);
    for (const PathStep& step : path.steps) {
      fmt::format_to(out, ",{}", step.clustering.labels[static_cast<std::size_t>(i)]);
    }
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
