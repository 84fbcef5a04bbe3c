// Eigenpairs of a representation graph, largest absolute value first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "constraint/on_device.hpp"
#include "constraint/shared.hpp"
#include "core/random.hpp"
#include "graph/product.hpp"
#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"
#include "linalg/largest_eigen.hpp"
#include "linalg/small_factors.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

std::string what(Index N, Index count) {
  return "decomposing a representation graph of " + std::to_string(N) + " nodes at rank " +
         std::to_string(count);
}

/// Rounding errors of a dense decomposition, relative to the largest eigenvalue.
double rounding(Index N) { return N * std::numeric_limits<double>::epsilon(); }

/// Random vectors that are always the same; column j does not depend on how many follow.
Matrix fixed_vectors(Index N, Index count) {
  Matrix Z(N, count);
  for (Index j = 0; j < count; ++j) {
    RandomStream random(0, static_cast<std::uint64_t>(j));
    for (Index i = 0; i < N; ++i) Z(i, j) = random.normal();
  }
  return Z;
}

double frobenius_norm(const Graph& R) {
  if (!R.weighted()) return std::sqrt(static_cast<double>(R.num_entries()));
  const auto weights = R.weights();
  return Eigen::Map<const Vector>(weights.data(), static_cast<Eigen::Index>(weights.size())).norm();
}

/// Columns [begin, end) of V span an eigenspace. They are replaced by the basis that Gram-Schmidt
/// makes of the projections of fixed random vectors, which does not depend on the given basis.
void standardize(Matrix& V, Index begin, Index end) {
  const Index N = static_cast<Index>(V.rows());
  const Index count = end - begin;
  const Matrix Z = fixed_vectors(N, count);
  const Matrix inner = transposed_product(V.middleCols(begin, count), Z);
  multiply_in_place(V.middleCols(begin, count), orthogonal_factor(inner));
}

/// Sorts every group of pairs with equal absolute values, positive ones first, and standardizes the
/// vectors of equal values.
void standardize_equal_values(LargestEigen& pairs, double equal) {
  const double difference = pairs.values.size() == 0 ? 0 : equal * std::abs(pairs.values[0]);
  const auto count = static_cast<Index>(pairs.values.size());
  for (Index begin = 0, end = 0; begin < count; begin = end) {
    const auto magnitude = [&](Index i) { return std::abs(pairs.values[i]); };
    if (magnitude(begin) <= difference) return;  // zeros
    for (end = begin + 1; end < count && magnitude(end - 1) - magnitude(end) <= difference;) ++end;
    if (end - begin == 1) continue;
    std::vector<Index> order(static_cast<std::size_t>(end - begin));
    std::iota(order.begin(), order.end(), begin);
    const auto negative = std::stable_partition(order.begin(), order.end(),
                                                [&](Index i) { return pairs.values[i] > 0; });
    const Index middle = begin + static_cast<Index>(negative - order.begin());
    pairs.values.segment(begin, end - begin) = Vector(pairs.values(order));
    pairs.vectors.middleCols(begin, end - begin) = Matrix(pairs.vectors(Eigen::all, order));
    if (middle - begin > 1) standardize(pairs.vectors, begin, middle);
    if (end - middle > 1) standardize(pairs.vectors, middle, end);
  }
}

LargestEigen largest_pairs(const Graph& R, Index count, double equal,
                           const SpectrumOptions& options) {
  const Index N = R.num_nodes();
  if (options.device != nullptr) {
    const std::unique_lock in_use = options.device->use();
    return largest_eigen_on_device(*options.device, R, count, equal);
  }
  std::optional<LargestEigen> pairs;
  if (select_vectors(N, count)) pairs = selected_largest_eigen(dense_adjacency(R), count, equal);
  if (pairs) return std::move(*pairs);
  if (options.progress) options.progress({"constraint"});
  require_memory(all_vectors_bytes(N, count), options.memory_limit, what(N, count),
                 smaller_constraints());
  return largest_of_all_eigen(dense_adjacency(R), count, equal);
}

RepresentationSpectrum decompose_dense(const Graph& R, Index count,
                                       const SpectrumOptions& options) {
  const Index N = R.num_nodes();
  if (options.progress) options.progress({"constraint"});
  const double equal = rounding(N);
  LargestEigen pairs = largest_pairs(R, count, equal, options);
  standardize_equal_values(pairs, equal);
  const bool more = pairs.values.size() > count;
  return {.values = pairs.values.head(count),
          .vectors = more ? Matrix(pairs.vectors.leftCols(count)) : std::move(pairs.vectors),
          .frobenius_norm = frobenius_norm(R),
          .complete = count == N,
          .next = more ? std::abs(pairs.values[count]) : pairs.next,
          .precision = equal};
}

