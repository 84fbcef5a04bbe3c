// The theorems about an R-PP model.
#include "repsc/theory.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings.hpp"

namespace repsc::python {

namespace nb = nanobind;

namespace {

nb::dict numbers_of(const UnnormalizedTheorem& theorem) {
  nb::dict numbers;
  numbers["gamma"] = theorem.gamma;
  numbers["largest_constant"] = theorem.largest_constant;
  numbers["bound"] = theorem.bound;
  return numbers;
}

nb::dict numbers_of(const NormalizedTheorem& theorem) {
  nb::dict numbers;
  numbers["gamma"] = theorem.gamma;
  numbers["x"] = theorem.x;
  numbers["first_condition"] = theorem.first;
  numbers["first_condition_limit"] = theorem.first_limit;
  numbers["first_condition_holds"] = theorem.first_holds();
  numbers["largest_constant"] = theorem.largest_constant;
  numbers["bound"] = theorem.bound;
  return numbers;
}

nb::dict run_theory(const std::tuple<double, double, double>& sizes,
                    const std::tuple<double, double, double, double>& probabilities, double C,
                    double alpha, double epsilon) {
  const auto [nodes, clusters, degree] = sizes;
  const auto [p, q, r, s] = probabilities;
  const RppModel model{nodes, clusters, degree, p, q, r, s};
  const ExpectedEigenvalues expected = expected_eigenvalues(model);
  const Theorems found = theorems(model, {.C = C, .alpha = alpha, .epsilon = epsilon});
  const auto range = [&](bool normalized) {
    const EigengapBounds bounds = eigengap_bounds(model, normalized);
    return nb::make_tuple(bounds.lower, bounds.upper);
  };
  nb::dict numbers;
  numbers["lambda_1"] = expected.lambda_1;
  numbers["lambda_2"] = expected.lambda_2;
  numbers["gamma"] = range(false);
  numbers["gamma_normalized"] = range(true);
  numbers["largest_c"] = found.largest_C;
  numbers["dense_enough"] = found.dense_enough;
  numbers["probability"] = found.probability;
  numbers["random_error"] = found.random_error;
  numbers["unnormalized"] = numbers_of(found.unnormalized);
  numbers["normalized"] = numbers_of(found.normalized);
  return numbers;
}

}  // namespace

void bind_theory(nb::module_& module) {
  module.def("theory", &run_theory, nb::arg("sizes"), nb::arg("probabilities"), nb::arg("C"),
             nb::arg("alpha"), nb::arg("epsilon"));
}

}  // namespace repsc::python
