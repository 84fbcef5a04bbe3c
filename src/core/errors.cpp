// Errors in words: faults with the option names of a front end.
#include "repsc/core.hpp"

namespace repsc {
namespace {

std::string worded(const Remedy& remedy, const Spelling& spelling) {
  switch (remedy.action) {
    case Remedy::Action::use:
      return "use " + spelling(remedy.option, remedy.value);
    case Remedy::Action::raise:
      return "raise " + spelling(remedy.option, "");
    case Remedy::Action::lower:
      return "lower " + spelling(remedy.option, "");
    case Remedy::Action::leave_out:
      return "leave out " + spelling(remedy.option, "");
    case Remedy::Action::advice:
      break;
  }
  return remedy.value;
}

/// The names of this library.
std::string own_name(std::string_view option, std::string_view value) {
  return value.empty() ? std::string(option) : joined(option, " = ", value);
}

}  // namespace

std::string worded(const Fault& fault, const Spelling& spelling) {
  std::string text;
  if (!fault.where.empty()) text += fault.where + ": ";
  if (!fault.option.empty()) text += spelling(fault.option, fault.value) + ": ";
  text += fault.what;
  for (std::size_t i = 0; i < fault.remedies.size(); ++i) {
    const bool last = i + 1 == fault.remedies.size();
    text += i == 0 ? "; " : (last ? " or " : ", ");
    text += worded(fault.remedies[i], spelling);
  }
  return text;
}

InvalidInput::InvalidInput(Fault fault)
    : std::invalid_argument(worded(fault, own_name)), fault_(std::move(fault)) {}

}  // namespace repsc
