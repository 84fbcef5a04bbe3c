// Cuts and balance from the definitions, with dense matrices.
#pragma once

#include <algorithm>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

/// RCut or NCut.
inline double dense_cut(const Matrix& A, const Labels& labels, int K, bool normalized) {
  double sum = 0;
  for (int k = 0; k < K; ++k) {
    double leaving = 0;
    double size = 0;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (labels[static_cast<std::size_t>(i)] != k) continue;
      size += normalized ? A.row(i).sum() : 1;
      for (Eigen::Index j = 0; j < A.rows(); ++j) {
        if (labels[static_cast<std::size_t>(j)] != k) leaving += A(i, j);
      }
    }
    if (size > 0) sum += leaving / 2 / size;
  }
  return sum;
}

/// The mean of rho_i.
inline double dense_balance(const Matrix& R, const Labels& labels, int K) {
  double sum = 0;
  for (Eigen::Index i = 0; i < R.rows(); ++i) {
    std::vector<double> counts(static_cast<std::size_t>(K), 0);
    for (Eigen::Index j = 0; j < R.rows(); ++j) {
      if (R(i, j) != 0) {
        counts[static_cast<std::size_t>(labels[static_cast<std::size_t>(j)])] += 1;
      }
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    sum += *most == 0 ? 1 : *least / *most;
  }
  return sum / static_cast<double>(R.rows());
}

}  // namespace repsc
