// Options from Python: dicts by the names in C++, of values that the package has checked.
#pragma once

#include <nanobind/nanobind.h>

#include "repsc/certify.hpp"
#include "repsc/cluster.hpp"
#include "repsc/refine.hpp"

namespace repsc::python {

namespace nb = nanobind;

/// What is not given keeps its default; a name that is not known is an error.
[[nodiscard]] ClusterOptions cluster_options_from(const nb::dict& given);
[[nodiscard]] RefineOptions refine_options_from(const nb::dict& given);
[[nodiscard]] CertifyOptions certify_options_from(const nb::dict& given);

}  // namespace repsc::python
