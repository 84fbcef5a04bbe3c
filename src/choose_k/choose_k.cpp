// The signs of every K.
//
// Stability is measured on perturbed graphs, not over seeds of k-means: at K = 2 every seed finds
// the same split of a random graph (agreement 1.00), because k-means has few local optima there,
// and at a planted K a single run of k-means can miss the optimum. Random factors between 0 and 2
// on the weights leave 0.05 to 0.4 in random graphs of 200 to 2000 nodes and 0.8 to 1 in planted
// ones twice above the limit of detection; factors between 0.5 and 1.5 leave up to 0.8 in random
// graphs, exponential ones 0.5 in planted ones. Each perturbed graph takes one eigenproblem for all
// K.
#include "repsc/choose_k.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choose_k/decide.hpp"
#include "choose_k/spectrum.hpp"
#include "cluster/steps.hpp"
#include "core/random.hpp"
#include "repsc/kmeans.hpp"

namespace repsc {
namespace {

constexpr int num_perturbed = 3;
/// Twice as far as the last K, so that its gap can be compared with others: the gaps of a tree
/// come at powers of two, and those of a long grid grow until the modes across it begin.
constexpr Index fewest_values = 32;
constexpr Index large = 20000;  // nodes: k-means takes fewer restarts, and stability a sample

/// Rows of length 1, as Algorithm 3 has them.
Matrix unit_rows(const Matrix& rows) {
  Vector lengths = rows.rowwise().norm();
  lengths = (lengths.array() > 0).select(lengths, 1.0);
  return rows.array().colwise() / lengths.array();
}

/// The nodes whose labels are compared: all, or evenly spaced ones.
std::vector<Index> compared_nodes(Index N) {
  const Index count = std::min(N, large);
  std::vector<Index> nodes(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    nodes[static_cast<std::size_t>(k)] = static_cast<Index>(std::int64_t{k} * N / count);
  }
  return nodes;
}

/// A spectrum and those of the perturbed graphs, of the compared nodes.
struct Family {
  ConstraintSource constraint = ConstraintSource::none;
  LowSpectrum spectrum;
  std::vector<Matrix> perturbed = {};
};

class Chooser {
 public:
  Chooser(const ClusterInput& input, const ChooseKOptions& options)
      : options_(options),
        data_(input),
        N_(input.similarity.num_nodes()),
        nodes_(compared_nodes(N_)) {
    require(N_ >= 4, "the similarity graph has ", N_,
            " nodes; at least 4 are needed to choose a number of clusters");
    require_option(options.from >= 2, "from", options.from, "it must be at least 2");
    require_option(options.from < N_, "from", options.from,
                   "it must be less than the number of nodes, ", N_);
    require_option(options.to >= options.from, "to", options.to, "it must be at least ",
                   options.from);
    options_.to = std::min<int>(options.to, N_ - 1);
  }

