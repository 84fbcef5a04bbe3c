// Types that all stages share: numbers, matrices, errors and progress; and the number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace repsc {

inline constexpr const char* version = "0.1.0";

using Index = std::int32_t;   ///< a node
using Offset = std::int64_t;  ///< a position among the stored entries of a graph
using Label = std::int32_t;   ///< a cluster or a group, from 0
using Labels = std::vector<Label>;

/// Row-major: the row of a node is contiguous, as products with a graph, k-means and NumPy need it.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
/// Single precision: half the memory traffic. Used where a later step in double precision corrects
/// the rounding.
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// An error of the caller: a bad file, an option out of range, an infeasible rank. The message has
/// the numbers.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A computation that would need more memory than the limit.
class MemoryLimitExceeded : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// An error of the system: a file that cannot be opened or written.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InvalidInput, or another error, with the concatenation of `parts` unless `ok`.
template <typename Error = InvalidInput, typename... Parts>
void require(bool ok, const Parts&... parts) {
  if (ok) return;
  std::ostringstream message;
  (message << ... << parts);
  throw Error(message.str());
}

/// Progress of a long computation. `total` is 0 if it is not known in advance.
struct Progress {
  std::string_view stage;  ///< "read", "constraint", "eigen", "kmeans", ...
  std::int64_t done = 0;
  std::int64_t total = 0;
  double value = 0;  ///< a quantity of the stage: the residual, the inertia, bytes
};

/// Called from the calling thread from time to time. May throw: the computation then stops cleanly.
using ProgressFn = std::function<void(const Progress&)>;

/// Number of threads of every parallel loop of the library; 0 means all cores. The only
/// process-wide setting. It never changes a result, not even in the last bit.
void set_num_threads(int count);
[[nodiscard]] int num_threads();

}  // namespace repsc
