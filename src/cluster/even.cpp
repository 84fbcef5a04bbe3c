// Rounding with equal shares.
#include "cluster/even.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/compact_labels.hpp"
#include "core/parallel_sort.hpp"

namespace repsc {
namespace {

/// The gain of further turns is small beside that of moves, which follow.
constexpr int num_turns = 8;

class EvenRounding {
 public:
  EvenRounding(const Matrix& points, const Labels& sets, int num_clusters)
      : X_(points), K_(num_clusters), sets_(compact(sets)), first_(sets_.count + 1) {
    for (const Label set : sets_.labels) ++first_[static_cast<std::size_t>(set) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    members_.resize(sets_.labels.size());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index i = 0; i < X_.rows(); ++i) {
      members_[static_cast<std::size_t>(next[static_cast<std::size_t>(set_of(i))]++)].node = i;
    }
    // The members beyond equal shares go to one cluster after the other.
    Index extra = 0;
    for (Index set = 0; set < sets_.count; ++set) {
      first_extra_.push_back(extra);
      const auto at = static_cast<std::size_t>(set);
      extra = (extra + (first_[at + 1] - first_[at]) % K_) % K_;
    }
  }

  Labels run(Labels labels) {
    for (int turn = 0; turn < num_turns; ++turn) {
      measure_distances(labels);
      Labels next = assigned();
      if (next == labels) break;
      labels = std::move(next);
    }
    return labels;
  }

 private:
  struct Means {
    Matrix sums;
    Vector sizes;
    Means& operator+=(const Means& other) {
      sums += other.sums;
      sizes += other.sizes;
      return *this;
    }
  };
  struct Member {
    double regret = 0;  ///< how much worse the second nearest mean is
    Index node = 0;
  };

  [[nodiscard]] Label set_of(Index i) const { return sets_.labels[static_cast<std::size_t>(i)]; }

  /// Squared distances to the mean of each cluster, less |x|^2, which is the same for all of them.
  void measure_distances(const Labels& labels) {
    const auto summed = [&](std::int64_t begin, std::int64_t end) {
      Means part{Matrix::Zero(K_, X_.cols()), Vector::Zero(K_)};
      for (auto i = static_cast<Index>(begin); i < end; ++i) {
        const Label k = labels[static_cast<std::size_t>(i)];
        part.sums.row(k) += X_.row(i);
        part.sizes[k] += 1;
      }
      return part;
    };
    const Means none{Matrix::Zero(K_, X_.cols()), Vector::Zero(K_)};
    auto [means, sizes] = parallel_sum(X_.rows(), row_grain, none, summed);
    for (int k = 0; k < K_; ++k) means.row(k) /= std::max(sizes[k], 1.0);
    const Vector squares = means.rowwise().squaredNorm();
    distances_.resize(X_.rows(), K_);
    parallel_ranges(X_.rows(), row_grain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<Index>(begin); i < end; ++i) {
        for (int k = 0; k < K_; ++k)
          distances_(i, k) = squares[k] - 2 * X_.row(i).dot(means.row(k));
      }
    });
  }

  [[nodiscard]] double regret(Index i) const {
    double best = std::numeric_limits<double>::infinity();
    double second = best;
    for (int k = 0; k < K_; ++k) {
      const double distance = distances_(i, k);
      if (distance < best) {
        second = best;
        best = distance;
      } else {
        second = std::min(second, distance);
      }
    }
    return second - best;
  }

  [[nodiscard]] Labels assigned() {
    parallel_ranges(std::ssize(members_), row_grain, [&](std::int64_t begin, std::int64_t end) {
      for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at)
        members_[at].regret = regret(members_[at].node);
    });
    parallel_sort(std::span(members_), std::span<const Index>(first_),
                  [](const Member& x, const Member& y) {
                    return x.regret != y.regret ? x.regret > y.regret : x.node < y.node;
                  });
    Labels labels(members_.size());
    constexpr std::int64_t sets_at_once = 64;
    parallel_ranges(sets_.count, sets_.count > 1024 ? sets_at_once : 1,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (auto set = static_cast<Index>(begin); set < end; ++set)
                        assign_members(set, labels);
                    });
    return labels;
  }

  void assign_members(Index set, Labels& labels) const {
    const Index begin = first_[static_cast<std::size_t>(set)];
    const Index count = first_[static_cast<std::size_t>(set) + 1] - begin;
    std::vector<Index> room(static_cast<std::size_t>(K_), count / K_);
    const Index extra = first_extra_[static_cast<std::size_t>(set)];
    for (Index more = 0; more < count % K_; ++more)
      ++room[static_cast<std::size_t>((extra + more) % K_)];
    for (Index member = begin; member < begin + count; ++member) {
      const Index i = members_[static_cast<std::size_t>(member)].node;
      labels[static_cast<std::size_t>(i)] = nearest_with_room(i, room);
    }
  }

  [[nodiscard]] Label nearest_with_room(Index i, std::vector<Index>& room) const {
    Label nearest = -1;
    for (int k = 0; k < K_; ++k) {
      if (room[static_cast<std::size_t>(k)] == 0) continue;
      if (nearest < 0 || distances_(i, k) < distances_(i, nearest)) nearest = k;
    }
    --room[static_cast<std::size_t>(nearest)];
    return nearest;
  }

  const Matrix& X_;
  int K_;
  CompactLabels sets_;
  std::vector<Index> first_;        ///< of each set among the members
  std::vector<Index> first_extra_;  ///< the cluster of each set's first member beyond equal shares
  std::vector<Member> members_;     ///< by set
  Matrix distances_;
};

}  // namespace

Labels even_labels(const Matrix& points, const Labels& labels, const Labels& sets,
                   int num_clusters) {
  return EvenRounding(points, sets, num_clusters).run(labels);
}

}  // namespace repsc
