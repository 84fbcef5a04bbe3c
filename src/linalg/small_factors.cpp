#include "linalg/small_factors.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cassert>

namespace repsc {

std::optional<Eigen::MatrixXd> cholesky_upper(const Eigen::MatrixXd& S) {
  const Eigen::LLT<Eigen::MatrixXd> factor(S);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return Eigen::MatrixXd(factor.matrixU());
}

std::optional<Matrix> cholesky_lower(Matrix S) {
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(S);  // in place
  if (factor.info() != Eigen::Success) return std::nullopt;
  S.triangularView<Eigen::StrictlyUpper>().setZero();
  return S;
}

std::optional<Matrix> inverse_of_cholesky(const Eigen::MatrixXd& S) {
  const Eigen::LLT<Eigen::MatrixXd> factor(S);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return Matrix(factor.matrixU().solve(Eigen::MatrixXd::Identity(S.rows(), S.cols())));
}

Matrix inverse_of_upper(const Eigen::MatrixXd& U) {
  return U.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(U.rows(), U.cols()));
}

Matrix orthogonal_factor(const Eigen::MatrixXd& A) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
  Matrix Q = qr.householderQ();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    if (qr.matrixQR()(j, j) < 0) Q.col(j) = -Q.col(j);
  }
  return Q;
}

Matrix spanned(const Eigen::MatrixXd& A, double threshold) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto rank = (qr.matrixQR().diagonal().array().abs() > threshold).count();
  return Eigen::MatrixXd(qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), rank));
}

Matrix nearest_rotation(const Matrix& M) {
  assert(M.rows() == M.cols());  // the case that needs no QR decomposition first
  const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> svd(
      M, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

}  // namespace repsc
