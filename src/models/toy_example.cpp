// The toy example of the paper's appendix "Representation constraint: Additional details". The
// paper shows it as a picture and describes its properties; this graph has all of them.
//
// Four blocks of six nodes, a0 a1 a2 b0 b1 b2. Within a block all are linked but a_j with b_j, so
// that a node has three representatives of its own letter (itself included) and two of the other.
// Blocks 0 and 1, and 2 and 3, are linked a_j to b_j: a third of the other letter, and the only one
// in another block. Last, the edges a0-a1 of blocks 0 and 2 are switched to a0-a0 and a1-a1 between
// them, which changes none of these counts and joins the two halves.
#include <algorithm>
#include <utility>
#include <vector>

#include "repsc/models.hpp"

namespace repsc {
namespace {

constexpr Index num_nodes = 24;
constexpr Index block_size = 6;
constexpr Index half_block = 3;

struct Place {
  Index block;
  Index letter;  ///< 0: a, 1: b
  Index number;
};

Place place_of(Index node) {
  const Index within = node % block_size;
  return {node / block_size, within / half_block, within % half_block};
}

bool linked(Index u, Index v) {
  const Index i = std::min(u, v);
  const Index j = std::max(u, v);
  const Place x = place_of(i);
  const Place y = place_of(j);
  const auto is = [&](Index first, Index second) { return i == first && j == second; };
  constexpr Index third_block = 2 * block_size;
  if (is(0, 1) || is(third_block, third_block + 1)) return false;
  if (is(0, third_block) || is(1, third_block + 1)) return true;

  const bool opposite = x.letter != y.letter && x.number == y.number;
  if (x.block == y.block) return !opposite;
  return opposite && x.block / 2 == y.block / 2;
}

}  // namespace

ToyExample toy_example() {
  ToyExample toy;
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbors;
  for (Index u = 0; u < num_nodes; ++u) {
    for (Index v = 0; v < num_nodes; ++v) {
      if (linked(u, v)) neighbors.push_back(v);
    }
    offsets.push_back(static_cast<Offset>(neighbors.size()));
    const Place place = place_of(u);
    toy.protected_groups.push_back(place.block / 2);
    toy.statistically_fair.push_back(place.block % 2);
    toy.individually_fair.push_back(place.letter);
  }
  toy.representation = Graph(std::move(offsets), std::move(neighbors), {}, NodeNames(num_nodes, 1));
  return toy;
}

}  // namespace repsc
