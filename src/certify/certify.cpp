// The certificate: the maximum of the dual function over the strength.
#include "repsc/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certify/search.hpp"
#include "cluster/steps.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

void check(const Pipeline& data, const Labels& labels, int K, const CertifyOptions& options) {
  require_option(options.tolerance > 0 && options.tolerance < 1, "tolerance", options.tolerance,
                 "it must be above 0 and below 1");
  require_option(options.max_eigenproblems >= 1, "max_eigenproblems", options.max_eigenproblems,
                 "it must be at least 1");
  if (options.plain_cut) {
    require_option(*options.plain_cut >= 0 && std::isfinite(*options.plain_cut), "plain_cut",
                   *options.plain_cut, "it must be a finite number of at least 0");
  }
  require(labels.size() == static_cast<std::size_t>(data.similarity().num_nodes()), labels.size(),
          " labels for a graph of ", data.similarity().num_nodes(), " nodes");
  const std::vector<Index> sizes = cluster_sizes(labels, K);
  const auto empty = std::find(sizes.begin(), sizes.end(), 0);
  if (empty == sizes.end()) return;
  throw InvalidInput(
      Fault{.what = joined("the labels leave cluster ", empty - sizes.begin(), " of ", K,
                           " empty, but the bound is for clusters that all have nodes"),
            .option = "num_clusters",
            .value = joined(K),
            .remedies = {advice("number the clusters without gaps")}});
}

double ratio_minus_one(double value, double reference) {
  if (reference > 0) return value / reference - 1;
  return value > 0 ? std::numeric_limits<double>::infinity() : 0;
}

Certificate computed(Pipeline& data, const Labels& labels, int K, const CertifyOptions& options) {
  const Stopwatch watch;
  check(data, labels, K, options);
  Dual dual(data, labels, K, options);
  const DualMaximum found = maximize(dual, options);
  const auto in_given_unit = [&](double value) {
    return options.cut == CutKind::ratio ? data.in_given_unit(value) : value;
  };
  Certificate result{.cut_kind = options.cut, .plain_cut = options.plain_cut};
  result.deviation = dual.has_penalty() ? in_given_unit(dual.labels().deviation)
                                        : std::numeric_limits<double>::quiet_NaN();
  result.lower_bound = in_given_unit(0.5 * found.value);
  result.cut = in_given_unit(dual.labels().cut);
  // The own cut of the labels is at least the bound; rounding errors of both may say otherwise.
  result.gap = std::max(0.0, ratio_minus_one(result.cut, result.lower_bound));
  result.strength = found.strength;
  if (options.plain_cut && (*options.plain_cut > 0 || result.lower_bound == 0)) {
    result.price_of_fairness_at_least =
        std::max(0.0, ratio_minus_one(result.lower_bound, *options.plain_cut));
  }
  result.verified = found.verified;
  result.reason = found.reason;
  result.num_eigenproblems = dual.num_solved();
  result.out_of_time = found.out_of_time;
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

Certificate certify(Pipeline& data, const Labels& labels, int num_clusters,
                    const CertifyOptions& options) {
  try {
    return computed(data, labels, num_clusters, options);
  } catch (const NumericalFailure& failure) {
    throw with_weights(failure, data.input());
  }
}

Certificate certify(const Graph& similarity, const Representation& representation,
                    const Labels& labels, int num_clusters, const CertifyOptions& options) {
  Pipeline data(cluster_input(similarity, representation));
  return certify(data, labels, num_clusters, options);
}

Certificate certify(const Graph& similarity, const Labels& labels, int num_clusters,
                    const CertifyOptions& options) {
  Pipeline data(ClusterInput{similarity});
  return certify(data, labels, num_clusters, options);
}

}  // namespace repsc
