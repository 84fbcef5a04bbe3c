// The counts of each person, and why they are what they are.
#include "audit/people.hpp"

#include <algorithm>

namespace repsc {
namespace {

CountMatrix counted(const Representation& R, const Labels& labels, int K) {
  if (!R.by_groups()) return representative_counts(R.graph(), labels, K);
  return group_counts(R.groups(), static_cast<int>(R.num_sets()), labels, K);
}

Shortfall reason_of(const Person& person, bool isolated) {
  const auto [low, high] = std::minmax_element(person.found.begin(), person.found.end());
  if (isolated) return Shortfall::isolated;
  if (*low == *high) return Shortfall::none;
  const auto K = static_cast<Index>(person.found.size());
  if (person.num_representatives < K) return Shortfall::too_few;
  if (*high == person.num_representatives) return Shortfall::one_cluster;
  return *low == 0 ? Shortfall::some_missing : Shortfall::uneven;
}

}  // namespace

Counts::Counts(const Representation& representation, const Labels& labels, int num_clusters)
    : R_(representation), table_(counted(representation, labels, num_clusters)) {}

double Counts::balance(Index node) const {
  const auto row = table_.row(R_.set_of(node));
  return row.maxCoeff() == 0 ? 1 : static_cast<double>(row.minCoeff()) / row.maxCoeff();
}

bool Counts::isolated(Index node) const {
  const Index count = num_representatives(node);
  if (R_.by_groups()) return count <= 1;
  return count == 0 || (count == 1 && R_.graph().neighbors(node)[0] == node);
}

bool Counts::missing(Index node) const {
  const auto row = table_.row(R_.set_of(node));
  return row.minCoeff() == 0 && row.maxCoeff() > 0;
}

Person Counts::person(Index node, Label cluster, const std::vector<Index>& sizes) const {
  const auto K = static_cast<int>(sizes.size());
  Person result;
  result.node = node;
  result.cluster = cluster;
  result.balance = balance(node);
  result.num_representatives = num_representatives(node);
  result.limit = balance_limit(result.num_representatives, K);
  result.found.resize(sizes.size());
  result.expected.resize(sizes.size());
  for (int k = 0; k < K; ++k) {
    const auto at = static_cast<std::size_t>(k);
    result.found[at] = (*this)(node, k);
    result.expected[at] = static_cast<double>(result.num_representatives) * sizes[at] /
                          std::max<Index>(1, num_nodes());
  }
  result.reason = reason_of(result, isolated(node));
  return result;
}

std::string in_words(Shortfall reason) {
  switch (reason) {
    case Shortfall::none:
      return "equally many representatives in every cluster";
    case Shortfall::isolated:
      return "no representatives besides oneself";
    case Shortfall::too_few:
      return "fewer representatives than clusters";
    case Shortfall::one_cluster:
      return "all representatives in one cluster";
    case Shortfall::some_missing:
      return "no representative in some cluster";
    case Shortfall::uneven:
      return "more representatives in some clusters than in others";
  }
  return "";
}

}  // namespace repsc