  ClusterCount run() {
    const Labels component = connected_components(data_.similarity());
    found_.num_components = 1 + *std::max_element(component.begin(), component.end());
    choose_constraint();
    Family plain = spectrum_of(ConstraintSource::none);
    std::optional<Family> constrained;
    if (found_.constraint != ConstraintSource::none && !out_of_time()) {
      constrained = spectrum_of(found_.constraint);
    }
    perturb(constrained ? *constrained : plain);
    for (int K = options_.from; K <= options_.to && !out_of_time(); ++K) {
      report(K);
      KRow row{.num_clusters = K, .random = draw_lots(data_.similarity(), {}, K, options_.seed)};
      row.random.ratio_cut = data_.in_given_unit(row.random.ratio_cut);
      row.plain = signs(plain, row);
      if (constrained) row.constrained = signs(*constrained, row);
      found_.rows.push_back(row);
    }
    decide(N_, found_);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool out_of_time() {
    found_.out_of_time = found_.out_of_time || options_.deadline.passed();
    return found_.out_of_time;
  }

  void report(int K) const {
    if (!options_.progress) return;
    options_.progress(
        {.stage = "clusters", .done = K - options_.from, .total = options_.to - options_.from + 1});
  }

  /// Groups exactly, which costs nothing; any other R softly.
  void choose_constraint() {
    if (!data_.has_representation()) return;
    const Representation& R = data_.representation().representation();
    const Labels cliques = R.by_groups() ? R.groups() : clique_groups(R.graph());
    const Index removed = cliques.empty() ? N_ : *std::max_element(cliques.begin(), cliques.end());
    const bool exact = N_ - removed > options_.to + 1;
    found_.constraint = exact ? ConstraintSource::exact : ConstraintSource::soft;
    found_.strength = exact ? 0 : choice_strength;
    removed_ = exact ? removed : 0;
  }

  [[nodiscard]] Index num_values(ConstraintSource constraint) const {
    const Index dimensions = constraint == ConstraintSource::exact ? N_ - removed_ : N_;
    return std::min(std::max<Index>(2 * options_.to + 2, fewest_values), dimensions);
  }

  Family spectrum_of(ConstraintSource constraint) {
    Family made{.constraint = constraint,
                .spectrum = low_spectrum(data_, constraint, num_values(constraint), options_)};
    found_.out_of_time = found_.out_of_time || made.spectrum.out_of_time;
    return made;
  }

  /// Those of perturbed graphs.
  void perturb(Family& family) {
    for (int copy = 0; copy < num_perturbed && !out_of_time(); ++copy) {
      const auto number = static_cast<std::uint64_t>(copy);
      const Graph other = perturbed(data_.similarity(), RandomStream(options_.seed, number).bits());
      ClusterInput input = data_.input();
      input.similarity = other;
      Pipeline pipeline(std::move(input));
      const LowSpectrum spectrum =
          low_spectrum(pipeline, family.constraint, num_values(family.constraint), options_);
      family.perturbed.push_back(spectrum.rows(nodes_, Eigen::all));
      found_.out_of_time = found_.out_of_time || spectrum.out_of_time;
    }
  }

  [[nodiscard]] Labels labels_of(const Matrix& rows, int K, bool unit, int restarts) const {
    const Matrix columns = rows.leftCols(K);
    return kmeans(unit ? unit_rows(columns) : columns, K,
                  {.restarts = restarts, .seed = options_.seed, .deadline = options_.deadline})
        .labels;
  }

  [[nodiscard]] KSigns signs(const Family& family, const KRow& row) const {
    const int K = row.num_clusters;
    const int restarts = N_ > large ? 4 : 10;
    KSigns result = gap_signs(family.spectrum, K);
    Labels labels = labels_of(family.spectrum.rows, K, false, restarts);
    Labels other = labels_of(family.spectrum.rows, K, true, restarts);
    result.cut = normalized_cut(data_.similarity(), labels, K);
    const double other_cut = normalized_cut(data_.similarity(), other, K);
    const bool unit = other_cut < result.cut;
    if (unit) labels = std::move(other);
    result.cut = std::min(result.cut, other_cut);
    const std::vector<Index> sizes = cluster_sizes(labels, K);
    result.smallest_cluster = *std::min_element(sizes.begin(), sizes.end());
    compare_with_lots(row.random, result);
    if (!family.perturbed.empty()) result.stability = stability(family, labels, K, unit);
    return result;
  }

  static KSigns gap_signs(const LowSpectrum& spectrum, int K) {
    const Vector& values = spectrum.values;
    const Eigen::Index count = values.size();
    constexpr Eigen::Index least_behind = 2;
    KSigns result;
    result.eigenvalue = values[K - 1];
    if (K >= count) return result;
    result.eigengap = values[K] - values[K - 1];
    if (count - 1 - K < least_behind || result.eigengap <= spectrum.error) return result;
    double largest = spectrum.error;
    for (Eigen::Index k = K; k + 1 < count; ++k) {
      largest = std::max(largest, values[k + 1] - values[k]);
    }
    result.gap_ratio = result.eigengap / largest;
    return result;
  }

  /// Where all lots cut the same, as on a complete graph, rounding errors are no spread.
  static void compare_with_lots(const Lots& lots, KSigns& result) {
    const double rounding = 1e-12 * lots.cut;
    const double below = lots.cut - result.cut;
    if (lots.cut <= 0) return;
    result.share = below / lots.cut;
    if (std::abs(below) > rounding) result.z = below / std::max(lots.cut_spread, rounding);
  }

  [[nodiscard]] double stability(const Family& family, const Labels& labels, int K,
                                 bool unit) const {
    constexpr int restarts = 3;
    Labels own(nodes_.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = labels[static_cast<std::size_t>(nodes_[i])];
    }
    double sum = 0;
    for (const Matrix& rows : family.perturbed) {
      sum += adjusted_rand_index(own, labels_of(rows, K, unit, restarts));
    }
    return sum / static_cast<double>(family.perturbed.size());
  }

  ChooseKOptions options_;
  Pipeline data_;
  Index N_;
  Index removed_ = 0;  // dimensions, by an exact constraint
  std::vector<Index> nodes_;
  ClusterCount found_;
};

}  // namespace

ClusterCount choose_k(const ClusterInput& input, const ChooseKOptions& options) {
  Chooser chooser(input, options);
  (void)plan(input, options.from);  // checks the sizes of the graphs
  try {
    return chooser.run();
  } catch (const NumericalFailure& failure) {
    throw with_weights(failure, input);
  }
}

}  // namespace repsc
