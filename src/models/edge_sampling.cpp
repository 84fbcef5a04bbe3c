// Pairs drawn from one side -> symmetric CSR. Rows are filled in any order by atomic cursors and
// then sorted, so that the result does not depend on the number of threads.
#include "models/edge_sampling.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>
#include <utility>

namespace repsc {
namespace {

/// Advances a shared cursor and returns its previous position.
Offset claim(Offset& cursor, Offset amount) {
  return std::atomic_ref<Offset>(cursor).fetch_add(amount, std::memory_order_relaxed);
}

/// Calls body(u, partners of u) for each row of a chunk; `row` is the first.
template <typename Body>
void for_each_row(std::span<const Index> order, std::size_t row, const DrawnRows& rows,
                  const Body& body) {
  const std::span partners(rows.partners);
  std::size_t begin = 0;
  for (const std::size_t end : rows.ends) {
    body(order[row++], partners.subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace

Graph symmetric_graph(std::span<const Index> order, std::vector<DrawnRows> chunks,
                      SelfLoops self_loops) {
  const std::size_t N = order.size();
  const bool loops = self_loops == SelfLoops::add;
  const auto num_chunks = static_cast<std::int64_t>(chunks.size());
  const auto first_row = [](std::int64_t chunk) {
    return static_cast<std::size_t>(chunk * rows_per_chunk);
  };

  std::vector<Offset> offsets(N + 1, loops ? 1 : 0);
  offsets[0] = 0;
  const auto degree = [&](Index u) -> Offset& { return offsets[static_cast<std::size_t>(u) + 1]; };
  parallel_chunks(num_chunks, [&](std::int64_t chunk) {
    for_each_row(order, first_row(chunk), chunks[static_cast<std::size_t>(chunk)],
                 [&](Index u, std::span<const Index> partners) {
                   claim(degree(u), std::ssize(partners));
                   for (const Index v : partners) claim(degree(v), 1);
                 });
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  std::vector<Index> neighbors(static_cast<std::size_t>(offsets[N]));
  std::vector<Offset> cursors(offsets.begin(), offsets.end() - 1);
  const auto place_for = [&](Index u, Offset count) {
    return neighbors.begin() + claim(cursors[static_cast<std::size_t>(u)], count);
  };
  parallel_chunks(num_chunks, [&](std::int64_t chunk) {
    const DrawnRows rows = std::exchange(chunks[static_cast<std::size_t>(chunk)], {});
    for_each_row(order, first_row(chunk), rows, [&](Index u, std::span<const Index> partners) {
      for (const Index v : partners) *place_for(v, 1) = u;
      std::copy(partners.begin(), partners.end(), place_for(u, std::ssize(partners)));
    });
  });

  parallel_ranges(
      static_cast<std::int64_t>(N), rows_per_chunk, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t u = begin; u < end; ++u) {
          if (loops) *place_for(static_cast<Index>(u), 1) = static_cast<Index>(u);
          const auto row = static_cast<std::size_t>(u);
          std::sort(neighbors.begin() + offsets[row], neighbors.begin() + offsets[row + 1]);
        }
      });
  return {std::move(offsets), std::move(neighbors), {}, NodeNames(static_cast<Index>(N), 1)};
}

}  // namespace repsc
