// Tall blocks in the memory of a device, for the iteration of linalg/block_lanczos.hpp: the
// counterpart of LocalRows.
#pragma once

#include "cuda/device.hpp"

namespace repsc {

template <typename Scalar>
class DeviceRows {
 public:
  using Block = DeviceBlock<Scalar>;
  using View = repsc_cuda_block;
  using Functions = repsc_cuda_functions;

  DeviceRows(const CudaDevice& device, Index stored) : device_(device), stored_(stored) {}

  [[nodiscard]] Index stored() const { return stored_; }
  [[nodiscard]] Block uninitialized(Index cols) const { return Block(device_, stored_, cols); }
  [[nodiscard]] Block zeros(Index cols) const {
    Block X = uninitialized(cols);
    const View all = X;
    device_.call(&Functions::clear, all.data, all.rows * all.stride * std::int64_t{sizeof(Scalar)});
    return X;
  }
  [[nodiscard]] Block random(Index cols, std::uint64_t seed, double scale) const {
    Block X = uninitialized(cols);
    device_.call(&Functions::fill_random, X, seed, scale);
    return X;
  }
  [[nodiscard]] static View columns(const Block& X, Index first, Index count) {
    return X.columns(first, count);
  }
  void copy(const View& from, Block& to, Index first) const {
    device_.call(&Functions::copy, from, to.columns(first, static_cast<Index>(from.columns)));
  }
  void divide(Block& X, double by) const { device_.call(&Functions::divide, X, by); }
  [[nodiscard]] Matrix on_host(const Block& X) const { return repsc::on_host(device_, X); }
  [[nodiscard]] Matrix rows(const View& X, std::span<const Index> which) const {
    Matrix result(static_cast<Eigen::Index>(which.size()), X.columns);
    device_.call(&Functions::rows, X, which.data(), static_cast<std::int64_t>(which.size()),
                 result.data());
    return result;
  }
  /// The same times T.
  [[nodiscard]] Matrix rows_times(const View& X, std::span<const Index> which,
                                  const Matrix& T) const {
    Matrix result(static_cast<Eigen::Index>(which.size()), T.cols());
    device_.call(&Functions::rows_times, X, which.data(), static_cast<std::int64_t>(which.size()),
                 T.data(), static_cast<std::int64_t>(T.cols()), result.data());
    return result;
  }
  [[nodiscard]] Matrix gram(const View& A, const View& B) const {
    Matrix result = Matrix::Zero(A.columns, B.columns);
    device_.call(&Functions::gram, A, B, result.data());
    return result;
  }
  void subtract(Block& A, const View& B, const Matrix& T) const {
    device_.call(&Functions::subtract, A, B, T.data());
  }
  void assign(Block& A, const View& B, const Matrix& T) const {
    device_.call(&Functions::assign, A, B, T.data());
  }
  void multiply(Block& V, const Matrix& T) const {
    device_.call(&Functions::multiply, V.columns(0, static_cast<Index>(T.rows())), T.data(),
                 static_cast<std::int64_t>(T.cols()));
  }

 private:
  const CudaDevice& device_;
  Index stored_;
};

}  // namespace repsc
