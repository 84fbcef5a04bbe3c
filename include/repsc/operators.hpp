// Graph Laplacians, and a Laplacian within a constraint: what eigensolvers are given.
#pragma once

#include "repsc/constraint.hpp"
#include "repsc/graph.hpp"

namespace repsc {

enum class Normalization {
  none,       ///< L = D - A
  symmetric,  ///< L = I - D^-1/2 A D^-1/2
};

/// The Laplacian of a graph, never formed.
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
  /// ||L|| to within a factor of two, from below: its largest diagonal entry.
  [[nodiscard]] double norm() const;

 private:
  template <typename Block, typename Product>
  void apply_with(const Product& multiply_graph, const Block& X, Block& Y) const;

  Graph graph_;
  Normalization normalization_;
  double regularization_;
  Vector degrees_;
  Vector scale_;
};

/// L within the vectors that P allows. The directions that P removes would be spurious zero
/// eigenvalues of P L P (DESIGN, fact 5): solvers either stay within the range of P or lift them to
/// P L P + sigma (I - P), sigma = lift().
struct ConstrainedLaplacian {
  const Laplacian& laplacian;
  const Projector& projector;

  [[nodiscard]] Index num_nodes() const { return laplacian.num_nodes(); }
  /// Y = P L X, for X within the range of P.
  void apply(const Matrix& X, Matrix& Y) const;
  /// Above the whole spectrum of L: ||L|| <= 2 norm() for both normalizations.
  [[nodiscard]] double lift() const { return 2.5 * laplacian.norm(); }
};

}  // namespace repsc
