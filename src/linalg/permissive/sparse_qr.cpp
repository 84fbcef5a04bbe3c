// SparseQr by Householder reflections, column after column, each with the rows that it can touch.
//
// By hand, since Eigen's SparseQR clears vectors of length N for every column and starts its
// analysis again at every dependent column; here R has thousands of those.
//
// The columns are ordered by COLAMD. Their elimination tree, that of M'M, has the property that the
// columns with an entry in one row lie on one path. Each row waits at the first of its columns; a
// column takes one of the rows that wait for it as its pivot, and the others go on to its parent.
// So the reflection of column k touches the rows that wait at k, and has to be applied to a later
// column if one of the rows of that column, or a row it was mixed with, has come by k. A column
// that depends on earlier ones takes no pivot: all its rows go on (Heath 1982).
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/sparse_factor.hpp"

namespace repsc {
namespace {

using Rows = std::vector<Index>;

/// I - factor v v', v[0] = 1. Its first row is the pivot.
struct Reflection {
  Rows rows;
  std::vector<double> v;
  double factor = 0;
};

std::vector<Index> column_order(const SparseColumns& M) {
  using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
  const Eigen::Map<const Sparse> matrix(M.size(), M.size(), M.starts.back(), M.starts.data(),
                                        M.rows.data(), M.values.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int64_t> places;
  Eigen::COLAMDOrdering<std::int64_t>()(Sparse(matrix), places);
  std::vector<Index> order(static_cast<std::size_t>(M.size()));
  for (Index j = 0; j < M.size(); ++j) order[std::size_t(places.indices()[j])] = j;
  return order;
}

/// The columns in their order, and the tree that says where rows go on to.
struct Tree {
  std::vector<Index> order;   ///< the k-th column is column order[k] of M
  std::vector<Index> parent;  ///< -1: none
  std::vector<Index> first;   ///< the first column with an entry in this row; -1: none
};

Tree elimination_tree(const SparseColumns& M) {
  const auto n = static_cast<std::size_t>(M.size());
  Tree tree{column_order(M), std::vector<Index>(n, -1), std::vector<Index>(n, -1)};
  std::vector<Index> last(n, -1);      // the last column so far with an entry in this row
  std::vector<Index> ancestor(n, -1);  // shortcuts upwards
  for (Index k = 0; k < M.size(); ++k) {
    const auto column = static_cast<std::size_t>(tree.order[std::size_t(k)]);
    for (std::int64_t e = M.starts[column]; e < M.starts[column + 1]; ++e) {
      const auto row = static_cast<std::size_t>(M.rows[std::size_t(e)]);
      if (tree.first[row] < 0) tree.first[row] = k;
      for (Index i = last[row]; i >= 0 && i != k;) {
        const Index next = ancestor[std::size_t(i)];
        ancestor[std::size_t(i)] = k;
        if (next < 0) tree.parent[std::size_t(i)] = k;
        i = next;
      }
      last[row] = k;
    }
  }
  return tree;
}

/// The earlier columns whose reflections column k meets, in no order.
class Path {
 public:
  explicit Path(const Tree& tree) : tree_(tree), seen_by_(tree.order.size(), -1) {}

  std::vector<Index>& to(Index k, const SparseColumns& M) {
    path_.clear();
    const auto column = static_cast<std::size_t>(tree_.order[std::size_t(k)]);
    for (std::int64_t e = M.starts[column]; e < M.starts[column + 1]; ++e) {
      const auto row = static_cast<std::size_t>(M.rows[std::size_t(e)]);
      for (Index i = tree_.first[row]; i >= 0 && i < k && seen_by_[std::size_t(i)] != k;
           i = tree_.parent[std::size_t(i)]) {
        seen_by_[std::size_t(i)] = k;
        path_.push_back(i);
      }
    }
    return path_;
  }

 private:
  const Tree& tree_;
  std::vector<Index> seen_by_;
  std::vector<Index> path_;
};

/// As if every column took a pivot. Dependent columns leave rows for later ones, but have no
/// reflections of their own.
FactorCost cost_of(const SparseColumns& M, const Tree& tree) {
  constexpr std::int64_t bytes_per_entry = 48;      // M, and its copies while it is ordered
  constexpr std::int64_t bytes_per_column = 256;    // vectors with a number per column
  constexpr double most_operations_counted = 1e14;  // an hour or more
  constexpr double slower_than_dense = 10;          // entry by entry, not by BLAS
  const auto n = tree.order.size();
  std::vector<double> waiting(n, 0);
  for (const Index k : tree.first) {
    if (k >= 0) waiting[std::size_t(k)] += 1;
  }
  double touched = 0;
  for (std::size_t k = 0; k < n; ++k) {
    touched += waiting[k];
    if (const Index next = tree.parent[k]; next >= 0)
      waiting[std::size_t(next)] += std::max(waiting[k] - 1, 0.0);
  }
  FactorCost cost;
  cost.bytes = bytes_per_entry * static_cast<std::int64_t>(M.rows.size()) +
               bytes_per_column * static_cast<std::int64_t>(n) +
               static_cast<std::int64_t>(touched * double(sizeof(double) + sizeof(Index)));
  Path path(tree);
  for (Index k = 0; k < M.size() && cost.operations < most_operations_counted; ++k) {
    for (const Index i : path.to(k, M))
      cost.operations += slower_than_dense * 4 * waiting[std::size_t(i)];
  }
  return cost;
}

double largest_column_norm(const SparseColumns& M) {
  double largest = 0;
  for (std::size_t j = 0; j + 1 < M.starts.size(); ++j) {
    double square = 0;
    for (std::int64_t e = M.starts[j]; e < M.starts[j + 1]; ++e)
      square += M.values[std::size_t(e)] * M.values[std::size_t(e)];
    largest = std::max(largest, square);
  }
  return std::sqrt(largest);
}

void reflect(const Reflection& H, std::vector<double>& x) {
  double product = 0;
  for (std::size_t r = 0; r < H.rows.size(); ++r) product += H.v[r] * x[std::size_t(H.rows[r])];
  product *= H.factor;
  for (std::size_t r = 0; r < H.rows.size(); ++r) x[std::size_t(H.rows[r])] -= product * H.v[r];
}

void reflect(const Reflection& H, Matrix& X) {
  Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(X.cols());
  for (std::size_t r = 0; r < H.rows.size(); ++r) product += H.v[r] * X.row(H.rows[r]);
  product *= H.factor;
  for (std::size_t r = 0; r < H.rows.size(); ++r) X.row(H.rows[r]) -= H.v[r] * product;
}

/// The reflection that maps x, given on `rows`, to a multiple of the first of them.
Reflection reflection_of(const Rows& rows, const std::vector<double>& x, double norm) {
  Reflection H{.rows = rows, .v = {}};
  H.v.reserve(rows.size());
  for (const Index row : rows) H.v.push_back(x[std::size_t(row)]);
  const double head = H.v[0] + std::copysign(norm, H.v[0]);  // no cancellation
  H.factor = std::abs(head) / norm;
  for (double& value : H.v) value /= head;
  H.v[0] = 1;
  return H;
}

void append(Rows& to, Rows&& from) {
  if (from.size() > to.size()) std::swap(to, from);
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

struct SparseQr::Factor {
  SparseColumns matrix;  // empty once it is factored
  Tree tree;
  FactorCost cost;
  std::vector<Reflection> reflections;
  std::vector<char> is_pivot;  // one per row
};

SparseQr::SparseQr(SparseColumns matrix) : factor_(std::make_unique<Factor>()) {
  factor_->matrix = std::move(matrix);
  factor_->tree = elimination_tree(factor_->matrix);
  factor_->cost = cost_of(factor_->matrix, factor_->tree);
}

SparseQr::~SparseQr() = default;

FactorCost SparseQr::cost() const { return factor_->cost; }

void SparseQr::factorize() {
  const SparseColumns& M = factor_->matrix;
  const Tree& tree = factor_->tree;
  const auto n = static_cast<std::size_t>(M.size());
  const double threshold =
      20.0 * (2.0 * M.size()) * std::numeric_limits<double>::epsilon() * largest_column_norm(M);
  std::vector<Rows> waiting(n);
  for (std::size_t row = 0; row < n; ++row) {
    if (tree.first[row] >= 0)
      waiting[std::size_t(tree.first[row])].push_back(static_cast<Index>(row));
  }
  std::vector<Index> reflection_at(n, -1);
  std::vector<double> x(n, 0);  // the column that is being eliminated
  Path path(tree);
  factor_->is_pivot.assign(n, 0);
  for (Index k = 0; k < M.size(); ++k) {
    const auto column = static_cast<std::size_t>(tree.order[std::size_t(k)]);
    for (std::int64_t e = M.starts[column]; e < M.starts[column + 1]; ++e)
      x[std::size_t(M.rows[std::size_t(e)])] = M.values[std::size_t(e)];
    std::vector<Index>& earlier = path.to(k, M);
    std::sort(earlier.begin(), earlier.end());
    for (const Index i : earlier) {
      if (const Index at = reflection_at[std::size_t(i)]; at >= 0) {
        const Reflection& H = factor_->reflections[std::size_t(at)];
        reflect(H, x);
        x[std::size_t(H.rows[0])] = 0;  // an entry of R, which nobody asks for
      }
    }
    Rows rows = std::move(waiting[std::size_t(k)]);
    double square = 0;
    for (const Index row : rows) square += x[std::size_t(row)] * x[std::size_t(row)];
    const double norm = std::sqrt(square);
    const bool independent = norm > threshold;
    if (independent) {
      factor_->reflections.push_back(reflection_of(rows, x, norm));
      reflection_at[std::size_t(k)] = static_cast<Index>(factor_->reflections.size()) - 1;
      factor_->is_pivot[std::size_t(rows[0])] = 1;
    }
    for (const Index row : rows) x[std::size_t(row)] = 0;
    if (const Index next = tree.parent[std::size_t(k)]; next >= 0) {
      if (independent) rows.erase(rows.begin());
      append(waiting[std::size_t(next)], std::move(rows));
    }
  }
  factor_->matrix = {};
  factor_->tree = {};
}

Index SparseQr::rank() const { return static_cast<Index>(factor_->reflections.size()); }

void SparseQr::project(Matrix& X) const {
  const auto& all = factor_->reflections;
  for (const Reflection& H : all) reflect(H, X);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    if (!factor_->is_pivot[std::size_t(i)]) X.row(i).setZero();
  }
  for (auto H = all.rbegin(); H != all.rend(); ++H) reflect(*H, X);
}

}  // namespace repsc
