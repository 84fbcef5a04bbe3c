// The library's errors as Python exceptions, in the words of Python.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "repsc/cluster.hpp"

namespace repsc::python {

/// The name of an option in Python: "n_clusters" for "num_clusters".
[[nodiscard]] std::string name_in_python(std::string_view option);

/// A warning with its remedies, as a Python user writes them.
[[nodiscard]] std::string in_words(const Warning& warning);

/// InvalidInput -> repsc.InvalidInput, which is a ValueError; MemoryLimitExceeded -> MemoryError;
/// IoError -> OSError. nanobind translates std::bad_alloc to MemoryError.
void translate(const std::exception_ptr& thrown, void* unused);

}  // namespace repsc::python
