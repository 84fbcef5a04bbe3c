// Block Lanczos on rows that are spread over ranks.
#include "distributed/lanczos.hpp"

#include <bit>

#include "core/random.hpp"
#include "linalg/block_lanczos.hpp"

namespace repsc {

KrylovResult spread_lanczos(const SpreadRows& rows, const KrylovOperator& A,
                            const KrylovOptions& options) {
  BlockLanczos<Matrix, SpreadRows> lanczos(A, options, rows);
  KrylovResult found = lanczos.run(options.start);
  found.vectors = lanczos.vectors();
  return found;
}

void require_equal_arithmetic(const Communicator& ranks) {
  constexpr Index size = 40;  // as wide as the bases of the iteration
  const auto X = random_block<Matrix>(size, size, 1);
  const SymmetricEigen found = symmetric_eigen(transposed_product(X, X));
  std::uint64_t hash = 0;
  for (const double value : found.vectors.reshaped<Eigen::RowMajor>()) {
    hash ^= std::bit_cast<std::uint64_t>(value);
    hash = splitmix64(hash);
  }
  const std::uint64_t own[] = {hash};
  for (const std::uint64_t other : ranks.gather(std::span<const std::uint64_t>(own))) {
    if (other == hash) continue;
    throw InvalidInput(
        Fault{.what = "the ranks do not compute the same digits from the same numbers, because "
                      "their processors differ",
              .remedies = {advice("use nodes of one kind"),
                           advice("set OPENBLAS_CORETYPE to a kind that all of them have")}});
  }
}

}  // namespace repsc
