// A graph like a large social network, written row by row: neither its edges nor its degrees are
// ever in memory, and no sort is needed.
//
//   bench_social_graph NODES FOLDER [--mean 55] [--seed 1] [--truth]
//
// writes FOLDER/G.rgraph (compressed), FOLDER/groups.csv, and with --truth FOLDER/truth.csv, the
// planted clusters.
//
// Degrees: a discrete log-normal law with the spread of Facebook's friend counts, whose median is
// 99, mean 190 and upper limit 5000 (Ugander, Karrer, Backstrom and Marlow, "The anatomy of the
// Facebook social graph", arXiv:1111.4503): sigma^2 = 2 ln(190 / 99). The law is shifted to the
// mean that is asked for, and every node has at least 4 neighbours, so that the graph is connected.
//
//   r    rank of a node, by falling degree         n_k  number of nodes with at least k neighbours
//   P    keyed permutation (a Feistel network)     s    keyed number
//
// The configuration model: the k-th end of an edge at rank r is number n_1 + ... + n_(k-1) + r of
// all ends, and end x is joined to end P^-1((s - P(x)) mod their number), an involution, so that
// the neighbours of any node can be listed. This is done within classes, in which ranks are
// numbered: each of the 8 planted clusters for 44 % of the ends, each of the 8 groups for 46 %, and
// all nodes for the rest. Without a constraint the groups are the clearest clusters, with it the
// planted ones are. Copies of an edge are merged, and self-loops are left out. At last nodes are
// numbered by another keyed permutation, so that their order tells nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "io/row_writer.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

/// A permutation of 0, ..., size - 1 that needs no memory: a Feistel network on the smallest power
/// of two that is large enough, again and again until the number is below `size`.
class KeyedPermutation {
 public:
  KeyedPermutation(std::uint64_t key, std::uint32_t size) : size_(size) {
    const auto bits = std::max(2U, static_cast<unsigned>(std::bit_width(size - 1)));
    low_bits_ = bits / 2;
    low_ = (1U << low_bits_) - 1;
    high_ = (1U << (bits - low_bits_)) - 1;
    for (std::uint32_t& one : keys_) one = static_cast<std::uint32_t>(splitmix64(key));
  }

  [[nodiscard]] std::uint32_t operator()(std::uint32_t number) const {
    do {
      std::uint32_t a = number & low_;
      std::uint32_t b = number >> low_bits_;
      for (std::size_t round = 0; round < keys_.size(); round += 2) {
        a ^= mixed(b + keys_[round]) & low_;
        b ^= mixed(a + keys_[round + 1]) & high_;
      }
      number = a | (b << low_bits_);
    } while (number >= size_);
    return number;
  }

  [[nodiscard]] std::uint32_t inverse(std::uint32_t number) const {
    do {
      std::uint32_t a = number & low_;
      std::uint32_t b = number >> low_bits_;
      for (std::size_t round = keys_.size(); round > 0; round -= 2) {
        b ^= mixed(a + keys_[round - 1]) & high_;
        a ^= mixed(b + keys_[round - 2]) & low_;
      }
      number = a | (b << low_bits_);
    } while (number >= size_);
    return number;
  }

 private:
  static std::uint32_t mixed(std::uint32_t x) {
    x *= 0xcc9e2d51U;
    x ^= x >> 15U;
    x *= 0x1b873593U;
    return x ^ (x >> 13U);
  }

  std::uint32_t size_;
  unsigned low_bits_;
  std::uint32_t low_, high_;
  std::array<std::uint32_t, 4> keys_{};
};

constexpr std::uint32_t parts = 8;  // clusters, and groups
constexpr std::uint32_t least_degree = 4;
constexpr std::uint32_t largest_degree = 5000;

enum class Kind { cluster, group, any };

/// The kinds of the first, second, ... edges: shares of 44, 46 and 10 %, evenly spread.
std::vector<Kind> kinds_of(std::size_t count) {
  constexpr std::array<double, 3> shares{0.44, 0.46, 0.10};
  std::array<double, 3> given{};
  std::vector<Kind> kinds;
  for (std::size_t k = 1; k <= count; ++k) {
    std::size_t most = 0;
    const auto due = [&](std::size_t i) { return shares[i] * static_cast<double>(k) - given[i]; };
    for (std::size_t i = 1; i < shares.size(); ++i) most = due(i) > due(most) ? i : most;
    given[most] += 1;
    kinds.push_back(static_cast<Kind>(most));
  }
  return kinds;
}

/// n_k for k = 1, 2, ...: multiples of 64, so that every class has as many of them as every other.
std::vector<std::uint32_t> counts_of(std::uint32_t num_nodes, double mean) {
  const double sigma = std::sqrt(2 * std::log(190.0 / 99));
  const auto counts = [&](double mu) {
    std::vector<std::uint32_t> n;
    for (std::uint32_t k = 1; k <= largest_degree; ++k) {
      const double share =
          k <= least_degree ? 1 : 0.5 * std::erfc((std::log(k - 0.5) - mu) / sigma / M_SQRT2);
      const auto count = static_cast<std::uint32_t>(share * num_nodes) / 64 * 64;
      if (count == 0) break;
      n.push_back(count);
    }
    return n;
  };
  double low = 0;
  double high = 10;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const std::uint32_t count : counts(middle)) sum += count;
    (sum < mean * num_nodes ? low : high) = middle;
  }
  return counts(high);
}

