// The functions of interface.h for k-means.
#pragma once

#include <iterator>
#include <numeric>
#include <vector>

#include "cuda/device/centers.hpp"
#include "cuda/device/steps.hpp"

namespace repsc::device {

template <typename Place>
struct PointFunctions {
  using Own = Context<Place>;

  static std::int32_t assign_labels(repsc_cuda_context* context, repsc_cuda_block X,
                                    const double* centers, std::int64_t count, std::int32_t* labels,
                                    std::int64_t* changed, double* inertia) {
    return guarded<Place>(context, [&](Own& at) {
      if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
      const Chunks chunks = chunks_of(X.rows);
      auto* const partial = at.template room<double>(Own::partials, chunks.count() * 2);
      at.place.run(NearestCenters{rows_of<const double>(X),
                                  small_copy<double>(at, centers, count * X.columns), count, labels,
                                  chunks, partial});
      double sums[2] = {};
      combine<Plus>(at, partial, chunks.count(), 2, sums);
      *inertia = sums[0];
      *changed = static_cast<std::int64_t>(sums[1]);
    });
  }
  static std::int32_t count_labels(repsc_cuda_context* context, const std::int32_t* labels,
                                   std::int64_t rows, std::int64_t count, std::int64_t* sizes) {
    return guarded<Place>(context, [&](Own& at) {
      const double one = 1;
      // A column of ones: every row is the same number.
      const repsc_cuda_block ones{const_cast<double*>(small_copy<double>(at, &one, 1)), rows, 1, 0,
                                  8};
      std::vector<double> sums(static_cast<std::size_t>(count));
      sum_groups(at, {labels, count, nullptr}, ones, sums.data());
      for (std::size_t k = 0; k < sums.size(); ++k) sizes[k] = static_cast<std::int64_t>(sums[k]);
    });
  }

  static std::int32_t squared_distances(repsc_cuda_context* context, repsc_cuda_block X,
                                        const double* mean, std::int64_t chunk_rows, double* sums) {
    return guarded<Place>(context, [&](Own& at) {
      if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
      const Chunks chunks{X.rows, chunk_rows};
      auto* const found = at.template room<double>(Own::results, chunks.count());
      at.place.run(SquaredDistances{rows_of<const double>(X),
                                    small_copy<double>(at, mean, X.columns), chunks, found});
      at.place.download(sums, found, chunks.count() * std::int64_t{sizeof(double)});
    });
  }
  static DrawRows draws(Own& at, const repsc_cuda_block& X, const repsc_cuda_draws& how) {
    if (X.scalar_bytes != 8) throw std::runtime_error("k-means is for doubles");
    if (how.chunk_rows > DrawRows::most_chunk_rows)
      throw std::runtime_error("chunks are too large");
    return {rows_of<const double>(X), small_copy<double>(at, how.host_mean, X.columns),
            {X.rows, how.chunk_rows}, how.per_row,
            how.per_squared,          how.key};
  }
  static std::int32_t count_draws(repsc_cuda_context* context, repsc_cuda_block X,
                                  repsc_cuda_draws how, std::int64_t* counts) {
    return guarded<Place>(context, [&](Own& at) {
      DrawRows kernel = draws(at, X, how);
      kernel.counts = at.template room<std::int64_t>(Own::results, kernel.num_blocks());
      at.place.run(kernel);
      at.place.download(counts, kernel.counts,
                        kernel.num_blocks() * std::int64_t{sizeof(std::int64_t)});
    });
  }
  static std::int32_t draw_rows(repsc_cuda_context* context, repsc_cuda_block X,
                                repsc_cuda_draws how, const std::int64_t* counts,
                                std::int32_t* rows, double* weights) {
    return guarded<Place>(context, [&](Own& at) {
      DrawRows kernel = draws(at, X, how);
      std::vector<std::int64_t> before(static_cast<std::size_t>(kernel.num_blocks()));
      std::exclusive_scan(counts, counts + before.size(), before.begin(), std::int64_t{0});
      const std::int64_t count = before.empty() ? 0 : before.back() + counts[before.size() - 1];
      if (count == 0) return;
      auto* const given = at.template room<std::int64_t>(Own::partials, std::ssize(before));
      at.place.upload(given, before.data(),
                      std::ssize(before) * std::int64_t{sizeof(std::int64_t)});
      kernel.before = given;
      kernel.weights = at.template room<double>(Own::results, 2 * count);
      kernel.rows = reinterpret_cast<std::int32_t*>(kernel.weights + count);
      at.place.run(kernel);
      at.place.download(weights, kernel.weights, count * std::int64_t{sizeof(double)});
      at.place.download(rows, kernel.rows, count * std::int64_t{sizeof(std::int32_t)});
    });
  }
};

}  // namespace repsc::device
