// Lanczos with blocks in the memory of the host.
#include <algorithm>

#include "eigensolver/backends.hpp"
#include "eigensolver/lanczos/place.hpp"
#include "linalg/dense.hpp"

namespace repsc {
namespace {

bool filter_pays(const Laplacian& L) { return can_be_filtered(L, densest_filtered); }

class Host final : public LanczosPlace {
 public:
  explicit Host(const ConstrainedLaplacian& A)
      : A_(A), known_(A.laplacian.null_vector()), single_known_(known_.cast<float>()) {}

  KrylovResult run_single(const KrylovOptions& how) override {
    return run_with_laplacian(single_known_, how);
  }
  KrylovResult run_double(const KrylovOptions& how) override {
    return run_with_laplacian(known_, how);
  }
  KrylovResult run_coarsely(const KrylovOptions& how, double& error) override {
    return run(single_known_, how, [&](const FloatMatrix& X, FloatMatrix& Y) {
      error = std::max(error, A_.laplacian.apply_coarsely(X, Y));
    });
  }
  KrylovResult run_filtered(const KrylovOptions& how, const ChebyshevFilter& filter) override {
    const FilteredLaplacian filtered(A_, filter);
    return run(
        single_known_, how, [&](const FloatMatrix& X, FloatMatrix& Y) { filtered.apply(X, Y); }, 1);
  }
  [[nodiscard]] Vector known(std::span<const Index> nodes) const override {
    if (nodes.empty()) return known_;
    return known_(std::vector<Index>(nodes.begin(), nodes.end()), 0);
  }
  [[nodiscard]] Eigen::Map<const Vector> known() const { return {known_.data(), known_.rows()}; }
  [[nodiscard]] bool filtering_pays() const override { return filter_pays(A_.laplacian); }
  /// A multiple of four fills vector registers and cache lines.
  [[nodiscard]] Index default_block(Index count) const override {
    return std::max<Index>(4, (count + 3) / 4 * 4);
  }

 private:
  template <typename Block, typename Apply>
  KrylovResult run(const Block& known, const KrylovOptions& how, const Apply& apply,
                   std::optional<double> norm = {}, const std::function<void()>& ended = {}) const {
    return thick_restart_lanczos(
        BlockOperator<Block>{.size = A_.num_nodes(),
                             .dimension = A_.projector.dimension() - 1,
                             .norm = norm.value_or(A_.laplacian.norm()),
                             .apply = apply,
                             .project =
                                 [this, &known](Block& X) {
                                   A_.projector.apply(X);
                                   subtract_product(X, known, transposed_product(known, X));
                                 },
                             .ended = ended},
        how);
  }
  template <typename Block>
  KrylovResult run_with_laplacian(const Block& known, const KrylovOptions& how) const {
    Block scaled;
    return run(
        known, how, [&](const Block& X, Block& Y) { A_.laplacian.apply(X, Y, scaled); }, {},
        [&] { scaled = Block(); });
  }

  const ConstrainedLaplacian& A_;
  Matrix known_;
  FloatMatrix single_known_;
};

}  // namespace

bool lanczos_tells_if_slow(const ConstrainedLaplacian& A, const EigenQuery& query) {
  return query.stopping_rule != nullptr && filter_pays(A.laplacian) && A.laplacian.fits_single();
}

Eigenpairs solve(const ConstrainedLaplacian& A, const EigenQuery& query,
                 const solver::Lanczos& how) {
  if (query.count == 1)
    return {.values = Vector::Zero(1), .vectors = Matrix(A.laplacian.null_vector())};
  Host host(A);
  Eigenpairs result = iterate(iterated_matrix(A.laplacian), query, how, host);
  result.vectors = with_known(host.known(), result.vectors);
  return result;
}

}  // namespace repsc
