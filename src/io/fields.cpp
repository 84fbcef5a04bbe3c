// Splits a record into fields. Most records have no quote and are split where they lie.
#include "io/fields.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace repsc {
namespace {

// Where the quote at `open` closes: the first quote after it that is not doubled.
std::size_t quote_end(std::string& record, std::size_t open,
                      const FieldSplitter::NextLine& next_line) {
  std::size_t from = open + 1;
  for (;;) {
    const std::size_t quote = record.find('"', from);
    if (quote == std::string::npos) {
      from = record.size();
      const std::string_view line = next_line();
      record += '\n';
      record += line;
    } else if (quote + 1 < record.size() && record[quote + 1] == '"') {
      from = quote + 2;
    } else {
      return quote;
    }
  }
}

std::size_t skip_blanks(std::string_view text, std::size_t at, char separator) {
  while (at < text.size() && is_blank(text[at]) && text[at] != separator) ++at;
  return at;
}

std::size_t skip_all_blanks(std::string_view text, std::size_t at) {
  return skip_blanks(text, at, '\0');
}

std::size_t field_end(std::string_view text, std::size_t at, char separator) {
  if (separator != ' ') return std::min(text.find(separator, at), text.size());
  while (at < text.size() && !is_blank(text[at])) ++at;  // faster than find_first_of()
  return at;
}

std::string without_quotes(std::string_view inside) {
  std::string text;
  text.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text += inside[i];
    if (inside[i] == '"') ++i;  // doubled
  }
  return text;
}

}  // namespace

const std::vector<Field>& FieldSplitter::split(std::string_view line, const NextLine& next_line,
                                               const Fail& fail) {
  fields_.clear();
  if (line.find('"') == std::string_view::npos) {
    split_plain(line);
  } else {
    record_ = line;
    unquoted_.clear();
    split_quoted(next_line, fail);
  }
  return fields_;
}

void FieldSplitter::split_plain(std::string_view line) {
  if (separator_ == ' ') {
    for (std::size_t at = skip_all_blanks(line, 0); at < line.size();) {
      const std::size_t end = field_end(line, at, ' ');
      fields_.push_back({line.substr(at, end - at)});
      at = skip_all_blanks(line, end);
    }
    return;
  }
  for (std::size_t at = 0;;) {
    const std::size_t end = field_end(line, at, separator_);
    fields_.push_back({trimmed(line.substr(at, end - at))});
    if (end == line.size()) return;
    at = end + 1;
  }
}

void FieldSplitter::split_quoted(const NextLine& next_line, const Fail& fail) {
  const bool by_blanks = separator_ == ' ';
  std::vector<std::pair<std::size_t, std::size_t>> plain;  // of record_, which may still move
  std::size_t at = 0;
  for (;;) {
    at = by_blanks ? skip_all_blanks(record_, at) : skip_blanks(record_, at, separator_);
    if (by_blanks && at >= record_.size()) break;
    if (at < record_.size() && record_[at] == '"') {
      const std::size_t close = quote_end(record_, at, next_line);
      unquoted_.push_back(without_quotes(std::string_view(record_).substr(at + 1, close - at - 1)));
      fields_.push_back({unquoted_.back(), true});
      plain.emplace_back(0, 0);
      at = by_blanks ? close + 1 : skip_blanks(record_, close + 1, separator_);
      const bool ends =
          at >= record_.size() || (by_blanks ? is_blank(record_[at]) : record_[at] == separator_);
      if (!ends) {
        fail("text after the closing quote of field " + in_quotes(unquoted_.back()),
             {advice("write a quote inside a quoted field twice")});
      }
    } else {
      const std::size_t end = field_end(record_, at, separator_);
      fields_.push_back({});
      plain.emplace_back(at, end - at);
      at = end;
    }
    if (at >= record_.size()) break;
    ++at;
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].quoted) continue;
    fields_[i].text = trimmed(std::string_view(record_).substr(plain[i].first, plain[i].second));
  }
}

}  // namespace repsc
