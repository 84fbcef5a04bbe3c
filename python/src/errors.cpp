// Options, values and remedies as a Python user writes them.
#include "errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "repsc/core.hpp"

namespace repsc::python {

namespace nb = nanobind;

namespace {

// Options that have another name in Python.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> names{{
    {"num_clusters", "n_clusters"},
    {"groups", "sensitive_features"},
    {"num_groups", "n_groups"},
    {"num_nodes", "n_samples"},
    {"num_neighbors", "n_neighbors"},
    {"max_iterations", "max_iter"},
    {"kmeans_restarts", "n_init"},
    {"restarts", "n_init"},
    {"tolerance", "tol"},
    {"seed", "random_state"},
    {"threads", "n_jobs"},
    {"average_balance", "target_balance"},
    {"individual_balance", "target_individual"},
    {"mus", "refine"},
    {"from", "from_"},
    {"refinement", "mu and min_cluster_size"},
}};

/// Numbers and truth values are written as they are, words in quotes.
std::string literal(std::string_view value) {
  const std::string text(value);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0' && std::isfinite(number);
  return is_number || text == "True" || text == "False" ? text : '"' + text + '"';
}

/// rank=12, solver="lanczos", or only the name.
std::string argument(std::string_view option, std::string_view value) {
  return value.empty() ? std::string(option) : joined(option, "=", literal(value));
}

/// The library says "" or "no" for refine, which is a bool in Python.
std::string value_in_python(std::string_view option, const std::string& value) {
  if (option != "refine") return value;
  return value == "no" ? "False" : "True";
}

std::vector<Remedy> remedies_in_python(const Fault& fault) {
  using Action = Remedy::Action;
  std::vector<Remedy> remedies;
  for (const Remedy& remedy : fault.remedies) {
    if (remedy.option == "isolated") {  // only the tool can drop nodes while it reads a file
      remedies.push_back({Action::use, "regularization", "auto"});
      remedies.push_back({Action::advice, "", "leave out such nodes"});
    } else if (remedy.action == Action::use) {
      remedies.push_back({Action::use, name_in_python(remedy.option),
                          value_in_python(remedy.option, remedy.value)});
    } else {
      remedies.push_back({remedy.action, name_in_python(remedy.option), remedy.value});
    }
  }
  return remedies;
}

Fault in_python(const Fault& fault) {
  return {.what = fault.what,
          .option = name_in_python(fault.option),
          .value = value_in_python(fault.option, fault.value),
          .remedies = remedies_in_python(fault),
          .where = fault.where};
}

const char* name(Remedy::Action action) {
  switch (action) {
    case Remedy::Action::use:
      return "use";
    case Remedy::Action::raise:
      return "raise";
    case Remedy::Action::lower:
      return "lower";
    case Remedy::Action::leave_out:
      return "leave out";
    case Remedy::Action::advice:
      break;
  }
  return "advice";
}

nb::object text_or_none(const std::string& text) {
  return text.empty() ? nb::none() : nb::cast(text);
}

/// A number, a truth value or a string; None where there is no value.
nb::object value_from(const std::string& text) {
  const std::string written = literal(text);
  if (text.empty() || written != text) return text_or_none(text);
  return nb::module_::import_("ast").attr("literal_eval")(written);
}

/// Raises repsc.InvalidInput, which holds the fault as data.
void raise_invalid_input(const Fault& fault) {
  nb::list remedies;
  for (const Remedy& remedy : fault.remedies) {
    remedies.append(
        nb::make_tuple(name(remedy.action), text_or_none(remedy.option), value_from(remedy.value)));
  }
  const nb::object type = nb::module_::import_("repsc._errors").attr("InvalidInput");
  const nb::object error =
      type(worded(fault, argument), nb::arg("option") = text_or_none(fault.option),
           nb::arg("value") = value_from(fault.value), nb::arg("remedies") = remedies,
           nb::arg("where") = text_or_none(fault.where));
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

std::string name_in_python(std::string_view option) {
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& entry) { return entry.first == option; });
  return std::string(found == names.end() ? option : found->second);
}

std::string in_words(const Warning& warning) {
  return worded(in_python({.what = warning.what, .remedies = warning.remedies}), argument);
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const MemoryLimitExceeded& error) {
    PyErr_SetString(PyExc_MemoryError, worded(in_python(error.fault()), argument).c_str());
  } catch (const InvalidInput& error) {
    raise_invalid_input(in_python(error.fault()));
  } catch (const IoError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace repsc::python
