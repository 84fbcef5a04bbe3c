// Claims about d-regular representation graphs against N, K and d.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "experiments/regular.hpp"

namespace repsc::experiments {
namespace {

bool any(const Setting&) { return true; }

std::vector<Point> accuracy_of(const Summary& summary, Axis axis, bool normalized,
                               const char* base) {
  return method_curve(summary, Quantity::accuracy, normalized, base, any, abscissa(axis)).points;
}

ClaimNumber accuracy_number(const Point& point, Axis axis, const std::string& method) {
  return {fmt::format("{} = {}", axis_letter(axis), point.x), method + " accuracy", point.y,
          point.sd, point.count};
}

/// Which RepSC a claim is about: the paper's text has both.
struct Meaning {
  const char* reading;
  const char* repsc;
  const char* sc;
};
// The approximation of rank N/10 of a sampled R ("in all cases, we use R = P = N/10"), and R
// itself, of rank at most N - K ("while ensuring that [...] rank(R) <= N - k").
constexpr std::array meanings{Meaning{"", "repsc", "sc"},
                              Meaning{"exact-types", "repsc-types", "sc-types"}};

// The claims of these experiments say what they compare in common words.
Claim claim_of(const std::string& experiment, const char* id, Axis axis, bool normalized,
               const Meaning& meaning, std::string statement, std::string quote) {
  return {.id = experiment + id,
          .experiment = experiment,
          .family = family_name(normalized),
          .statement = std::move(statement),
          .source = Source::paper,
          .figure = fmt::format("Figure {}({})", normalized ? 5 : 1,
                                "abc"[static_cast<std::size_t>(axis)]),
          .quote = std::move(quote),
          .reading = meaning.reading};
}

Claim repsc_at_least_others(const Summary& summary, Axis axis, bool normalized,
                            const Meaning& meaning, const std::string& experiment,
                            const std::string& fixed) {
  const bool types = std::string(meaning.repsc) == "repsc-types";
  Claim claim = claim_of(
      experiment, "-repsc-first", axis, normalized, meaning,
      fmt::format("RepSC accuracy is at least that of {} for every {} ({})",
                  types ? "SC on the same R of types" : "FairSC and SC", axis_label(axis), fixed),
      "Figures 1 and 5 compare RepSC with SC and FairSC; \"a high accuracy implies that the "
      "algorithm returns representation-aware clusters\" (Section 5)");
  const auto repsc = accuracy_of(summary, axis, normalized, meaning.repsc);
  claim.holds = !repsc.empty();
  for (const Point& point : repsc) claim.data.push_back(accuracy_number(point, axis, "RepSC"));
  std::vector<const char*> others{meaning.sc};
  if (!types) others.push_back("fairsc");
  for (const char* base : others) {
    const auto other = accuracy_of(summary, axis, normalized, base);
    const std::string name = legend_name(method_name(normalized, base));
    double worst = std::numeric_limits<double>::infinity();
    double where = 0;
    for (std::size_t i = 0; i < std::min(repsc.size(), other.size()); ++i) {
      const double lead = repsc[i].y - other[i].y;
      if (lead < worst) worst = lead, where = repsc[i].x;
      claim.holds = claim.holds && at_least(repsc[i], other[i]);
      claim.data.push_back(accuracy_number(other[i], axis, base == meaning.sc ? "SC" : "FairSC"));
    }
    claim.numbers += fmt::format("{}smallest lead over {} {:+.3f} at {}",
                                 claim.numbers.empty() ? "" : "; ", name, worst, where);
  }
  return claim;
}

// SC and RepSC at the right end of the axis.
Claim at_the_end(const Summary& summary, Axis axis, bool normalized, const Meaning& meaning,
                 const std::string& experiment) {
  constexpr double near = 0.05, high = 0.9;
  const bool closes = axis == Axis::nodes;
  Claim claim = claim_of(
      experiment, closes ? "-sc-catches-up" : "-sc-stays-behind", axis, normalized, meaning,
      closes
          ? "SC returns representation-aware clusters for a large enough graph: at the largest N "
            "its accuracy is at least 0.9 and at least RepSC's minus 0.05"
          : "SC does not when the number of clusters increases: at the largest K its accuracy "
            "is below 0.9 and RepSC's is higher",
      closes ? "\"even USC will return representation-aware clusters for a large enough graph\" "
               "(Section 5)"
             : "\"this is not true if the number of clusters increases with N\" (Section 5)");
  const auto repsc = accuracy_of(summary, axis, normalized, meaning.repsc);
  const auto sc = accuracy_of(summary, axis, normalized, meaning.sc);
  if (repsc.empty() || sc.empty()) return claim;
  const Point &a = repsc.back(), &b = sc.back();
  Point nearly = a;
  nearly.y -= near;
  claim.holds = closes ? at_least(b, constant(high)) && at_least(b, nearly)
                       : higher(constant(high), b) && higher(a, b);
  claim.numbers =
      fmt::format("at {} = {}: SC {:.3f}, RepSC {:.3f}", axis_label(axis), b.x, b.y, a.y);
  claim.data = {accuracy_number(b, axis, "SC"), accuracy_number(a, axis, "RepSC")};
  return claim;
}

// Ours: whether a method splits off single nodes, which explains an accuracy like that of lots.
Claim single_nodes(const Summary& summary, Axis axis, bool normalized,
                   const std::string& experiment) {
  Claim claim{.id = experiment + "-single-nodes",
              .experiment = experiment,
              .family = family_name(normalized),
              .statement = fmt::format(
                  "SC and RepSC (approx.) find no clusters of a single node, for every {}",
                  axis_label(axis)),
              .holds = true};
  for (const char* base : {"sc", "repsc"}) {
    const auto points = [&](Quantity quantity) {
      return method_curve(summary, quantity, normalized, base, any, abscissa(axis)).points;
    };
    const auto single = points(Quantity::single_nodes);
    const auto largest = points(Quantity::largest_cluster);
    const std::string name = base == std::string("sc") ? "SC" : "RepSC";
    for (std::size_t i = 0; i < single.size(); ++i) {
      claim.holds = claim.holds && single[i].y == 0;
      const std::string where = fmt::format("{} = {}", axis_letter(axis), single[i].x);
      claim.data.push_back(
          {where, name + " clusters of one node", single[i].y, single[i].sd, single[i].count});
      claim.data.push_back(
          {where, name + " largest cluster", largest[i].y, largest[i].sd, largest[i].count});
    }
    if (single.empty()) continue;
    claim.numbers += fmt::format("{}{} at {} = {}: {:.1f} clusters of one node, largest {:.0f}",
                                 claim.numbers.empty() ? "" : "; ", name, axis_letter(axis),
                                 single.back().x, single.back().y, largest.back().y);
  }
  claim.holds = claim.holds && !claim.numbers.empty();
  return claim;
}

}  // namespace

std::vector<Claim> compared_claims(const Summary& summary, Axis axis, const std::string& id,
                                   const std::string& fixed) {
  std::vector<Claim> claims;
  for (const bool normalized : {false, true}) {
    for (const Meaning& meaning : meanings) {
      if (!summary.has_method(method_name(normalized, meaning.repsc))) continue;
      claims.push_back(repsc_at_least_others(summary, axis, normalized, meaning, id, fixed));
      if (axis != Axis::degree)
        claims.push_back(at_the_end(summary, axis, normalized, meaning, id));
    }
    claims.push_back(single_nodes(summary, axis, normalized, id));
  }
  return claims;
}

}  // namespace repsc::experiments
