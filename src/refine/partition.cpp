// Updates cut and balance exactly under single moves.
#include "refine/partition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"

namespace repsc {
namespace {

constexpr std::int64_t grain = 1024;  // rows

double weight_at(std::span<const double> weights, std::size_t e) {
  return weights.empty() ? 1.0 : weights[e];
}

double edge_weight(const Graph& graph, Index u, Index v) {
  const auto neighbors = graph.neighbors(u);
  const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v);
  if (at == neighbors.end() || *at != v) return 0;
  return weight_at(graph.weights(u), static_cast<std::size_t>(at - neighbors.begin()));
}

double cut_term(double leaving, double measure) { return measure > 0 ? leaving / 2 / measure : 0; }

struct Extremes {
  std::int32_t smallest = std::numeric_limits<std::int32_t>::max();
  std::int32_t second =
      std::numeric_limits<std::int32_t>::max();  // the smallest count without `at_smallest`
  std::size_t at_smallest = 0;
  std::int32_t largest = 0;
};

Extremes extremes(std::span<const std::int32_t> counts) {
  Extremes found;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const std::int32_t count = counts[k];
    found.largest = std::max(found.largest, count);
    if (count < found.smallest) {
      found.second = found.smallest;
      found.smallest = count;
      found.at_smallest = k;
    } else {
      found.second = std::min(found.second, count);
    }
  }
  return found;
}

double ratio(std::int32_t smallest, std::int32_t largest) {
  return largest == 0 ? 1.0 : static_cast<double>(smallest) / static_cast<double>(largest);
}

// What the cut terms of all clusters are made of.
struct ClusterSums {
  explicit ClusterSums(std::size_t K) : measures(K), leaving(K), carriers(K) {}
  std::vector<double> measures;
  std::vector<double> leaving;
  std::vector<Index> carriers;

  ClusterSums& operator+=(const ClusterSums& other) {
    for (std::size_t k = 0; k < measures.size(); ++k) {
      measures[k] += other.measures[k];
      leaving[k] += other.leaving[k];
      carriers[k] += other.carriers[k];
    }
    return *this;
  }
};

// The shortfall of a cluster with `count`. Compared as a ratio, so that it is 0 exactly if rho_i >=
// alpha.
double lacking(std::int32_t count, std::int32_t largest, double alpha) {
  return ratio(count, largest) < alpha ? alpha * largest - count : 0;
}

double shortfall(std::span<const std::int32_t> counts, double alpha) {
  const std::int32_t largest = *std::max_element(counts.begin(), counts.end());
  double missing = 0;
  std::int32_t all = 0;
  for (const std::int32_t count : counts) {
    missing += lacking(count, largest, alpha);
    all += count;
  }
  return all > 0 ? missing / all : 0;
}

// The balance of a row with one representative more, for each cluster in which it can be.
void balances_with_one_more(std::span<const std::int32_t> row, std::span<double> scores) {
  const Extremes found = extremes(row);
  for (std::size_t b = 0; b < row.size(); ++b) {
    const std::int32_t others = b == found.at_smallest ? found.second : found.smallest;
    const std::int32_t count = row[b] + 1;
    scores[b] = ratio(std::min(others, count), std::max(found.largest, count));
  }
}

// The same for minus the shortfall.
void shortfalls_with_one_more(std::span<std::int32_t> row, double alpha, std::span<double> scores) {
  const std::int32_t largest = *std::max_element(row.begin(), row.end());
  double missing = 0;
  std::int32_t all = 1;
  for (const std::int32_t count : row) {
    missing += lacking(count, largest, alpha);
    all += count;
  }
  for (std::size_t b = 0; b < row.size(); ++b) {
    if (row[b] < largest) {
      scores[b] =
          -(missing - lacking(row[b], largest, alpha) + lacking(row[b] + 1, largest, alpha)) / all;
    } else {  // a new largest count raises the shortfall of every cluster
      ++row[b];
      scores[b] = -shortfall(row, alpha);
      --row[b];
    }
  }
}

}  // namespace

double NodeScore::operator()(Index set, std::span<const std::int32_t> counts) const {
  return ignores(set) ? 0 : of(counts);
}

double NodeScore::of(std::span<const std::int32_t> counts) const {
  if (alpha >= 0) return -shortfall(counts, alpha);
  const auto [smallest, largest] = std::minmax_element(counts.begin(), counts.end());
  return ratio(*smallest, *largest);
}

