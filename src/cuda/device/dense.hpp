// The functions of interface.h on dense matrices. They are the libraries' own: `Place` has eigen(),
// gram(), cholesky(), divide_by_factor() and remove() for matrices of doubles in its memory.
#pragma once

#include "cuda/device/panels.hpp"

namespace repsc::device {

/// S_ij = the weight of the edge ij.
struct FillDense {
  repsc_cuda_graph graph;
  double* S;

  REPSC_HOST_DEVICE void operator()(std::int64_t i) const {
    for (std::int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e)
      S[i * graph.rows + graph.neighbors[e]] = graph.weights == nullptr ? 1.0 : graph.weights[e];
  }
};

/// Rows `which` of an n x n matrix become the columns of a block.
struct PickVectors {
  const double* S;
  const std::int32_t* which;
  Rows<double> to;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    const std::int64_t i = at / to.columns;
    const std::int64_t k = at % to.columns;
    to.data[i * to.stride + k] = S[which[k] * to.rows + i];
  }
};

/// G += factor uu'.
struct AddOuterProduct {
  double* G;
  std::int64_t n;
  const double* u;
  double factor;

  REPSC_HOST_DEVICE void operator()(std::int64_t at) const {
    G[at] += factor * u[at / n] * u[at % n];
  }
};

inline void require_doubles(const repsc_cuda_block& A) {
  if (A.scalar_bytes != 8) throw std::runtime_error("dense matrices are of doubles");
}

template <typename Place>
struct DenseFunctions {
  using Own = Context<Place>;

  static std::int32_t fill_dense(repsc_cuda_context* context, repsc_cuda_graph graph, double* S) {
    return guarded<Place>(context, [&](Own& at) {
      require_whole(graph);
      at.place.clear(S, graph.rows * graph.rows * std::int64_t{sizeof(double)});
      at.place.each(graph.rows, FillDense{graph, S});
    });
  }
  static std::int32_t eigen(repsc_cuda_context* context, double* S, std::int64_t n,
                            double* values) {
    return guarded<Place>(context, [&](Own& at) { at.place.eigen(S, n, values); });
  }
  static std::int32_t pick_vectors(repsc_cuda_context* context, const double* S,
                                   const std::int32_t* which, repsc_cuda_block to) {
    return guarded<Place>(context, [&](Own& at) {
      require_doubles(to);
      auto* const list = at.template room<std::int32_t>(Own::small, to.columns);
      at.place.upload(list, which, to.columns * std::int64_t{sizeof(std::int32_t)});
      at.place.each(to.rows * to.columns, PickVectors{S, list, rows_of<double>(to)});
    });
  }
  static std::int32_t dense_gram(repsc_cuda_context* context, repsc_cuda_block A, double* G) {
    return guarded<Place>(context, [&](Own& at) {
      require_doubles(A);
      at.place.gram(A, G);
    });
  }
  static std::int32_t add_outer_product(repsc_cuda_context* context, double* G, std::int64_t n,
                                        const double* u, double factor) {
    return guarded<Place>(context, [&](Own& at) {
      auto* const copy = at.template room<double>(Own::small, n);
      at.place.upload(copy, u, n * std::int64_t{sizeof(double)});
      at.place.each(n * n, AddOuterProduct{G, n, copy, factor});
    });
  }
  static std::int32_t cholesky(repsc_cuda_context* context, double* G, std::int64_t n,
                               std::int32_t* definite) {
    return guarded<Place>(context, [&](Own& at) { *definite = at.place.cholesky(G, n) ? 1 : 0; });
  }
  static std::int32_t divide_by_factor(repsc_cuda_context* context, repsc_cuda_block A,
                                       const double* L) {
    return guarded<Place>(context, [&](Own& at) {
      require_doubles(A);
      at.place.divide_by_factor(A, L);
    });
  }
  static std::int32_t remove(repsc_cuda_context* context, repsc_cuda_block Q, repsc_cuda_block X) {
    return guarded<Place>(context, [&](Own& at) {
      require_same(Q, X);
      require_doubles(X);
      if (Q.columns == 0 || X.columns == 0) return;
      at.place.remove(Q, X, at.template room<double>(Own::results, Q.columns * X.columns));
    });
  }
};

}  // namespace repsc::device
