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

/// Throws InvalidInput if `regularization` is not a finite number of at least 0, or not 0 for
/// Normalization::none, which has none.
void check_regularization(double regularization, Normalization normalization);

/// The penalty C of the soft constraint (docs/numerics.md, "Soft constraint"), a quadratic form
/// that measures how unevenly the representatives of the nodes are distributed:
///
///   h'Ch = tau sum_i (sum_j R_ij (h_j - mean h))^2 / r_i,    r_i = sum_j R_ij,
///
/// C = tau (WRJ)'(WRJ), W = diag(r)^-1/2, J = I - 11'/N: two products with R per vector; R'R is
/// never formed. For the indicator h of a cluster, a term is the squared excess of the
/// representatives of node i in the cluster, divided by the number of its representatives: a
/// deviation in units of its sampling noise, as in a chi-square statistic.
class RepresentationPenalty {
 public:
  /// tau makes the trace of C equal `trace`.
  RepresentationPenalty(Representation representation, double trace);

  [[nodiscard]] const Representation& representation() const { return representation_; }
  [[nodiscard]] Index num_nodes() const { return representation_.num_nodes(); }
  [[nodiscard]] double tau() const { return tau_; }

  /// Y += factor S C U, S = diag(scale) (empty: I).
  void add_product(const Matrix& U, double factor, const Vector& scale, Matrix& Y) const;
  void add_product(const FloatMatrix& U, double factor, const Vector& scale, FloatMatrix& Y) const;
  /// Whether products in single precision stay within its range.
  [[nodiscard]] bool fits_single() const;

  /// ||WRJH||_F / ||WR||_F.
  [[nodiscard]] double residual(const Matrix& H) const;

 private:
  Representation representation_;
  Vector sums_;                ///< r = R1
  Vector inverse_;             ///< 1 / r_i; 0 for a node without representatives
  double tau_ = 0;             ///< 0 if R distinguishes no two nodes: C = 0
  double frobenius_norm_ = 0;  ///< of WR
};

/// The penalty of a soft constraint, ready to be added to the Laplacian that it was made for.
struct SoftConstraint {
  std::shared_ptr<const RepresentationPenalty> penalty;
  double norm = 0;  ///< about that of D^-1/2 C D^-1/2 (unnormalized: C), from below
};

class Laplacian;

/// The penalty C of `representation` whose trace is that of D - A: at strength 1 R and A have the
/// same weight for a random direction, whatever their sizes, degrees and weights. Its norm is
/// estimated by a few Lanczos steps. Throws InvalidInput if the numbers of nodes differ.
[[nodiscard]] SoftConstraint soft_constraint(const Laplacian& L,
                                             const Representation& representation);

/// The Laplacian of a graph, never formed; if it is penalized, with a soft constraint added.
class Laplacian {
 public:
  /// `regularization` tau > 0 (symmetric only) adds an edge of weight tau / N between every pair of
  /// nodes: the graph A + tau/N 11', degrees d_i + tau. It keeps whiskers and small dense parts of
  /// sparse graphs out of the lowest eigenvectors (Qin and Rohe 2013, Joseph and Yu 2016). Throws
  /// InvalidInput that names the node if `normalization` is symmetric and a node has degree 0.
  Laplacian(Graph graph, Normalization normalization, double regularization = 0);

