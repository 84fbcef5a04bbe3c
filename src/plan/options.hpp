// What the files of this stage share.
#pragma once

#include "repsc/plan.hpp"

namespace repsc {

struct MethodChoice {
  Method method;
  std::string reason;
};
/// Which method runs; nothing is checked.
[[nodiscard]] MethodChoice method_choice(const InputKinds& given, const ClusterOptions& options);

/// Whether method and constraint are left to the library, which then searches among candidates.
[[nodiscard]] bool searches(const InputKinds& given, const ClusterOptions& options);

/// Whether the options name a soft constraint, or a strength, which only a soft constraint has.
[[nodiscard]] bool asks_for_soft(const ClusterOptions& options);

/// "exact" or the number.
[[nodiscard]] std::string in_words(const Rank& rank);

}  // namespace repsc
