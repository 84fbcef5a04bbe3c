// The module repsc._engine: what the Python package calls.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "repsc/core.hpp"
#include "words.hpp"

namespace repsc::python {
namespace {

// InvalidInput -> ValueError, MemoryLimitExceeded -> MemoryError, IoError -> OSError; nanobind
// makes MemoryError of std::bad_alloc.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const MemoryLimitExceeded& error) {
    PyErr_SetString(PyExc_MemoryError, in_python_words(error.what()).c_str());
  } catch (const InvalidInput& error) {
    PyErr_SetString(PyExc_ValueError, in_python_words(error.what()).c_str());
  } catch (const IoError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

NB_MODULE(_engine, module) {
  // A graph that lives until Python ends does not let go of its arrays then: nothing is lost.
  nanobind::set_leak_warnings(false);
  nanobind::register_exception_translator(translate);
  module.attr("__version__") = version;
  module.def("set_num_threads", &set_num_threads, nanobind::arg("count").none());
  bind_graphs(module);
  bind_clusters(module);
  bind_refinements(module);
  bind_targets(module);
  bind_metrics(module);
  bind_models(module);
  bind_representations(module);
}

}  // namespace repsc::python
