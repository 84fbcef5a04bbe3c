// Which method runs, by name or by what was given, and what refinement makes of its labels.
#include "repsc/cluster.hpp"

#include <array>
#include <utility>

#include "cluster/methods.hpp"
#include "repsc/metrics.hpp"

namespace repsc {
namespace {

constexpr std::array<std::pair<Method, const char*>, 7> names{{{Method::automatic, "auto"},
                                                               {Method::usc, "usc"},
                                                               {Method::nsc, "nsc"},
                                                               {Method::urepsc, "urepsc"},
                                                               {Method::nrepsc, "nrepsc"},
                                                               {Method::ufairsc, "ufairsc"},
                                                               {Method::nfairsc, "nfairsc"}}};

/// Protected groups where only R is known: plain spectral clustering of R, of the family's own
/// kind.
Labels groups_of(const Graph& R, int K, const ClusterOptions& options) {
  const int P = options.num_groups > 0 ? options.num_groups : K;
  require(P >= 2 && P <= R.num_nodes(), "groups: ", P,
          " but it must be from 2 to the number of nodes, ", R.num_nodes());
  ClusterOptions plain = options;
  plain.regularization = 0;  // of the similarity graph
  const Clustering found = is_normalized(options.method) ? nsc(R, P, plain) : usc(R, P, plain);
  return found.labels;
}

void require_no_refining(const ClusterOptions& options) {
  require(options.refine != Refining::yes,
          "refine: balance is of a representation graph, and none was given");
}

void refine_labels(const Graph& G, const Graph& R, const ClusterOptions& options,
                   Clustering& found) {
  const Stopwatch timer;
  RefineOptions how = options.refinement;
  how.cut = is_normalized(found.method) ? CutKind::normalized : CutKind::ratio;
  how.seed = options.seed;
  how.progress = options.progress;
  found.before_refinement = std::move(found.labels);
  found.refinement = refine(G, R, found.before_refinement, found.num_clusters, how);
  found.labels = found.refinement->labels;
  found.seconds.refine = timer.seconds();
}

/// The labels of k-means.
Clustering unrefined(const Graph& similarity, const Graph& representation, int num_clusters,
                     const ClusterOptions& options) {
  switch (options.method) {
    case Method::usc:
      return usc(similarity, num_clusters, options);
    case Method::nsc:
      return nsc(similarity, num_clusters, options);
    case Method::urepsc:
      return urepsc(similarity, representation, num_clusters, options);
    case Method::automatic:
    case Method::nrepsc:
      return nrepsc(similarity, representation, num_clusters, options);
    case Method::ufairsc:
    case Method::nfairsc:
      break;
  }
  const Stopwatch timer;
  const Labels groups = groups_of(representation, num_clusters, options);
  const double seconds = timer.seconds();
  Clustering result = options.method == Method::ufairsc
                          ? ufairsc(similarity, groups, num_clusters, options)
                          : nfairsc(similarity, groups, num_clusters, options);
  result.seconds.constraint += seconds;
  return result;
}

/// What refinement lowers.
double objective(const Graph& G, const Graph& R, const Clustering& found, double mu) {
  const Metrics metrics = evaluate(G, R, found.labels, found.num_clusters);
  return metrics.normalized_cut / cut_scale(G, found.num_clusters, CutKind::normalized) -
         mu * metrics.average_balance;
}

/// Method and constraint are left to us, and `exact` is what meeting R exactly gave. Where R has
/// groups or few kinds of rows that is all there is to want. Where R has nearly full rank the few
/// dimensions left may hold planted clusters, which are balanced, or, more often in data, a handful
/// of nodes with equal neighbours: then the soft constraint is tried, too, and the lower objective
/// wins.
Clustering better_of_exact_and_soft(const Graph& G, const Graph& R, const ClusterOptions& options,
                                    Clustering exact) {
  constexpr double balanced = 0.9;
  if (exact.constraint_rank <= G.num_nodes() / 2 ||
      evaluate(G, R, exact.labels, exact.num_clusters).average_balance >= balanced)
    return exact;
  ClusterOptions softly = options;
  softly.constraint = ConstraintKind::soft;
  Clustering soft = nrepsc(G, R, exact.num_clusters, softly);
  if (options.refine != Refining::no) {
    refine_labels(G, R, options, exact);
    refine_labels(G, R, options, soft);
  }
  const double mu = options.refinement.mu;
  return objective(G, R, soft, mu) < objective(G, R, exact, mu) ? soft : exact;
}

}  // namespace

std::string name(Method method) {
  for (const auto& [value, text] : names) {
    if (value == method) return text;
  }
  return "?";
}

Method method_by_name(const std::string& name) {
  std::string known;
  for (const auto& [value, text] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw InvalidInput("method: '" + name + "' is not one of " + known);
}

bool is_normalized(Method method) {
  return method == Method::automatic || method == Method::nsc || method == Method::nrepsc ||
         method == Method::nfairsc;
}

Clustering cluster(const Graph& similarity, int num_clusters, const ClusterOptions& options) {
  require_no_refining(options);
  switch (options.method) {
    case Method::usc:
      return usc(similarity, num_clusters, options);
    case Method::automatic:
    case Method::nsc:
      return nsc(similarity, num_clusters, options);
    default:
      break;
  }
  throw InvalidInput("method: " + name(options.method) +
                     " needs a representation graph or groups, and neither was given");
}

Clustering cluster(const Graph& similarity, const Graph& representation, int num_clusters,
                   const ClusterOptions& options) {
  Clustering found = unrefined(similarity, representation, num_clusters, options);
  const bool left_to_us = options.method == Method::automatic &&
                          options.rank.kind == Rank::Kind::automatic &&
                          options.constraint == ConstraintKind::automatic;
  bool refining = options.refine == Refining::yes;
  if (left_to_us && found.strength) refining = options.refine != Refining::no;
  if (left_to_us && !found.strength) {
    found = better_of_exact_and_soft(similarity, representation, options, std::move(found));
  }
  if (refining && !found.refinement) refine_labels(similarity, representation, options, found);
  return found;
}

Clustering cluster(const Graph& similarity, const Labels& groups, int num_clusters,
                   const ClusterOptions& options) {
  require_no_refining(options);
  switch (options.method) {
    case Method::usc:
    case Method::nsc:
      return cluster(similarity, num_clusters, options);
    case Method::ufairsc:
      return ufairsc(similarity, groups, num_clusters, options);
    case Method::automatic:
    case Method::nfairsc:
      return nfairsc(similarity, groups, num_clusters, options);
    default:
      break;
  }
  throw InvalidInput("method: " + name(options.method) +
                     " needs a representation graph, and only groups were given");
}

}  // namespace repsc
