// Lanczos with blocks whose rows are spread over ranks, for the iteration of
// src/eigensolver/lanczos.
#pragma once

#include "distributed/eigensolver.hpp"
#include "eigensolver/lanczos/place.hpp"

namespace repsc {

/// All in double precision: sums over ranks are exact for doubles only.
class SpreadPlace final : public LanczosPlace {
 public:
  /// Called by every rank, as all of its functions.
  explicit SpreadPlace(const DistributedOperator& A);

  KrylovResult run_single(const KrylovOptions& how) override { return run_double(how); }
  KrylovResult run_double(const KrylovOptions& how) override;
  KrylovResult run_coarsely(const KrylovOptions& how, double& error) override;
  KrylovResult run_filtered(const KrylovOptions& how, const ChebyshevFilter& filter) override;
  [[nodiscard]] Vector known(std::span<const Index> nodes) const override;
  [[nodiscard]] bool filtering_pays() const override { return filtering_pays_; }
  [[nodiscard]] Index default_block(Index count) const override {
    return std::max<Index>(4, (count + 3) / 4 * 4);
  }

 private:
  [[nodiscard]] KrylovOperator krylov(double norm,
                                      std::function<void(const Matrix& X, Matrix& Y)> apply) const;

  const DistributedOperator& A_;
  bool filtering_pays_;
};

}  // namespace repsc
