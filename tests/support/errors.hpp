// The errors that calls throw, as data and in words.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "repsc/core.hpp"

namespace repsc {

/// The fault of the InvalidInput that `call` throws. The test fails if it throws none.
template <typename Call>
Fault fault_of(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const InvalidInput& error) {
    return error.fault();
  }
  ADD_FAILURE() << "no InvalidInput was thrown";
  return {};
}

/// The message of the InvalidInput that `call` throws; "" if it throws none.
template <typename Call>
std::string error_of(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace repsc
