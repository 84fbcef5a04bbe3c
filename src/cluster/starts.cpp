// The candidates of a search before refinement. Further methods are added here.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cluster/candidates.hpp"
#include "cluster/even.hpp"
#include "cluster/methods.hpp"
#include "cluster/rotation.hpp"
#include "cluster/warm_solver.hpp"
#include "core/compact_labels.hpp"
#include "refine/settle.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

Plan with_method(Plan plan, Method method, const ConstraintPlan& constraint) {
  plan.method = method;
  return with_constraint(std::move(plan), constraint);
}

/// Adds the clustering, with both scalings of the rows if the plan says so.
void add(const std::string& name, const Graph& similarity, Clustering found, const Plan& plan,
         std::vector<Start>& starts) {
  if (plan.better_rows) {
    starts.push_back({name + ", rows of length 1", with_unit_rows(similarity, found, plan)});
  }
  starts.push_back({name, std::move(found)});
}

/// The eigenvectors of an embedding whose rows are those of T = D^-1/2 X, without the first, which
/// is known. Nothing if they have been scaled to length 1.
Matrix vectors_of(const Clustering& found, const Laplacian& L, const Plan& plan) {
  if (plan.embedding_rows == EmbeddingRows::unit) return {};
  return L.scale().cwiseInverse().asDiagonal() *
         found.embedding.rightCols(found.embedding.cols() - 1);
}

/// Of groups, or of an R that is a union of cliques.
Index num_groups(const Representation& R) {
  if (R.by_groups()) return R.num_sets();
  const Labels cliques = clique_groups(R.graph());
  return 1 + *std::max_element(cliques.begin(), cliques.end());
}

/// Whether a further sweep takes a good part of the time of the eigenvectors.
bool is_large(const Graph& graph) { return graph.num_entries() > 1'000'000; }

/// Moves and swaps nodes while that lowers the normalized cut. k-means can end 20 % above the cut
/// of other ways to round the same embedding, and this below all of them (docs/beyond.md, "Plain
/// clustering"). On a large graph without visible clusters moves find a little for ever: there
/// only sweeps that gain much more than is asked for elsewhere, and no escapes.
Labels with_lower_cut(const Graph& similarity, const Plan& plan, Labels labels) {
  const int K = plan.num_clusters;
  constexpr std::int64_t most_cells = std::int64_t{1} << 31U;  // of the table of links
  if (compact(labels).count != K || std::int64_t{similarity.num_nodes()} * K > most_cells) {
    return labels;
  }
  const Representation nobody(Labels(labels.size(), 0));  // balance has no weight
  const RefinementProblem problem{.G = similarity,
                                  .R = nobody,
                                  .K = K,
                                  .max_rounds = is_large(similarity) ? 0 : 100,
                                  .anneal = false,
                                  .least_gain_scale = is_large(similarity) ? 30.0 : 1.0,
                                  .seed = plan.options.seed,
                                  .progress = plan.options.progress,
                                  .deadline = plan.options.deadline};
  return search_at(problem, labels, 0).labels;
}

/// Labels of an embedding, as it is or with rows of length 1.
struct Rounding {
  Labels labels;
  bool unit = false;
  double cut = 0;  // normalized; see measure()
};

void measure(const Graph& similarity, const Plan& plan, std::vector<Rounding>& roundings) {
  for (Rounding& each : roundings)
    each.cut = normalized_cut(similarity, each.labels, plan.num_clusters, plan.device);
}

/// Lowest cut first.
void sort_by_cut(std::vector<Rounding>& roundings) {
  std::ranges::stable_sort(roundings, {}, &Rounding::cut);
}

/// Adds roundings other than that of k-means, if they have as many clusters.
void add_rotated(const Matrix& embedding, int K, std::vector<Rounding>& roundings) {
  constexpr int most_clusters = 100;  // beyond, the rotations take longer than k-means
  if (K > most_clusters || embedding.cols() != K) return;
  for (const Labels& labels : labels_by_rotation(embedding)) {
    CompactLabels own = compact(labels);
    if (own.count == K) roundings.push_back({std::move(own.labels)});
  }
}

}  // namespace

BetterRows better_rows(Clustering found, const Graph& similarity, const Plan& plan) {
  const int K = plan.num_clusters;
  Clustering other = with_unit_rows(similarity, found, plan);
  found.seconds.kmeans += other.seconds.kmeans;
  std::vector<Rounding> roundings{{std::move(found.labels)}, {std::move(other.labels), true}};
  Stopwatch watch;
  if (plan.lowers_cut) add_rotated(found.embedding, K, roundings);
  measure(similarity, plan, roundings);
  const double kmeans_cut = std::min(roundings[0].cut, roundings[1].cut);
  sort_by_cut(roundings);
  found.seconds.kmeans += watch.seconds();
  if (plan.lowers_cut) {
    watch = {};
    roundings.resize(is_large(similarity) ? 1 : 2);
    for (Rounding& each : roundings)
      each.labels = with_lower_cut(similarity, plan, std::move(each.labels));
    measure(similarity, plan, roundings);
    sort_by_cut(roundings);
    found.seconds.refine += watch.seconds();
  }
  const Rounding& best = roundings.front();
  other.seconds = found.seconds;
  Clustering& base = best.unit ? other : found;
  base.labels = best.labels;
  base.out_of_time = base.out_of_time || plan.options.deadline.passed();
  return {std::move(base), kmeans_cut};
}

