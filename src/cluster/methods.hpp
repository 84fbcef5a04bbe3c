// The methods, one file each, in the paper's steps. A plan selects the method and its settings.
#pragma once

#include "repsc/cluster.hpp"

namespace repsc {

Clustering usc(Pipeline& data, const Plan& plan);
Clustering nsc(Pipeline& data, const Plan& plan);
Clustering urepsc(Pipeline& data, const Plan& plan);
Clustering nrepsc(Pipeline& data, const Plan& plan);
Clustering ufairsc(Pipeline& data, const Plan& plan);
Clustering nfairsc(Pipeline& data, const Plan& plan);

/// urepsc and nrepsc with a soft constraint.
Clustering soft_repsc(Pipeline& data, const Plan& plan);

/// The method of the plan.
Clustering run_planned_method(Pipeline& data, const Plan& plan);

}  // namespace repsc
