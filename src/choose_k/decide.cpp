// The rule that combines the signs, with the constrained spectrum if there is one, else the plain
// one. K is clear if all four hold:
//
//   gap        gap_ratio >= 2.5: the gap is 2.5 times as large as every later one that is known.
//              Clusters leave K eigenvalues below a bulk whose gaps are small; the gaps of a path
//              or a grid rise or vary, and none stands out.
//   stability  >= 0.4, and >= 1.5 / gap_ratio: the labels survive perturbations of the graph. The
//              gap of a random graph can stand out by chance, and that of a torus does by
//              symmetry, but then the eigenvectors turn with the noise.
//   cut        z >= 3: the clusters cut less than lots, beyond chance. Necessary but weak: k-means
//              finds low cuts in noise, too.
//   size       no cluster is smaller than a tenth of the average. A gap can be that of a few
//              nodes, such as a small component or a loose end of a sparse graph.
//
// Of several, the one with the largest gap times stability is recommended: in a hierarchy of
// clusters the most separated level. None: no clear K. The thresholds separate planted from null
// graphs (docs/methods.md, "How many clusters?").
#include "choose_k/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repsc {
namespace {

constexpr double least_gap_ratio = 2.5;
constexpr double least_stability = 0.4;
constexpr double least_product = 1.5;  // of gap ratio and stability
constexpr double least_z = 3;
constexpr double least_size = 0.1;  // of the average
constexpr std::size_t most_candidates = 3;

struct Verdict {
  bool gap = false;
  bool stable = false;
  bool cut = false;
  bool size = false;

  [[nodiscard]] bool clear() const { return gap && stable && cut && size; }
};

Verdict judge(const KRow& row, Index num_nodes) {
  const KSigns& signs = row.deciding();
  const double average = static_cast<double>(num_nodes) / row.num_clusters;
  const double stability = signs.stability.value_or(0);
  return {.gap = signs.gap_ratio >= least_gap_ratio,
          .stable = stability >= least_stability && stability * signs.gap_ratio >= least_product,
          .cut = signs.z >= least_z,
          .size = signs.smallest_cluster >= least_size * average};
}

/// For candidates, which need not be clear: the share of the least gap ratio, with what stability
/// leaves of it.
double promise(const KRow& row) {
  const KSigns& signs = row.deciding();
  return signs.gap_ratio * std::max(0.0, signs.stability.value_or(0));
}

double separation(const KRow& row) {
  return row.deciding().eigengap * row.deciding().stability.value_or(0);
}

std::string ratio_in_words(double ratio) {
  return ratio >= 100 ? "more than 100" : fmt::format("{:.1f}", ratio);
}

std::string components_in_words(const ClusterCount& found) {
  if (found.num_components == 1) return "";
  return fmt::format("; G has {} connected components", found.num_components);
}

std::string spectrum_in_words(const ClusterCount& found) {
  if (found.constraint == ConstraintSource::none) return "";
  return " of the constrained spectrum";
}

std::string reason_for(const KRow& row, const ClusterCount& found) {
  const KSigns& signs = row.deciding();
  std::string text = fmt::format(
      "the eigengap{} after {} is {} times as large as every later one, the labels survive "
      "perturbations of "
      "the graph (adjusted Rand index {:.2f}), and the cut is {:.0f} % below that of lots",
      spectrum_in_words(found), row.num_clusters, ratio_in_words(signs.gap_ratio), *signs.stability,
      100 * signs.share);
  std::string others;
  for (const KRow& other : found.rows) {
    if (!other.clear || other.num_clusters == row.num_clusters) continue;
    others += fmt::format("{}{}", others.empty() ? "" : ", ", other.num_clusters);
  }
  if (!others.empty()) text += fmt::format("; {} would be clear, too", others);
  return text + components_in_words(found);
}

/// Why the best candidate is not clear.
std::string objection(const KRow& row, const Verdict& verdict) {
  const KSigns& signs = row.deciding();
  if (!verdict.gap) {
    return fmt::format("no eigengap is {} times as large as every later one (K = {}: {:.1f} times)",
                       least_gap_ratio, row.num_clusters, signs.gap_ratio);
  }
  if (!verdict.size) {
    return fmt::format("the eigengap after {} is that of a cluster of {} nodes", row.num_clusters,
                       signs.smallest_cluster);
  }
  if (!verdict.stable) {
    return fmt::format(
        "the labels at K = {}, where the eigengap is largest, do not survive perturbations of the "
        "graph (adjusted Rand index {:.2f})",
        row.num_clusters, signs.stability.value_or(0));
  }
  return fmt::format("the clusters at K = {} cut no less than lots", row.num_clusters);
}

/// The range hides what lies above it.
std::string range_in_words(const ClusterCount& found) {
  const int last = found.rows.back().num_clusters;
  if (found.num_components <= last) return components_in_words(found);
  return fmt::format("; G has {} connected components, more than the largest K of the range",
                     found.num_components);
}

}  // namespace

void decide(Index num_nodes, ClusterCount& found) {
  if (found.out_of_time || found.rows.empty()) {
    found.reason = "no clear K: the time limit was reached before all signs were known";
    return;
  }
  std::vector<const KRow*> order;
  for (KRow& row : found.rows) {
    row.clear = judge(row, num_nodes).clear();
    order.push_back(&row);
  }
  std::stable_sort(order.begin(), order.end(), [](const KRow* x, const KRow* y) {
    if (x->clear != y->clear) return x->clear;
    return x->clear ? separation(*x) > separation(*y) : promise(*x) > promise(*y);
  });
  for (const KRow* row : order) {
    if (found.candidates.size() < most_candidates && promise(*row) > 0) {
      found.candidates.push_back(row->num_clusters);
    }
  }
  const KRow& best = *order.front();
  if (best.clear) {
    found.recommended = best.num_clusters;
    found.reason = fmt::format("K = {}: {}", best.num_clusters, reason_for(best, found));
  } else {
    const KRow& widest =
        **std::max_element(order.begin(), order.end(), [](const KRow* x, const KRow* y) {
          return x->deciding().gap_ratio < y->deciding().gap_ratio;
        });
    found.reason = fmt::format("no clear K: {}{}", objection(widest, judge(widest, num_nodes)),
                               range_in_words(found));
  }
}

}  // namespace repsc
