// Labels of four nodes: one per node, and written they read back the same.
#include <algorithm>

#include "fuzz/harness.hpp"

namespace repsc::fuzz {

void read_and_check(const std::string& bytes) {
  static const NodeNames names({"a", "b", "1", "Zo\xc3\xab K."});
  const NamedLabels found = read_labels(file("in.csv", bytes), names);
  must(found.labels.size() == 4, "the number of labels");
  const auto used = static_cast<Label>(found.values.size());
  must(std::ranges::all_of(found.labels, [&](Label l) { return l >= 0 && l < used; }),
       "a label without a word");
  must(found.other_nodes >= 0 && static_cast<std::size_t>(found.other_nodes) <= bytes.size(),
       "more lines than bytes");
  write_labels(found.labels, names, path("back.csv"));
  const NamedLabels back = read_labels(path("back.csv"), names);
  for (std::size_t i = 0; i < 4; ++i) {
    must(back.values[static_cast<std::size_t>(back.labels[i])] == std::to_string(found.labels[i]),
         "labels read back");
  }
  must(back.other_nodes == 0, "lines of other nodes");
}

}  // namespace repsc::fuzz
