// Long work on a thread of its own, while the caller's thread handles signals and progress.
//
// Ctrl-C raises KeyboardInterrupt at once. The work is told to stop, which it does at its next
// progress report; a single LAPACK or SuiteSparse call cannot be stopped, and ends in the
// background. What it uses is kept until then, and released by a later call that holds the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "repsc/core.hpp"

namespace repsc::python {

namespace nb = nanobind;

using Work = std::function<void(const ProgressFn&)>;

/// Runs `work` without the GIL. `on_progress` is None or called as (stage, done, total, value) on
/// the caller's thread, every 50 ms at most.
void run_interruptible(Work work, const nb::object& on_progress);

/// The same for work that returns a value. It must hold what it uses by value.
template <typename Function>
auto interruptible(Function function, const nb::object& on_progress) {
  using Result = std::invoke_result_t<Function, const ProgressFn&>;
  auto result = std::make_shared<std::optional<Result>>();
  run_interruptible([result, function = std::move(function)](
                        const ProgressFn& progress) { result->emplace(function(progress)); },
                    on_progress);
  return std::move(**result);
}

}  // namespace repsc::python
