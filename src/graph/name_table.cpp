// The hash table of node names, and inserting many names on all threads.
#include <algorithm>
#include <cstring>

#include "core/parallel.hpp"
#include "graph/at.hpp"
#include "graph/names.hpp"

namespace repsc {
namespace {

constexpr std::size_t longest_key = 15;
constexpr unsigned highest_byte = 56;

template <typename Word>
std::uint64_t load(const char* text) {
  Word word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// The high and the low half of the product: every bit of both factors changes many of both.
std::uint64_t mixed_product(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
}

constexpr std::uint64_t first_secret = 0xa0761d6478bd642fULL;
constexpr std::uint64_t second_secret = 0xe7037ed1a0b428dbULL;

// wyhash (Wang Yi) in its simplest form, for names of 16 bytes and more.
std::uint64_t hash_long(std::string_view name) {
  const char* text = name.data();
  std::uint64_t sum = name.size() * second_secret;
  std::size_t left = name.size();
  for (; left > 16; left -= 16, text += 16) {
    sum = mixed_product(load<std::uint64_t>(text) ^ first_secret,
                        load<std::uint64_t>(text + 8) ^ sum);
  }
  const char* const end = text + left;
  return mixed_product(load<std::uint64_t>(end - 16) ^ first_secret,
                       load<std::uint64_t>(end - 8) ^ sum);
}

// Up to 7 bytes, the first one lowest.
std::uint64_t load_few(const char* text, std::size_t count) {
  if (count == 0) return 0;
  if (count >= 4) {
    return load<std::uint32_t>(text) | (load<std::uint32_t>(text + count - 4) << (8 * (count - 4)));
  }
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  };
  return byte(0) | byte(count / 2) | byte(count - 1);
}

}  // namespace

NodeNames::Table::Key::Key(std::string_view name) {
  const std::size_t size = name.size();
  if (size > longest_key) {
    low = hash_long(name);
    high = size | (std::uint64_t{255} << highest_byte);
    return;
  }
  low = size >= 8 ? load<std::uint64_t>(name.data()) : load_few(name.data(), size);
  high = size > 8 ? load_few(name.data() + 8, size - 8) : 0;
  high |= std::uint64_t{size} << highest_byte;
}

std::size_t NodeNames::Table::Shard::first(const Key& key) const {
  const std::size_t mask = slots.size() - 1;
  std::size_t place = static_cast<std::size_t>(key.hash()) & mask;
  while (slots[place].node != -1 && slots[place].key != key) place = (place + 1) & mask;
  return place;
}

void NodeNames::Table::Shard::grow() {
  if (4 * (used + 1) <= 3 * slots.size()) return;
  std::vector<Slot> old = std::move(slots);
  slots = std::vector<Slot>(std::max<std::size_t>(8, 2 * old.size()));
  const std::size_t mask = slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.node == -1) continue;
    std::size_t place = static_cast<std::size_t>(slot.key.hash()) & mask;
    while (slots[place].node != -1) place = (place + 1) & mask;
    slots[place] = slot;
  }
}

std::size_t NodeNames::Table::slot_of(const Shard& shard, std::string_view name,
                                      const Key& key) const {
  std::size_t place = shard.first(key);
  if (!key.of_long_name()) return place;
  while (shard.slots[place].node != -1 &&
         (shard.slots[place].key != key || (*this)[shard.slots[place].node] != name)) {
    place = shard.after(place);
  }
  return place;
}

Index NodeNames::Table::find(std::string_view name, const Key& key) const {
  const Shard& shard = shards_[key.shard()];
  return shard.slots[slot_of(shard, name, key)].node;
}

std::optional<Index> NodeNames::Table::find(std::string_view name) const {
  const Index node = find(name, Key(name));
  return node >= 0 ? std::optional(node) : std::nullopt;
}

void NodeNames::Table::find_usual(std::span<const Key> keys, Index* nodes) const {
  // Without branches, which would wait for the slots.
  const auto node_if_same = [](const Slot& slot, const Key& key) {
    const std::uint64_t different = (slot.key.low ^ key.low) | (slot.key.high ^ key.high);
    return slot.node | -static_cast<Index>(different != 0 || key.of_long_name());
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t hash = keys[i].hash();
    const std::vector<Slot>& slots = shards_[hash >> shard_shift].slots;
    nodes[i] = node_if_same(slots[static_cast<std::size_t>(hash) & (slots.size() - 1)], keys[i]);
  }
}

Index NodeNames::Table::insert(std::string_view name, std::string_view source) {
  const Key key(name);
  Shard& shard = shards_[key.shard()];
  shard.grow();
  Slot& slot = shard.slots[slot_of(shard, name, key)];
  if (slot.node >= 0) return slot.node;
  require_room(1, source);
  characters_.insert(characters_.end(), name.begin(), name.end());
  ends_.push_back(characters_.size());
  slot = {key, size() - 1};
  ++shard.used;
  return slot.node;
}

void NodeNames::Table::require_room(std::size_t more, std::string_view source) const {
  require_file(ends_.size() + more <= static_cast<std::size_t>(limit_), source, "more than ",
               limit_, " nodes, the largest number that a graph can have");
}

void NewNames::clear() {
  names.clear();
  by_shard.clear();
}

void NewNames::sort() {
  shard_begin.fill(0);
  by_shard.resize(names.size());
  for (const Name& name : names) ++shard_begin[name.key.shard() + 1];
  for (std::size_t s = 1; s < shard_begin.size(); ++s) shard_begin[s] += shard_begin[s - 1];
  std::array<std::uint32_t, NodeNames::Table::num_shards + 1> next = shard_begin;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    by_shard[next[names[i].key.shard()]++] = i;
  }
}

