// Start and end of CHOLMOD, and its view of our matrices.
#include "linalg/suitesparse/session.hpp"
#include "core/numerical_failure.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace repsc {

static_assert(sizeof(SuiteSparse_long) == sizeof(std::int64_t) &&
              std::is_signed_v<SuiteSparse_long>);

CholmodSession::CholmodSession() {
  cholmod_l_start(&common_);
  common_.print = 0;
}

CholmodSession::~CholmodSession() { cholmod_l_finish(&common_); }

void CholmodSession::check(const char* step) const {
  if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  if (common_.status >= CHOLMOD_OK) return;
  throw NumericalFailure(std::string("SuiteSparse: ") + step + " failed with status " +
                         std::to_string(common_.status));
}

cholmod_sparse view_of(SparseColumns& matrix, Stored stored) {
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(matrix.size());
  view.nzmax = matrix.rows.size();
  view.p = matrix.starts.data();
  view.i = matrix.rows.data();
  view.x = matrix.values.data();
  view.stype = stored == Stored::upper_triangle ? 1 : 0;
  view.itype = CHOLMOD_LONG;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

cholmod_dense view_of(double* values, Eigen::Index rows, Eigen::Index cols) {
  cholmod_dense view{};
  view.nrow = view.d = static_cast<std::size_t>(rows);
  view.ncol = static_cast<std::size_t>(cols);
  view.nzmax = view.nrow * view.ncol;
  view.x = values;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  return view;
}

}  // namespace repsc
