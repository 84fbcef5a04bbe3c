// Cutting the input into rows.
#include "distributed/problem.hpp"

#include <algorithm>

#include "distributed/exact_sum.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

DistributedGroups scattered_groups(const SpreadRows& rows, const Labels& at_root) {
  Labels numbered;  // as Representation numbers them
  std::vector<std::int64_t> sizes;
  if (rows.ranks().is_root()) {
    const Representation groups(at_root);
    numbered = groups.groups();
    for (Index g = 0; g < groups.num_sets(); ++g) sizes.push_back(groups.set_size(g));
  }
  rows.ranks().broadcast(sizes);
  return {scatter(rows, numbered), std::move(sizes)};
}

/// Names that were given travel as one text in which each ends with a zero byte.
NodeNames scattered_names(const SpreadRows& rows, const NodeNames& at_root) {
  const Communicator& ranks = rows.ranks();
  const RowRanges& ranges = rows.ranges();
  std::int32_t implied[2] = {at_root.implied() ? 1 : 0, at_root.first()};
  ranks.broadcast(implied, sizeof(implied));
  if (implied[0] != 0) return {rows.stored(), implied[1] + rows.begin()};

  const auto joined_names = [&](int rank) {
    std::string text;
    for (Index i = ranges.begin(rank); i < ranges.end(rank); ++i) {
      text.append(at_root.view(i));
      text += '\0';
    }
    return text;
  };
  std::string own;
  if (ranks.is_root()) {
    own = joined_names(0);
    for (int rank = 1; rank < ranks.size(); ++rank) {
      std::string text = joined_names(rank);
      std::uint64_t size = text.size();
      const Communicator::Parcel parcels[] = {{rank, &size, sizeof(size)},
                                              {rank, text.data(), text.size()}};
      ranks.transfer(parcels, {});
    }
  } else {
    std::uint64_t size = 0;
    const Communicator::Parcel first[] = {{0, &size, sizeof(size)}};
    ranks.transfer({}, first);
    own.resize(size);
    const Communicator::Parcel second[] = {{0, own.data(), own.size()}};
    ranks.transfer({}, second);
  }
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < own.size(); begin = own.find('\0', begin) + 1) {
    names.emplace_back(own.c_str() + begin);
  }
  return NodeNames(names);
}

DistributedGraph rows_of(const SpreadRows& rows, const Graph& graph, bool everywhere) {
  return everywhere ? DistributedGraph(rows, graph) : DistributedGraph::scattered(rows, graph);
}

/// The names of the own rows, where every rank has those of all.
NodeNames own_names(const SpreadRows& rows, const NodeNames& all) {
  if (all.implied()) return {rows.stored(), all.first() + rows.begin()};
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(rows.stored()));
  for (Index i = 0; i < rows.stored(); ++i) names.emplace_back(all.view(rows.begin() + i));
  return NodeNames(names);
}

/// What all ranks have to know before the rows arrive.
struct Outline {
  Offset num_entries = 0;
  std::int32_t has_graph = 0;   ///< R
  std::int32_t has_groups = 0;  ///< as given
  std::int32_t cliques = 0;
};

}  // namespace

Labels scatter(const SpreadRows& rows, const Labels& at_root) {
  const Communicator& ranks = rows.ranks();
  const RowRanges& ranges = rows.ranges();
  Labels own(static_cast<std::size_t>(rows.stored()));
  if (!ranks.is_root()) {
    const Communicator::Parcel parcel[] = {{0, own.data(), own.size() * sizeof(Label)}};
    ranks.transfer({}, parcel);
    return own;
  }
  std::vector<Communicator::Parcel> parcels;
  for (int rank = 1; rank < ranks.size(); ++rank) {
    parcels.push_back({rank, const_cast<Label*>(at_root.data()) + ranges.begin(rank),
                       static_cast<std::size_t>(ranges.rows(rank)) * sizeof(Label)});
  }
  ranks.transfer(parcels, {});
  std::copy_n(at_root.begin(), own.size(), own.begin());
  return own;
}

void DistributedRepresentation::multiply(const Matrix& X, Matrix& Y) const {
  if (graph_) return graph_->multiply(X, Y);
  const Matrix sums =
      exact_sums_by_key(rows_->ranks(), groups_->own, groups_->count(), X, rows_->num_nodes());
  Y.resize(X.rows(), X.cols());
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    Y.row(i) = sums.row(groups_->own[static_cast<std::size_t>(i)]);
  }
}

Vector DistributedRepresentation::sums() const {
  if (graph_) return graph_->degrees();
  Vector result(rows_->stored());
  for (Index i = 0; i < rows_->stored(); ++i) {
    const auto group = static_cast<std::size_t>(groups_->own[static_cast<std::size_t>(i)]);
    result[i] = static_cast<double>(groups_->sizes[group]);
  }
  return result;
}

Vector DistributedRepresentation::squared_sums() const {
  if (!graph_ || !graph_->weighted()) return sums();
  Vector result = Vector::Zero(rows_->stored());
  for (Index i = 0; i < rows_->stored(); ++i) {
    for (const double weight : graph_->weights(i)) result[i] += weight * weight;
  }
  return result;
}

DistributedProblem distribute(const Communicator& ranks, const ClusterInput& input, bool everywhere,
                              std::optional<Exchange> exchange) {
  DistributedProblem problem;
  Outline outline;
  RowRanges ranges;
  Labels cliques;
  if (ranks.is_root()) {
    ranges = split_rows(input.similarity.offsets(), ranks.size());
    if (input.representation) cliques = clique_groups(*input.representation);
    outline = {.num_entries = input.similarity.num_entries(),
               .has_graph = input.representation ? 1 : 0,
               .has_groups = input.groups ? 1 : 0,
               .cliques = cliques.empty() ? 0 : 1};
  }
  ranks.broadcast(&outline, sizeof(outline));
  ranks.broadcast(ranges.first);
  ranges.num_nodes = ranges.first.back();
  ranges.block_rows = block_rows_for(ranges.num_nodes);
  problem.rows = std::make_unique<SpreadRows>(ranks, std::move(ranges), exchange);
  problem.num_entries = outline.num_entries;
  problem.has_graph = outline.has_graph != 0;

  const SpreadRows& rows = *problem.rows;
  problem.similarity = rows_of(rows, input.similarity, everywhere);
  if (outline.has_groups != 0) {
    problem.groups = scattered_groups(rows, input.groups.value_or(Labels{}));
  }
  if (outline.cliques != 0) {
    problem.representation.emplace(rows, scattered_groups(rows, cliques));
  } else if (outline.has_graph != 0) {
    problem.representation.emplace(
        rows, rows_of(rows, input.representation.value_or(Graph{}), everywhere));
  } else if (problem.groups) {
    problem.representation.emplace(rows, *problem.groups);
  }
  problem.names = everywhere ? own_names(rows, input.similarity.names())
                             : scattered_names(rows, input.similarity.names());
  return problem;
}

}  // namespace repsc
