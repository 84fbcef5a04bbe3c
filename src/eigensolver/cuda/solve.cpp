// Lanczos with blocks in the memory of a CUDA device: the graph and the constraint are copied there
// once, and vectors come back when all is done.
#include <algorithm>
#include <cmath>

#include "constraint/on_device.hpp"
#include "constraint/shared.hpp"
#include "cuda/groups.hpp"
#include "cuda/rows.hpp"
#include "eigensolver/backends.hpp"
#include "eigensolver/cuda/penalty.hpp"
#include "eigensolver/lanczos/place.hpp"
#include "eigensolver/measure.hpp"
#include "graph/host_arrays.hpp"
#include "linalg/block_lanczos.hpp"

namespace repsc {
namespace {

using Functions = repsc_cuda_functions;

/// Wider blocks need few products less, and their rows no longer stay in the cache (docs/gpu.md).
Index block_on_device(Index count) { return (count + 3) / 4 * 4; }

std::span<const double> numbers_of(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// L, and the penalty of a soft constraint, on a device.
class DeviceLaplacian {
 public:
  /// `room`: bytes for the entries of both graphs.
  DeviceLaplacian(const CudaDevice& device, const Laplacian& L,
                  std::shared_ptr<const DeviceGraph> graph, std::int64_t room)
      : device_(device),
        host_(L),
        graph_(std::move(graph)),
        scale_(device, numbers_of(L.scale())),
        degrees_(device, numbers_of(L.scale().size() > 0 ? Vector() : L.degrees())) {
    if (L.penalty() == nullptr) return;
    const double own = DevicePenalty::graph_bytes(L);
    penalty_.emplace(device, L, share_of_room(room, own, device_bytes(L.graph())));
  }

  template <typename Scalar>
  void apply(const DeviceBlock<Scalar>& X, DeviceBlock<Scalar>& Y) const {
    device_.call(&Functions::apply, view(), X, Y);
    if (penalty_) penalty_->add_product(X, Y);
  }
  /// In 16 bits; returns the largest step of the rounding.
  [[nodiscard]] double apply_coarsely(const DeviceBlock<float>& X, DeviceBlock<float>& Y) const {
    double step = 0;
    device_.call(&Functions::apply_coarsely, view(), X, Y, &step);
    if (penalty_) penalty_->add_product(X, Y);
    return step;
  }
  /// X = S^-1 X.
  void divide_by_scale(DeviceBlock<double>& X) const {
    if (view().scale != nullptr) device_.call(&Functions::scale_rows, X, scale_.data(), -1);
  }
  /// None where the graph would have to be copied several times.
  [[nodiscard]] std::optional<Index> count_components() const {
    if (graph_->streamed()) return std::nullopt;
    std::int64_t count = 0;
    device_.call(&Functions::components, graph_->view(), &count);
    return static_cast<Index>(count);
  }
  [[nodiscard]] bool sums_fit_coarsely() const { return graph_->most_entries() <= 65536; }

 private:
  [[nodiscard]] repsc_cuda_laplacian view() const {
    const bool symmetric = host_.normalization() == Normalization::symmetric;
    return {graph_->view(), symmetric ? scale_.data() : nullptr,
            symmetric ? nullptr : degrees_.data(), host_.regularization()};
  }

  const CudaDevice& device_;
  const Laplacian& host_;
  std::shared_ptr<const DeviceGraph> graph_;
  DeviceArray<double> scale_;
  DeviceArray<double> degrees_;
  std::optional<DevicePenalty> penalty_;
};

/// X = P X on a device, for all projectors but those of a spectrum that is on the host alone.
class DeviceProjector {
 public:
  DeviceProjector(const CudaDevice& device, const Projector& P) : device_(device) {
    if (const auto* const spectral = std::get_if<SpectralComplement>(&P.kind()))
      removed_ = removed_basis(*spectral);
    if (const auto* const kept = std::get_if<KeptBasis>(&P.kind()))
      kept_ = on_device(device, kept->basis);
    if (const auto* const range = std::get_if<RangeComplement>(&P.kind())) {
      if (basis_fits(device, P, *range)) {
        removed_ = removed_basis(device, *range);
      } else {
        range_ = range;
        sums_.emplace(device, range->classes, static_cast<Index>(range->known.size()),
                      numbers_of(range->membership));
      }
    }
    groups_ = std::get_if<GroupComplement>(&P.kind());
    if (groups_ == nullptr) return;
    sums_.emplace(device, groups_->groups, static_cast<Index>(groups_->sizes.size()),
                  numbers_of(groups_->scale));
  }

  static bool supports(const Projector& P) {
    const auto* const spectral = std::get_if<SpectralComplement>(&P.kind());
    return spectral == nullptr || spectral->spectrum->on_device != nullptr;
  }

  template <typename Scalar>
  void apply(DeviceBlock<Scalar>& X) const {
    if (removed_.cols() > 0 || kept_.cols() > 0) return apply_basis(X);
    if (!sums_) return;
    Matrix b = sums_->sums(X);
    if (groups_ != nullptr) remove_common_part(*groups_, b);
    if (range_ != nullptr) b = removed_part(*range_, b);
    sums_->subtract(X, b);
  }

 private:
  /// Whether there is a basis of the range, and room for it by nodes beside that by classes.
  static bool basis_fits(const CudaDevice& device, const Projector& P,
                         const RangeComplement& range) {
    const double bytes = 2.0 * 8 * P.rank() * static_cast<double>(range.classes.size());
    return range.range->basis() != nullptr &&
           bytes <= static_cast<double>(room_for_graph(device, 0));
  }

  void apply_basis(DeviceBlock<double>& X) const {
    if (removed_.cols() > 0) return device_.call(&Functions::remove, removed_, X);
    const DeviceRows<double> rows(device_, X.rows());
    DeviceBlock<double> rest = rows.uninitialized(X.cols());  // X - YY'X
    rows.copy(X, rest, 0);
    device_.call(&Functions::remove, kept_, rest);
    rows.subtract(X, rest, Matrix::Identity(X.cols(), X.cols()));
  }
  void apply_basis(DeviceBlock<float>& X) const {
    DeviceBlock<double> exact(device_, X.rows(), X.cols());  // as bases are stored
    device_.call(&Functions::copy, X, exact);
    apply_basis(exact);
    device_.call(&Functions::copy, exact, X);
  }

  const CudaDevice& device_;
  DeviceBlock<double> removed_;  ///< P = I - QQ'
  DeviceBlock<double> kept_;     ///< P = YY'
  // Sums of groups, or of classes of nodes with equal rows of R, are made and subtracted on the
  // device. What to subtract is computed from them on the host, which has the sparse factors.
  std::optional<DeviceGroups> sums_;
  const GroupComplement* groups_ = nullptr;
  const RangeComplement* range_ = nullptr;
};

class OnDevice final : public LanczosPlace {
 public:
  OnDevice(CudaDevice& device, const ConstrainedLaplacian& A,
           std::shared_ptr<const DeviceGraph> graph, std::int64_t room)
      : device_(device),
        A_(A),
        L_(device, A.laplacian, std::move(graph), room),
        P_(device, A.projector) {
    const DeviceRows<double> rows(device, A.num_nodes());
    known_ = rows.zeros(1);  // 1, or D^1/2 1, scaled to length 1
    const double one = 1;
    device.call(&Functions::add_to_rows, known_, &one);
    L_.divide_by_scale(known_);
    rows.divide(known_, std::sqrt(rows.gram(known_, known_)(0, 0)));
    single_known_ = DeviceBlock<float>(device, A.num_nodes(), 1);
    device.call(&Functions::copy, known_, single_known_);
  }

  KrylovResult run_single(const KrylovOptions& how) override {
    return run<float>(how, [this](const auto& X, auto& Y) { L_.apply(X, Y); });
  }
  KrylovResult run_double(const KrylovOptions& how) override {
    return run<double>(how, [this](const auto& X, auto& Y) { L_.apply(X, Y); });
  }
  KrylovResult run_coarsely(const KrylovOptions& how, double& error) override {
    if (!L_.sums_fit_coarsely()) return run_single(how);
    const double error_of_step = A_.laplacian.coarse_error(1);  // a pass over all degrees
    return run<float>(how, [&, error_of_step](const auto& X, auto& Y) {
      error = std::max(error, error_of_step * L_.apply_coarsely(X, Y));
    });
  }
  KrylovResult run_filtered(const KrylovOptions& how, const ChebyshevFilter& filter) override {
    return run<float>(
        how, [&](const auto& X, auto& Y) { apply_filter(filter, X, Y); }, 1);
  }
  void forget() override {
    single_ = {};
    double_ = {};
  }
  [[nodiscard]] Vector known(std::span<const Index> nodes) const override {
    const DeviceRows<double> rows(device_, A_.num_nodes());
    return nodes.empty() ? rows.on_host(known_) : rows.rows(known_, nodes);
  }
  [[nodiscard]] bool filtering_pays() const override {
    return can_be_filtered(A_.laplacian, densest_filtered);
  }
  [[nodiscard]] Index default_block(Index count) const override { return block_on_device(count); }

  /// Rayleigh-Ritz; returns the vectors. They are orthonormal and within the constraint in double
  /// precision; the product with L is in single precision unless the residual may be as small as
  /// its error, which grows with a penalty.
  DeviceBlock<double> finish(const EigenQuery& query, Eigenpairs& pairs) {
    constexpr double single_error = 1e-6;
    const bool single = A_.laplacian.fits_single() && A_.laplacian.penalty() == nullptr &&
                        (pairs.settled || pairs.stalled || query.tolerance >= 100 * single_error);
    const DeviceRows<double> rows(device_, A_.num_nodes());
    repsc_cuda_block wanted = found();
    wanted.columns = query.count - 1;  // without vectors to spare
    DeviceBlock<double> X = rows.uninitialized(query.count);
    rows.copy(known_, X, 0);
    rows.copy(wanted, X, 1);
    single_ = {};
    double_ = {};
    const auto apply = [&](const DeviceBlock<double>& from, DeviceBlock<double>& to) {
      if (!single) return L_.apply(from, to);
      // The first column is the known one, orthonormalized: L times it is 0.
      const Index others = from.cols() - 1;
      DeviceBlock<float> x(device_, from.rows(), others);
      DeviceBlock<float> y(device_, from.rows(), others);
      device_.call(&Functions::copy, from.columns(1, others), x);
      L_.apply(x, y);
      rows.copy(rows.zeros(1), to, 0);
      rows.copy(y, to, 1);
    };
    measure(
        rows, X, apply, [this](auto& block) { P_.apply(block); }, A_.laplacian.residual_unit(),
        pairs);
    pairs.num_components = L_.count_components();
    return X;
  }

 private:
  /// The vectors of the last run.
  [[nodiscard]] repsc_cuda_block found() const {
    return double_.cols() > 0 ? repsc_cuda_block(double_) : repsc_cuda_block(single_);
  }
  template <typename Scalar>
  [[nodiscard]] const DeviceBlock<Scalar>& removed() const {
    if constexpr (std::is_same_v<Scalar, float>) return single_known_;
    if constexpr (std::is_same_v<Scalar, double>) return known_;
  }
  void keep(DeviceBlock<float> X) { single_ = std::move(X); }
  void keep(DeviceBlock<double> X) {
    double_ = std::move(X);
    single_ = {};
  }

  /// The vectors to start from, if there are any.
  template <typename Scalar>
  [[nodiscard]] DeviceBlock<Scalar> start(const DeviceRows<Scalar>& rows,
                                          const KrylovOptions& how) const {
    DeviceBlock<double> given;
    repsc_cuda_block from = found();
    if (from.columns == 0 && how.start != nullptr) {
      given = on_device(device_, *how.start);
      from = given;
    }
    if (from.columns == 0) return {};
    DeviceBlock<Scalar> X = rows.uninitialized(static_cast<Index>(from.columns));
    rows.copy(from, X, 0);
    return X;
  }

  /// Y = p(P L P) X, by the recurrence of FilteredLaplacian.
  void apply_filter(const ChebyshevFilter& filter, const DeviceBlock<float>& X,
                    DeviceBlock<float>& Y) const {
    const DeviceRows<float> rows(device_, A_.num_nodes());
    const double c = filter.center();
    const double e = filter.half_width();
    // Z = factor (P L P - c) W + other V.
    const auto combine = [&](double factor, const DeviceBlock<float>& W, double other,
                             const DeviceBlock<float>& V, DeviceBlock<float>& Z) {
      L_.apply(W, Z);
      device_.call(&Functions::combine_blocks, Z, W, V, factor, -factor * c, other);
      P_.apply(Z);
    };
    double sigma = -e / c;
    const double tau = 2 / sigma;
    DeviceBlock<float> before = rows.uninitialized(X.cols());
    DeviceBlock<float> now = rows.uninitialized(X.cols());
    DeviceBlock<float> next = rows.uninitialized(X.cols());
    rows.copy(X, before, 0);
    combine(sigma / e, before, 0, before, now);
    for (int step = 2; step <= filter.degree(); ++step) {
      const double next_sigma = 1 / (tau - sigma);
      combine(2 * next_sigma / e, now, -sigma * next_sigma, before, next);
      std::swap(before, now);
      std::swap(now, next);
      sigma = next_sigma;
    }
    rows.copy(now, Y, 0);
  }

  template <typename Scalar, typename Apply>
  KrylovResult run(const KrylovOptions& how, const Apply& apply, std::optional<double> norm = {}) {
    using Block = DeviceBlock<Scalar>;
    const DeviceRows<Scalar> rows(device_, A_.num_nodes());
    const Block& known = removed<Scalar>();
    const BlockOperator<Block> A{.size = A_.num_nodes(),
                                 .dimension = A_.projector.dimension() - 1,
                                 .norm = norm.value_or(A_.laplacian.norm()),
                                 .apply = apply,
                                 .project = [&](Block& X) {
                                   P_.apply(X);
                                   rows.subtract(X, known, rows.gram(known, X));
                                 }};
    const Block first = start(rows, how);
    BlockLanczos<Block, DeviceRows<Scalar>> lanczos(A, how, rows);
    KrylovResult result = lanczos.run(first.cols() > 0 ? &first : nullptr);
    keep(lanczos.vectors());
    return result;
  }

  CudaDevice& device_;
  const ConstrainedLaplacian& A_;
  DeviceLaplacian L_;
  DeviceProjector P_;
  DeviceBlock<double> known_;
  DeviceBlock<float> single_known_;
  DeviceBlock<float> single_;  ///< what the last run found, in its precision
  DeviceBlock<double> double_;
};

}  // namespace

bool runs_on_device(const ConstrainedLaplacian& A) {
  return DevicePenalty::supports(A.laplacian) && DeviceProjector::supports(A.projector);
}

Index basis_on_device(Index num_nodes, Index count, const solver::Lanczos& how) {
  const Index unknown = count - 1;
  const Index block = how.block_size.value_or(block_on_device(unknown));
  const Index basis = how.basis_size.value_or(default_basis(num_nodes, unknown, block));
  return std::min(num_nodes, std::max(basis, unknown + 2 * block));
}

Eigenpairs solve_on_device(const ConstrainedLaplacian& A, const EigenQuery& query,
                           const solver::Lanczos& how) {
  CudaDevice& device = *query.device;
  const HostGraph arrays = host_arrays(A.laplacian.graph());
  std::shared_ptr<const DeviceGraph> graph = device.uploaded(arrays);
  const std::unique_lock in_use = device.use();
  const std::int64_t room = room_for_graph(device, iteration_bytes(A.num_nodes(), query.count));
  if (graph == nullptr) {
    const std::int64_t own = share_of_room(room, device_bytes(A.laplacian.graph()),
                                           DevicePenalty::graph_bytes(A.laplacian));
    graph = std::make_shared<DeviceGraph>(device, arrays, own);
  }
  OnDevice place(device, A, std::move(graph), room);
  Eigenpairs result = iterate(iterated_matrix(A.laplacian), query, how, place);
  DeviceBlock<double> vectors = place.finish(query, result);
  result.device = device.name();
  if (!query.leave_on_device) {
    result.vectors = on_host(device, vectors);
    return result;
  }
  result.on_device = std::make_shared<DeviceMatrix>(query.device, std::move(vectors));
  return result;  // at once: while the device is in use, the matrix may not be destroyed
}

}  // namespace repsc
