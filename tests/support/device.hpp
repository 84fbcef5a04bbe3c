// The device that tests use: the one of REPSC_CUDA_LIBRARY if that is set (`./dev test --cuda`),
// else the host twin, which runs the same kernels; and matrices for it.
#pragma once

#include <cstdlib>
#include <memory>
#include <random>

#include "cuda/device.hpp"

namespace repsc::samples {

inline bool is_twin() { return std::getenv("REPSC_CUDA_LIBRARY") == nullptr; }

inline std::shared_ptr<CudaDevice> device() {
  static const std::shared_ptr<CudaDevice> shared =
      is_twin() ? std::make_shared<CudaDevice>(*repsc_cuda(), 0) : open_cuda_device(0);
  return shared;
}

/// Normal entries.
inline Matrix random_matrix(Eigen::Index rows, Eigen::Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
}

}  // namespace repsc::samples
