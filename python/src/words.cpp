// Options by their names in Python.
#include "words.hpp"

#include <array>
#include <regex>
#include <string_view>
#include <utility>

namespace repsc::python {
namespace {

// Longer ones first where one begins another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> names{{
    {"--isolated drop, or an unnormalized method",
     "regularization=\"auto\", an unnormalized method, or leave out such nodes"},
    {"--constraint hard", "constraint=\"hard\""},
    {"--constraint soft", "constraint=\"soft\""},
    {"--max-iterations", "max_iter"},
    {"--num-groups", "n_groups"},
    {"--regularize", "regularization"},
    {"--restarts", "n_init"},
    {"--seed", "random_state"},
    {"--threads", "n_jobs"},
    {"--rank with", "a rank of"},
    {"--solver lanczos", "solver=\"lanczos\""},
}};

}  // namespace

std::string in_python_words(std::string message) {
  for (const auto& [before, after] : names) {
    for (auto at = message.find(before); at != std::string::npos;
         at = message.find(before, at + after.size())) {
      message.replace(at, before.size(), after);
    }
  }
  // --memory-limit -> memory_limit
  static const std::regex option("--([a-z]+)(?:-([a-z]+))?(?:-([a-z]+))?");
  std::string result;
  auto rest = message.cbegin();
  for (std::sregex_iterator found(message.begin(), message.end(), option), end; found != end;
       ++found) {
    result.append(rest, (*found)[0].first);
    result += (*found)[1].str();
    for (std::size_t part = 2; part < found->size(); ++part) {
      if ((*found)[part].matched) result += '_' + (*found)[part].str();
    }
    rest = (*found)[0].second;
  }
  return result.append(rest, message.cend());
}

}  // namespace repsc::python
