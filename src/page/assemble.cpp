// What is on the page: audits of the clusterings, baselines, other clusters, a certificate.
#include <algorithm>

#include "repsc/page.hpp"

namespace repsc {
namespace {

Representation representatives_of(const ClusterInput& input) {
  if (input.representation) return Representation(*input.representation);
  require(input.groups.has_value(), "a report needs a representation graph or groups");
  return Representation(*input.groups);
}

class Assembler {
 public:
  Assembler(const ClusterInput& input, int num_clusters, const PageOptions& options)
      : options_(options),
        pipeline_(input),
        K_(num_clusters),
        searched_(input.similarity.num_nodes() <= options.most_nodes_searched && num_clusters > 1) {
    PageData& data = page_.data;
    data.similarity = input.similarity;
    data.representation = representatives_of(input);
    data.groups = input.groups;
    data.threshold_given = options.threshold.has_value();
  }

  AssembledPage run(std::vector<ShownClusters> shown) {
    require(!shown.empty(), "a report needs a clustering");
    PageData& data = page_.data;
    const ShownClusters own = shown.back();
    find_baselines();
    if (searched_ && options_.path && shown.size() == 1) add_alternatives(shown);
    audit_all(shown);
    data.start = static_cast<std::size_t>(
        std::find_if(data.points.begin(), data.points.end(),
                     [&](const PagePoint& point) { return point.name == own.name; }) -
        data.points.begin());
    if (searched_ && options_.certificate) prove(own.labels);
    data.lots_histogram = lots_histogram(data.representation, K_, options_.seed);
    return std::move(page_);
  }

 private:
  void find_baselines() {
    PageData& data = page_.data;
    data.baselines = options_.baselines;
    if (data.baselines || K_ < 2) return;
    try {
      data.baselines =
          baselines(pipeline_, K_, {.seed = options_.seed, .progress = options_.progress});
      if (!data.baselines) {
        page_.missing.push_back({"no baselines", InvalidInput("a node of G is isolated")});
      }
    } catch (const InvalidInput& error) {
      page_.missing.push_back({"no baselines", error});
    }
  }

  void add_alternatives(std::vector<ShownClusters>& shown) {
    try {
      for (Alternative& each :
           alternatives(pipeline_, shown.back().labels, K_, options_.seed, options_.with_default)) {
        shown.push_back({std::move(each.name), std::move(each.what), std::move(each.labels)});
      }
    } catch (const InvalidInput& error) {  // as an isolated node
      page_.missing.push_back({"no other clusters", error});
    }
  }

  void audit_all(const std::vector<ShownClusters>& shown) {
    PageData& data = page_.data;
    // In base64 a person takes about 4/3 (46 + 8 K) bytes at each point, and the page is to stay
    // below 1.5 MB.
    const double bytes = 4.0 / 3 * (46 + 8.0 * K_) * static_cast<double>(shown.size());
    const auto people = static_cast<std::size_t>(std::clamp(1e6 / bytes, 50.0, 1000.0));
    const AuditOptions how{.threshold = options_.threshold.value_or(four_fifths),
                           .most_people = people};
    data.points.reserve(shown.size());
    for (const ShownClusters& each : shown) {
      data.points.push_back(
          {each.name, each.what, each.labels,
           audit(data.similarity, data.representation, each.labels, K_, data.groups, how)});
    }
    std::stable_sort(data.points.begin(), data.points.end(),
                     [](const PagePoint& x, const PagePoint& y) {
                       return x.audit.metrics.average_balance < y.audit.metrics.average_balance;
                     });
  }

  void prove(const Labels& labels) {
    PageData& data = page_.data;
    CertifyOptions how{.seed = options_.seed, .progress = options_.progress};
    if (data.baselines) how.plain_cut = data.baselines->plain.cut;
    try {
      const bool known = options_.known && options_.known->cut_kind == CutKind::normalized;
      data.certificate = known ? *options_.known : certify(pipeline_, labels, K_, how);
      data.any_bound = certify(data.similarity, labels, K_, how).lower_bound;
    } catch (const InvalidInput& error) {
      page_.missing.push_back({"no certificate", error});
    }
  }

  const PageOptions& options_;
  Pipeline pipeline_;
  int K_;
  bool searched_;
  AssembledPage page_ = {};
};

}  // namespace

AssembledPage assemble_page(const ClusterInput& input, const std::vector<ShownClusters>& shown,
                            int num_clusters, const PageOptions& options) {
  return Assembler(input, num_clusters, options).run(shown);
}

}  // namespace repsc
