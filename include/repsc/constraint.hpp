// The representation constraint R J H = 0, J = I - 11'/N, held as the projector onto what it
// allows.
//
//   const repsc::Constraint c = repsc::exact_constraint(R, K);      // or group_constraint,
//   rank_constraint c.projector.apply(X);                                           // X = P X
//
// Normalized methods solve for X = D^1/2 T (DESIGN, fact 2): pass scale = D^-1/2, and the
// constraint on X is R J D^-1/2 X = 0. Without it (an empty vector) the constraint is on X itself.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

/// Eigenpairs of a representation graph's adjacency matrix, by falling absolute eigenvalue: what
/// every rank of a sweep shares.
struct RepresentationSpectrum {
  Vector values;
  Matrix vectors;         ///< N x values.size()
  double frobenius_norm;  ///< of the whole R
  bool complete = false;  ///< all N pairs are here, so that rank(R) is known
  bool converged = true;  ///< false: the iterative solver stopped early

  /// rank(R): eigenvalues above N * epsilon * the largest. Meaningful if complete.
  [[nodiscard]] Index rank() const;
  /// rank(RJ): what the exact constraint removes; rank(R), or one less where 1 lies in range(R), as
  /// for every regular R (DESIGN, fact 4).
  [[nodiscard]] Index constraint_rank() const;
};

struct SpectrumOptions {
  double tolerance = 1e-8;
  int max_iterations = 1000;
  std::uint64_t seed = 0;
  ProgressFn progress = {};
};

/// The `count` eigenpairs of R largest in absolute value: the best approximation of that rank. One
/// dense LAPACK call where N is small or count a large part of it, else an iterative method that
/// never forms an N x N matrix.
[[nodiscard]] RepresentationSpectrum decompose(const Graph& representation, Index count,
                                               const SpectrumOptions& options = {});

/// No constraint: P = I.
struct Unconstrained {};

/// Groups: removes span{ S F b : sum_g n_g b_g = 0 }, F the N x P membership matrix, S =
/// diag(scale), n_g the group sizes. O(N) a vector for any number of groups, and nothing but the
/// labels is stored.
struct GroupComplement {
  Labels groups;
  Vector scale;    ///< empty: S = I
  Vector sizes;    ///< n_g
  Vector weights;  ///< w_g = sum over the group of scale_i^2: the Gram matrix of S F is diagonal
  double denominator;  ///< sum_g n_g^2 / w_g
};

/// Rank r: removes span(S J V), V the leading `rank` columns of `spectrum->vectors`. V is shared,
/// not copied; the Gram matrix V' J S^2 J V (r x r) is kept as a Cholesky factor, or, without
/// scale, in closed form: J V is orthonormal up to one rank-one correction (DESIGN, fact 4).
struct SpectralComplement {
  std::shared_ptr<const RepresentationSpectrum> spectrum;
  Index rank = 0;
  Vector scale;                ///< empty: S = I
  Vector mean_direction;       ///< u = V'1 / ||V'1||; empty: V'1 = 0
  double mean_share = 0;       ///< g = ||V'1||^2 / N in [0, 1]
  bool contains_ones = false;  ///< g = 1: 1 lies in span(V) and J V has rank r - 1
  Matrix cholesky;             ///< lower factor of the Gram matrix; empty without scale
};

/// What is allowed has the orthonormal basis Y, the narrower side: P = YY'.
struct KeptBasis {
  Matrix basis;
};

/// The orthogonal projector P onto the vectors that the constraint allows. Always keeps the known
/// eigenvector of the Laplacian: 1, or D^1/2 1 where scale = D^-1/2.
class Projector {
 public:
  using Kind = std::variant<Unconstrained, GroupComplement, SpectralComplement, KeptBasis>;
  Projector(Index num_nodes, Index rank, Kind kind)
      : num_nodes_(num_nodes), rank_(rank), kind_(std::move(kind)) {}

  [[nodiscard]] Index num_nodes() const { return num_nodes_; }
  [[nodiscard]] Index rank() const { return rank_; }  ///< dimensions removed
  [[nodiscard]] Index dimension() const { return num_nodes_ - rank_; }
  [[nodiscard]] const Kind& kind() const { return kind_; }

  /// X = P X, for N x m.
  void apply(Matrix& X) const;
  void apply(FloatMatrix& X) const;  ///< sums are made in double precision

 private:
  Index num_nodes_;
  Index rank_;
  Kind kind_;
};

/// A projector, and what it takes to measure how well an embedding meets the constraint.
struct Constraint {
  Projector projector;
  Vector scale;  ///< as given

  /// ||R J H||_F / ||R||_F with H = S X, columns scaled to length 1, and the R that was imposed:
  /// the graph, its rank-r approximation, or the groups' block matrix. Computed from R, not from P.
  [[nodiscard]] double residual(const Matrix& X) const;

  Graph representation;                                    ///< exact: R itself
  std::shared_ptr<const RepresentationSpectrum> spectrum;  ///< rank r: R's leading pairs
  Index spectrum_rank = 0;
};

[[nodiscard]] Constraint no_constraint(Index num_nodes);

/// Every group spread over the clusters in proportion (Kleindessner et al. 2019).
[[nodiscard]] Constraint group_constraint(const Labels& groups, const Vector& scale = {});

/// R replaced by its best approximation of rank `rank` <= the pairs in `spectrum`.
[[nodiscard]] Constraint rank_constraint(std::shared_ptr<const RepresentationSpectrum> spectrum,
                                         Index rank, const Vector& scale = {});

/// R itself. Throws InvalidInput where it leaves fewer than `num_clusters` dimensions, with the
/// rank found and the way out. A union of cliques becomes a group constraint, at any size; other
/// graphs need a dense decomposition: 3 N^2 numbers, refused above `max_dense_nodes`.
[[nodiscard]] Constraint exact_constraint(const Graph& representation, int num_clusters,
                                          const Vector& scale = {},
                                          const SpectrumOptions& options = {});

/// The same from a complete spectrum of R.
[[nodiscard]] Constraint exact_constraint(const Graph& representation,
                                          const RepresentationSpectrum& spectrum, int num_clusters,
                                          const Vector& scale = {});

/// Largest N for which N x N matrices are formed (3 of them: 9.6 GB at the limit).
inline constexpr Index max_dense_nodes = 20000;

/// The groups of a representation graph that is a union of disjoint cliques with self-loops (equal
/// weights): there the constraint is the group constraint. Empty where R is anything else.
[[nodiscard]] Labels clique_groups(const Graph& representation);

}  // namespace repsc