void NodeScore::with_one_more(std::span<std::int32_t> counts, std::span<double> scores) const {
  if (alpha < 0) return balances_with_one_more(counts, scores);
  shortfalls_with_one_more(counts, alpha, scores);
}

Trial::Trial(int num_clusters)
    : cut(static_cast<std::size_t>(num_clusters)),
      score(static_cast<std::size_t>(num_clusters)),
      changes(static_cast<std::size_t>(num_clusters)),
      row(static_cast<std::size_t>(num_clusters)) {}

Partition::Partition(const Graph& similarity, const Representation& representation, Labels labels,
                     int num_clusters, CutKind cut, NodeScore score)
    : A_(similarity),
      R_(representation),
      labels_(std::move(labels)),
      score_(std::move(score)),
      masses_(cut == CutKind::normalized ? similarity.degrees() : Vector()),
      sizes_(static_cast<std::size_t>(num_clusters)) {
  count();
  add_up();
}

void Partition::assign(Labels labels) {
  labels_ = std::move(labels);
  count();
  add_up();
}

void Partition::count() {
  const std::size_t K = sizes_.size();
  added_up_ = false;
  std::fill(sizes_.begin(), sizes_.end(), 0);
  for (const Label label : labels_) ++sizes_[static_cast<std::size_t>(label)];
  links_.assign(labels_.size() * K, 0.0);
  const Index num_sets = R_.num_sets();
  counts_.assign(static_cast<std::size_t>(num_sets) * K, 0);
  scores_.resize(static_cast<std::size_t>(num_sets));
  if (R_.by_groups()) {
    for (Index i = 0; i < num_nodes(); ++i) {
      ++counts_[row(R_.set_of(i)) + static_cast<std::size_t>(label(i))];
    }
  }
  const Graph& R = R_.graph();
  parallel_ranges(R_.by_groups() ? 0 : num_sets, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      for (const Index j : R.neighbors(i)) ++counts_[row(i) + static_cast<std::size_t>(label(j))];
    }
  });
  score_sets();
}

void Partition::score_sets() {
  parallel_ranges(R_.num_sets(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i)
      scores_[static_cast<std::size_t>(i)] = R_.num_sharing(i) * score_(i, counts(i));
  });
  if (!table_.empty()) mark_all_stale();
}

void Partition::score_by(NodeScore score) {
  score_ = std::move(score);
  score_sets();
  if (!added_up_) return add_up();
  add_up_scores();
}

bool Partition::make_table() {
  if (!table_.empty()) return true;
  const std::size_t K = sizes_.size();
  // A number for every set and pair of clusters, up to 256 MB.
  constexpr std::size_t largest_table = std::size_t{1} << 25U;
  constexpr std::size_t bits = 64;  // of stale_, of which one is never cleared: once in touched_
  if (K >= bits || scores_.empty() || scores_.size() * K > largest_table / K) return false;
  table_.resize(scores_.size() * K * K);
  mark_all_stale();
  return true;
}

void Partition::mark_all_stale() {
  stale_.assign(scores_.size(), ~std::uint64_t{0});
  touched_.resize(scores_.size());
  std::iota(touched_.begin(), touched_.end(), 0);
}

void Partition::add_up() {
  if (added_up_) return;
  const std::size_t K = sizes_.size();
  const auto sums_of = [&](std::int64_t begin, std::int64_t end) {
    ClusterSums part(K);
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const auto links = std::span<double>(links_).subspan(row(i), K);
      std::fill(links.begin(), links.end(), 0.0);
      const auto neighbors = A_.neighbors(i);
      const auto weights = A_.weights(i);
      for (std::size_t e = 0; e < neighbors.size(); ++e) {
        if (neighbors[e] == i) continue;  // a self-loop is never cut
        links[static_cast<std::size_t>(label(neighbors[e]))] += weight_at(weights, e);
      }
      const auto a = static_cast<std::size_t>(label(i));
      part.measures[a] += mass(i);
      part.carriers[a] += mass(i) > 0 ? 1 : 0;
      for (std::size_t k = 0; k < K; ++k) part.leaving[a] += k == a ? 0 : links[k];
    }
    return part;
  };
  ClusterSums sums = parallel_sum(num_nodes(), grain, ClusterSums(K), sums_of);
  measures_ = std::move(sums.measures);
  leaving_ = std::move(sums.leaving);
  carriers_ = std::move(sums.carriers);
  add_up_scores();
  added_up_ = true;
}

