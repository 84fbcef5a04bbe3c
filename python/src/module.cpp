// The module repsc._engine: what the Python package calls.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "repsc/core.hpp"

namespace repsc::python {

NB_MODULE(_engine, module) {
  // Graphs that are still alive when Python exits are not destroyed, which is not worth a warning.
  nanobind::set_leak_warnings(false);
  nanobind::register_exception_translator(translate);
  module.attr("__version__") = version;
  module.def("set_num_threads", &set_num_threads, nanobind::arg("count").none());
  module.def("num_threads", &num_threads);
  bind_graphs(module);
  bind_clusters(module);
  bind_choices(module);
  bind_refinements(module);
  bind_audits(module);
  bind_certificates(module);
  bind_targets(module);
  bind_metrics(module);
  bind_models(module);
  bind_theory(module);
  bind_representations(module);
}

}  // namespace repsc::python
