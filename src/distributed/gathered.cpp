// Rank 0 gathers a graph and solves for its eigenvectors with the solvers of one process.
#include "distributed/gathered.hpp"

#include <limits>

#include "repsc/constraint.hpp"

namespace repsc {
namespace {

template <typename T>
std::vector<T> gathered(const Communicator& ranks, const std::vector<T>& own) {
  std::vector<T> all = ranks.gather(std::span<const T>(own));
  return ranks.is_root() ? std::move(all) : std::vector<T>();
}

/// On rank 0; no nodes elsewhere.
Graph whole_graph(const DistributedGraph& graph) {
  const SpreadRows& rows = graph.rows();
  const Communicator& ranks = rows.ranks();
  std::vector<Offset> lengths;
  std::vector<Index> nodes;
  std::vector<double> weights;
  nodes.reserve(static_cast<std::size_t>(graph.num_entries()));
  for (Index i = 0; i < rows.stored(); ++i) {
    const auto neighbors = graph.neighbors(i);
    lengths.push_back(static_cast<Offset>(neighbors.size()));
    for (const Index column : neighbors) nodes.push_back(graph.node_of(column));
    weights.insert(weights.end(), graph.weights(i).begin(), graph.weights(i).end());
  }
  lengths = gathered(ranks, lengths);
  nodes = gathered(ranks, nodes);
  weights = gathered(ranks, weights);
  if (!ranks.is_root()) return {};
  std::vector<Offset> offsets{0};
  offsets.reserve(lengths.size() + 1);
  for (const Offset length : lengths) offsets.push_back(offsets.back() + length);
  return {std::move(offsets), std::move(nodes), std::move(weights), NodeNames(rows.num_nodes(), 0)};
}

Labels gathered(const Communicator& ranks, const DistributedGroups* groups) {
  return groups == nullptr ? Labels() : gathered(ranks, groups->own);
}

/// On rank 0; no rows elsewhere.
Matrix gathered_rows(const Communicator& ranks, const Matrix& own) {
  std::vector<double> numbers(own.data(), own.data() + own.size());
  numbers = gathered(ranks, numbers);
  const auto columns = own.cols();
  return Eigen::Map<const Matrix>(numbers.data(), std::ssize(numbers) / columns, columns);
}

/// What the ranks get of the pairs of rank 0.
struct Summary {
  int iterations = 0;
  bool settled = false;
  bool stalled = false;
  double next = std::numeric_limits<double>::quiet_NaN();
  char solver[16] = {};
};

}  // namespace

bool can_be_gathered(const DistributedLaplacian& L, const DistributedProjector& P) {
  const bool hard = P.rank() == 0 || P.groups() != nullptr;
  const bool soft = !L.penalized() || L.penalized_groups() != nullptr;
  return hard && soft && L.num_entries() <= most_gathered_entries;
}

Eigenpairs gathered_pairs(const DistributedGraph& graph, const DistributedLaplacian& spread,
                          const DistributedProjector& P, const EigenQuery& spread_query) {
  const SpreadRows& rows = graph.rows();
  const Communicator& ranks = rows.ranks();
  const Graph whole = whole_graph(graph);
  const Labels groups = gathered(ranks, P.groups());
  const Labels penalized = gathered(ranks, spread.penalized_groups());
  EigenQuery query = spread_query;
  Matrix start;
  const bool starts = query.start != nullptr && query.start->cols() > 0;
  if (starts) start = gathered_rows(ranks, *query.start);
  query.start = starts ? &start : nullptr;
  Summary summary;
  std::vector<double> numbers;  // values, then vectors row by row
  on_root(ranks, [&] {
    const Laplacian plain(whole,
                          spread.normalized() ? Normalization::symmetric : Normalization::none);
    const Laplacian L =
        penalized.empty()
            ? plain
            : plain.penalized(soft_constraint(plain, Representation(penalized)), spread.strength());
    const Constraint constraint =
        groups.empty() ? no_constraint(L.num_nodes()) : group_constraint(groups, L.scale());
    const Eigenpairs found = smallest_eigenpairs({L, constraint.projector}, query);
    summary.iterations = found.iterations;
    summary.settled = found.settled;
    summary.stalled = found.stalled;
    if (found.next) summary.next = *found.next;
    found.solver.copy(summary.solver, sizeof(summary.solver) - 1);
    numbers.assign(found.values.begin(), found.values.end());
    numbers.insert(numbers.end(), found.vectors.data(),
                   found.vectors.data() + found.vectors.size());
  });
  ranks.broadcast(&summary, sizeof(summary));
  ranks.broadcast(numbers);
  Eigenpairs pairs;
  pairs.values = Eigen::Map<const Vector>(numbers.data(), query.count);
  pairs.vectors =
      Eigen::Map<const Matrix>(numbers.data() + query.count, rows.num_nodes(), query.count)
          .middleRows(rows.begin(), rows.stored());
  pairs.solver = summary.solver;
  pairs.iterations = summary.iterations;
  pairs.settled = summary.settled;
  pairs.stalled = summary.stalled;
  if (summary.next == summary.next) pairs.next = summary.next;
  return pairs;
}

}  // namespace repsc
