// An error of the arithmetic: the input is valid, but double precision does not suffice for it.
#pragma once

#include <stdexcept>

namespace repsc {

/// Thrown where a factorization breaks down. The pipeline reports it as InvalidInput, with the
/// range of the weights, which is the cause unless there is a defect.
class NumericalFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace repsc
