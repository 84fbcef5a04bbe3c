// Options and messages that `refine` and `cluster --refine` share.
#include "refine_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "options.hpp"

namespace repsc::cli {
namespace {

void set_mu(const std::string& text, RefineOptions& options) {
  options.maximize_ratio = text == "ratio";
  if (options.maximize_ratio) return;
  double mu = 0;
  if (!CLI::detail::lexical_cast(text, mu) || !(mu >= 0) || !std::isfinite(mu)) {
    refuse_value("--mu", text, "ratio or a number of at least 0");
  }
  options.mu = mu;
}

}  // namespace

RefineFlags add_refine_options(CLI::App& command, RefineOptions& options) {
  RefineFlags flags;
  flags.mu = command
                 .add_option_function<std::string>(
                     "--mu", [&options](const std::string& text) { set_mu(text, options); },
                     "refinement: weight of one unit of average balance, relative to the cut of a "
                     "random labelling; ratio: maximize average balance / cut")
                 ->type_name("FLOAT|ratio")
                 ->default_str(fmt::format("{}", default_mu));
  flags.min_cluster_size = command
                               .add_option("--min-cluster-size", options.min_cluster_size,
                                           "refinement: minimum number of nodes in a cluster")
                               ->capture_default_str()
                               ->check(at_least(1));
  return flags;
}

RefinementFacts refined(const Graph& similarity, const Representation& representation,
                        const Labels& labels, int num_clusters, const RefineOptions& options,
                        Console& console) {
  const Stopwatch watch;
  RefineOptions with_progress = options;
  with_progress.progress = console.progress();
  RefinementFacts facts{
      .refinement = refine(similarity, representation, labels, num_clusters, with_progress),
      .cut = options.cut,
      .min_cluster_size = options.min_cluster_size,
      .start = evaluate(similarity, representation, labels, num_clusters)};
  facts.seconds = watch.seconds();
  console.clear_progress();
  console.report_stage("refine", facts.seconds);
  return facts;
}

void summarize_refinement(const RefinementFacts& facts, const Metrics& metrics, Console& console) {
  const auto cut_of = [&](const Metrics& of) {
    return facts.cut == CutKind::ratio ? of.ratio_cut : of.normalized_cut;
  };
  console.note_at_end(
      "refined at mu {:.4g} in {} ({:.2f} s): {} cut {:.6g} -> {:.6g}, average balance {:.4f} -> "
      "{:.4f}{}",
      facts.refinement.mu, counted(facts.refinement.moves, "move"), facts.seconds,
      facts.cut == CutKind::ratio ? "ratio" : "normalized", cut_of(facts.start), cut_of(metrics),
      facts.start.average_balance, metrics.average_balance,
      facts.refinement.rounds == 0 || facts.refinement.local_optimum ? "" : " (stopped early)");
}

void report_numbering(const std::vector<std::string>& names, Console& console) {
  std::string numbering;
  bool renamed = false;
  for (std::size_t k = 0; k < names.size(); ++k) {
    numbering += (k == 0 ? "" : ", ") + fmt::format("{} = {}", k, names[k]);
    renamed = renamed || names[k] != fmt::format("{}", k);
  }
  if (renamed) console.note_at_end("clusters are numbered {}", numbering);
}

}  // namespace repsc::cli
