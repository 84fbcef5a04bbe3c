// Graphs with independent edges in O(nodes + edges): the parts that the planted models share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "repsc/graph.hpp"

namespace repsc {

/// Independent trials of one probability, visiting successes only. The failures before the next
/// success are geometric: floor(log(1 - u) / log(1 - p)) (Batagelj and Brandes 2005).
class Trials {
 public:
  explicit Trials(double probability)
      : probability_(probability), scale_(1 / std::log1p(-probability)) {}

  /// Calls success(i) for each success among the trials i = begin .. end - 1, in order.
  template <typename Success>
  void run(Index begin, Index end, RandomStream& stream, const Success& success) const {
    if (probability_ <= 0) return;
    for (Index i = begin; i < end; ++i) {
      if (probability_ < 1) {
        const double failures = std::log1p(-stream.uniform()) * scale_;
        if (!(failures < end - i)) return;  // also if a tiny probability makes it NaN
        i += static_cast<Index>(failures);
      }
      success(i);
    }
  }

 private:
  double probability_;
  double scale_;
};

/// What a range of rows drew: the partners of each, row after row.
struct DrawnRows {
  std::vector<Index> partners;
  std::vector<std::size_t> ends;  ///< of each row, within `partners`
};

inline constexpr std::int64_t rows_per_chunk = 256;

/// The graph in which order[i] is linked, both ways, to the partners that row i drew. chunks[c]
/// contains rows c * rows_per_chunk and following; chunks are freed as they are used. No pair may
/// appear twice.
[[nodiscard]] Graph symmetric_graph(std::span<const Index> order, std::vector<DrawnRows> chunks,
                                    SelfLoops self_loops);

/// Calls draw(i, stream, partners) for every row i, each with its own stream, to append the
/// partners of node order[i]; every pair of nodes is drawn by one of its two rows.
template <typename Draw>
Graph sample_graph(std::span<const Index> order, SelfLoops self_loops, std::uint64_t seed,
                   const Draw& draw) {
  const auto count = static_cast<std::int64_t>(order.size());
  std::vector<DrawnRows> chunks(
      static_cast<std::size_t>((count + rows_per_chunk - 1) / rows_per_chunk));
  parallel_ranges(count, rows_per_chunk, [&](std::int64_t begin, std::int64_t end) {
    DrawnRows& rows = chunks[static_cast<std::size_t>(begin / rows_per_chunk)];
    for (std::int64_t i = begin; i < end; ++i) {
      RandomStream stream(seed, static_cast<std::uint64_t>(i));
      draw(static_cast<Index>(i), stream, rows.partners);
      rows.ends.push_back(rows.partners.size());
    }
  });
  return symmetric_graph(order, std::move(chunks), self_loops);
}

}  // namespace repsc
