// The representation constraint R J H = 0, J = I - 11'/N, stored as the orthogonal projector onto
// the vectors that satisfy it.
//
//   const repsc::Constraint c = repsc::exact_constraint(R, K);  // also group_, rank_constraint()
//   c.projector.apply(X);                                       // X = P X
//
// Normalized methods solve for X = D^1/2 T (docs/numerics.md, fact 2): pass scale = D^-1/2, and the
// constraint on X is R J D^-1/2 X = 0. With an empty scale the constraint is R J X = 0.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repsc/cuda.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Eigenvectors in the memory of a CUDA device.
class DeviceVectors;

/// Eigenpairs of a representation graph's adjacency matrix, by falling absolute eigenvalue. All
/// ranks of a path share them.
struct RepresentationSpectrum {
  Vector values;
  Matrix vectors;            ///< N x values.size()
  double frobenius_norm;     ///< of the whole R
  bool complete = false;     ///< all N pairs are stored, so that rank(R) is known
  bool converged = true;     ///< false: the iterative solver stopped early
  bool spans_range = false;  ///< all eigenvalues that are not stored are 0
  double next = 0;           ///< absolute value of the first eigenvalue that is not stored, or 0
  /// Errors of the eigenvalues, relative to the largest: at least N * epsilon, the rounding of a
  /// dense decomposition. Smaller eigenvalues are zero as far as can be told, and smaller
  /// differences are none.
  double precision = 0;
  /// A copy of the vectors, if a device has computed them.
  std::shared_ptr<const DeviceVectors> on_device = {};

  /// Number of eigenvalues that are not zero; rank(R) if the spectrum is complete or this is less
  /// than the number of values.
  [[nodiscard]] Index rank() const;
  /// Whether the best approximation of this rank can be made of the stored pairs.
  [[nodiscard]] bool suffices_for(Index rank) const { return spans_range || rank <= values.size(); }
  /// Whether the best approximation of this rank is the only one: not if eigenvalues `rank` and
  /// `rank` + 1 have the same absolute value.
  [[nodiscard]] bool unique_at(Index rank) const;
  /// Largest error of an eigenvalue.
  [[nodiscard]] double error() const;
  /// rank(RJ), the dimensions that the exact constraint removes: rank(R), or one less if 1 lies in
  /// range(R), as for every regular R (docs/numerics.md, fact 4).
  [[nodiscard]] Index constraint_rank() const;
};

struct SpectrumOptions {
  double tolerance = 1e-8;
  int max_iterations = 1000;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> memory_limit = {};  ///< bytes; none: 80 % of the free memory
  ProgressFn progress = {};
  std::shared_ptr<CudaDevice> device = {};  ///< for dense decompositions; none: the CPU
};

/// The `count` eigenpairs of R largest in absolute value: the best approximation of that rank.
/// Where eigenvalues are equal, positive ones come first, and a dense decomposition returns
/// eigenvectors that depend on the eigenspace alone, so that every `count` begins with the same
/// vectors. One dense decomposition if N is small or `count` is a large part of N, else an
/// iterative method that never forms an N x N matrix. Throws MemoryLimitExceeded if that needs more
/// than the memory limit. Groups need no computation: their sizes are the eigenvalues, equal ones
/// in the order of the groups, and no more pairs than groups are returned.
[[nodiscard]] RepresentationSpectrum decompose(const Representation& representation, Index count,
                                               const SpectrumOptions& options = {});

/// Bytes that decompose(R, count) holds at its peak, R itself not counted.
[[nodiscard]] std::int64_t decomposition_bytes(Index num_nodes, Index count);

/// Bytes that decompose() and then rank_constraint() hold at their peak; `scaled`: with a scale.
[[nodiscard]] std::int64_t rank_constraint_bytes(Index num_nodes, Index rank, bool scaled);

