// In place of SLEPc, where it is not installed or not wanted.
#include "distributed/eigensolver.hpp"

namespace repsc {

void require_slepc() {
  throw InvalidOptions(Fault{.what = "this build has no SLEPc",
                             .option = "solver",
                             .value = "slepc",
                             .remedies = {{Remedy::Action::use, "solver", "lanczos"},
                                          advice("install libslepc64-real-dev and build again with "
                                                 "`./dev build mpi`")}});
}

KrylovResult solve_by_slepc(const DistributedOperator&, const DistributedQuery&,
                            const std::string&) {
  require_slepc();
  return {};
}

}  // namespace repsc
