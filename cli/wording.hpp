// The library's errors and option names in the words of the command line.
#pragma once

#include <string>
#include <string_view>

#include "repsc/core.hpp"

namespace repsc::cli {

/// The flag of an option of the library, with its value where there is one: "--solver lanczos".
[[nodiscard]] std::string flag_of(std::string_view option, std::string_view value = "");

/// An error of the library in one line.
[[nodiscard]] std::string in_words(const InvalidInput& error);

}  // namespace repsc::cli