void Partition::add_up_scores() {
  score_sum_ = parallel_sum(R_.num_sets(), grain, 0.0, [&](std::int64_t begin, std::int64_t end) {
    double part = 0;
    for (auto i = static_cast<Index>(begin); i < end; ++i)
      part += scores_[static_cast<std::size_t>(i)];
    return part;
  });
}

double Partition::term(std::size_t cluster) const {
  return cut_term(leaving_[cluster], measures_[cluster]);
}

double Partition::cut() const {
  double sum = 0;
  for (std::size_t k = 0; k < sizes_.size(); ++k) sum += term(k);
  return sum;
}

void Partition::try_cut(Index node, Trial& trial) const {
  const auto links = std::span<const double>(links_).subspan(row(node), sizes_.size());
  const double degree = std::accumulate(links.begin(), links.end(), 0.0);
  const auto a = static_cast<std::size_t>(label(node));
  const double m = mass(node);
  const bool last = m > 0 && carriers_[a] == 1;
  const double left =
      cut_term(leaving_[a] - degree + 2 * links[a], last ? 0.0 : measures_[a] - m) - term(a);
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    trial.cut[b] = left + cut_term(leaving_[b] + degree - 2 * links[b], measures_[b] + m) - term(b);
  }
  trial.cut[a] = 0;
}

void Partition::score_changes(Index set, std::size_t from, std::span<std::int32_t> row,
                              std::span<double> changes) const {
  const auto c = counts(set);
  if (score_.ignores(set) || c[from] == 0) {
    std::fill(changes.begin(), changes.end(), 0.0);
    return;
  }
  std::copy(c.begin(), c.end(), row.begin());
  --row[from];
  score_.with_one_more(row, changes);
  const double sharing = R_.num_sharing(set);
  const double before = scores_[static_cast<std::size_t>(set)];
  for (double& change : changes) change = sharing * change - before;
  changes[from] = 0;
}

void Partition::mark_stale(Index set) {
  if (table_.empty()) return;
  std::uint64_t& stale = stale_[static_cast<std::size_t>(set)];
  if (stale == 0) touched_.push_back(set);
  stale = ~std::uint64_t{0};
}

void Partition::refresh() {
  if (!make_table()) return;
  const std::size_t K = sizes_.size();
  parallel_ranges(static_cast<std::int64_t>(touched_.size()), grain,
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<std::int32_t> room(K);
                    for (std::int64_t t = begin; t < end; ++t) {
                      const Index i = touched_[static_cast<std::size_t>(t)];
                      for (std::size_t a = 0; a < K; ++a) {
                        score_changes(i, a, room, {table_.data() + (row(i) + a) * K, K});
                      }
                      stale_[static_cast<std::size_t>(i)] = 0;
                    }
                  });
  touched_.clear();
}

bool Partition::is_fresh(Index set, std::size_t from) const {
  return !table_.empty() && (stale_[static_cast<std::size_t>(set)] >> from & 1U) == 0;
}

const double* Partition::slice(Index set, std::size_t from, Trial& trial) const {
  if (is_fresh(set, from)) return table_row(set, from);
  score_changes(set, from, trial.row, trial.changes);
  return trial.changes.data();
}

template <class Slice>
void Partition::try_scores(Index node, Trial& trial, const Slice& slice) const {
  std::fill(trial.score.begin(), trial.score.end(), 0.0);
  const auto a = static_cast<std::size_t>(label(node));
  for (const Index set : R_.sets_with(node)) {
    const double* changes = slice(set, a);
    for (std::size_t b = 0; b < sizes_.size(); ++b) trial.score[b] += changes[b];
  }
}

void Partition::try_moves(Index node, Trial& trial) const {
  try_cut(node, trial);
  if (!table_.empty() && touched_.empty()) {
    try_scores(node, trial, [&](Index i, std::size_t a) { return table_row(i, a); });
  } else {
    try_scores(node, trial, [&](Index i, std::size_t a) { return slice(i, a, trial); });
  }
}

