// The functions of interface.h over a place that has memory and runs kernels: a device (cuda.cu) or
// the host (twin.cpp). Those that open it and manage its memory are here.
#pragma once

#include "cuda/device/block_functions.hpp"
#include "cuda/device/dense.hpp"
#include "cuda/device/graph_functions.hpp"
#include "cuda/device/point_functions.hpp"
#include "cuda/device/run_functions.hpp"

namespace repsc::device {

template <typename Place>
struct MemoryFunctions {
  using Own = Context<Place>;

  static std::int32_t count_devices(char* message, std::int64_t room) {
    try {
      return Place::count_devices();
    } catch (const std::exception& failure) {
      write_message(failure.what(), message, room);
      return -1;
    }
  }
  static repsc_cuda_context* open(std::int32_t number, char* message, std::int64_t room) {
    try {
      return reinterpret_cast<repsc_cuda_context*>(new Own(number));
    } catch (const std::exception& failure) {
      write_message(failure.what(), message, room);
      return nullptr;
    }
  }
  static void close(repsc_cuda_context* context) {
    guarded<Place>(context, [](Own& at) { delete &at; });
  }
  static const char* message(const repsc_cuda_context* context) {
    return reinterpret_cast<const Own*>(context)->message.c_str();
  }
  static std::int32_t facts(repsc_cuda_context* context, repsc_cuda_facts* result) {
    return guarded<Place>(context, [&](Own& at) { at.place.facts(*result); });
  }
  static void* allocate(repsc_cuda_context* context, std::int64_t bytes) {
    void* data = nullptr;
    guarded<Place>(context,
                   [&](Own& at) { data = at.place.allocate(std::max<std::int64_t>(bytes, 1)); });
    return data;
  }
  static void release(repsc_cuda_context* context, void* data) {
    guarded<Place>(context, [&](Own& at) { at.place.release(data); });
  }
  static std::int32_t upload(repsc_cuda_context* context, void* to, const void* from,
                             std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.upload(to, from, bytes); });
  }
  static std::int32_t download(repsc_cuda_context* context, void* to, const void* from,
                               std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.download(to, from, bytes); });
  }
  static std::int32_t clear(repsc_cuda_context* context, void* data, std::int64_t bytes) {
    return guarded<Place>(context, [&](Own& at) { at.place.clear(data, bytes); });
  }
};

/// The table of a place.
template <typename Place>
const repsc_cuda_functions* functions() {
  using Memory = MemoryFunctions<Place>;
  using Blocks = BlockFunctions<Place>;
  using Graphs = GraphFunctions<Place>;
  using Points = PointFunctions<Place>;
  using Dense = DenseFunctions<Place>;
  using Runs = RunFunctions<Place>;
  static const repsc_cuda_functions table{REPSC_CUDA_VERSION,
                                          Memory::count_devices,
                                          Memory::open,
                                          Memory::close,
                                          Memory::message,
                                          Memory::facts,
                                          Memory::allocate,
                                          Memory::release,
                                          Memory::upload,
                                          Memory::download,
                                          Memory::clear,
                                          Blocks::copy,
                                          Blocks::fill_random,
                                          Blocks::divide,
                                          Blocks::scale_rows,
                                          Blocks::add_to_rows,
                                          Blocks::unit_rows,
                                          Blocks::largest,
                                          Blocks::gram,
                                          Blocks::subtract,
                                          Blocks::assign,
                                          Blocks::multiply,
                                          Blocks::rows,
                                          Blocks::rows_times,
                                          Graphs::apply,
                                          Graphs::apply_coarsely,
                                          Graphs::components,
                                          Blocks::group_sums,
                                          Blocks::subtract_groups,
                                          Points::assign_labels,
                                          Points::count_labels,
                                          Dense::fill_dense,
                                          Dense::eigen,
                                          Dense::pick_vectors,
                                          Dense::dense_gram,
                                          Dense::add_outer_product,
                                          Dense::cholesky,
                                          Dense::divide_by_factor,
                                          Dense::remove,
                                          Blocks::combine_blocks,
                                          Blocks::spread_rows,
                                          Points::squared_distances,
                                          Points::count_draws,
                                          Points::draw_rows,
                                          Graphs::edge_weights,
                                          Graphs::balances,
                                          Runs::choose_starts,
                                          Runs::iterate_runs,
                                          Runs::measure_runs};
  return &table;
}

}  // namespace repsc::device
