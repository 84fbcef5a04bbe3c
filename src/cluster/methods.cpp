// From the name of a method to its function.
#include "cluster/methods.hpp"

namespace repsc {

Clustering run_planned_method(Pipeline& data, const Plan& plan) {
  const bool soft = plan.constraint.source == ConstraintSource::soft;
  switch (plan.method) {
    case Method::usc:
      return usc(data, plan);
    case Method::nsc:
      return nsc(data, plan);
    case Method::urepsc:
      return soft ? soft_repsc(data, plan) : urepsc(data, plan);
    case Method::nrepsc:
      return soft ? soft_repsc(data, plan) : nrepsc(data, plan);
    case Method::ufairsc:
      return ufairsc(data, plan);
    case Method::nfairsc:
      break;
  }
  return nfairsc(data, plan);
}

}  // namespace repsc
