// How many eigenvalues of a penalized Laplacian lie below a shift: the check that an eigensolver
// has missed none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "repsc/operators.hpp"

namespace repsc {

struct CountOptions {
  enum class Way { automatic, dense, sparse } way = Way::automatic;
  /// Bytes of the factors; none: 80 % of the free memory.
  std::optional<std::int64_t> memory_limit = {};
};

/// At most `below` eigenvalues are smaller than `shift`. It is a little lower than the shift that
/// was asked for, by the rounding errors of the factorization.
struct EigenvalueCount {
  Index below = 0;
  double shift = 0;
};

/// Counts by the inertia of M - shift I: dense factors of small graphs, else sparse factors, where
/// these are affordable.
class EigenvalueCounter {
 public:
  explicit EigenvalueCounter(const Laplacian& M, const CountOptions& options = {});
  ~EigenvalueCounter();
  EigenvalueCounter(const EigenvalueCounter&) = delete;
  EigenvalueCounter& operator=(const EigenvalueCounter&) = delete;

  /// Why nothing can be counted; "": it can.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  /// Needs that there is no obstacle. None if rounding errors make the number uncertain.
  [[nodiscard]] std::optional<EigenvalueCount> count_below(double shift);

 private:
  class Way;
  class Dense;
  class Sparse;
  std::unique_ptr<Way> way_;
  std::string obstacle_;
};

}  // namespace repsc
