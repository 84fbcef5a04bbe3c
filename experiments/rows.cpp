// Rows as lines of a CSV.
#include "experiments/rows.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::experiments {
namespace {

std::string written(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

template <typename Number>
void read(std::string_view field, Number& number) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  require(error == std::errc() && end == field.data() + field.size(), "'", field,
          "' is not a number");
}

void read(std::string_view field, std::string& word) { word = field; }

void read_optional(std::string_view field, double& number) {
  number = unknown;
  if (!field.empty()) read(field, number);
}

/// Reads consecutive fields into `values`; returns the position of the next field.
template <typename... Values>
std::size_t read_all(const std::vector<std::string>& fields, std::size_t first, Values&... values) {
  (read(fields[first++], values), ...);
  return first;
}

constexpr std::size_t num_columns = 31;

}  // namespace

std::string csv_header() {
  return "experiment,reading,family,method,nodes,clusters,degree,rank,groups,strength,mu,p,q,r,s,"
         "run,"
         "seed,"
         "accuracy,ratio_cut,normalized_cut,average_balance,minimum_balance,rate,"
         "structure_kept,fairness_gained,smallest_cluster,largest_cluster,single_nodes,seconds,"
         "shared_seconds,converged";
}

std::string key(const Setting& a) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", a.experiment, a.reading,
                     a.normalized ? "normalized" : "unnormalized", a.method, a.nodes, a.clusters,
                     a.degree, a.rank, a.groups, a.strength, a.mu, a.p, a.q, a.r, a.s, a.run,
                     a.seed);
}

std::string csv_line(const Row& row) {
  const Outcome& b = row.outcome;
  std::string line = key(row.setting);
  for (const double value :
       {b.accuracy, b.ratio_cut, b.normalized_cut, b.average_balance, b.minimum_balance, b.rate,
        b.structure_kept, b.fairness_gained, b.smallest_cluster, b.largest_cluster, b.single_nodes,
        b.seconds, b.shared_seconds}) {
    line += ',' + written(value);
  }
  return line + (b.converged ? ",1" : ",0");
}

Row parse_csv_line(std::string_view line) {
  const std::vector<std::string> fields = csv_fields(line);
  require(fields.size() == num_columns, "there are ", fields.size(), " columns, not ", num_columns);
  Row row;
  Setting& a = row.setting;
  a.experiment = fields[0];
  a.reading = fields[1];
  require(fields[2] == "normalized" || fields[2] == "unnormalized", "'", fields[2],
          "' is not normalized or unnormalized");
  a.normalized = fields[2] == "normalized";
  std::size_t column = read_all(fields, 3, a.method, a.nodes, a.clusters, a.degree, a.rank,
                                a.groups, a.strength, a.mu, a.p, a.q, a.r, a.s, a.run, a.seed);
  Outcome& b = row.outcome;
  for (double* value :
       {&b.accuracy, &b.ratio_cut, &b.normalized_cut, &b.average_balance, &b.minimum_balance,
        &b.rate, &b.structure_kept, &b.fairness_gained, &b.smallest_cluster, &b.largest_cluster,
        &b.single_nodes, &b.seconds, &b.shared_seconds}) {
    read_optional(fields[column++], *value);
  }
  require(fields[column] == "0" || fields[column] == "1", "'", fields[column],
          "' is neither 0 nor 1");
  b.converged = fields[column] == "1";
  return row;
}

void sort_rows(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) {
    const Setting &a = x.setting, &b = y.setting;
    return std::tie(a.experiment, a.reading, a.normalized, a.nodes, a.clusters, a.degree, a.method,
                    a.rank, a.groups, a.strength, a.mu, a.p, a.run) <
           std::tie(b.experiment, b.reading, b.normalized, b.nodes, b.clusters, b.degree, b.method,
                    b.rank, b.groups, b.strength, b.mu, b.p, b.run);
  });
}

RowFile::RowFile(std::string path) : path_(std::move(path)) {
  std::string text;
  {
    std::ifstream file(path_, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  // An interrupted write leaves an incomplete last line.
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole < text.size()) std::filesystem::resize_file(path_, whole);

  std::size_t number = 0;
  for (std::size_t begin = 0; begin < whole;) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (number == 1) {
      if (line == csv_header()) continue;
      throw InvalidInput(Fault{.what = "written by another version of repsc with other columns",
                               .remedies = {{Remedy::Action::advice, "", "use another folder"}},
                               .where = path_});
    }
    try {
      rows_.push_back(parse_csv_line(line));
    } catch (const InvalidInput& error) {
      throw InvalidInput(Fault{.what = error.what(),
                               .remedies = {{Remedy::Action::advice, "", "fix or remove the line"}},
                               .where = fmt::format("{}:{}", path_, number)});
    }
    keys_.insert(key(rows_.back().setting));
  }
  open_for_appending();
  if (number == 0) write_line(csv_header());
}

RowFile::~RowFile() { ::close(descriptor_); }

void RowFile::open_for_appending() {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError(fmt::format("{}: {}", path_, std::strerror(errno)));
}

void RowFile::write_line(std::string line) {
  line += '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const auto count = ::write(descriptor_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError(fmt::format("{}: {}", path_, std::strerror(errno)));
    left.remove_prefix(static_cast<std::size_t>(count));
  }
}

void RowFile::append(const Row& row) {
  const std::lock_guard lock(mutex_);
  if (!keys_.insert(key(row.setting)).second) return;
  write_line(csv_line(row));
  rows_.push_back(row);
}

void RowFile::finish() {
  const std::lock_guard lock(mutex_);
  sort_rows(rows_);
  std::string text = csv_header() + '\n';
  for (const Row& row : rows_) text += csv_line(row) + '\n';
  write_text_file(path_, text);
  ::close(descriptor_);
  open_for_appending();
}

}  // namespace repsc::experiments
