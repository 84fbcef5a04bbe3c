// Which method runs, and what ranks do not offer.
#include <cmath>

#include "repsc/distributed.hpp"

namespace repsc {

Method choose_distributed_method(const InputKinds& given, const DistributedOptions& options) {
  ClusterOptions serial{.method = options.method,
                        .rank = options.rank,
                        .constraint = options.constraint,
                        .strength = options.strength,
                        .refine = options.refine};
  // Without a method the serial tool searches among candidates.
  if (!serial.method)
    serial.method = given.representation || given.groups ? Method::nrepsc : Method::nsc;
  const Method method = choose_method(given, serial);
  if (is_fair_to_groups(method) && !given.groups) {
    throw InvalidOptions(Fault{
        .what = "several processes do not find groups in R; give them",
        .option = "method",
        .value = name(method),
        .remedies = {{Remedy::Action::use, "groups"}, {Remedy::Action::use, "method", "nrepsc"}}});
  }
  if (options.mu && !options.refine) {
    throw InvalidOptions(Fault{.what = "it has no effect without refinement",
                               .option = "mu",
                               .value = joined(*options.mu),
                               .remedies = {{Remedy::Action::use, "refine"}}});
  }
  require_option<InvalidOptions>(!options.mu || (*options.mu >= 0 && std::isfinite(*options.mu)),
                                 "mu", options.mu.value_or(0),
                                 "it must be a finite number of at least 0");
  if (options.solver == DistributedSolver::slepc) {
    require_slepc();
  } else if (!options.slepc_options.empty()) {
    throw InvalidOptions(
        Fault{.what = joined("the options ", options.slepc_options, " are for SLEPc"),
              .remedies = {{Remedy::Action::use, "solver", "slepc"}}});
  }
  return method;
}

}  // namespace repsc
