// A session of CHOLMOD, which SuiteSparseQR shares.
#pragma once

#include <cholmod.h>

#include "linalg/sparse_factor.hpp"

namespace repsc {

/// CHOLMOD's settings and workspace, silent: what goes wrong is an exception of ours.
class CholmodSession {
 public:
  CholmodSession();
  ~CholmodSession();
  CholmodSession(const CholmodSession&) = delete;
  CholmodSession& operator=(const CholmodSession&) = delete;

  [[nodiscard]] cholmod_common* get() { return &common_; }
  /// Throws where the last call failed; a warning is no failure.
  void check(const char* step) const;

 private:
  cholmod_common common_{};
};

enum class Stored { whole, upper_triangle };

/// `matrix` as CHOLMOD sees it, without a copy.
[[nodiscard]] cholmod_sparse view_of(SparseColumns& matrix, Stored stored);

/// `rows` x `cols` numbers, column by column, without a copy.
[[nodiscard]] cholmod_dense view_of(double* values, Eigen::Index rows, Eigen::Index cols);

}  // namespace repsc