RepresentationSpectrum decompose_by_products(const Graph& R, Index count,
                                             const SpectrumOptions& options) {
  const KrylovOperator A{.size = R.num_nodes(),
                         .dimension = R.num_nodes(),
                         .norm = R.degrees().maxCoeff(),  // ||R|| <= largest row sum
                         .apply = [&](const Matrix& X, Matrix& Y) { multiply(R, X, Y); }};
  KrylovResult pairs = thick_restart_lanczos(A, {.count = count,
                                                 .wanted = Wanted::largest_magnitude,
                                                 .tolerance = options.tolerance,
                                                 .max_iterations = options.max_iterations,
                                                 .block_size = spectrum_block_size(count),
                                                 .basis_size = spectrum_basis_size(A.size, count),
                                                 .seed = options.seed,
                                                 .stage = "constraint",
                                                 .progress = options.progress});
  // A vector whose eigenvalue is below the residual that is allowed is a null vector as far as can
  // be told.
  const double largest = std::abs(pairs.values[0]);
  const double allowed = largest > 0 ? options.tolerance * A.norm / largest : 0;
  return {.values = std::move(pairs.values),
          .vectors = std::move(pairs.vectors),
          .frobenius_norm = frobenius_norm(R),
          .complete = count == A.size,
          .converged = pairs.converged,
          .next = std::abs(pairs.next),
          .precision = std::max(allowed, rounding(A.size))};
}

/// R = FF' with the membership matrix F of the groups: the columns of F, scaled to length 1, are
/// its eigenvectors, the sizes of the groups its eigenvalues.
RepresentationSpectrum spectrum_of_groups(const Representation& R, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(R.num_sets()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index g, Index h) { return R.set_size(g) > R.set_size(h); });
  const Index kept = std::min(count, R.num_sets());
  RepresentationSpectrum result{.values = Vector(kept),
                                .vectors = Matrix::Zero(R.num_nodes(), kept),
                                .frobenius_norm = 0,
                                .complete = kept == R.num_nodes(),
                                .spans_range = kept == R.num_sets(),
                                .precision = rounding(R.num_nodes())};
  std::vector<Index> column(order.size());
  double squares = 0;
  for (Index r = 0; r < R.num_sets(); ++r) {
    const Index group = order[static_cast<std::size_t>(r)];
    column[static_cast<std::size_t>(group)] = r;
    const double size = R.set_size(group);
    squares += size * size;
    if (r < kept) result.values[r] = size;
    if (r == kept) result.next = size;
  }
  result.frobenius_norm = std::sqrt(squares);
  for (Index i = 0; i < R.num_nodes(); ++i) {
    const Index r = column[static_cast<std::size_t>(R.set_of(i))];
    if (r < kept) result.vectors(i, r) = 1 / std::sqrt(result.values[r]);
  }
  return result;
}

}  // namespace

Matrix dense_adjacency(const Graph& R) {
  Matrix dense = Matrix::Zero(R.num_nodes(), R.num_nodes());
  for (Index i = 0; i < R.num_nodes(); ++i) {
    const auto neighbors = R.neighbors(i);
    const auto weights = R.weights(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e)
      dense(i, neighbors[e]) = weights.empty() ? 1.0 : weights[e];
  }
  return dense;
}

Index RepresentationSpectrum::rank() const {
  if (values.size() == 0) return 0;
  return static_cast<Index>((values.array().abs() > error()).count());
}

double RepresentationSpectrum::error() const {
  if (values.size() == 0) return 0;
  return std::max(precision, rounding(static_cast<Index>(vectors.rows()))) * std::abs(values[0]);
}

bool RepresentationSpectrum::unique_at(Index rank) const {
  const double last = rank < values.size() ? std::abs(values[rank]) : next;
  return last <= error() || std::abs(values[rank - 1]) - last > error();
}

Index RepresentationSpectrum::constraint_rank() const {
  const Index r = rank();
  const auto N = static_cast<double>(vectors.rows());
  const double share = N * column_means(vectors.leftCols(r)).squaredNorm();  // ||V'1||^2 / N
  return r - (1 - share < 1e-12 ? 1 : 0);
}

RepresentationSpectrum decompose(const Representation& representation, Index count,
                                 const SpectrumOptions& options) {
  const Index N = representation.num_nodes();
  require_option(count >= 1 && count <= N, "rank", count,
                 "it must be from 1 to the number of nodes, ", N);
  const auto decompose_graph = [&] {
    require_memory(decomposition_bytes(N, count), options.memory_limit, what(N, count),
                   smaller_constraints());
    const Graph& R = representation.graph();
    return decompose_densely(N, count) ? decompose_dense(R, count, options)
                                       : decompose_by_products(R, count, options);
  };
  RepresentationSpectrum result =
      representation.by_groups() ? spectrum_of_groups(representation, count) : decompose_graph();
  if (options.device != nullptr)
    result.on_device = std::make_shared<DeviceVectors>(options.device, result.vectors);
  return result;
}

}  // namespace repsc
