// What `certify` and `cluster --certify` share.
#pragma once

#include "console.hpp"
#include "inputs.hpp"
#include "repsc/certify.hpp"

namespace repsc::cli {

/// How the result of a clustering is certified: its cut, seed and limits.
[[nodiscard]] CertifyOptions certify_options(const Clustering& result,
                                             const ClusterOptions& options);

/// The certificate, with progress. Without a plain cut in the options, plain clustering runs with
/// the same seed, where there are representatives.
[[nodiscard]] Certificate certified(const Inputs& inputs, const Labels& labels, int num_clusters,
                                    CertifyOptions options, Console& console);

/// "9.1 %", or "unknown" where only the bound is 0.
[[nodiscard]] std::string gap_in_words(const Certificate& certificate);
[[nodiscard]] std::string verified_in_words(const Certificate& certificate);

/// Prints a summary of the certificate.
void summarize_certificate(const Certificate& certificate, Console& console);

}  // namespace repsc::cli
