// In place of SLEPc, where it is not installed or not wanted.
#include "distributed/eigensolver.hpp"

namespace repsc {

void require_slepc() {
  throw InvalidOptions(
      Fault{.what = "this build has no SLEPc",
            .option = "solver",
            .value = "slepc",
            .remedies = {{Remedy::Action::use, "solver", "lanczos"},
                         advice("build with SLEPc, as docs/distributed.md says")}});
}

KrylovResult solve_by_slepc(const DistributedOperator&, const EigenQuery&, const std::string&) {
  require_slepc();
  return {};
}

}  // namespace repsc
