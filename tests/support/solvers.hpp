// Solvers by name, for tests that run over several.
#pragma once

#include <optional>
#include <string>

#include "repsc/eigensolver.hpp"

namespace repsc {

/// "auto" leaves the choice to the library.
inline std::optional<Solver> named_solver(const std::string& name) {
  if (name == "auto") return std::nullopt;
  return solver_by_name(name);
}

}  // namespace repsc
