// The fields of one record of a table: RFC 4180 quotes, with separators and line breaks inside
// them.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repsc/core.hpp"

namespace repsc {

struct Field {
  std::string_view text;
  bool quoted = false;
};

/// Separates fields by ',', ';', a tab, or ' ': any number of blanks and tabs. Blanks around a
/// field without quotes are dropped. A quote is special at the beginning of a field only.
class FieldSplitter {
 public:
  /// Throws an error about the record.
  using Fail = std::function<void(const std::string& what, std::vector<Remedy> remedies)>;
  /// The line that follows; throws if there is none. Needed while a quote is open.
  using NextLine = std::function<std::string_view()>;

  explicit FieldSplitter(char separator = ',') : separator_(separator) {}
  [[nodiscard]] char separator() const { return separator_; }

  /// The fields of the record that begins with `line`, valid until the next call and as long as
  /// `line`.
  const std::vector<Field>& split(std::string_view line, const NextLine& next_line,
                                  const Fail& fail);

 private:
  void split_plain(std::string_view line);
  void split_quoted(const NextLine& next_line, const Fail& fail);

  char separator_;
  std::vector<Field> fields_;
  std::string record_;                // a record with quotes: it may span lines
  std::deque<std::string> unquoted_;  // its fields without their quotes
};

}  // namespace repsc
