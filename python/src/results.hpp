// Results as dicts of the fields of the package's own classes.
#pragma once

#include <nanobind/nanobind.h>

#include "repsc/cluster.hpp"
#include "repsc/refine.hpp"

namespace repsc::python {

namespace nb = nanobind;

/// "ratio" or "normalized".
[[nodiscard]] const char* cut_name(CutKind cut);

[[nodiscard]] nb::dict as_dict(Clustering result);
[[nodiscard]] nb::dict as_dict(Refinement result);
[[nodiscard]] nb::dict as_dict(const Baselines& baselines);

}  // namespace repsc::python
