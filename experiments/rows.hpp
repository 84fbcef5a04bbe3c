// Rows as lines of a tidy CSV, and the file that takes each row the moment it is finished.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/experiment.hpp"

namespace repsc::experiments {

/// The names of the columns.
[[nodiscard]] std::string csv_header();
/// One row, without the end of the line. Numbers read back as the same double; NaN is empty.
[[nodiscard]] std::string csv_line(const Row& row);
/// The reverse; throws InvalidInput where the line is not a row.
[[nodiscard]] Row parse_csv_line(std::string_view line);

/// What tells one setting of an experiment from another: all that stands before the results.
[[nodiscard]] std::string key(const Setting& setting);
/// Canonical order of rows: family, nodes, clusters, degree, method, rank, groups, run.
void sort_rows(std::vector<Row>& rows);

/// results.csv while it grows: whole lines only, each handed to the system at once. A last line
/// that a killed run left unfinished is dropped on opening.
class RowFile {
 public:
  explicit RowFile(std::string path);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Thread-safe. Throws IoError where the disk does not take the line.
  void append(const Row& row);
  [[nodiscard]] bool holds(const Setting& setting) const { return keys_.contains(key(setting)); }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Rewrites the file in canonical order.
  void finish();

 private:
  void open_for_appending();
  void write_line(std::string line);

  std::string path_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::vector<Row> rows_;
  std::set<std::string> keys_;
};

}  // namespace repsc::experiments
