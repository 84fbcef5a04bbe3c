// What `certify` and `cluster --certify` share.
#include "certificates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "baselines.hpp"

namespace repsc::cli {
namespace {

/// The cut of plain clustering, to which the price of fairness is relative.
double plain_cut(const Inputs& inputs, int num_clusters, const CertifyOptions& options) {
  const bool normalized = options.cut == CutKind::normalized;
  ClusterOptions how{.seed = options.seed,
                     .memory_limit = options.memory_limit,
                     .progress = options.progress,
                     .deadline = options.deadline};
  how.refine = false;  // as the baselines are
  if (!normalized) how.method = Method::usc;
  const Labels labels = cluster(inputs.similarity, num_clusters, how).labels;
  const Metrics metrics = evaluate(inputs.similarity, labels, num_clusters);
  return normalized ? metrics.normalized_cut : metrics.ratio_cut;
}

const char* name_of(CutKind cut) { return cut == CutKind::normalized ? "normalized" : "ratio"; }

}  // namespace

CertifyOptions certify_options(const Clustering& result, const ClusterOptions& options) {
  const CutKind cut = cut_of(result.method);
  CertifyOptions how{.cut = cut,
                     .seed = options.seed,
                     .memory_limit = options.memory_limit,
                     .deadline = options.deadline};
  if (cut == CutKind::normalized && result.baselines) how.plain_cut = result.baselines->plain.cut;
  return how;
}

Certificate certified(const Inputs& inputs, const Labels& labels, int num_clusters,
                      CertifyOptions options, Console& console) {
  options.progress = console.progress();
  Pipeline data(cluster_input_of(inputs));
  if (!options.plain_cut && data.has_representation() && num_clusters > 1) {
    options.plain_cut = plain_cut(inputs, num_clusters, options);
  }
  Certificate certificate = certify(data, labels, num_clusters, options);
  console.clear_progress();
  console.report_stage("certify", certificate.seconds);
  return certificate;
}

std::string gap_in_words(const Certificate& certificate) {
  if (!std::isfinite(certificate.gap)) return "unknown";
  return fmt::format("{:.3g} %", 100 * certificate.gap);
}

std::string verified_in_words(const Certificate& certificate) {
  return certificate.verified ? "yes" : fmt::format("no: {}", certificate.reason);
}

void summarize_certificate(const Certificate& certificate, Console& console) {
  const char* const kind = name_of(certificate.cut_kind);
  const bool any_clusters = std::isnan(certificate.deviation);
  console.note_at_end(
      "certificate: no clusters{} have a {} cut below {:.6g}; these have {:.6g}{}",
      any_clusters ? "" : " that are as fair", kind, certificate.lower_bound, certificate.cut,
      std::isfinite(certificate.gap) ? fmt::format(", {} more", gap_in_words(certificate))
                                     : std::string());
  if (certificate.price_of_fairness_at_least.value_or(0) > 0) {
    console.note_at_end("  that is at least {:.3g} % more than plain clustering cuts",
                        100 * *certificate.price_of_fairness_at_least);
  }
  console.note_at_end("  verified: {}", verified_in_words(certificate));
}

}  // namespace repsc::cli