void Partition::try_moves_and_keep(Index node, Trial& trial) {
  if (!make_table()) return try_moves(node, trial);
  try_cut(node, trial);
  try_scores(node, trial, [&](Index i, std::size_t a) {
    std::uint64_t& stale = stale_[static_cast<std::size_t>(i)];
    double* const kept = table_.data() + (row(i) + a) * sizes_.size();
    if ((stale >> a & 1U) != 0) {
      score_changes(i, a, trial.row, {kept, sizes_.size()});
      stale &= ~(std::uint64_t{1} << a);
    }
    return kept;
  });
}

double Partition::score_change(Index set, std::size_t from, std::size_t to, Trial& trial) const {
  if (is_fresh(set, from)) return table_row(set, from)[to];
  const auto c = counts(set);
  std::copy(c.begin(), c.end(), trial.row.begin());
  --trial.row[from];
  ++trial.row[to];
  return R_.num_sharing(set) * score_(set, trial.row) - scores_[static_cast<std::size_t>(set)];
}

Partition::Change Partition::try_swap(Index u, Index v, Trial& trial) const {
  const auto a = static_cast<std::size_t>(label(u));
  const auto b = static_cast<std::size_t>(label(v));
  // The counts of a set that contains both do not change.
  Change change;
  const auto of_u = R_.sets_with(u);
  const auto of_v = R_.sets_with(v);
  auto i = of_u.begin();
  auto j = of_v.begin();
  while (i != of_u.end() || j != of_v.end()) {
    if (j == of_v.end() || (i != of_u.end() && *i < *j)) {
      change.score += score_change(*i++, a, b, trial);
    } else if (i == of_u.end() || *j < *i) {
      change.score += score_change(*j++, b, a, trial);
    } else {
      ++i;
      ++j;
    }
  }
  // Cluster a loses the edges of u and gains those of v; likewise b. The edge u - v is cut before
  // and after the swap.
  const double* u_links = links_.data() + row(u);
  const double* v_links = links_.data() + row(v);
  const double u_degree = std::accumulate(u_links, u_links + sizes_.size(), 0.0);
  const double v_degree = std::accumulate(v_links, v_links + sizes_.size(), 0.0);
  const double between = 2 * edge_weight(A_, u, v);
  const double leaving_a =
      leaving_[a] - u_degree + 2 * u_links[a] + v_degree - 2 * v_links[a] + between;
  const double leaving_b =
      leaving_[b] - v_degree + 2 * v_links[b] + u_degree - 2 * u_links[b] + between;
  const double more = mass(v) - mass(u);
  const auto is_carrier = [&](Index node) { return mass(node) > 0 ? 1 : 0; };
  const bool a_is_left = carriers_[a] - is_carrier(u) + is_carrier(v) == 0;
  const bool b_is_left = carriers_[b] - is_carrier(v) + is_carrier(u) == 0;
  change.cut = cut_term(leaving_a, a_is_left ? 0 : measures_[a] + more) - term(a) +
               cut_term(leaving_b, b_is_left ? 0 : measures_[b] - more) - term(b);
  return change;
}

void Partition::move(Index node, Label target) {
  const auto a = static_cast<std::size_t>(label(node));
  const auto b = static_cast<std::size_t>(target);
  if (a == b) return;
  added_up_ = false;
  const auto neighbors = A_.neighbors(node);
  const auto weights = A_.weights(node);
  for (std::size_t e = 0; e < neighbors.size(); ++e) {
    if (neighbors[e] == node) continue;
    const auto k = static_cast<std::size_t>(label(neighbors[e]));
    const double weight = weight_at(weights, e);
    links_[row(neighbors[e]) + a] -= weight;
    links_[row(neighbors[e]) + b] += weight;
    leaving_[a] += k == a ? weight : -weight;
    leaving_[b] += k == b ? -weight : weight;
  }
  const double m = mass(node);
  measures_[a] -= m;
  measures_[b] += m;
  if (m > 0) {
    ++carriers_[b];
    if (--carriers_[a] == 0) measures_[a] = leaving_[a] = 0;
  }
  --sizes_[a];
  ++sizes_[b];
  labels_[static_cast<std::size_t>(node)] = target;
  for (const Index set : R_.sets_with(node)) {
    const auto c = std::span<std::int32_t>(counts_).subspan(row(set), sizes_.size());
    --c[a];
    ++c[b];
    double& score = scores_[static_cast<std::size_t>(set)];
    score_sum_ -= score;
    score = R_.num_sharing(set) * score_(set, c);
    score_sum_ += score;
    mark_stale(set);
  }
}

}  // namespace repsc
