// Factors of small dense matrices, by Eigen. They are compiled in one file, since the templates
// behind each of these functions take about ten seconds wherever they are instantiated.
#pragma once

#include <optional>

#include "repsc/core.hpp"

namespace repsc {

/// Upper triangular U with U'U = S; none if S is not positive definite.
[[nodiscard]] std::optional<Eigen::MatrixXd> cholesky_upper(const Eigen::MatrixXd& S);

/// Lower triangular L with LL' = S, from the lower triangle of S; none if S is not positive
/// definite.
[[nodiscard]] std::optional<Matrix> cholesky_lower(Matrix S);

/// U^-1 of the U with U'U = S; none if S is not positive definite.
[[nodiscard]] std::optional<Matrix> inverse_of_cholesky(const Eigen::MatrixXd& S);

/// The inverse of an upper triangular matrix.
[[nodiscard]] Matrix inverse_of_upper(const Eigen::MatrixXd& U);

/// The square Q of A = QR whose R has no negative number on its diagonal.
[[nodiscard]] Matrix orthogonal_factor(const Eigen::MatrixXd& A);

/// An orthonormal basis of what the columns of A span above `threshold`.
[[nodiscard]] Matrix spanned(const Eigen::MatrixXd& A, double threshold);

/// The orthogonal matrix nearest to M.
[[nodiscard]] Matrix nearest_rotation(const Matrix& M);

}  // namespace repsc
