// Fields by their names in Python; arrays are handed over, not copied.
#include "results.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "errors.hpp"

namespace repsc::python {

const char* cut_name(CutKind cut) { return cut == CutKind::ratio ? "ratio" : "normalized"; }

nb::dict as_dict(Clustering result) {
  nb::dict fields;
  fields["n_clusters"] = result.num_clusters;
  fields["method"] = name(result.method);
  fields["inertia"] = result.inertia;
  fields["converged"] = result.converged;
  fields["settled"] = result.settled;
  fields["residual"] = result.residual;
  fields["constraint_rank"] = result.constraint_rank;
  fields["constraint_residual"] = result.constraint_residual;
  fields["strength"] = result.strength;
  fields["n_iter"] = result.iterations;
  fields["solver"] = result.solver;
  fields["device"] = result.device;
  fields["clusters_visible"] = result.clusters_visible;
  fields["eigengap"] = result.eigengap;
  fields["rank_unique"] = result.rank_unique;
  nb::list warnings;
  for (const Warning& warning : result.warnings) {
    warnings.append(nb::make_tuple(warning.code, in_words(warning)));
  }
  fields["warnings"] = nb::tuple(warnings);
  fields["time_limit_reached"] = result.out_of_time;
  nb::dict seconds;
  seconds["constraint"] = result.seconds.constraint;
  seconds["eigen"] = result.seconds.eigen;
  seconds["kmeans"] = result.seconds.kmeans;
  seconds["refine"] = result.seconds.refine;
  seconds["search"] = result.seconds.search;
  fields["seconds"] = seconds;
  fields["groups"] = result.groups.empty() ? nb::none() : numpy_array(std::move(result.groups));
  fields["refinement"] = nb::none();
  fields["before_refinement"] = nb::none();
  if (result.refinement) {
    fields["refinement"] = as_dict(std::move(*result.refinement));
    fields["before_refinement"] = numpy_array(std::move(result.before_refinement));
  }
  fields["search"] = nb::none();
  if (result.search) {
    fields["search"] =
        nb::make_tuple(result.search->start, result.search->tried, result.search->met);
  }
  fields["baselines"] = nb::none();
  if (result.baselines) fields["baselines"] = as_dict(*result.baselines);
  fields["labels"] = numpy_array(std::move(result.labels));
  fields["embedding"] = numpy_array(std::move(result.embedding));
  fields["eigenvalues"] = numpy_array(std::move(result.eigenvalues));
  return fields;
}

nb::dict as_dict(const Baselines& baselines) {
  const auto outcome = [](const Outcome& of) { return nb::make_tuple(of.cut, of.average_balance); };
  nb::dict fields;
  fields["plain"] = outcome(baselines.plain);
  fields["exact"] = baselines.exact ? nb::object(outcome(*baselines.exact)) : nb::none();
  const Lots& lots = baselines.random;
  fields["random"] = nb::make_tuple(lots.cut, lots.cut_spread, lots.average_balance,
                                    lots.balance_spread, lots.ratio_cut, lots.draws);
  fields["fair_balance"] = baselines.fair_balance;
  fields["reachable_balance"] = baselines.reachable_balance;
  return fields;
}

nb::dict as_dict(Refinement result) {
  nb::dict fields;
  fields["mu"] = result.mu;
  fields["cut"] = result.cut;
  fields["average_balance"] = result.average_balance;
  fields["objective"] = result.objective;
  fields["start_objective"] = result.start_objective;
  fields["moves"] = result.moves;
  fields["rounds"] = result.rounds;
  fields["local_optimum"] = result.local_optimum;
  fields["time_limit_reached"] = result.out_of_time;
  fields["labels"] = numpy_array(std::move(result.labels));
  return fields;
}

}  // namespace repsc::python
