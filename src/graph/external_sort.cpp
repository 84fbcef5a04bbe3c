// External merge sort. The order of equal keys is that in which they were added, whatever the
// memory and the number of threads: runs are consecutive parts of the input, sorted stably.
#include "graph/external_sort.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/parallel.hpp"
#include "core/varint.hpp"

namespace repsc {
namespace {

constexpr std::size_t write_bytes = std::size_t{1} << 20U;
constexpr std::size_t longest_entry = longest_varint + sizeof(double);

KeyedWeight entry_of(std::uint64_t key) { return {key, 1}; }
KeyedWeight entry_of(const KeyedWeight& entry) { return entry; }

// Equal keys without weights cannot be told apart, so that their order does not matter.
void sort_by_key(std::uint64_t* begin, std::uint64_t* end) { std::sort(begin, end); }
void sort_by_key(KeyedWeight* begin, KeyedWeight* end) {
  std::stable_sort(begin, end,
                   [](const KeyedWeight& a, const KeyedWeight& b) { return a.key < b.key; });
}

}  // namespace

RunWriter::RunWriter(ScratchFile& file, bool weighted)
    : file_(file),
      run_{.file = &file, .begin = file.size(), .end = 0, .weighted = weighted},
      buffer_(write_bytes) {}

void RunWriter::put(const KeyedWeight& next) {
  if (used_ > buffer_.size() - longest_entry) flush();
  std::byte* const end = put_varint(buffer_.data() + used_, next.key - previous_);
  used_ = static_cast<std::size_t>(end - buffer_.data());
  previous_ = next.key;
  if (!run_.weighted) return;
  std::memcpy(buffer_.data() + used_, &next.weight, sizeof next.weight);
  used_ += sizeof next.weight;
}

void RunWriter::flush() {
  file_.append(buffer_.data(), used_);
  used_ = 0;
}

SortedRun RunWriter::finish() {
  flush();
  run_.end = file_.size();
  return run_;
}

ExternalSort::ExternalSort(std::int64_t memory, const std::string& folder, bool weighted)
    : file_(folder), weighted_(weighted) {
  // A stable sort of entries with weights takes half of their size in addition.
  const std::size_t bytes = weighted ? 24 : 8;
  capacity_ = std::max<std::size_t>(static_cast<std::size_t>(memory) / bytes, 1);
}

void ExternalSort::add(std::uint64_t key, double weight) {
  if (keys_.size() + with_weights_.size() == capacity_) write_runs();
  if (weighted_) {
    if (with_weights_.empty()) with_weights_.reserve(capacity_);
    with_weights_.push_back({key, weight});
  } else {
    if (keys_.empty()) keys_.reserve(capacity_);
    keys_.push_back(key);
  }
}

template <typename Entry>
void ExternalSort::write_run(const Entry* begin, const Entry* end) {
  RunWriter run(file_, weighted_);
  for (const Entry* entry = begin; entry != end; ++entry) run.put(entry_of(*entry));
  runs_.push_back(run.finish());
}

// Every thread sorts a part, which becomes a run of its own.
void ExternalSort::write_runs() {
  const auto sort_and_write = [&](auto& entries) {
    constexpr std::size_t smallest_part = std::size_t{1} << 16U;
    const std::size_t most = std::max<std::size_t>(entries.size() / smallest_part, 1);
    const std::size_t parts = std::min<std::size_t>(most, static_cast<std::size_t>(num_threads()));
    const auto cut = [&](std::int64_t part) {
      return entries.data() + entries.size() * static_cast<std::size_t>(part) / parts;
    };
    parallel_in_order(
        static_cast<std::int64_t>(parts),
        [&](std::int64_t part) { sort_by_key(cut(part), cut(part + 1)); },
        [&](std::int64_t part) { write_run(cut(part), cut(part + 1)); });
    entries.clear();
  };
  if (!keys_.empty()) sort_and_write(keys_);
  if (!with_weights_.empty()) sort_and_write(with_weights_);
}

std::vector<SortedRun> ExternalSort::finish() {
  write_runs();
  std::vector<std::uint64_t>().swap(keys_);
  std::vector<KeyedWeight>().swap(with_weights_);
  return std::move(runs_);
}

// The entries of one run, through a buffer.
class RunMerger::Reader {
 public:
  Reader(const SortedRun& run, std::size_t buffer_bytes) : run_(run), place_(run.begin) {
    const auto bytes = static_cast<std::size_t>(run.end - run.begin);
    buffer_.resize(std::min(std::max(buffer_bytes, 2 * longest_entry), bytes));
    next_ = end_ = buffer_.data();
  }

  bool advance() {
    const auto left = static_cast<std::size_t>(end_ - next_);
    if (left < longest_entry && place_ < run_.end) refill(left);
    if (next_ == end_) return false;
    entry_.key += get_varint(next_);
    if (run_.weighted) {
      std::memcpy(&entry_.weight, next_, sizeof entry_.weight);
      next_ += sizeof entry_.weight;
    }
    return true;
  }

  [[nodiscard]] const KeyedWeight& entry() const { return entry_; }

 private:
  void refill(std::size_t left) {
    std::memmove(buffer_.data(), next_, left);
    const std::size_t bytes =
        std::min(buffer_.size() - left, static_cast<std::size_t>(run_.end - place_));
    run_.file->read(buffer_.data() + left, bytes, place_);
    place_ += static_cast<std::int64_t>(bytes);
    next_ = buffer_.data();
    end_ = next_ + left + bytes;
  }

  SortedRun run_;
  std::int64_t place_;
  KeyedWeight entry_;
  std::vector<std::byte> buffer_;
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;
};

RunMerger::RunMerger(const std::vector<SortedRun>& runs, std::int64_t memory) {
  constexpr std::size_t smallest_buffer = 4096;
  const std::size_t share =
      static_cast<std::size_t>(memory) / std::max<std::size_t>(runs.size(), 1);
  readers_.reserve(runs.size());
  for (const SortedRun& run : runs) {
    readers_.emplace_back(run, std::max(share, smallest_buffer));
    if (readers_.back().advance()) heap_.push_back(readers_.size() - 1);
  }
  for (std::size_t place = heap_.size() / 2; place-- > 0;) sift_down(place);
}

RunMerger::~RunMerger() = default;

bool RunMerger::before(std::size_t a, std::size_t b) const {
  const std::uint64_t first = readers_[a].entry().key;
  const std::uint64_t second = readers_[b].entry().key;
  return first != second ? first < second : a < b;
}

void RunMerger::sift_down(std::size_t place) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) return;
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], heap_[place])) return;
    std::swap(heap_[place], heap_[child]);
    place = child;
  }
}

bool RunMerger::next(KeyedWeight& entry) {
  if (heap_.empty()) return false;
  Reader& smallest = readers_[heap_.front()];
  entry = smallest.entry();
  if (!smallest.advance()) {
    heap_.front() = heap_.back();
    heap_.pop_back();
  }
  sift_down(0);
  return true;
}

}  // namespace repsc
