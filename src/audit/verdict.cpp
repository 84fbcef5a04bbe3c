// What the numbers say, in whole sentences, by fixed rules.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "repsc/audit.hpp"

namespace repsc {
namespace {

/// "1,200".
std::string grouped_digits(std::int64_t number) {
  std::string text = fmt::format("{}", number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string people(std::int64_t number) {
  return number == 1 ? "1 person" : fmt::format("{} people", grouped_digits(number));
}

/// "71 %", "0.4 %", "below 0.1 %".
std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.1) return "less than 0.1 %";
  return std::abs(value) < 9.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string has_or_have(std::int64_t number) { return number == 1 ? "has" : "have"; }

/// Nobody has a cluster without representatives.
std::string everybody_represented(const Audit& audit) {
  const Index represented = audit.num_nodes - audit.num_isolated;
  const std::string who =
      represented == 1 ? "The only person" : fmt::format("All {}", people(represented));
  std::string text =
      audit.num_isolated > 0
          ? fmt::format("{} who {} representatives {} one in every cluster", who,
                        has_or_have(represented), has_or_have(represented))
          : fmt::format("{} {} a representative in every cluster", who, has_or_have(represented));
  if (audit.num_below > 0) {
    text += audit.num_below == represented
                ? ", but unevenly"
                : fmt::format(", but {} of them unevenly", grouped_digits(audit.num_below));
  }
  return text;
}

std::string missing_sentence(const Audit& audit) {
  std::string text =
      audit.num_missing == 0
          ? everybody_represented(audit)
          : fmt::format("Of {}, {} {} no representative in some cluster", people(audit.num_nodes),
                        grouped_digits(audit.num_missing), has_or_have(audit.num_missing));
  if (audit.num_isolated > 0) {
    text += fmt::format("; {} {} nobody besides themselves to represent them",
                        grouped_digits(audit.num_isolated), has_or_have(audit.num_isolated));
  }
  return text + ".";
}

std::string balance_sentence(const Audit& audit, const VerdictFacts& facts) {
  std::string text = fmt::format(
      "On average, the cluster where a person is represented least has {} of the representatives "
      "that the cluster where they are represented most has",
      percent(audit.metrics.average_balance));
  if (facts.baselines && !std::isnan(facts.baselines->random.average_balance)) {
    text += fmt::format("; drawing lots would give {}, plain clustering gives {}",
                        percent(facts.baselines->random.average_balance),
                        percent(facts.baselines->plain.average_balance));
  }
  return text + ".";
}

std::string threshold_sentence(const Audit& audit, const VerdictFacts& facts) {
  const char* who = facts.threshold_given            ? "the threshold that was given"
                    : audit.threshold == four_fifths ? "the default, after the four-fifths rule"
                                                     : "the default";
  if (audit.num_below == 0) {
    return fmt::format("For nobody is this share below {} ({}).", percent(audit.threshold), who);
  }
  std::string text = fmt::format(
      "For {} ({}) this share is below {} ({})", people(audit.num_below),
      percent(static_cast<double>(audit.num_below) / std::max<Index>(1, audit.num_nodes)),
      percent(audit.threshold), who);
  if (audit.num_out_of_reach > 0) {
    text += fmt::format("; {} of them have too few representatives for any clustering to reach it",
                        grouped_digits(audit.num_out_of_reach));
  }
  return text + ".";
}

std::string cost_sentence(const Audit& audit, const VerdictFacts& facts) {
  if (!facts.baselines || facts.baselines->plain.cut <= 0) return "";
  const double more = audit.metrics.normalized_cut / facts.baselines->plain.cut - 1;
  constexpr double same = 5e-4;
  std::string text;
  if (more > same) {
    text = fmt::format("These clusters cut {} more than plain clustering (normalized cut)",
                       percent(more));
  } else if (more < -same) {
    text = fmt::format("These clusters cut {} less than plain clustering (normalized cut)",
                       percent(-more));
  } else {
    text = "These clusters cut as much as plain clustering (normalized cut)";
  }
  if (facts.price_at_least && *facts.price_at_least > same) {
    text += fmt::format(
        "; no clustering this fair by the certificate's measure can do with less "
        "than {} more",
        percent(*facts.price_at_least));
  }
  if (facts.baselines->like_random(audit.metrics.normalized_cut)) {
    text += "; that is no better than clusters drawn by lot";
  }
  return text + ".";
}

std::string group_sentence(const Audit& audit) {
  if (audit.groups.empty()) return "";
  Index low = 0;
  Index high = 0;
  for (const GroupCell& cell : audit.groups) {
    low += cell.beyond_chance() < 0 ? 1 : 0;
    high += cell.beyond_chance() > 0 ? 1 : 0;
  }
  const auto cells = static_cast<std::int64_t>(audit.groups.size());
  const double by_chance = 0.05 * static_cast<double>(cells);
  return fmt::format(
      "Of {} combinations of group and cluster, {} {} fewer people and {} {} more than random "
      "assignment gives with 95 % probability; chance alone would put {} outside of that range.",
      grouped_digits(cells), low, has_or_have(low), high, has_or_have(high),
      by_chance < 1 ? "less than one" : fmt::format("about {:.0f}", by_chance));
}

}  // namespace

std::vector<std::string> verdict(const Audit& audit, const VerdictFacts& facts) {
  std::vector<std::string> sentences{missing_sentence(audit), balance_sentence(audit, facts),
                                     threshold_sentence(audit, facts), cost_sentence(audit, facts),
                                     group_sentence(audit)};
  std::erase(sentences, "");
  return sentences;
}

}  // namespace repsc
