// Types that all stages share: numbers, matrices, errors and progress; and the number of threads.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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

/// What the user can do about an error.
struct Remedy {
  enum class Action { use, raise, lower, leave_out, advice } action = Action::use;
  std::string option = {};  ///< by its name in this library; empty for advice
  std::string value = {};   ///< use: the value, if there is one; advice: what to do, in words
};

/// A remedy in words that hold for the command line, C++ and Python alike.
[[nodiscard]] inline Remedy advice(std::string words) {
  return {Remedy::Action::advice, {}, std::move(words)};
}

/// An error as data. It names options as this library does; the command line and Python word it in
/// their own vocabulary, see worded().
struct Fault {
  std::string what;                   ///< what is wrong, with the numbers
  std::string option = {};            ///< the option that it is about
  std::string value = {};             ///< the value that was given
  std::vector<Remedy> remedies = {};  ///< alternatives
  std::string where = {};             ///< the file, or file:line
};

/// How a front end writes an option, with its value or (value empty) without:
/// "solver = lanczos", solver="lanczos".
using Spelling = std::function<std::string(std::string_view option, std::string_view value)>;

/// The fault in one line: where, the option with its value, what is wrong, what to do.
[[nodiscard]] std::string worded(const Fault& fault, const Spelling& spelling);

/// The caller's mistake: a bad file, an option out of range, an infeasible rank. what() words the
/// fault with the library's own names.
class InvalidInput : public std::invalid_argument {
 public:
  explicit InvalidInput(Fault fault);
  explicit InvalidInput(const std::string& what) : InvalidInput(Fault{.what = what}) {}
  [[nodiscard]] const Fault& fault() const { return fault_; }

 private:
  Fault fault_;
};

/// The same, for options that contradict each other or the kind of input, whatever the data.
class InvalidOptions : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
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

/// The parts one after the other, as operator<< writes them.
template <typename... Parts>
[[nodiscard]] std::string joined(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Throws InvalidInput, or another error, with the concatenation of `parts` unless `ok`.
template <typename Error = InvalidInput, typename... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) throw Error(joined(parts...));
}

/// The same about the value of an option: `what` says what it must be.
template <typename Error = InvalidInput, typename Value, typename... Parts>
void require_option(bool ok, std::string_view option, const Value& value, const Parts&... what) {
  if (ok) return;
  throw Error(
      Fault{.what = joined(what...), .option = std::string(option), .value = joined(value)});
}

/// The same about a file: `where` is the file, or file:line.
template <typename Error = InvalidInput, typename... Parts>
void require_file(bool ok, std::string_view where, const Parts&... what) {
  if (!ok) throw Error(Fault{.what = joined(what...), .where = std::string(where)});
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

/// Seconds since construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// When a computation has to end, although its result could still improve. What it has found by
/// then is returned, and marked. It looks between two iterations, so it ends a little later.
struct Deadline {
  std::optional<std::chrono::steady_clock::time_point> at = {};  ///< none: no limit
  const std::atomic<bool>* cancelled = nullptr;  ///< ends it too, as soon as this is true

  /// That many seconds from now; none: no limit. Throws InvalidInput unless they are above 0.
  [[nodiscard]] static Deadline after(std::optional<double> seconds);
  [[nodiscard]] bool passed() const {
    return (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) ||
           (at && std::chrono::steady_clock::now() >= *at);
  }
};

/// Number of threads of every parallel loop of the library; none: all cores. The only process-wide
/// setting. It never changes a result, not even in the last bit.
void set_num_threads(std::optional<int> count);
[[nodiscard]] int num_threads();

/// Ends the threads that OpenBLAS starts with a program, which the library never uses; on x86-64
/// each of them keeps a core busy for its first tenth of a second. For programs that call BLAS
/// through this library alone, at their beginning. Does nothing with another BLAS, or where memory
/// is so limited that these threads may wait for it for ever.
void end_blas_threads();

/// The most memory that this process has held so far.
[[nodiscard]] std::int64_t peak_memory_bytes();

}  // namespace repsc
