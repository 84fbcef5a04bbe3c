// Random vectors, drawn on all threads with the same values on any number of them.
#pragma once

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "repsc/core.hpp"

namespace repsc {

/// Independent normal entries of standard deviation `scale`; each range of rows draws from a stream
/// of its own.
template <typename Block>
[[nodiscard]] Block random_block(Index rows, Index cols, std::uint64_t seed, double scale = 1) {
  using Scalar = typename Block::Scalar;
  Block X(rows, cols);
  parallel_ranges(rows, 1024, [&](auto begin, auto end) {
    RandomStream random(seed, static_cast<std::uint64_t>(begin));
    for (auto i = begin; i < end; ++i) {
      for (Index j = 0; j < cols; ++j) X(i, j) = static_cast<Scalar>(scale * random.normal());
    }
  });
  return X;
}

}  // namespace repsc
