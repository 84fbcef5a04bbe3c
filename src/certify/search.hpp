// The search for the strength with the largest bound.
#pragma once

#include "certify/dual.hpp"

namespace repsc {

struct DualMaximum {
  double value = 0;  ///< a lower bound of twice the cut, at least 0
  double strength = 0;
  bool verified = false;
  std::string reason = {};
  bool out_of_time = false;
};

[[nodiscard]] DualMaximum maximize(Dual& dual, const CertifyOptions& options);

}  // namespace repsc
