// The library's messages in the words of Python.
#pragma once

#include <string>

namespace repsc::python {

/// Messages name options as the command line does, `--max-iterations`; here they are `max_iter`.
[[nodiscard]] std::string in_python_words(std::string message);

}  // namespace repsc::python
