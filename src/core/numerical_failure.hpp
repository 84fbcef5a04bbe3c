// An error of the arithmetic: the input is valid, but double precision does not suffice for it.
#pragma once

#include <string>

#include "repsc/core.hpp"

namespace repsc {

/// Thrown where a factorization breaks down. It is an error about the input wherever it ends;
/// functions that know the graphs add the range of their weights, which is the cause unless there
/// is a defect.
class NumericalFailure : public InvalidInput {
 public:
  explicit NumericalFailure(std::string cause)
      : InvalidInput(Fault{.what = "double precision does not suffice: " + cause,
                           .remedies = {advice("remove edges whose weights hardly count"),
                                        advice("try another solver or method")}}),
        cause_(std::move(cause)) {}
  [[nodiscard]] const std::string& cause() const { return cause_; }

 private:
  std::string cause_;
};

}  // namespace repsc
