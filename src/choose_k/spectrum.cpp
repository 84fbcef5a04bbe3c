// One eigenproblem for all K.
#include "choose_k/spectrum.hpp"

#include <algorithm>

namespace repsc {
namespace {

/// Gaps need few digits, and a spectrum without gaps would take thousands of products for more.
constexpr double tolerance = 1e-4;
constexpr int most_products = 400;
/// Smaller differences are rounding errors, whatever the solver.
constexpr double rounding = 1e-10;

Plan plan_of(const Pipeline& data, ConstraintSource constraint, Index count,
             const ChooseKOptions& options) {
  constexpr int any_number = 2;  // the spectrum does not depend on it
  Plan made = plan({data.similarity()}, any_number,
                   {.method = Method::nsc,
                    .seed = options.seed,
                    .memory_limit = options.memory_limit,
                    .progress = options.progress,
                    .deadline = options.deadline});
  made.num_clusters = static_cast<int>(count);
  made.constraint.source = constraint;
  return made;
}

}  // namespace

LowSpectrum low_spectrum(Pipeline& data, ConstraintSource constraint, Index count,
                         const ChooseKOptions& options) {
  const Plan how = plan_of(data, constraint, count, options);
  const Laplacian& plain = data.laplacian(how);
  const Laplacian L =
      constraint == ConstraintSource::soft ? data.penalized_laplacian(how, choice_strength) : plain;
  const Constraint within = data.constraint(how);
  const Eigenpairs pairs =
      smallest_eigenpairs({L, within.projector}, {.count = count,
                                                  .tolerance = tolerance,
                                                  .max_iterations = most_products,
                                                  .seed = options.seed,
                                                  .progress = options.progress,
                                                  .deadline = options.deadline,
                                                  .memory_limit = options.memory_limit});
  return {.values = pairs.values,
          .rows = L.scale().asDiagonal() * pairs.vectors,
          .error = std::max(rounding, pairs.residual * L.residual_unit()),
          .out_of_time = pairs.out_of_time};
}

}  // namespace repsc
