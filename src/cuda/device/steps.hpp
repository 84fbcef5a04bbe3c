// Steps that several functions of interface.h share.
#pragma once

#include <vector>

#include "cuda/device/context.hpp"
#include "cuda/device/groups.hpp"

namespace repsc::device {

/// Numbers of the host in the precision of a block.
template <typename Scalar, typename Place>
Scalar* small_copy(Context<Place>& at, const double* from, std::int64_t count) {
  std::vector<Scalar> values(from, from + count);
  auto* const to = at.template room<Scalar>(Context<Place>::small, count);
  at.place.upload(to, values.data(), count * std::int64_t{sizeof(Scalar)});
  return to;
}

template <typename Operation, typename T, typename Place>
void combine(Context<Place>& at, const T* partial, std::int64_t count, std::int64_t outputs,
             T* result) {
  auto* const found = at.template room<T>(Context<Place>::results, outputs);
  at.place.run(Combine<T, Operation>{partial, count, outputs, found});
  at.place.download(result, found, outputs * std::int64_t{sizeof(T)});
}

template <typename Place>
void sum_groups(Context<Place>& at, const repsc_cuda_groups& groups, const repsc_cuda_block& X,
                double* sums) {
  if (groups.count < 1 || groups.count > REPSC_CUDA_MOST_GROUPS)
    throw std::runtime_error("more groups than the device adds up");
  const Chunks chunks = chunks_of(X.rows, std::min<std::int64_t>(4096, (1 << 20) / groups.count));
  const std::int64_t outputs = groups.count * tile;
  std::vector<double> of_tile(static_cast<std::size_t>(outputs));
  for (std::int64_t first = 0; first < X.columns; first += tile) {
    auto* const partial =
        at.template room<double>(Context<Place>::partials, chunks.count() * outputs);
    with_scalar(X, [&](auto zero) {
      using Scalar = decltype(zero);
      at.place.run(GroupSums<Scalar>{groups, rows_of<const Scalar>(X), first, chunks, partial});
    });
    combine<Plus>(at, partial, chunks.count(), outputs, of_tile.data());
    for (std::int64_t g = 0; g < groups.count; ++g) {
      for (int c = 0; c < columns_of_tile(X.columns, first); ++c)
        sums[g * X.columns + first + c] = of_tile[static_cast<std::size_t>(g * tile + c)];
    }
  }
}

}  // namespace repsc::device
