// Sums without rounding.
#include "distributed/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/numerical_failure.hpp"

namespace repsc {
namespace {

/// Smaller summands are taken as 0: their unit would not be a number.
constexpr double smallest = 0x1p-900;

/// Powers of two that turn the summands of one sum into whole numbers, and back.
class Unit {
 public:
  Unit(double largest, int bits) : bits_(bits) {
    if (largest < smallest) return;
    exponent_ = std::ilogb(largest) + 1;
    up_ = std::ldexp(1.0, bits - exponent_);
  }

  void add(double x, std::int64_t& hi, std::int64_t& lo) const {
    const double scaled = x * up_;
    const double whole = std::nearbyint(scaled);
    hi += static_cast<std::int64_t>(whole);
    lo += static_cast<std::int64_t>(
        std::nearbyint((scaled - whole) * static_cast<double>(1LL << bits_)));
  }
  [[nodiscard]] double value(std::int64_t hi, std::int64_t lo) const {
    return std::ldexp(static_cast<double>(hi), exponent_ - bits_) +
           std::ldexp(static_cast<double>(lo), exponent_ - 2 * bits_);
  }

 private:
  int bits_;
  int exponent_ = 0;
  double up_ = 0;
};

int bits_for(std::int64_t count) {
  const int summands = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)));
  return std::min(52, 62 - summands);
}

/// One unit for each column, from the largest of the column over all ranks.
std::vector<Unit> units_of(const Communicator& ranks, const Matrix& numbers, std::int64_t count) {
  std::vector<double> largest(static_cast<std::size_t>(numbers.cols()), 0.0);
  for (Eigen::Index i = 0; i < numbers.rows(); ++i) {
    const double* row = numbers.data() + i * numbers.cols();
    for (std::size_t j = 0; j < largest.size(); ++j) {
      // Not std::max, which drops a NaN; infinity stands for all that is not finite.
      const double size = std::abs(row[j]);
      if (!(size <= largest[j])) largest[j] = std::isfinite(size) ? size : HUGE_VAL;
    }
  }
  ranks.max(largest);
  std::vector<Unit> units;
  units.reserve(largest.size());
  for (const double size : largest) {
    if (!std::isfinite(size)) throw NumericalFailure("a sum over all rows is not finite");
    units.emplace_back(size, bits_for(count));
  }
  return units;
}

}  // namespace

Vector exact_sum(const Communicator& ranks, const Matrix& parts, std::int64_t count) {
  const std::vector<Unit> units = units_of(ranks, parts, count);
  const std::size_t width = units.size();
  std::vector<std::int64_t> sums(2 * width, 0);
  for (Eigen::Index i = 0; i < parts.rows(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      units[j].add(parts(i, static_cast<Eigen::Index>(j)), sums[2 * j], sums[2 * j + 1]);
    }
  }
  ranks.sum(sums);
  Vector result(static_cast<Eigen::Index>(width));
  for (std::size_t j = 0; j < width; ++j) {
    result[static_cast<Eigen::Index>(j)] = units[j].value(sums[2 * j], sums[2 * j + 1]);
  }
  return result;
}

Matrix exact_sums_by_key(const Communicator& ranks, std::span<const Label> keys, Index num_keys,
                         const Matrix& values, std::int64_t count) {
  const std::vector<Unit> units = units_of(ranks, values, count);
  const std::size_t width = units.size();
  std::vector<std::int64_t> sums(2 * width * static_cast<std::size_t>(num_keys), 0);
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    std::int64_t* sum =
        sums.data() + 2 * width * static_cast<std::size_t>(keys[static_cast<std::size_t>(i)]);
    for (std::size_t j = 0; j < width; ++j) {
      units[j].add(values(i, static_cast<Eigen::Index>(j)), sum[2 * j], sum[2 * j + 1]);
    }
  }
  ranks.sum(sums);
  Matrix result(num_keys, values.cols());
  for (Index g = 0; g < num_keys; ++g) {
    const std::int64_t* sum = sums.data() + 2 * width * static_cast<std::size_t>(g);
    for (std::size_t j = 0; j < width; ++j) {
      result(g, static_cast<Eigen::Index>(j)) = units[j].value(sum[2 * j], sum[2 * j + 1]);
    }
  }
  return result;
}

}  // namespace repsc
