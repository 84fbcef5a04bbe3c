// Graph Laplacians, and a Laplacian within a constraint: what eigensolvers are given.
#pragma once

#include <memory>

#include "repsc/constraint.hpp"
#include "repsc/graph.hpp"

namespace repsc {

enum class Normalization {
  none,       ///< L = D - A
  symmetric,  ///< L = I - D^-1/2 A D^-1/2
};

/// How unevenly the representatives of the nodes are spread, as a quadratic form:
///
///   h'Ch = tau sum_i (sum_j R_ij (h_j - mean h))^2 / r_i,    r_i = sum_j R_ij,
///
/// C = tau (WRJ)'(WRJ), W = diag(r)^-1/2, J = I - 11'/N: two products with R a vector, R'R is never
/// formed. For h the indicator of a cluster, a term is the square of how many representatives of
/// node i are too many there, over the number of its representatives: deviations in units of their
/// sampling noise, as in a chi-square statistic.
class RepresentationPenalty {
 public:
  /// tau makes the trace of C equal `trace`.
  RepresentationPenalty(Graph representation, double trace);

  [[nodiscard]] const Graph& representation() const { return representation_; }
  [[nodiscard]] Index num_nodes() const { return representation_.num_nodes(); }

  /// Y += factor S C U, S = diag(scale) (empty: I).
  void add_product(const Matrix& U, double factor, const Vector& scale, Matrix& Y) const;
  void add_product(const FloatMatrix& U, double factor, const Vector& scale, FloatMatrix& Y) const;
  /// Whether products in single precision stay within its range.
  [[nodiscard]] bool fits_single() const;

  /// ||WRJH||_F / ||WR||_F.
  [[nodiscard]] double residual(const Matrix& H) const;

 private:
  Graph representation_;
  Vector sums_;                ///< r = R1
  Vector inverse_;             ///< 1 / r_i; 0 for a node that nobody represents
  double tau_ = 0;             ///< 0 where R tells no two nodes apart: C = 0
  double frobenius_norm_ = 0;  ///< of WR
};

/// The Laplacian of a graph, never formed; where it is penalized, with a soft constraint added.
class Laplacian {
 public:
  /// `regularization` tau > 0 (symmetric only) links every pair of nodes by tau / N more: the graph
  /// A + tau/N 11', degrees d_i + tau. It keeps whiskers and small dense spots of sparse graphs out
  /// of the low eigenvectors (Qin and Rohe 2013, Joseph and Yu 2016). Throws InvalidInput that
  /// names the node where `normalization` is symmetric and one has degree 0.
  Laplacian(Graph graph, Normalization normalization, double regularization = 0);

  [[nodiscard]] Index num_nodes() const { return graph_.num_nodes(); }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] Normalization normalization() const { return normalization_; }
  [[nodiscard]] const Vector& degrees() const { return degrees_; }  ///< tau included
  [[nodiscard]] double regularization() const { return regularization_; }
  /// D^-1/2, the scale of the normalized constraint; empty for Normalization::none.
  [[nodiscard]] const Vector& scale() const { return scale_; }

  /// L + strength C, symmetric: L + strength D^-1/2 C D^-1/2, with the penalty C of
  /// `representation` whose trace is that of D - A: at strength 1 a direction taken at random costs
  /// as much for R as for A, whatever the sizes, degrees and weights of the two. Throws
  /// InvalidInput where the number of nodes differs or `strength` is not a number from 0.
  [[nodiscard]] Laplacian penalized(const Graph& representation, double strength) const;
  /// This penalized Laplacian at another strength, which shares all that R costs.
  [[nodiscard]] Laplacian with_strength(double strength) const;
  /// C, nullptr where there is none. Below, L includes strength C.
  [[nodiscard]] const RepresentationPenalty* penalty() const { return penalty_.get(); }
  [[nodiscard]] double strength() const { return strength_; }

  /// Y = L X.
  void apply(const Matrix& X, Matrix& Y) const;
  void apply(const FloatMatrix& X, FloatMatrix& Y) const;
  /// The same with half the bytes to gather, for unweighted graphs and X with columns of length 1:
  /// what meets the graph is rounded to 16 bits. Returns about the most that a column of Y is off,
  /// relative to norm(): near 1e-5 times the largest entry over the root mean square.
  [[nodiscard]] double apply_coarsely(const FloatMatrix& X, FloatMatrix& Y) const;
  /// Whether they are the faster ones: not where rounding X costs more than it saves.
  [[nodiscard]] bool coarse_products_pay() const;
  /// L as a dense matrix.
  [[nodiscard]] Matrix dense() const;
  /// The eigenvector known beforehand, of eigenvalue 0 and length 1: 1, or D^1/2 1.
  [[nodiscard]] Vector null_vector() const;
  /// ||L|| to within a factor of two (penalized: four), from below: its largest diagonal entry, or,
  /// where that is larger, the penalty's norm by a few products.
  [[nodiscard]] double norm() const;
  /// Whether products in single precision stay within its range.
  [[nodiscard]] bool fits_single() const;

 private:
  template <typename Block, typename Product>
  void apply_with(const Product& multiply_graph, const Block& X, Block& Y) const;
  void add_dense_penalty(Matrix& L) const;

  Graph graph_;
  Normalization normalization_;
  double regularization_;
  Vector degrees_;
  Vector scale_;
  std::shared_ptr<const RepresentationPenalty> penalty_ = {};
  double strength_ = 0;
  double penalty_norm_ = 0;  ///< about that of D^-1/2 C D^-1/2, from below
};

/// L within the vectors that P allows. The directions that P removes would be spurious zero
/// eigenvalues of P L P (docs/numerics.md, fact 5): solvers either stay within the range of P or
/// lift them to P L P + sigma (I - P), sigma = lift().
struct ConstrainedLaplacian {
  const Laplacian& laplacian;
  const Projector& projector;

  [[nodiscard]] Index num_nodes() const { return laplacian.num_nodes(); }
  /// Y = P L X, for X within the range of P.
  void apply(const Matrix& X, Matrix& Y) const;
  /// Above the whole spectrum of L: ||L|| <= 2 norm() for both normalizations, 4 norm() with a
  /// penalty.
  [[nodiscard]] double lift() const {
    return (laplacian.penalty() != nullptr ? 5 : 2.5) * laplacian.norm();
  }
};

}  // namespace repsc
