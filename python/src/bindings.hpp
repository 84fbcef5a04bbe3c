// The parts of the module, one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace repsc::python {

void bind_graphs(nanobind::module_& module);
void bind_clusters(nanobind::module_& module);
void bind_choices(nanobind::module_& module);
void bind_refinements(nanobind::module_& module);
void bind_audits(nanobind::module_& module);
void bind_certificates(nanobind::module_& module);
void bind_targets(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_models(nanobind::module_& module);
void bind_theory(nanobind::module_& module);
void bind_representations(nanobind::module_& module);

}  // namespace repsc::python
