// Sorts more entries than fit into memory: runs that are sorted in memory are written to a file
// without a name, and merged from there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/scratch_file.hpp"

namespace repsc {

/// What is sorted, by its key.
struct KeyedWeight {
  std::uint64_t key = 0;
  double weight = 1;
};

/// Where a sorted run is in its file.
struct SortedRun {
  const ScratchFile* file = nullptr;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool weighted = false;
};

/// Writes one run: differences of keys in few bytes, and weights if there are any.
class RunWriter {
 public:
  /// Nothing else may write to `file` before finish().
  RunWriter(ScratchFile& file, bool weighted);
  /// Keys may not descend.
  void put(const KeyedWeight& next);
  [[nodiscard]] SortedRun finish();

 private:
  void flush();

  ScratchFile& file_;
  SortedRun run_;
  std::uint64_t previous_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
};

class ExternalSort {
 public:
  /// About `memory` bytes are held at once. Without weights all are 1.
  ExternalSort(std::int64_t memory, const std::string& folder, bool weighted);

  void add(std::uint64_t key, double weight);
  /// Frees the memory. The runs are valid as long as this object.
  [[nodiscard]] std::vector<SortedRun> finish();

 private:
  void write_runs();
  template <typename Entry>
  void write_run(const Entry* begin, const Entry* end);

  ScratchFile file_;
  bool weighted_;
  std::size_t capacity_;
  std::vector<std::uint64_t> keys_;        // without weights
  std::vector<KeyedWeight> with_weights_;  // with them
  std::vector<SortedRun> runs_;
};

/// The entries of all runs in ascending order of keys; equal keys in the order of the runs, and of
/// each run. `memory` bytes are shared by the runs, at least 4 KiB for each.
class RunMerger {
 public:
  RunMerger(const std::vector<SortedRun>& runs, std::int64_t memory);
  ~RunMerger();
  RunMerger(const RunMerger&) = delete;
  RunMerger& operator=(const RunMerger&) = delete;

  [[nodiscard]] bool next(KeyedWeight& entry);

 private:
  class Reader;
  [[nodiscard]] bool before(std::size_t a, std::size_t b) const;
  void sift_down(std::size_t place);

  std::vector<Reader> readers_;
  std::vector<std::size_t> heap_;  // readers that have entries left, the smallest first
};

}  // namespace repsc
