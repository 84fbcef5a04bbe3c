// Graphs row by row, where some rows may have to be copied from the memory of the host first.
#pragma once

#include "cuda/device/context.hpp"

namespace repsc::device {

/// Rows whose entries are on the device.
struct Panel {
  const std::int64_t* offsets;    ///< of all rows of the graph
  const std::int32_t* neighbors;  ///< from first_entry on
  const double* weights;          ///< null: all 1
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_entry;
  const std::int32_t* long_rows;
  std::int64_t num_long_rows;

  // Of a row, in `neighbors` and `weights`.
  REPSC_HOST_DEVICE std::int64_t begin(std::int64_t row) const {
    return offsets[row] - first_entry;
  }
  REPSC_HOST_DEVICE std::int64_t end(std::int64_t row) const {
    return offsets[row + 1] - first_entry;
  }
};

/// The long rows of a panel, or all others, for a kernel whose blocks of threads take several each.
template <int AtOnce>
struct RowsOfPanel {
  Panel panel;
  bool long_rows;

  REPSC_HOST_DEVICE std::int64_t count() const {
    return long_rows ? panel.num_long_rows : panel.end_row - panel.first_row;
  }
  [[nodiscard]] std::int64_t num_blocks() const { return (count() + AtOnce - 1) / AtOnce; }
  /// -1: none.
  REPSC_HOST_DEVICE std::int64_t row_of(std::int64_t block, int which) const {
    const std::int64_t at = block * AtOnce + which;
    if (at >= count()) return -1;
    if (long_rows) return panel.long_rows[at];
    const std::int64_t row = panel.first_row + at;
    return panel.end(row) - panel.begin(row) > REPSC_CUDA_LONG_ROW ? -1 : row;
  }
};

inline bool is_streamed(const repsc_cuda_graph& graph) { return graph.host_panels != nullptr; }

inline void require_whole(const repsc_cuda_graph& graph) {
  if (is_streamed(graph)) throw std::runtime_error("the graph is not on the device as a whole");
}

inline Panel whole_panel(const repsc_cuda_graph& graph) {
  return {graph.offsets,   graph.neighbors,    graph.weights, 0, graph.rows, 0,
          graph.long_rows, graph.num_long_rows};
}

/// Two places for rows that are copied: while kernels read one of them, the other is filled.
template <typename Place>
class PanelBuffers {
 public:
  PanelBuffers(Context<Place>& at, const repsc_cuda_graph& graph) : at_(at) {
    std::int64_t most = 0;
    for (std::int64_t p = 0; p < graph.num_panels; ++p) {
      const repsc_cuda_panel& panel = graph.host_panels[p];
      if (panel.host_neighbors != nullptr)
        most = std::max(most, panel.end_entry - panel.first_entry);
    }
    most += most % 2;  // weights begin at a multiple of 8 bytes
    const std::int64_t weight_bytes = graph.weights != nullptr ? most * 8 : 0;
    bytes_ = most * 4 + weight_bytes;
    neighbor_bytes_ = most * 4;
    data_ = at.template room<char>(Context<Place>::panels, 2 * bytes_);
    at.place.wait();  // other streams write to the memory
  }

  /// Copies rows while kernels that were started go on.
  void fill(const repsc_cuda_panel& from, Panel& to) {
    half_ = 1 - half_;
    at_.place.wait_for_readers(half_);
    char* const own = data_ + half_ * bytes_;
    const std::int64_t entries = from.end_entry - from.first_entry;
    at_.place.upload_beside_kernels(own, from.host_neighbors, entries * 4);
    to.neighbors = reinterpret_cast<const std::int32_t*>(own);
    if (from.host_weights == nullptr) return;
    at_.place.upload_beside_kernels(own + neighbor_bytes_, from.host_weights, entries * 8);
    to.weights = reinterpret_cast<const double*>(own + neighbor_bytes_);
  }
  /// After the kernels that read what was filled last have been started.
  void are_read() { at_.place.note_readers(half_); }

 private:
  Context<Place>& at_;
  std::int64_t bytes_ = 0;
  std::int64_t neighbor_bytes_ = 0;
  char* data_ = nullptr;
  int half_ = 1;
};

/// body(panel) for all rows. It may start kernels, and no more.
template <typename Place, typename Body>
void each_panel(Context<Place>& at, const repsc_cuda_graph& graph, const Body& body) {
  if (!is_streamed(graph)) return body(whole_panel(graph));
  PanelBuffers<Place> buffers(at, graph);
  for (std::int64_t p = 0; p < graph.num_panels; ++p) {
    const repsc_cuda_panel& from = graph.host_panels[p];
    Panel panel = whole_panel(graph);
    panel.first_row = from.first_row;
    panel.end_row = from.end_row;
    panel.long_rows += from.first_long_row;
    panel.num_long_rows = from.end_long_row - from.first_long_row;
    if (from.host_neighbors == nullptr) {
      body(panel);
      continue;
    }
    panel.first_entry = from.first_entry;
    buffers.fill(from, panel);
    body(panel);
    buffers.are_read();
  }
}

}  // namespace repsc::device