/// Throws MemoryLimitExceeded if the limit (none: 80 % of the free memory) is lower than what is
/// needed. `remedies` come before the last one, a higher limit.
void require_memory(std::int64_t needed, const std::optional<std::int64_t>& limit,
                    const std::string& what, std::vector<Remedy> remedies);

/// No constraint: P = I.
struct Unconstrained {};

/// Groups: removes span{ S F b : sum_g n_g b_g = 0 }, F the N x P membership matrix, S =
/// diag(scale), n_g the group sizes. O(N) per vector for any number of groups; only the labels are
/// stored.
struct GroupComplement {
  Labels groups;
  Vector scale;    ///< empty: S = I
  Vector sizes;    ///< n_g
  Vector weights;  ///< w_g = sum over the group of scale_i^2: the Gram matrix of S F is diagonal
  double denominator;  ///< sum_g n_g^2 / w_g
};

/// Rank r: removes span(S J V), V the leading `rank` columns of `spectrum->vectors`. V is shared,
/// not copied; the Gram matrix V' J S^2 J V (r x r) is kept as a Cholesky factor, or, without
/// scale, in closed form: J V is orthonormal up to a rank-one correction (docs/numerics.md, fact
/// 4).
struct SpectralComplement {
  std::shared_ptr<const RepresentationSpectrum> spectrum;
  Index rank = 0;
  Vector scale;                ///< empty: S = I
  Vector mean_direction;       ///< u = V'1 / ||V'1||; empty: V'1 = 0
  double mean_share = 0;       ///< g = ||V'1||^2 / N in [0, 1]
  bool contains_ones = false;  ///< g = 1: 1 lies in span(V) and J V has rank r - 1
  Matrix cholesky;  ///< lower factor of the Gram matrix; none without scale, or on a device
};

/// An orthonormal basis Q of a matrix's range, as a sparse or dense factorization.
class RangeBasis;

/// Exact for a large sparse R: removes range(S J R), of which only a factorization is stored. Nodes
/// with equal rows of R form a class, and F (N x classes, orthonormal columns, one entry per row)
/// maps classes to nodes: range(S R) = F range(M), M = F'S R S F, usually far smaller and sparse.
///
/// With t = S^-1 1: range(S J R) = (range(S R) + span(S 1)) within the complement of t, so that
/// I - P = F (QQ' + ones ones' - known known') F'.
struct RangeComplement {
  Labels classes;
  Vector membership;                        ///< the entry of F in each row
  std::shared_ptr<const RangeBasis> range;  ///< Q
  Vector ones;                              ///< the part of F'S1 outside range(M); empty: none
  Vector known;                             ///< F't within range(M) and `ones`
};

/// P = YY', Y an orthonormal basis of the vectors that satisfy the constraint. Used where they have
/// fewer dimensions than the removed ones.
struct KeptBasis {
  Matrix basis;
};

/// The orthogonal projector P onto the vectors that satisfy the constraint. They always include the
/// known eigenvector of the Laplacian: 1, or D^1/2 1 if scale = D^-1/2.
class Projector {
 public:
  using Kind =
      std::variant<Unconstrained, GroupComplement, SpectralComplement, RangeComplement, KeptBasis>;
  Projector(Index num_nodes, Index rank, Kind kind)
      : num_nodes_(num_nodes), rank_(rank), kind_(std::move(kind)) {}

  [[nodiscard]] Index num_nodes() const { return num_nodes_; }
  [[nodiscard]] Index rank() const { return rank_; }  ///< dimensions removed
  [[nodiscard]] Index dimension() const { return num_nodes_ - rank_; }
  [[nodiscard]] const Kind& kind() const& { return kind_; }
  [[nodiscard]] Kind&& kind() && { return std::move(kind_); }

  /// X = P X, for N x m.
  void apply(Matrix& X) const;
  void apply(FloatMatrix& X) const;  ///< sums are made in double precision

 private:
  Index num_nodes_;
  Index rank_;
  Kind kind_;
};

/// A projector, and the data for measuring how well an embedding satisfies the constraint.
struct Constraint {
  Projector projector;
  Vector scale;  ///< as given

