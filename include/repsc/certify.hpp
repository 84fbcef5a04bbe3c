// The certificate: how far fair clusters can be from optimal. A lower bound of the cut of every
// clustering that is at most as unfair as the given one, whoever made it.
//
//   const repsc::Certificate proof = repsc::certify(G, R, labels, 5);
//   proof.gap;         // 0.09: no clustering into 5 clusters that is as fair cuts 9 % less
//
// With H the indicator matrix of the labels, each column scaled to length 1, 2 cut = tr(H'LH), and
// the deviation from the representation constraint is tr(H'CH), C the penalty of the soft
// constraint (repsc/operators.hpp). For every strength t >= 0
//
//   2 cut >= (sum of the K lowest eigenvalues of L + t C) - t deviation,
//
// and the largest right-hand side over t is the bound (docs/methods.md, "The certificate").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repsc/cluster.hpp"

namespace repsc {

struct CertifyOptions {
  CutKind cut = CutKind::normalized;
  /// Precision of the bound, relative to it, in (0, 1): the search over the strength ends when it
  /// cannot raise the bound by more. A lower precision makes the bound weaker, never wrong.
  double tolerance = 2e-3;
  /// The cut of plain clustering, of the same kind, for Certificate::price_of_fairness_at_least.
  std::optional<double> plain_cut = {};
  /// Whether the eigenvalues below are counted, where that is affordable.
  bool verify = true;
  int max_eigenproblems = 20;
  int max_iterations = 1000;  ///< of the eigensolver, for each eigenproblem
  std::uint64_t seed = 0;     ///< same seed, same bound, on any number of threads
  /// Bytes for eigensolver and factors; none: 80 % of the free memory.
  std::optional<std::int64_t> memory_limit = {};
  ProgressFn progress = {};
  Deadline deadline = {};  ///< the bound that was found by then is returned
};

struct Certificate {
  /// tr(H'CH) of the labels; 0 if they satisfy the constraint. NaN without representatives: the
  /// bound then holds for every clustering.
  double deviation = 0;
  double lower_bound = 0;  ///< of the cut, which carries the paper's factor 1/2
  double cut = 0;          ///< of the labels
  double gap = 0;          ///< cut / lower_bound - 1; infinite if only the bound is 0
  double strength = 0;     ///< t, at which the bound was found
  /// lower_bound / plain_cut - 1 where that is above 0, else 0; none without a plain cut.
  std::optional<double> price_of_fairness_at_least = {};
  /// The number of eigenvalues below was counted by a factorization, so that none was missed, and
  /// the bound holds up to rounding errors, which it allows for. False: it holds if the eigensolver
  /// missed no eigenvalue.
  bool verified = false;
  std::string reason = {};  ///< if it is not verified: why
  CutKind cut_kind = CutKind::normalized;
  std::optional<double> plain_cut = {};
  int num_eigenproblems = 0;
  bool out_of_time = false;  ///< the deadline ended the search
  double seconds = 0;
};

/// The certificate of labels for the graphs of a pipeline, with its representation graph or, if it
/// has none, its groups, or neither. Throws InvalidInput for labels that do not fit or leave a
/// cluster empty, and for isolated nodes with the normalized cut.
[[nodiscard]] Certificate certify(Pipeline& data, const Labels& labels, int num_clusters,
                                  const CertifyOptions& options = {});

[[nodiscard]] Certificate certify(const Graph& similarity, const Representation& representation,
                                  const Labels& labels, int num_clusters,
                                  const CertifyOptions& options = {});

/// Without representatives: a bound of the cut of every clustering.
[[nodiscard]] Certificate certify(const Graph& similarity, const Labels& labels, int num_clusters,
                                  const CertifyOptions& options = {});

}  // namespace repsc
