// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>

#include "repsc/core.hpp"

namespace repsc::python {

namespace nb = nanobind;

/// A vector from Python, used without copying.
template <typename Value>
using InputArray = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// `container` becomes the memory of a NumPy array of that shape.
template <typename Value, typename Container>
nb::object numpy_array(Container container, std::initializer_list<std::size_t> shape) {
  auto* kept = new Container(std::move(container));
  const nb::capsule owner(kept,
                          [](void* memory) noexcept { delete static_cast<Container*>(memory); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(kept->data(), shape, owner));
}

inline nb::object numpy_array(Labels labels) {
  const std::size_t size = labels.size();
  return numpy_array<Label>(std::move(labels), {size});
}
inline nb::object numpy_array(Vector values) {
  const auto size = static_cast<std::size_t>(values.size());
  return numpy_array<double>(std::move(values), {size});
}
inline nb::object numpy_array(Matrix values) {
  const auto rows = static_cast<std::size_t>(values.rows());
  const auto cols = static_cast<std::size_t>(values.cols());
  return numpy_array<double>(std::move(values), {rows, cols});
}

inline Labels labels_from(const InputArray<Label>& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace repsc::python
