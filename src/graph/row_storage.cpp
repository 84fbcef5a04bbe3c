// Packed and streamed rows.
#include "graph/row_storage.hpp"

#include <sys/mman.h>

#include "core/memory.hpp"
#include "core/pages.hpp"

namespace repsc {
namespace {

/// What packed() keeps alive.
struct PackedGraph {
  Graph graph;  // of the offsets and weights
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> places;
};

}  // namespace

void RowStorage::fail(const std::string& what) const {
  throw InvalidInput(Fault{.what = "block gaps: " + what,
                           .remedies = {advice("copy the file again, or convert the graph again")},
                           .where = path_});
}

std::span<const Index> RowStorage::unpacked(const Graph& graph) const {
  if (!ready_) {
    const std::lock_guard lock(unpacking_);
    if (!ready_) {
      const std::int64_t needed = graph.num_entries() * std::int64_t{sizeof(Index)};
      const std::int64_t free = free_memory_bytes() / 10 * 8;
      if (needed > free) {
        throw MemoryLimitExceeded(Fault{
            .what = joined("memory: this step needs the neighbours of G unpacked, which takes ",
                           bytes_in_words(needed), ", above 80 % of the free memory, ",
                           bytes_in_words(free)),
            .remedies = {advice("convert the graph to an .rgraph file that is not compressed, "
                                "which is used without copying"),
                         advice("leave that step out")},
            .where = path_});
      }
      Pages<Index> all(static_cast<std::size_t>(graph.num_entries()));
      parallel_rows(graph, rows_per_place, [&](const RowTile& rows) {
        std::copy_n(rows.first_neighbor, rows.place(rows.end),
                    all.data() + rows.offsets[rows.begin]);
      });
      unpacked_ = std::move(all);
      ready_ = true;
    }
  }
  return {unpacked_.data(), static_cast<std::size_t>(graph.num_entries())};
}

RowUnpacker::RowUnpacker(const Graph& graph, std::int64_t row)
    : graph_(graph), storage_(*graph.storage()), row_(row / rows_per_place * rows_per_place) {
  if (row_ == row) return;
  while (row_ < row) static_cast<void>(next(row));
}

void RowUnpacker::enter_group() {
  const auto group = static_cast<std::size_t>(row_ / rows_per_place);
  const PackedRows& packed = storage_.rows();
  check_end();
  place_ = packed.bytes.data() + packed.places[group];
  group_end_ = packed.bytes.data() + packed.places[group + 1];
}

void RowUnpacker::check_end() const {
  const bool whole = row_ % rows_per_place == 0 || row_ == graph_.num_nodes();
  if (whole && place_ != group_end_) {
    storage_.fail(joined("more bytes than the rows before node ", row_, " need"));
  }
}

void RowUnpacker::fail_at_row() const {
  storage_.fail(
      joined("the neighbours of node ", row_, " are not numbers below ", graph_.num_nodes()));
}

RowPass::RowPass(const Graph& graph, std::int64_t grain)
    : graph_(graph),
      grain_(graph.packed() ? (grain + rows_per_place - 1) / rows_per_place * rows_per_place
                            : grain),
      num_ranges_((graph.num_nodes() + grain_ - 1) / grain_) {
  const RowStorage* const storage = graph.storage();
  if (storage == nullptr || !storage->streaming().on || num_ranges_ == 0) return;
  const std::int64_t bytes = storage->packed()
                                 ? static_cast<std::int64_t>(storage->rows().bytes.size())
                                 : graph.num_entries() * std::int64_t{sizeof(Index)};
  const std::int64_t per_range = std::max<std::int64_t>(1, bytes / num_ranges_);
  ahead_ = std::max<std::int64_t>(1, storage->streaming().ahead / per_range);
  backward_ = storage->turn();
}

RowPass::Range RowPass::range(std::int64_t turn) const {
  const std::int64_t number = backward_ ? num_ranges_ - 1 - turn : turn;
  return {number * grain_, std::min<std::int64_t>(graph_.num_nodes(), (number + 1) * grain_)};
}

RowPass::Range RowPass::begin(std::int64_t turn) const {
  if (ahead_ > 0) {
    const std::int64_t first = turn == 0 ? 1 : turn + ahead_;
    const std::int64_t last = std::min(num_ranges_, turn + ahead_ + 1);
    for (std::int64_t next = first; next < last; ++next) advise(range(next), MADV_WILLNEED);
  }
  return range(turn);
}

void RowPass::end(const Range& range) const {
  if (ahead_ > 0) advise(range, MADV_DONTNEED);
}

void RowPass::advise(const Range& range, int advice) const {
  const auto first =
      static_cast<std::size_t>(graph_.offsets()[static_cast<std::size_t>(range.begin)]);
  const auto last = static_cast<std::size_t>(graph_.offsets()[static_cast<std::size_t>(range.end)]);
  const RowStorage& storage = *graph_.storage();
  if (storage.packed()) {
    const PackedRows& packed = storage.rows();
    const auto group = static_cast<std::size_t>(range.begin / rows_per_place);
    const auto behind = static_cast<std::size_t>((range.end + rows_per_place - 1) / rows_per_place);
    advise_pages(packed.bytes.data() + packed.places[group],
                 packed.bytes.data() + packed.places[behind], advice);
  } else {
    advise_pages(graph_.neighbors().data() + first, graph_.neighbors().data() + last, advice);
  }
  if (graph_.weighted()) {
    advise_pages(graph_.weights().data() + first, graph_.weights().data() + last, advice);
  }
}

std::vector<std::byte> packed_group(const Graph& graph, std::int64_t group) {
  std::vector<std::byte> bytes;
  const std::int64_t begin = group * rows_per_place;
  const std::int64_t end = std::min<std::int64_t>(graph.num_nodes(), begin + rows_per_place);
  for_rows(graph, begin, end, [&](const RowTile& rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      put_gaps(static_cast<Index>(row), rows.neighbors(row), bytes);
    }
  });
  return bytes;
}

void give_back_pages(const Graph& graph) {
  if (graph.storage() != nullptr) give_back_pages(graph.storage()->file());
}

Graph packed(const Graph& graph) {
  auto made = std::make_shared<PackedGraph>();
  made->graph = graph;
  made->places.push_back(0);
  for (std::int64_t group = 0; group < num_groups(graph.num_nodes()); ++group) {
    const std::vector<std::byte> bytes = packed_group(graph, group);
    made->bytes.insert(made->bytes.end(), bytes.begin(), bytes.end());
    made->places.push_back(made->bytes.size());
  }
  auto storage =
      std::make_shared<RowStorage>(PackedRows{made->bytes, made->places}, Streaming{}, "graph");
  return {graph.offsets(),   {}, graph.weights(), made, graph.names(), graph.num_self_loops(),
          std::move(storage)};
}

}  // namespace repsc
