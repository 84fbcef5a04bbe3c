// Targets on the command line.
#include "target_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "options.hpp"

namespace repsc::cli {
namespace {

constexpr std::size_t shown_nodes = 10;

void add_balance_target(CLI::App& command, const char* flag, std::optional<double>& target,
                        const char* description) {
  command
      .add_option_function<double>(
          flag, [&target](double value) { target = value; }, description)
      ->type_name("FLOAT")
      ->check(probability());
}

double parse_percent(const std::string& text) {
  double percent = 0;
  const bool marked = text.size() > 1 && text.back() == '%';
  if (!marked || !CLI::detail::lexical_cast(text.substr(0, text.size() - 1), percent) ||
      !(percent >= 0) || !std::isfinite(percent)) {
    refuse_value("--max-cut-increase", text, "a percentage of at least 0, such as 10%");
  }
  return percent / 100;
}

/// In percent; nothing that would be shown as -0.0.
double increase_of(const TargetResult& result) {
  const double percent = result.plain_cut > 0 ? 100 * (result.cut / result.plain_cut - 1) : 0;
  return percent < 0 && percent > -0.05 ? 0 : percent;
}

}  // namespace

void add_target_options(CLI::App& command, Targets& targets) {
  add_balance_target(command, "--target-balance", targets.average_balance,
                     "find the lowest cut with at least this average balance; start, strength and "
                     "mu are chosen automatically, --method selects only the family (needs R)");
  add_balance_target(
      command, "--target-individual", targets.individual_balance,
      "find the lowest cut with at least this balance for every node that can reach it");
  command
      .add_option_function<std::string>(
          "--max-cut-increase",
          [&targets](const std::string& text) { targets.max_cut_increase = parse_percent(text); },
          "maximum increase of the cut over plain clustering; alone: find the largest average "
          "balance within this limit")
      ->type_name("PERCENT%");
}

void report_unreachable(const std::vector<UnreachableNode>& nodes, double alpha, int num_clusters,
                        const NodeNames& names, Console& console) {
  if (nodes.empty()) return;
  console.note("{} of {} cannot reach balance {:g} in any clustering:",
               grouped(static_cast<std::int64_t>(nodes.size())), counted(names.size(), "node"),
               alpha);
  std::map<Index, std::vector<Index>> by_count;
  for (const UnreachableNode& node : nodes) by_count[node.representatives].push_back(node.node);
  for (const auto& [count, members] : by_count) {
    std::string list;
    for (std::size_t i = 0; i < std::min(members.size(), shown_nodes); ++i) {
      list += (i == 0 ? "" : ", ") + names[members[i]];
    }
    if (members.size() > shown_nodes) {
      list += fmt::format(" and {} more",
                          grouped(static_cast<std::int64_t>(members.size() - shown_nodes)));
    }
    const Index least = count / num_clusters;
    const std::string why =
        least == 0 ? "fewer than clusters, so at most 0"
                   : fmt::format("{}/{} at best", least, (count + num_clusters - 1) / num_clusters);
    console.note("  {} ({}): {}", counted(count, "representative"), why, list);
  }
}

void report_limit(double average_balance, double limit, Console& console) {
  if (average_balance <= limit) return;
  console.note(
      "no clustering can have an average balance above {:.4f}, the mean of floor(r/K) / ceil(r/K) "
      "over nodes with r representatives; looking for the nearest result to {:g}",
      limit, average_balance);
}

void summarize_target(const TargetFacts& facts, Console& console) {
  const TargetResult& result = facts.result;
  console.note_at_end(
      "target {}: average balance {:.4f}, {} cut {:.6g}, {:+.1f} % against plain clustering; from "
      "{}, mu {:.4g}, the best of {} searches",
      result.met ? "met" : "missed", result.average_balance,
      result.cut_kind == CutKind::ratio ? "ratio" : "normalized", result.cut, increase_of(result),
      result.start, result.mu, grouped(result.tried));
  if (!facts.targets.individual_balance) return;
  console.note_at_end("  {} with balance {:g} or more, {} below, {} that cannot reach it",
                      counted(result.satisfied, "node"), *facts.targets.individual_balance,
                      result.below.size(), result.unreachable.size());
}

std::string missed(const TargetFacts& facts) {
  const Targets& targets = facts.targets;
  const TargetResult& result = facts.result;
  std::string why;
  if (targets.average_balance && *targets.average_balance > result.balance_limit) {
    why = fmt::format(
        "no clustering can have an average balance above {:.4f}, the mean of floor(r/K) / "
        "ceil(r/K) over nodes with r representatives, which is below --target-balance {:g}; the "
        "best found is {:.4f}",
        result.balance_limit, *targets.average_balance, result.average_balance);
  } else if (targets.average_balance && result.average_balance < *targets.average_balance) {
    why = fmt::format("the best average balance found is {:.4f}, below --target-balance {:g}",
                      result.average_balance, *targets.average_balance);
  } else if (!result.below.empty()) {
    why = fmt::format("{} of the best clustering found {} below --target-individual {:g}",
                      counted(static_cast<std::int64_t>(result.below.size()), "node"),
                      result.below.size() == 1 ? "is" : "are", *targets.individual_balance);
  } else {
    why = fmt::format(
        "the lowest cut found is {:.4g} % above plain clustering, more than --max-cut-increase "
        "{:g}%",
        increase_of(result), 100 * targets.max_cut_increase.value_or(0));
  }
  return "target not met: " + why + " (results are written)";
}

}  // namespace repsc::cli
