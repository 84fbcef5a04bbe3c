// The page without its data, made from report/ by the build.
#pragma once

#include <string_view>

namespace repsc {

/// Empty if the library was built without the page.
[[nodiscard]] std::string_view page_template();

}  // namespace repsc
