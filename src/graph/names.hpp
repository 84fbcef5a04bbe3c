// The table behind NodeNames: one buffer of characters, where each name ends, and a hash index.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/unfilled.hpp"
#include "repsc/graph.hpp"

namespace repsc {

struct NewNames;

struct NodeNames::Table {
  /// At most `limit` names.
  explicit Table(Index limit = std::numeric_limits<Index>::max()) : limit_(limit) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(ends_.size()); }
  [[nodiscard]] std::string_view operator[](Index node) const {
    const auto i = static_cast<std::size_t>(node);
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {characters_.data() + begin, ends_[i] - begin};
  }
  [[nodiscard]] std::optional<Index> find(std::string_view name) const;
  /// The node of that name; a new node is appended if there is none. Throws InvalidInput beyond the
  /// limit; `source` is the file, for messages.
  Index insert(std::string_view name, std::string_view source = {});
  /// The same for all names of `parts`, in this order, on all threads: sets their nodes.
  void insert_all(std::span<NewNames* const> parts, std::string_view source);
  [[nodiscard]] bool operator==(const Table& other) const {
    return ends_ == other.ends_ && characters_ == other.characters_;
  }

  /// The index is cut into shards by the hash, so that threads can insert into different ones.
  static constexpr std::size_t num_shards = 64;
  static constexpr unsigned shard_shift = 58;

  /// A name of up to 15 bytes, with its length in the highest byte; of a longer name its hash and
  /// its length, with 255 there.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    explicit Key(std::string_view name);
    Key() = default;
    [[nodiscard]] bool operator==(const Key&) const = default;
    /// Whether names with this key may still be different.
    [[nodiscard]] bool of_long_name() const { return high >> 56U == 255; }
    /// Inline, because it is computed for every name of a file.
    [[nodiscard]] std::uint64_t hash() const {
      const auto product = static_cast<unsigned __int128>(low ^ 0xa0761d6478bd642fULL) *
                           (high ^ 0xe7037ed1a0b428dbULL);
      return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
    }
    [[nodiscard]] std::size_t shard() const {
      return static_cast<std::size_t>(hash() >> shard_shift);
    }
  };

  /// The node of a name, -1 if there is none.
  [[nodiscard]] Index find(std::string_view name, const Key& key) const;
  /// The nodes of names that are not long and are where they belong, which most are; below 0 for
  /// others. The processor waits for the memory of many at once.
  void find_usual(std::span<const Key> keys, Index* nodes) const;

 private:
  friend class NameInsertion;

  // Open addressing with linear probing. The key identifies most names without reading their
  // characters, which are elsewhere in memory. Most of the time of reading an edge list of names is
  // spent here.
  struct Slot {
    Key key;
    Index node = -1;
  };

  struct Shard {
    // A power of two, at most three quarters full: one is always free.
    std::vector<Slot> slots = std::vector<Slot>(1);
    std::size_t used = 0;

    /// Makes room for one more.
    void grow();
    /// The first slot of a key, or the free one where it belongs.
    [[nodiscard]] std::size_t first(const Key& key) const;
    [[nodiscard]] std::size_t after(std::size_t place) const {
      return (place + 1) & (slots.size() - 1);
    }
  };

  [[nodiscard]] std::size_t slot_of(const Shard& shard, std::string_view name,
                                    const Key& key) const;
  void require_room(std::size_t more, std::string_view source) const;

  Index limit_;
  UnfilledVector<char> characters_;
  UnfilledVector<std::uint64_t> ends_;
  std::array<Shard, num_shards> shards_;
};

/// Names of a part of a file that the table did not have when the part was parsed, in the order of
/// the file; a name may be repeated. The text must stay where it is until they are inserted.
struct NewNames {
  struct Name {
    const char* text = nullptr;
    std::uint32_t length = 0;
    std::uint32_t number = 0;  ///< for the reader
    NodeNames::Table::Key key;
    Index node = -1;  ///< set by insert_all()

    [[nodiscard]] std::string_view view() const { return {text, length}; }
  };

  std::vector<Name> names;
  std::vector<std::uint32_t> by_shard;  ///< positions in `names`, made by sort()
  std::array<std::uint32_t, NodeNames::Table::num_shards + 1> shard_begin{};

  /// Finds which names belong to which shard.
  void sort();
  void clear();
};

/// The names of `chosen` in that order.
[[nodiscard]] NodeNames subset(const NodeNames& names, const std::vector<Index>& chosen);

}  // namespace repsc