class SocialGraph {
 public:
  SocialGraph(std::uint32_t num_nodes, double mean, std::uint64_t seed)
      : counts_(counts_of(num_nodes, mean)),
        kinds_(kinds_of(counts_.size())),
        order_(seed, num_nodes) {
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      Ends& ends = ends_[static_cast<std::size_t>(kinds_[k])];
      first_.push_back(ends.total);
      ends.firsts.push_back(ends.total);
      ends.total += counts_[k] / classes_of(kinds_[k]);
    }
    std::uint64_t key = seed;
    for (std::size_t kind = 0; kind < ends_.size(); ++kind) {
      Ends& ends = ends_[kind];
      for (std::uint32_t c = 0; c < classes_of(static_cast<Kind>(kind)); ++c) {
        ends.sums.push_back(static_cast<std::uint32_t>(splitmix64(key) % ends.total));
        ends.permutations.emplace_back(splitmix64(key), ends.total);
      }
    }
  }

  [[nodiscard]] Index cluster(Index node) const { return static_cast<Index>(rank(node) % parts); }
  [[nodiscard]] Index group(Index node) const {
    return static_cast<Index>(rank(node) / parts % parts);
  }

  void row(Index node, std::vector<Index>& neighbors) const {
    const std::uint32_t own = rank(node);
    for (std::size_t k = 0; k < counts_.size() && own < counts_[k]; ++k) {
      const std::uint32_t partner = partner_of(own, k);
      if (partner != own) neighbors.push_back(static_cast<Index>(order_(partner)));
    }
    std::sort(neighbors.begin(), neighbors.end());
    neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
  }

 private:
  /// The ends of one kind, in each of its classes.
  struct Ends {
    std::uint32_t total = 0;
    std::vector<std::uint32_t> firsts;  // numbers of the first ends with the same k
    std::vector<KeyedPermutation> permutations;
    std::vector<std::uint32_t> sums;
  };

  static std::uint32_t classes_of(Kind kind) { return kind == Kind::any ? 1 : parts; }

  [[nodiscard]] std::uint32_t rank(Index node) const {
    return order_.inverse(static_cast<std::uint32_t>(node));
  }

  [[nodiscard]] std::uint32_t partner_of(std::uint32_t rank, std::size_t k) const {
    // The class of a rank, and its number within the class.
    const std::uint32_t cluster = rank % parts;
    const std::uint32_t group = rank / parts % parts;
    const Kind kind = kinds_[k];
    const std::uint32_t member = kind == Kind::cluster ? rank / parts
                                 : kind == Kind::group ? rank / (parts * parts) * parts + cluster
                                                       : rank;
    const std::uint32_t own = kind == Kind::cluster ? cluster : kind == Kind::group ? group : 0;
    const Ends& ends = ends_[static_cast<std::size_t>(kind)];
    const KeyedPermutation& permutation = ends.permutations[own];
    const std::uint32_t place = permutation(first_[k] + member);
    const std::uint32_t sum = ends.sums[own];
    const std::uint32_t end =
        permutation.inverse(sum >= place ? sum - place : sum + (ends.total - place));
    const std::uint32_t other =
        end - *(std::upper_bound(ends.firsts.begin(), ends.firsts.end(), end) - 1);
    switch (kind) {
      case Kind::cluster:
        return other * parts + cluster;
      case Kind::group:
        return other / parts * (parts * parts) + group * parts + other % parts;
      case Kind::any:
        break;
    }
    return other;
  }

  std::vector<std::uint32_t> counts_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> first_;  // number of the first k-th end in its class
  std::array<Ends, 3> ends_;          // by kind
  KeyedPermutation order_;            // from ranks to nodes
};

template <typename Value>
void write_column(const std::string& path, const char* header, Index num_nodes,
                  const Value& value) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  require<IoError>(file != nullptr, path, ": cannot write");
  fmt::print(file, "node,{}\n", header);
  for (Index node = 0; node < num_nodes; ++node) fmt::print(file, "{},{}\n", node, value(node));
  require<IoError>(std::fclose(file) == 0, path, ": cannot write");
}

int run(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} NODES FOLDER [--mean 55] [--seed 1] [--truth]\n", argv[0]);
    return 2;
  }
  // A whole number of clusters x groups, so that all are equally large.
  const auto num_nodes = static_cast<Index>(std::strtod(argv[1], nullptr)) / 64 * 64;
  const std::string folder = argv[2];
  double mean = 55;
  std::uint64_t seed = 1;
  bool truth = false;
  for (int i = 3; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--truth") truth = true;
    if (option == "--mean" && i + 1 < argc) mean = std::strtod(argv[++i], nullptr);
    if (option == "--seed" && i + 1 < argc) seed = std::strtoull(argv[++i], nullptr, 10);
  }
  const Stopwatch watch;
  const SocialGraph graph(static_cast<std::uint32_t>(num_nodes), mean, seed);
  write_rows(folder + "/G.rgraph", num_nodes,
             [&](Index node, std::vector<Index>& row) { graph.row(node, row); });
  fmt::print("G.rgraph: {} nodes in {:.1f} s\n", num_nodes, watch.seconds());
  write_column(folder + "/groups.csv", "group", num_nodes,
               [&](Index node) { return graph.group(node); });
  if (truth) {
    write_column(folder + "/truth.csv", "cluster", num_nodes,
                 [&](Index node) { return graph.cluster(node); });
  }
  fmt::print("all files in {:.1f} s\n", watch.seconds());
  return 0;
}

}  // namespace
}  // namespace repsc

int main(int argc, char** argv) {
  try {
    return repsc::run(argc, argv);
  } catch (const std::exception& error) {  // a folder that does not exist, a full disk
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
