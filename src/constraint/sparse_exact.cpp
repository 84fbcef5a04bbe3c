// The exact constraint of a large sparse R: see RangeComplement in repsc/constraint.hpp.
//
//   S  diag(scale)     F  N x c, one entry per row: the class of the node, columns of length 1
//   M  = F'S R S F, c x c, sparse: range(S R) = range(S R S) = F range(M)
//   Q  orthonormal basis of range(M), t = S^-1 1
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "constraint/on_device.hpp"
#include "constraint/range_basis.hpp"
#include "constraint/shared.hpp"
#include "repsc/constraint.hpp"

namespace repsc {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of_row(const Graph& R, Index i) {
  std::uint64_t hash = 1;
  for (const Index j : R.neighbors(i)) hash = mixed(hash, static_cast<std::uint64_t>(j));
  for (const double w : R.weights(i)) hash = mixed(hash, std::bit_cast<std::uint64_t>(w));
  return hash;
}

bool equal_rows(const Graph& R, Index i, Index j) {
  return std::ranges::equal(R.neighbors(i), R.neighbors(j)) &&
         std::ranges::equal(R.weights(i), R.weights(j));
}

/// Nodes with equal rows of R, numbered by their first node.
struct Classes {
  Labels of;
  std::vector<Index> first;
};

Classes equal_row_classes(const Graph& R) {
  Classes classes;
  std::unordered_multimap<std::uint64_t, Label> known;
  for (Index i = 0; i < R.num_nodes(); ++i) {
    const std::uint64_t hash = hash_of_row(R, i);
    const auto [begin, end] = known.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return equal_rows(R, i, classes.first[static_cast<std::size_t>(entry.second)]);
    });
    if (same != end) {
      classes.of.push_back(same->second);
      continue;
    }
    const auto fresh = static_cast<Label>(classes.first.size());
    known.emplace(hash, fresh);
    classes.first.push_back(i);
    classes.of.push_back(fresh);
  }
  return classes;
}

/// M from the rows of the first node of each class. By symmetry all nodes of a neighbour's class
/// have the same entry in such a row, so the first node of that class represents it.
Graph quotient(const Graph& R, const Classes& classes, const Vector& root_weights) {
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  std::vector<double> values;
  for (std::size_t a = 0; a < classes.first.size(); ++a) {
    const Index i = classes.first[a];
    const auto row = R.neighbors(i);
    for (std::size_t e = 0; e < row.size(); ++e) {
      const Label b = classes.of[static_cast<std::size_t>(row[e])];
      if (classes.first[static_cast<std::size_t>(b)] != row[e]) continue;
      const double weight = R.weighted() ? R.weights(i)[e] : 1.0;
      neighbors.push_back(b);
      values.push_back(weight * (root_weights[static_cast<Index>(a)] * root_weights[b]));
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  const auto count = static_cast<Index>(classes.first.size());
  return Graph(std::move(offsets), std::move(neighbors), std::move(values), NodeNames(count, 1));
}

/// Whether all eigenvectors of M fit on a device, where their decomposition takes seconds.
bool fits_on(const std::shared_ptr<CudaDevice>& device, const Graph& M, std::int64_t most) {
  constexpr Index largest = 20'000;
  constexpr double matrices = 4;  // n x n, on the device
  const double bytes = 8 * std::pow(M.num_nodes(), 2);
  return device != nullptr && M.num_nodes() <= largest && bytes <= static_cast<double>(most) &&
         matrices * bytes <= static_cast<double>(room_for_graph(*device, 0));
}

/// Eigenvectors if M is small, or a device is there and M is not very sparse: projections with the
/// basis are cheap there. QR if it is cheap; else random products, which work for low ranks; and QR
/// if the rank is too high for them.
std::shared_ptr<const RangeBasis> range_of(const Graph& M, const SpectrumOptions& options) {
  constexpr Index small = 1000;
  constexpr double cheap = 2e11;  // operations, about 20 seconds
  constexpr std::int64_t highest_rank_tried = 4096;
  const Index n = M.num_nodes();
  if (options.progress) options.progress({"constraint"});
  if (n <= small) return std::make_shared<const RangeBasis>(dense_range(M));
  const std::int64_t most = memory_limit(options.memory_limit);
  FactorCost cost;
  if (fits_on(options.device, M, most)) {
    constexpr double very_cheap = 1e8;  // factors so small that projections take milliseconds
    if (auto basis = sparse_qr(M, {most, very_cheap}, &cost)) return basis;
    const std::unique_lock in_use = options.device->use();
    return std::make_shared<const RangeBasis>(range_on_device(*options.device, M));
  }
  if (auto basis = sparse_qr(M, {most, cheap}, &cost)) return basis;
  // A growing basis is copied to one of twice its width; a few blocks of 32 vectors are temporary.
  const std::int64_t columns = most / (8 * std::int64_t{n}) / 3 - 128;
  const auto affordable =
      static_cast<Index>(std::clamp<std::int64_t>(columns, 0, highest_rank_tried));
  if (affordable > 0) {
    if (auto basis = low_rank_range(M, affordable, options.seed, options.progress)) return basis;
  }
  constexpr double any = std::numeric_limits<double>::infinity();
  auto basis = sparse_qr(M, {most, any}, &cost);
  if (!basis)
    require_memory(
        cost.bytes, most,
        "the exact constraint of rank above " + std::to_string(affordable) + ", by sparse QR",
        smaller_constraints());
  return basis;
}

}  // namespace

Index num_different_rows(const Graph& R) {
  return static_cast<Index>(equal_row_classes(R).first.size());
}

Constraint sparse_exact_constraint(const Graph& representation, int num_clusters,
                                   const Vector& scale, const SpectrumOptions& options) {
  const Index N = representation.num_nodes();
  require(representation.num_entries() > 0, "the representation graph has no edges");
  RangeComplement kind;
  const Classes classes = equal_row_classes(representation);
  const auto c = static_cast<Eigen::Index>(classes.first.size());
  Vector sizes = Vector::Zero(c);
  Vector weights = Vector::Zero(c);
  for (Index i = 0; i < N; ++i) {
    const Label a = classes.of[static_cast<std::size_t>(i)];
    const double s = scale.size() == 0 ? 1.0 : scale[i];
    sizes[a] += 1;
    weights[a] += s * s;
  }
  const Vector roots = weights.cwiseSqrt();
  kind.classes = classes.of;
  kind.membership.resize(N);
  for (Index i = 0; i < N; ++i)
    kind.membership[i] = (scale.size() == 0 ? 1.0 : scale[i]) / roots[classes.of[std::size_t(i)]];
  kind.range = range_of(quotient(representation, classes, roots), options);

  // F'S1 = roots: its part outside range(M) is added to the basis.
  Matrix outside = roots;
  kind.range->project(outside);
  outside = roots - outside;
  const bool ones_in_range = outside.squaredNorm() < 1e-12 * roots.squaredNorm();
  if (!ones_in_range) kind.ones = outside.col(0).normalized();
  // F't = sizes / roots.
  const Vector t = sizes.cwiseQuotient(roots);
  Matrix known = t;
  kind.range->project(known);
  if (!ones_in_range) known += kind.ones * kind.ones.dot(t);
  kind.known = known.col(0).normalized();

  const Index rank = kind.range->rank();
  const Index removed = rank - (ones_in_range ? 1 : 0);
  require_enough_dimensions(N, rank, removed, num_clusters);
  return {Projector(N, removed, std::move(kind)), scale, representation, nullptr, 0};
}

}  // namespace repsc