  /// ||R J H||_F / ||R||_F with H = S X, columns scaled to length 1, and the R that was imposed:
  /// the graph, its rank-r approximation, or the groups' block matrix. Computed from R, not from P.
  [[nodiscard]] double residual(const Matrix& X) const;

  Graph representation;                                    ///< exact: R itself, if it is a graph
  std::shared_ptr<const RepresentationSpectrum> spectrum;  ///< rank r: R's leading pairs
  Index spectrum_rank = 0;
  Index rank_asked = 0;  ///< above spectrum_rank: R has no more than that
  bool unique = true;    ///< false: R has other best approximations of this rank
};

[[nodiscard]] Constraint no_constraint(Index num_nodes);

/// Every group spread over the clusters in proportion (Kleindessner et al. 2019).
[[nodiscard]] Constraint group_constraint(const Labels& groups, const Vector& scale = {});

/// R replaced by its best approximation of rank `rank` <= the pairs in `spectrum`. For ranks above
/// that of R this is R itself. Throws InvalidInput if R has no edges.
[[nodiscard]] Constraint rank_constraint(std::shared_ptr<const RepresentationSpectrum> spectrum,
                                         Index rank, const Vector& scale = {});

/// rank_constraint() for several ranks of one spectrum. The Gram matrix of the largest rank holds
/// those of all others as leading blocks, and so does its Cholesky factor: both are computed once.
class RankConstraints {
 public:
  /// For ranks up to `largest`; those above the rank of R give R itself.
  RankConstraints(std::shared_ptr<const RepresentationSpectrum> spectrum, Index largest,
                  Vector scale = {});
  [[nodiscard]] Constraint at(Index rank) const;

 private:
  void factorize_gram();

  std::shared_ptr<const RepresentationSpectrum> spectrum_;
  Index asked_;    ///< the largest rank that may be asked for
  Index largest_;  ///< the same, but at most the rank of R
  Vector scale_;
  Vector sums_;                   ///< V'1
  Index first_with_ones_;         ///< from this rank on 1 lies in span(V); above largest_: never
  Matrix factor_;                 ///< of ranks below first_with_ones_; empty without scale
  Matrix factor_with_ones_ = {};  ///< of the others
};

/// R itself. Throws InvalidInput, with the rank found and what to do, if fewer than `num_clusters`
/// dimensions satisfy the constraint. A union of cliques becomes a group constraint, at any size.
/// Small and dense graphs need a dense decomposition, 3 N^2 numbers; large sparse ones a
/// rank-revealing sparse QR. Throws MemoryLimitExceeded if that needs more than the memory limit.
[[nodiscard]] Constraint exact_constraint(const Representation& representation, int num_clusters,
                                          const Vector& scale = {},
                                          const SpectrumOptions& options = {});

/// Whether exact_constraint() decomposes R as a whole: not groups or a union of cliques, and small
/// or dense.
[[nodiscard]] bool takes_whole_spectrum(const Representation& representation);

/// The same from a complete spectrum of R.
[[nodiscard]] Constraint exact_constraint(const Graph& representation,
                                          const RepresentationSpectrum& spectrum, int num_clusters,
                                          const Vector& scale = {});

/// The constraint of a large sparse R, whatever its size: see RangeComplement.
[[nodiscard]] Constraint sparse_exact_constraint(const Graph& representation, int num_clusters,
                                                 const Vector& scale = {},
                                                 const SpectrumOptions& options = {});

/// Largest N for which N x N matrices are formed (3 of them: 9.6 GB at the limit, and hours),
/// whatever the memory limit.
inline constexpr Index max_dense_nodes = 20000;

/// The groups of a representation graph that is a union of disjoint cliques with self-loops (equal
/// weights): there the constraint is the group constraint. Empty for any other R.
[[nodiscard]] Labels clique_groups(const Graph& representation);

}  // namespace repsc
