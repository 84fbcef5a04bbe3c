// Rounding with equal shares.
#include "cluster/even.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/compact_labels.hpp"

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
      members_[static_cast<std::size_t>(next[static_cast<std::size_t>(set_of(i))]++)] = i;
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
  [[nodiscard]] Label set_of(Index i) const { return sets_.labels[static_cast<std::size_t>(i)]; }

  /// Squared distances to the mean of each cluster, less |x|^2, which is the same for all of them.
  void measure_distances(const Labels& labels) {
    Matrix means = Matrix::Zero(K_, X_.cols());
    Vector sizes = Vector::Zero(K_);
    for (Index i = 0; i < X_.rows(); ++i) {
      const Label k = labels[static_cast<std::size_t>(i)];
      means.row(k) += X_.row(i);
      sizes[k] += 1;
    }
    for (int k = 0; k < K_; ++k) means.row(k) /= std::max(sizes[k], 1.0);
    distances_.noalias() = -2 * X_ * means.transpose();
    distances_.rowwise() += means.rowwise().squaredNorm().transpose();
  }

  /// How much worse the second nearest mean is.
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
    Labels labels(members_.size());
    std::vector<double> regrets(members_.size());
    for (Index i = 0; i < X_.rows(); ++i) regrets[static_cast<std::size_t>(i)] = regret(i);
    Index extra = 0;  // where the next member beyond equal shares goes
    for (Index g = 0; g < sets_.count; ++g) {
      const auto begin = members_.begin() + first_[static_cast<std::size_t>(g)];
      const auto end = members_.begin() + first_[static_cast<std::size_t>(g) + 1];
      std::sort(begin, end, [&](Index i, Index j) {
        const double a = regrets[static_cast<std::size_t>(i)];
        const double b = regrets[static_cast<std::size_t>(j)];
        return a != b ? a > b : i < j;
      });
      const auto count = static_cast<Index>(end - begin);
      std::vector<Index> room(static_cast<std::size_t>(K_), count / K_);
      for (Index more = 0; more < count % K_; ++more, ++extra) {
        ++room[static_cast<std::size_t>(extra % K_)];
      }
      for (auto member = begin; member != end; ++member) {
        labels[static_cast<std::size_t>(*member)] = nearest_with_room(*member, room);
      }
    }
    return labels;
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
  std::vector<Index> first_;    ///< of each set among the members
  std::vector<Index> members_;  ///< nodes by set
  Matrix distances_;
};

}  // namespace

Labels even_labels(const Matrix& points, const Labels& labels, const Labels& sets,
                   int num_clusters) {
  return EvenRounding(points, sets, num_clusters).run(labels);
}

}  // namespace repsc
