// Rows as lines of a CSV, and the file to which each row is written as soon as it is finished.
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
/// The reverse; throws InvalidInput if the line is not a row.
[[nodiscard]] Row parse_csv_line(std::string_view line);

/// The key of a setting: all columns before the results.
[[nodiscard]] std::string key(const Setting& setting);
/// Canonical order of rows: reading, family, nodes, clusters, degree, method, rank, groups, run.
void sort_rows(std::vector<Row>& rows);

/// results.csv during a run: complete lines only, each written at once. An incomplete last line of
/// a killed run is dropped on opening.
class RowFile {
 public:
  explicit RowFile(std::string path);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Thread-safe. Throws IoError if the line cannot be written.
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
