// The candidates of a search before refinement. Further methods are added here.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cluster/candidates.hpp"
#include "cluster/even.hpp"
#include "cluster/methods.hpp"
#include "cluster/warm_solver.hpp"
#include "refine/settle.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

Plan with_method(Plan plan, Method method, const ConstraintPlan& constraint) {
  plan.method = method;
  return with_constraint(std::move(plan), constraint);
}

/// Adds the clustering, with both scalings of the rows if the plan says so.
void add(const std::string& name, Clustering found, const Plan& plan, std::vector<Start>& starts) {
  if (plan.better_rows) {
    starts.push_back({name + ", rows of length 1", with_unit_rows(found, plan)});
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

/// Moves and swaps nodes while that lowers the normalized cut. k-means can end 20 % above the cut
/// of other ways to round the same embedding, and this below all of them (docs/beyond.md, "Plain
/// clustering").
void lower_cut(const Graph& similarity, const Plan& plan, Clustering& found) {
  const int K = found.num_clusters;
  const std::vector<Index> sizes = cluster_sizes(found.labels, K);
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  constexpr std::int64_t most_cells = std::int64_t{1} << 31U;  // of the table of links
  if (empty || std::int64_t{similarity.num_nodes()} * K > most_cells) return;
  const Stopwatch watch;
  const Representation nobody(Labels(found.labels.size(), 0));  // balance has no weight
  const RefinementProblem problem{.G = similarity,
                                  .R = nobody,
                                  .K = K,
                                  .anneal = false,
                                  .seed = plan.options.seed,
                                  .progress = plan.options.progress,
                                  .deadline = plan.options.deadline};
  found.labels = search_at(problem, found.labels, 0).labels;
  found.out_of_time = found.out_of_time || plan.options.deadline.passed();
  found.seconds.refine += watch.seconds();
}

}  // namespace

Clustering better_rows(Clustering found, const Graph& similarity, const Plan& plan) {
  Clustering other = with_unit_rows(found, plan);
  if (plan.lowers_cut) {
    lower_cut(similarity, plan, found);
    lower_cut(similarity, plan, other);
  }
  const auto cut = [&](const Clustering& of) {
    return normalized_cut(similarity, of.labels, of.num_clusters);
  };
  const bool unit = cut(other) < cut(found);
  StageSeconds seconds = found.seconds;
  seconds.kmeans += other.seconds.kmeans;
  seconds.refine += other.seconds.refine;
  Clustering& best = unit ? other : found;
  best.seconds = seconds;
  return std::move(best);
}

PlainStarts plain_starts(Pipeline& data, const Plan& plan) {
  const Plan plain = with_method(plan, Method::nsc, {});
  Clustering found = nsc(data, plain);
  found.method = Method::nsc;
  PlainStarts result{.starts = {}, .vectors = vectors_of(found, data.laplacian(plain), plain)};
  std::vector<Start>& starts = result.starts;
  add(name(Method::nsc), std::move(found), plain, starts);
  const auto cut = [&](const Start& start) {
    return normalized_cut(data.similarity(), start.clustering.labels, plan.num_clusters);
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
  add("nrepsc with R exactly", std::move(found), exact, starts);
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
    add(fmt::format("nrepsc of rank {}", rank), std::move(found), low, starts);
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
    add(fmt::format("nrepsc of strength {:g}", strength), std::move(found), soft, starts);
  }
  return starts;
}

}  // namespace repsc
