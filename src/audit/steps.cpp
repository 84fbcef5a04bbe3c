// The single step that raises the balance of one person most.
#include "audit/steps.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace repsc {
namespace {

/// Partners of a swap between two clusters, if not all are tried.
constexpr std::size_t most_partners = 64;

/// min / max with 0/0 = 1.
double balance_of(const std::vector<std::int32_t>& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  return *high == 0 ? 1 : static_cast<double>(*low) / *high;
}

bool contains(std::span<const Index> sorted, Index node) {
  return std::binary_search(sorted.begin(), sorted.end(), node);
}

}  // namespace

StepFinder::StepFinder(const Graph& similarity, const Representation& representation,
                       const Labels& labels, int num_clusters, bool every_swap)
    : prices_(similarity, labels, num_clusters), R_(representation), every_swap_(every_swap) {
  if (R_.by_groups()) {
    members_.resize(static_cast<std::size_t>(R_.num_sets()));
    for (Index i = 0; i < R_.num_nodes(); ++i) {
      members_[static_cast<std::size_t>(R_.set_of(i))].push_back(i);
    }
  }
  collect_partners(every_swap);
}

void StepFinder::collect_partners(bool every_swap) {
  const auto K = static_cast<std::size_t>(prices_.num_clusters());
  partners_.resize(every_swap ? K : K * K);
  if (every_swap) {
    for (Index i = 0; i < prices_.num_nodes(); ++i) {
      partners_[static_cast<std::size_t>(prices_.label(i))].push_back(i);
    }
    return;
  }
  struct Priced {
    double price;
    Index node;
    bool operator<(const Priced& other) const {
      return price != other.price ? price < other.price : node < other.node;
    }
  };
  // The cheapest so far of each pair of clusters, the dearest of them on top.
  std::vector<std::vector<Priced>> heaps(K * K);
  NodeLinks links;
  for (Index i = 0; i < prices_.num_nodes(); ++i) {
    prices_.links(i, links);
    const auto from = static_cast<std::size_t>(prices_.label(i));
    for (std::size_t to = 0; to < K; ++to) {
      if (to == from) continue;
      const Priced candidate{prices_.move(links, static_cast<Label>(to)), i};
      std::vector<Priced>& heap = heaps[from * K + to];
      if (heap.size() == most_partners) {
        if (!(candidate < heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
      heap.push_back(candidate);
      std::push_heap(heap.begin(), heap.end());
    }
  }
  for (std::size_t pair = 0; pair < heaps.size(); ++pair) {
    std::sort(heaps[pair].begin(), heaps[pair].end());
    for (const Priced& each : heaps[pair]) partners_[pair].push_back(each.node);
  }
}

std::span<const Index> StepFinder::representatives(Index person) const {
  if (R_.by_groups()) return members_[static_cast<std::size_t>(R_.set_of(person))];
  return R_.graph().neighbors(person);
}

const std::vector<Index>& StepFinder::partners(Label from, Label to) const {
  const auto K = static_cast<std::size_t>(prices_.num_clusters());
  const auto a = static_cast<std::size_t>(from);
  return partners_[every_swap_ ? a : a * K + static_cast<std::size_t>(to)];
}

void StepFinder::try_steps(Index person, const Pair& pair, HelpfulStep& best) const {
  const std::span<const Index> own = representatives(person);
  std::vector<NodeLinks> movers;
  for (const Index v : own) {
    if (prices_.label(v) != pair.from) continue;
    movers.emplace_back();
    prices_.links(v, movers.back());
  }
  const auto consider = [&](HelpfulStep::Kind kind, Index node, Index other, double price) {
    if (price == std::numeric_limits<double>::infinity()) return;
    if (best.kind != HelpfulStep::Kind::none && price >= best.cut_change) return;
    best = {kind, node, pair.from, pair.to, other, pair.balance, price};
  };
  for (const NodeLinks& v : movers) {
    consider(HelpfulStep::Kind::move, v.node, v.node, prices_.move(v, pair.to));
  }
  NodeLinks partner;
  for (const Index w : partners(pair.to, pair.from)) {
    if (contains(own, w)) continue;  // the counts would stay as they are
    prices_.links(w, partner);
    for (const NodeLinks& v : movers) {
      consider(HelpfulStep::Kind::swap, v.node, w, prices_.swap(v, partner));
    }
  }
}

std::vector<StepFinder::Pair> StepFinder::improving_pairs(const std::vector<std::int32_t>& found) {
  const double before = balance_of(found);
  std::vector<Pair> pairs;
  std::vector<std::int32_t> counts = found;
  for (std::size_t a = 0; a < found.size(); ++a) {
    if (found[a] == 0) continue;
    for (std::size_t b = 0; b < found.size(); ++b) {
      if (a == b) continue;
      --counts[a];
      ++counts[b];
      const double balance = balance_of(counts);
      ++counts[a];
      --counts[b];
      if (balance > before)
        pairs.push_back({static_cast<Label>(a), static_cast<Label>(b), balance});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    return std::tie(y.balance, x.from, x.to) < std::tie(x.balance, y.from, y.to);
  });
  return pairs;
}

HelpfulStep StepFinder::best(Index person, const std::vector<std::int32_t>& found) const {
  HelpfulStep step{.balance = balance_of(found)};
  const std::vector<Pair> pairs = improving_pairs(found);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // No step of a better pair may be possible, if it would leave a cluster empty.
    const bool next_level = k > 0 && pairs[k].balance < pairs[k - 1].balance;
    if (next_level && step.kind != HelpfulStep::Kind::none) break;
    try_steps(person, pairs[k], step);
  }
  return step;
}

}  // namespace repsc
