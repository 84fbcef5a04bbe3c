// Names and properties of the methods.
#include <algorithm>
#include <array>
#include <utility>

#include "repsc/plan.hpp"

namespace repsc {
namespace {

constexpr std::array<std::pair<Method, const char*>, 6> names{{{Method::usc, "usc"},
                                                               {Method::nsc, "nsc"},
                                                               {Method::urepsc, "urepsc"},
                                                               {Method::nrepsc, "nrepsc"},
                                                               {Method::ufairsc, "ufairsc"},
                                                               {Method::nfairsc, "nfairsc"}}};

}  // namespace

std::string name(Method method) {
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& entry) { return entry.first == method; });
  return found->second;
}

Method method_by_name(const std::string& name) {
  std::string known;
  for (const auto& [value, text] : names) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw InvalidOptions(
      Fault{.what = "it must be one of " + known, .option = "method", .value = name});
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> methods;
    methods.reserve(names.size());
    for (const auto& [value, text] : names) methods.push_back(value);
    return methods;
  }();
  return all;
}

bool is_normalized(Method method) {
  return method == Method::nsc || method == Method::nrepsc || method == Method::nfairsc;
}

bool is_plain(Method method) { return method == Method::usc || method == Method::nsc; }

bool is_representation_aware(Method method) {
  return method == Method::urepsc || method == Method::nrepsc;
}

bool is_fair_to_groups(Method method) {
  return method == Method::ufairsc || method == Method::nfairsc;
}

CutKind cut_of(Method method) {
  return is_normalized(method) ? CutKind::normalized : CutKind::ratio;
}

}  // namespace repsc
