// Reads the records of a table: edge lists, labels, groups and attributes are all read by this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/fields.hpp"
#include "io/lines.hpp"
#include "io/table_form.hpp"

namespace repsc {

/// Records one after the other, in the form that recognize_table() finds. Empty lines and comments
/// are skipped, also records of empty fields. A record longer than LineReader's limit for a line is
/// refused, so that a missing quote does not consume the whole file.
class TableReader {
 public:
  TableReader(const std::string& path, const TableShape& shape, ProgressFn progress = {});

  [[nodiscard]] const TableForm& form() const { return form_; }
  /// The names of the columns, "" for that of the names of rows; empty without a header.
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// The header as it is in the file; "" without one.
  [[nodiscard]] const std::string& header_line() const { return header_line_; }

  /// The fields of the next record, until the next call; nothing at the end of the file.
  [[nodiscard]] const std::vector<Field>* next();
  /// The fields of `line`, which lines().next() returned last.
  [[nodiscard]] const std::vector<Field>& split(std::string_view line);
  /// The text of the last record, for messages.
  [[nodiscard]] std::string_view record() const { return record_; }
  /// The line on which the last record began, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }
  [[nodiscard]] LineReader& lines() { return lines_; }

  /// Throws InvalidInput about the last record.
  [[noreturn]] void fail(const std::string& what, std::vector<Remedy> remedies = {}) const {
    lines_.fail_at(line_, what, std::move(remedies));
  }
  /// Throws InvalidInput about the header.
  [[noreturn]] void fail_header(const std::string& what, std::vector<Remedy> remedies = {}) const {
    lines_.fail_at(header_number_, what, std::move(remedies));
  }
  /// The last record for messages: the file and the line on which it began.
  [[nodiscard]] std::string where() const { return lines_.where(line_); }
  /// The header for messages.
  [[nodiscard]] std::string where_header() const { return lines_.where(header_number_); }
  /// Throws InvalidInput about the file as a whole.
  [[noreturn]] void fail_file(const std::string& what, std::vector<Remedy> remedies = {}) const {
    lines_.fail_file(what, std::move(remedies));
  }

 private:
  [[nodiscard]] std::optional<std::string_view> next_line();
  std::string_view continued();
  void read_header();

  LineReader lines_;
  TableForm form_;
  FieldSplitter splitter_;
  FieldSplitter::NextLine next_line_;
  FieldSplitter::Fail fail_;
  std::int64_t line_ = 0;
  std::size_t record_bytes_ = 0;
  std::string_view record_;
  std::vector<std::string> header_;
  std::string header_line_;
  std::int64_t header_number_ = 1;
};

/// The number of a weight, >= 0. A decimal comma is read where fields are not separated by commas.
/// Throws InvalidInput about the last record.
[[nodiscard]] double table_weight(std::string_view field, const TableReader& table);

}  // namespace repsc
