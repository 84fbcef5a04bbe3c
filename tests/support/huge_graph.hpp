// A graph with more than 2^32 stored entries in a few megabytes: in the complete graph with a
// self-loop at every node all rows are the same, so that the same pages are mapped again and again.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "repsc/graph.hpp"

namespace repsc {

class CompleteGraph {
 public:
  /// Nothing where the system does not let so much be mapped.
  static std::optional<Graph> make() {
    const auto made = std::make_shared<CompleteGraph>();
    if (!made->map()) return std::nullopt;
    const auto N = static_cast<std::size_t>(num_nodes());
    made->offsets_.resize(N + 1);
    for (std::size_t i = 0; i <= N; ++i) made->offsets_[i] = static_cast<Offset>(i * N);
    return Graph(made->offsets_, {made->neighbors_, N * N}, {}, made, NodeNames(num_nodes(), 0));
  }

  /// The square is above 2^32, and a row takes whole pages.
  static Index num_nodes() {
    return static_cast<Index>(65536 + ::sysconf(_SC_PAGESIZE) / long{sizeof(Index)});
  }

  CompleteGraph() = default;
  ~CompleteGraph() {
    if (neighbors_ != nullptr) ::munmap(neighbors_, bytes());
  }
  CompleteGraph(const CompleteGraph&) = delete;
  CompleteGraph& operator=(const CompleteGraph&) = delete;

 private:
  // Rows that are mapped at once: a process may have 65,530 mappings.
  static constexpr std::size_t rows_at_once = 16;
  static std::size_t row_bytes() { return static_cast<std::size_t>(num_nodes()) * sizeof(Index); }
  static std::size_t bytes() { return static_cast<std::size_t>(num_nodes()) * row_bytes(); }

  bool map() {
    const int file = ::memfd_create("rows", 0);
    if (file < 0) return false;
    std::vector<Index> row(static_cast<std::size_t>(num_nodes()));
    std::iota(row.begin(), row.end(), 0);
    bool fine = true;
    for (std::size_t i = 0; i < rows_at_once; ++i) {
      const auto place = static_cast<off_t>(i * row_bytes());
      fine = fine &&
             ::pwrite(file, row.data(), row_bytes(), place) == static_cast<ssize_t>(row_bytes());
    }
    fine = fine && map_rows(file);
    ::close(file);
    return fine;
  }

  bool map_rows(int file) {
    void* const all =
        ::mmap(nullptr, bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return false;
    neighbors_ = static_cast<Index*>(all);
    const std::size_t step = rows_at_once * row_bytes();
    for (std::size_t place = 0; place < bytes(); place += step) {
      void* const target = static_cast<char*>(all) + place;
      if (::mmap(target, step, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        return false;
      }
    }
    return true;
  }

  std::vector<Offset> offsets_;
  Index* neighbors_ = nullptr;
};

}  // namespace repsc
