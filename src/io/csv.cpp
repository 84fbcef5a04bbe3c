// A CSV reader over lines: a record continues on the next line while a quote is open.
#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

// The most frequent separator outside quotes, the first of equals. A blank if there is none and
// blanks may separate.
char most_frequent_separator(std::string_view line, bool or_blanks) {
  constexpr std::array<char, 3> separators = {',', ';', '\t'};
  std::array<int, 3> counts{};
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    const auto* found = std::find(separators.begin(), separators.end(), c);
    if (!inside && found != separators.end()) {
      ++counts[static_cast<std::size_t>(found - separators.begin())];
    }
  }
  const auto* const most = std::max_element(counts.begin(), counts.end());
  if (*most == 0 && or_blanks) return ' ';
  return separators[static_cast<std::size_t>(most - counts.begin())];
}

// Where the quote at `open` closes: the first quote after it that is not doubled.
template <typename AppendLine>
std::size_t quote_end(const std::string& record, std::size_t open, const AppendLine& append_line) {
  std::size_t from = open + 1;
  for (;;) {
    const std::size_t quote = record.find('"', from);
    if (quote == std::string::npos) {
      from = record.size();
      append_line();
    } else if (quote + 1 < record.size() && record[quote + 1] == '"') {
      from = quote + 2;
    } else {
      return quote;
    }
  }
}

// The fields of a record. append_line() adds the next line to it while a quote is open; fail(what,
// remedies) throws.
template <typename AppendLine, typename Fail>
void split_record(std::string& record, const char separator, std::vector<std::string>& fields,
                  const AppendLine& append_line, const Fail& fail) {
  const bool by_blanks = separator == ' ';
  const auto skip_blanks = [&](std::size_t at) {
    while (at < record.size() && is_blank(record[at]) && (by_blanks || record[at] != separator)) {
      ++at;
    }
    return at;
  };
  const char* const ends_field = by_blanks ? " \t" : &separator;
  const std::size_t num_ends = by_blanks ? 2 : 1;

  fields.clear();
  std::size_t at = 0;
  for (;;) {
    at = skip_blanks(at);
    if (by_blanks && at >= record.size()) return;
    if (at < record.size() && record[at] == '"') {
      const std::size_t close = quote_end(record, at, append_line);
      std::string& field = fields.emplace_back();
      for (std::size_t i = at + 1; i < close; ++i) {
        field += record[i];
        if (record[i] == '"') ++i;
      }
      const std::size_t behind = skip_blanks(close + 1);
      at = by_blanks ? close + 1 : behind;
      const bool ends = at >= record.size() || (by_blanks ? behind > at : record[at] == separator);
      if (!ends) {
        fail("text after the closing quote of field " + in_quotes(field),
             {advice("write a quote inside a quoted field twice")});
      }
    } else {
      const std::size_t end =
          std::min(record.find_first_of(ends_field, at, num_ends), record.size());
      fields.emplace_back(trimmed(std::string_view(record).substr(at, end - at)));
      at = end;
    }
    if (at >= record.size()) return;
    ++at;
  }
}

}  // namespace

const std::vector<std::string>* CsvReader::next() {
  if (!next_record()) return nullptr;
  cut_fields();
  return &fields_;
}

// Puts the next line that is neither empty nor a comment into record_.
bool CsvReader::next_record() {
  record_.clear();
  while (const auto text = lines_.next()) {
    if (trimmed(*text).empty()) continue;
    if (style_.comments && (text->front() == '#' || text->front() == '%')) continue;
    line_ = lines_.number();
    record_ = *text;
    if (record_.find('\0') != std::string::npos) fail("a NUL byte (is this a text file?)");
    return true;
  }
  return false;
}

void CsvReader::append_line() {
  const auto text = lines_.next();
  if (!text) fail("a quote that opens in this record is never closed");
  if (record_.size() + text->size() > LineReader::usual_limit) {
    fail(fmt::format("a quote that opens in this record is not closed within {} bytes",
                     LineReader::usual_limit));
  }
  if (text->find('\0') != std::string_view::npos) lines_.fail("a NUL byte (is this a text file?)");
  record_ += '\n';
  record_ += *text;
}

void CsvReader::cut_fields() {
  if (separator_ == '\0') {
    separator_ = most_frequent_separator(trimmed(record_), style_.blanks);
  }
  split_record(
      record_, separator_, fields_, [&] { append_line(); },
      [&](const std::string& what, std::vector<Remedy> remedies) {
        fail(what, std::move(remedies));
      });
}

std::vector<std::string> csv_fields(std::string_view line) {
  std::string record(line);
  std::vector<std::string> fields;
  const auto fail = [](const std::string& what, std::vector<Remedy> remedies) {
    throw InvalidInput(Fault{.what = what, .remedies = std::move(remedies)});
  };
  split_record(
      record, ',', fields, [&] { fail("a quote is never closed", {}); }, fail);
  return fields;
}

}  // namespace repsc