// Nodes are numbered in the order in which their names first appear in the parts, whatever the
// number of threads. Each shard finds the first appearance of its names, which it sees in order;
// counting these part by part gives the numbers.
class NameInsertion {
 public:
  NameInsertion(NodeNames::Table& table, std::span<NewNames* const> parts)
      : table_(table), parts_(parts), appended_(parts.size() + 1) {}

  void run(std::string_view source) {
    parallel_chunks(num_shards, [&](std::int64_t shard) { find_first(at(shard)); });
    count(source);
    parallel_chunks(num_parts(), [&](std::int64_t part) { append(at(part)); });
    parallel_chunks(num_shards, [&](std::int64_t shard) { settle(at(shard)); });
  }

 private:
  using Table = NodeNames::Table;
  static constexpr std::int64_t num_shards = Table::num_shards;
  static constexpr Index first_appearance = -1;
  struct Appended {
    std::size_t names = 0;
    std::size_t characters = 0;
  };

  [[nodiscard]] std::int64_t num_parts() const { return static_cast<std::int64_t>(parts_.size()); }

  template <typename Visit>
  void for_names_of(std::size_t shard, const Visit& visit) {
    for (NewNames* const part : parts_) {
      for (std::uint32_t i = part->shard_begin[shard]; i < part->shard_begin[shard + 1]; ++i) {
        visit(part->names[part->by_shard[i]]);
      }
    }
  }

  // The i-th new name of a shard has node -2 - i in its slot until it is settled; so have later
  // appearances of the name.
  static Index pending(std::size_t i) { return -2 - static_cast<Index>(i); }

  void find_first(std::size_t s) {
    Table::Shard& shard = table_.shards_[s];
    std::vector<const NewNames::Name*>& added = added_[s];
    for_names_of(s, [&](NewNames::Name& name) {
      shard.grow();
      Table::Slot& slot = shard.slots[slot_of(shard, name, added)];
      name.node = slot.node == -1 ? first_appearance : slot.node;
      if (slot.node != -1) return;
      slot = {name.key, pending(added.size())};
      added.push_back(&name);
      ++shard.used;
    });
  }

  [[nodiscard]] std::size_t slot_of(const Table::Shard& shard, const NewNames::Name& name,
                                    const std::vector<const NewNames::Name*>& added) const {
    std::size_t place = shard.first(name.key);
    if (!name.key.of_long_name()) return place;
    for (;; place = shard.after(place)) {
      const Table::Slot& slot = shard.slots[place];
      if (slot.node == -1) return place;
      if (slot.key != name.key) continue;
      const std::string_view there =
          slot.node >= 0 ? table_[slot.node] : added[at(-2 - slot.node)]->view();
      if (there == name.view()) return place;
    }
  }

  // appended_[p]: how many names and characters there are before part p.
  void count(std::string_view source) {
    parallel_chunks(num_parts(), [&](std::int64_t part) {
      Appended& own = appended_[at(part) + 1];
      for (const NewNames::Name& name : parts_[at(part)]->names) {
        if (name.node != first_appearance) continue;
        ++own.names;
        own.characters += name.length;
      }
    });
    for (std::size_t part = 1; part < appended_.size(); ++part) {
      appended_[part].names += appended_[part - 1].names;
      appended_[part].characters += appended_[part - 1].characters;
    }
    table_.require_room(appended_.back().names, source);
    old_ = {table_.ends_.size(), table_.characters_.size()};
    grow(table_.ends_, old_.names + appended_.back().names);
    grow(table_.characters_, old_.characters + appended_.back().characters);
  }

  // Copies seldom: capacity that is never touched takes no memory.
  template <typename Container>
  static void grow(Container& values, std::size_t size) {
    constexpr std::size_t many_times = 4;
    if (size > values.capacity()) values.reserve(std::max(size, many_times * values.capacity()));
    values.resize(size);
  }

  void append(std::size_t part) {
    std::size_t node = old_.names + appended_[part].names;
    std::size_t end = old_.characters + appended_[part].characters;
    for (NewNames::Name& name : parts_[part]->names) {
      if (name.node != first_appearance) continue;
      std::memcpy(table_.characters_.data() + end, name.text, name.length);
      end += name.length;
      table_.ends_[node] = end;
      name.node = static_cast<Index>(node++);
    }
  }

  void settle(std::size_t s) {
    Table::Shard& shard = table_.shards_[s];
    const std::vector<const NewNames::Name*>& added = added_[s];
    if (added.empty()) return;
    for_names_of(s, [&](NewNames::Name& name) {
      if (name.node < first_appearance) name.node = added[at(-2 - name.node)]->node;
    });
    for (std::size_t i = 0; i < added.size(); ++i) {
      std::size_t place = shard.first(added[i]->key);
      while (shard.slots[place].node != pending(i)) place = shard.after(place);
      shard.slots[place].node = added[i]->node;
    }
  }

  Table& table_;
  std::span<NewNames* const> parts_;
  std::vector<Appended> appended_;
  Appended old_;
  std::array<std::vector<const NewNames::Name*>, Table::num_shards> added_;
};

void NodeNames::Table::insert_all(std::span<NewNames* const> parts, std::string_view source) {
  NameInsertion(*this, parts).run(source);
}

}  // namespace repsc