Plan plain_plan(const Plan& plan) { return with_method(plan, Method::nsc, {}); }

PlainStarts plain_starts(Pipeline& data, const Plan& plan) {
  const Plan plain = plain_plan(plan);
  Clustering found = nsc(data, plain);
  found.method = Method::nsc;
  PlainStarts result{.starts = {}, .vectors = vectors_of(found, data.laplacian(plain), plain)};
  std::vector<Start>& starts = result.starts;
  add(name(Method::nsc), data.similarity(), std::move(found), plain, starts);
  const auto cut = [&](const Start& start) {
    return normalized_cut(data.similarity(), start.clustering.labels, plan.num_clusters,
                          plan.device);
  };
  if (starts.size() > 1 && cut(starts[1]) < cut(starts[0])) std::swap(starts[0], starts[1]);
  return result;
}

std::vector<Start> exact_starts(Pipeline& data, const Plan& plan) {
  if (!plan.search->exact) return {};
  const Index N = data.similarity().num_nodes();
  const Representation& R = data.representation().representation();
  const Plan exact = with_method(plan, Method::nrepsc, {.source = ConstraintSource::exact});
  if (takes_whole_spectrum(R)) {
    const auto spectrum = data.representation().spectrum(N, spectrum_options(exact));
    if (N - spectrum->constraint_rank() < plan.num_clusters) return {};
  } else if (N - num_groups(R) < plan.num_clusters) {
    return {};
  }
  Clustering found = nrepsc(data, exact);
  found.method = Method::nrepsc;
  std::vector<Start> starts;
  add("nrepsc with R exactly", data.similarity(), std::move(found), exact, starts);
  return starts;
}

std::vector<Start> rank_starts(Pipeline& data, const Plan& plan) {
  std::vector<Start> starts;
  for (const Index rank : plan.search->ranks) {
    if (plan.options.deadline.passed() ||
        rank > data.similarity().num_nodes() - plan.num_clusters) {
      break;
    }
    const Plan low =
        with_method(plan, Method::nrepsc, {.source = ConstraintSource::low_rank, .rank = rank});
    Clustering found = nrepsc(data, low);
    found.method = Method::nrepsc;
    add(fmt::format("nrepsc of rank {}", rank), data.similarity(), std::move(found), low, starts);
  }
  return starts;
}

std::vector<Start> regularized_starts(Pipeline& data, const Plan& plan) {
  Plan regularized = plan;
  regularized.regularization = plan.search->regularization;
  std::vector<Start> starts = exact_starts(data, regularized);
  if (starts.empty()) starts = soft_starts(data, regularized, {});
  for (Start& start : starts) start.name += ", regularized";
  return starts;
}

std::vector<Start> even_starts(Pipeline& data, const Plan& plan, const std::vector<Start>& of) {
  const Representation& R = data.representation().representation();
  Labels sets = R.by_groups() ? R.groups() : clique_groups(R.graph());
  if (sets.empty()) sets.assign(static_cast<std::size_t>(R.num_nodes()), 0);
  std::vector<Start> starts;
  for (const Start& start : of) {
    if (plan.options.deadline.passed()) break;
    const Stopwatch watch;
    Clustering found = start.clustering;
    found.labels = even_labels(found.embedding, found.labels, sets, plan.num_clusters);
    found.seconds = {.kmeans = watch.seconds()};
    starts.push_back({start.name + ", equal shares", std::move(found), true});
  }
  return starts;
}

std::vector<Start> soft_starts(Pipeline& data, const Plan& plan, Matrix vectors) {
  const Plan soft = with_method(plan, Method::nrepsc, {.source = ConstraintSource::soft});
  const Laplacian& L = data.laplacian(soft);
  const Constraint none = no_constraint(L.num_nodes());
  WarmSolver solver(soft, std::move(vectors));
  std::vector<Start> starts;
  for (const double strength : plan.search->strengths) {
    if (plan.options.deadline.passed()) break;
    Clustering found = solver.step(data.penalized_laplacian(soft, strength), none);
    add(fmt::format("nrepsc of strength {:g}", strength), data.similarity(), std::move(found), soft,
        starts);
  }
  return starts;
}

}  // namespace repsc