  [[nodiscard]] Index num_nodes() const { return graph_.num_nodes(); }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] Normalization normalization() const { return normalization_; }
  [[nodiscard]] const Vector& degrees() const { return degrees_; }  ///< tau included
  [[nodiscard]] double regularization() const { return regularization_; }
  /// D^-1/2, the scale of the normalized constraint; empty for Normalization::none.
  [[nodiscard]] const Vector& scale() const { return scale_; }

  /// L + strength C, symmetric: L + strength D^-1/2 C D^-1/2, for the soft constraint that was made
  /// for this Laplacian. Throws InvalidInput unless `strength` is a finite number of at least 0.
  [[nodiscard]] Laplacian penalized(const SoftConstraint& soft, double strength) const;
  /// C, nullptr if there is none. Below, L includes strength C.
  [[nodiscard]] const RepresentationPenalty* penalty() const { return soft_.penalty.get(); }
  [[nodiscard]] const SoftConstraint& soft_constraint() const { return soft_; }
  [[nodiscard]] double strength() const { return strength_; }

  /// Y = L X.
  void apply(const Matrix& X, Matrix& Y) const;
  void apply(const FloatMatrix& X, FloatMatrix& Y) const;
  /// The same again and again: `scaled` is memory that the calls share, because the pages of new
  /// memory have to be cleared.
  void apply(const Matrix& X, Matrix& Y, Matrix& scaled) const;
  void apply(const FloatMatrix& X, FloatMatrix& Y, FloatMatrix& scaled) const;
  /// The same with half the memory traffic, for unweighted graphs and X with columns of length 1:
  /// the factor that is multiplied by the graph is rounded to 16 bits. Returns an estimate of the
  /// largest error of a column of Y, relative to norm(): near 1e-5 times the ratio of the largest
  /// entry to the root mean square.
  [[nodiscard]] double apply_coarsely(const FloatMatrix& X, FloatMatrix& Y) const;
  /// The same estimate for a largest step of rounding.
  [[nodiscard]] double coarse_error(double step) const;
  /// Whether apply_coarsely() is faster than apply(). It is not if rounding X costs more than it
  /// saves.
  [[nodiscard]] bool coarse_products_pay() const;
  /// L as a dense matrix.
  [[nodiscard]] Matrix dense() const;
  /// The known eigenvector of eigenvalue 0, scaled to length 1: 1, or D^1/2 1 (docs/numerics.md,
  /// fact 6).
  [[nodiscard]] Vector null_vector() const;
  /// A lower bound of ||L||, at least half of it (with a penalty: a quarter): the largest diagonal
  /// entry, or, if that is larger, an estimate of the penalty's norm by a few products.
  [[nodiscard]] double norm() const;
  /// The same without the penalty.
  [[nodiscard]] double graph_norm() const;
  /// What residuals of eigenvectors are relative to: graph_norm(). The penalty's norm
  /// can be ten thousand times larger, because it is that of few directions, which the wanted
  /// vectors avoid. At least least_unit of norm(), with which tolerances below 1e-9 are rounding.
  [[nodiscard]] double residual_unit() const;
  static constexpr double least_unit = 1e-5;
  /// Whether products in single precision stay within its range.
  [[nodiscard]] bool fits_single() const;

 private:
  template <typename Block, typename Product>
  void apply_with(const Product& multiply_graph, const Block& X, Block& Y, Block& scaled) const;
  void add_dense_penalty(Matrix& L) const;

  Graph graph_;
  Normalization normalization_;
  double regularization_;
  Vector degrees_;
  Vector scale_;
  SoftConstraint soft_ = {};
  double strength_ = 0;
};

/// L within the range of P. The directions that P removes would be spurious zero
/// eigenvalues of P L P (docs/numerics.md, fact 5): solvers either stay within the range of P or
/// lift them to P L P + sigma (I - P), sigma = lift().
struct ConstrainedLaplacian {
  const Laplacian& laplacian;
  const Projector& projector;

  [[nodiscard]] Index num_nodes() const { return laplacian.num_nodes(); }
  /// Y = P L X, for X within the range of P.
  void apply(const Matrix& X, Matrix& Y) const;
  /// An upper bound of the spectrum of L: ||L|| <= 2 norm() for both normalizations, 4 norm() with
  /// a penalty.
  [[nodiscard]] double lift() const {
    return (laplacian.penalty() != nullptr ? 5 : 2.5) * laplacian.norm();
  }
};

}  // namespace repsc
