// The library's errors and option names in the words of the command line.
#pragma once

#include <string>
#include <string_view>

#include "repsc/cluster.hpp"

namespace repsc::cli {

/// The flag of an option of the library, with its value if there is one: "--solver lanczos".
[[nodiscard]] std::string flag_of(std::string_view option, std::string_view value = "");

/// An error of the library in one line.
[[nodiscard]] std::string in_words(const InvalidInput& error);

/// A warning of the library in one line, with what helps.
[[nodiscard]] std::string in_words(const Warning& warning);

/// Runs `work`. What the library refuses there is wrong usage, because no file is involved.
template <typename Work>
auto as_usage(const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    throw InvalidOptions(error.fault());
  }
}

}  // namespace repsc::cli
