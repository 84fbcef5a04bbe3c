// Records of a CSV file: RFC 4180 quotes, with separators and line breaks inside them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/lines.hpp"

namespace repsc {

/// What a file may contain besides records of separated fields.
struct CsvStyle {
  bool comments = false;  ///< lines that begin with '#' or '%' are skipped
  bool blanks = false;    ///< blanks separate fields if the first line has no other separator
};

/// Reads records one after the other. The separator is the one of comma, semicolon and tab that
/// appears most often on the first line outside quotes. Blanks around a field without quotes are
/// dropped; empty lines are skipped. A record longer than LineReader's limit for a
/// line is refused, so that a missing quote does not consume the whole file.
class CsvReader {
 public:
  explicit CsvReader(const std::string& path, CsvStyle style = {}) : lines_(path), style_(style) {}

  /// The fields of the next record, until the next call; nothing at the end of the file.
  [[nodiscard]] const std::vector<std::string>* next();
  /// The text of the last record.
  [[nodiscard]] const std::string& record() const { return record_; }
  /// The line on which the last record began, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }

  /// Throws InvalidInput about the last record.
  [[noreturn]] void fail(const std::string& what, std::vector<Remedy> remedies = {}) const {
    lines_.fail_at(line_, what, std::move(remedies));
  }
  /// The last record for messages: the file and the line on which it began.
  [[nodiscard]] std::string where() const { return lines_.where(line_); }
  /// Throws InvalidInput about the file as a whole.
  [[noreturn]] void fail_file(const std::string& what) const { lines_.fail_file(what); }

 private:
  [[nodiscard]] bool next_record();
  void append_line();
  void cut_fields();

  LineReader lines_;
  CsvStyle style_;
  std::int64_t line_ = 0;
  char separator_ = '\0';
  std::string record_;
  std::vector<std::string> fields_;
};

}  // namespace repsc
