// Means and standard deviations over repeats.
#include "experiments/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/rows.hpp"

namespace repsc::experiments {
namespace {

std::string key_without_run(Setting setting) {
  setting.run = 0;
  setting.seed = 0;
  return key(setting);
}

std::string written(double value) { return std::isnan(value) ? "" : fmt::format("{:.10g}", value); }

}  // namespace

std::string name(Quantity quantity) {
  switch (quantity) {
    case Quantity::accuracy:
      return "accuracy";
    case Quantity::misclustered:
      return "misclustered";
    case Quantity::ratio_cut:
      return "ratio_cut";
    case Quantity::normalized_cut:
      return "normalized_cut";
    case Quantity::average_balance:
      return "average_balance";
    case Quantity::minimum_balance:
      return "minimum_balance";
    case Quantity::balance_per_ratio_cut:
      return "balance_per_ratio_cut";
    case Quantity::balance_per_normalized_cut:
      return "balance_per_normalized_cut";
    case Quantity::rate:
      return "rate";
    case Quantity::structure_kept:
      return "structure_kept";
    case Quantity::fairness_gained:
      return "fairness_gained";
    case Quantity::smallest_cluster:
      return "smallest_cluster";
    case Quantity::largest_cluster:
      return "largest_cluster";
    case Quantity::single_nodes:
      return "single_nodes";
    case Quantity::seconds:
      return "seconds";
    case Quantity::total_seconds:
      return "total_seconds";
  }
  return "";
}

double value(const Outcome& outcome, Quantity quantity) {
  switch (quantity) {
    case Quantity::accuracy:
      return outcome.accuracy;
    case Quantity::misclustered:
      return 2 * (1 - outcome.accuracy);
    case Quantity::ratio_cut:
      return outcome.ratio_cut;
    case Quantity::normalized_cut:
      return outcome.normalized_cut;
    case Quantity::average_balance:
      return outcome.average_balance;
    case Quantity::minimum_balance:
      return outcome.minimum_balance;
    case Quantity::balance_per_ratio_cut:
      return outcome.average_balance / outcome.ratio_cut;
    case Quantity::balance_per_normalized_cut:
      return outcome.average_balance / outcome.normalized_cut;
    case Quantity::rate:
      return outcome.rate;
    case Quantity::structure_kept:
      return outcome.structure_kept;
    case Quantity::fairness_gained:
      return outcome.fairness_gained;
    case Quantity::smallest_cluster:
      return outcome.smallest_cluster;
    case Quantity::largest_cluster:
      return outcome.largest_cluster;
    case Quantity::single_nodes:
      return outcome.single_nodes;
    case Quantity::seconds:
      return outcome.seconds;
    case Quantity::total_seconds:
      return outcome.seconds + outcome.shared_seconds;
  }
  return unknown;
}

Statistics statistics(const std::vector<double>& values) {
  Statistics result;
  double sum = 0;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    sum += x;
    ++result.count;
  }
  if (result.count == 0) return result;
  result.mean = sum / result.count;
  double squares = 0;
  for (const double x : values) {
    if (std::isfinite(x)) squares += (x - result.mean) * (x - result.mean);
  }
  result.sd = result.count > 1 ? std::sqrt(squares / (result.count - 1)) : 0;
  return result;
}

Summary::Summary(const std::vector<Row>& rows) {
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<const Row*>> repeats;
  for (const Row& row : rows) {
    const auto [found, isnew] = place.try_emplace(key_without_run(row.setting), repeats.size());
    if (isnew) {
      repeats.emplace_back();
      rows_.push_back({row.setting, {}});
    }
    repeats[found->second].push_back(&row);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const Quantity quantity : quantities) {
      std::vector<double> values;
      for (const Row* row : repeats[i]) values.push_back(value(row->outcome, quantity));
      rows_[i].values[static_cast<std::size_t>(quantity)] = statistics(values);
    }
  }
}

std::vector<Point> Summary::curve(Quantity quantity, const Choice& choice,
                                  const Abscissa& x) const {
  std::vector<Point> points;
  for (const SummaryRow& row : rows_) {
    const Statistics& y = row[quantity];
    if (choice(row.setting) && y.count > 0)
      points.push_back({x(row.setting), y.mean, y.sd, y.count});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return points;
}

std::vector<double> Summary::distinct(const Abscissa& x) const {
  std::vector<double> values;
  values.reserve(rows_.size());
  for (const SummaryRow& row : rows_) values.push_back(x(row.setting));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

bool Summary::has_method(const std::string& method) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const SummaryRow& row) { return row.setting.method == method; });
}

std::string Summary::csv() const {
  std::string text =
      "experiment,reading,family,method,nodes,clusters,degree,rank,groups,strength,mu,p,q,r,s,n";
  for (const Quantity quantity : quantities)
    text += fmt::format(",{0}_mean,{0}_sd", name(quantity));
  text += '\n';
  for (const SummaryRow& row : rows_) {
    const std::string whole = key(row.setting);  // ends in ",run,seed"
    text += whole.substr(0, whole.rfind(',', whole.rfind(',') - 1));
    text += fmt::format(",{}", row[Quantity::seconds].count);
    for (const Quantity quantity : quantities)
      text += ',' + written(row[quantity].mean) + ',' + written(row[quantity].sd);
    text += '\n';
  }
  return text;
}

}  // namespace repsc::experiments
