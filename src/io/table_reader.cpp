// Records of a table over lines; a record continues on the next line while a quote is open.
#include "io/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "repsc/io.hpp"

namespace repsc {
namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 16U;

}  // namespace

TableReader::TableReader(const std::string& path, const TableShape& shape, ProgressFn progress)
    : lines_(path, std::move(progress)) {
  const LineReader::Sample sample = lines_.peek(sample_bytes);
  if (sample.text.starts_with("\xff\xfe") || sample.text.starts_with("\xfe\xff")) {
    lines_.fail_at(1, "the text is encoded as UTF-16", {advice("save it as UTF-8")});
  }
  if (shape.num_ids == 2 && sample.text.starts_with("%%MatrixMarket")) {
    lines_.fail_at(1, "this is a MatrixMarket file, but it is read as an edge list",
                   {advice("rename it to .mtx, or give its format")});
  }
  form_ = recognize_table(sample.text, sample.complete, shape);
  splitter_ = FieldSplitter(form_.separator);
  next_line_ = [this] { return continued(); };
  fail_ = [this](const std::string& what, std::vector<Remedy> remedies) {
    fail(what, std::move(remedies));
  };
  if (form_.separator_line) (void)lines_.next();
  if (form_.header) read_header();
}

void TableReader::read_header() {
  const std::vector<Field>* fields = next();
  if (fields == nullptr) return;
  header_number_ = line_;
  header_line_ = record_;
  header_.reserve(fields->size() + 1);
  if (form_.row_names) header_.emplace_back();
  for (const Field& field : *fields) header_.emplace_back(field.text);
}

const std::vector<Field>* TableReader::next() {
  while (const auto line = next_line()) {
    const std::vector<Field>& fields = split(*line);
    const bool empty = std::all_of(fields.begin(), fields.end(), [](const Field& field) {
      return field.text.empty() && !field.quoted;
    });
    if (!empty) return &fields;
  }
  return nullptr;
}

const std::vector<Field>& TableReader::split(std::string_view line) {
  line_ = lines_.number();
  record_ = line;
  record_bytes_ = line.size();
  if (line.find('\0') != std::string_view::npos) fail("a NUL byte (is this a text file?)");
  return splitter_.split(line, next_line_, fail_);
}

// The next line that is neither empty nor a comment.
std::optional<std::string_view> TableReader::next_line() {
  while (const auto line = lines_.next()) {
    if (!is_comment_or_blank(*line)) return line;
  }
  return std::nullopt;
}

std::string_view TableReader::continued() {
  record_ = {};  // the buffer that it views may move
  const auto text = lines_.next();
  if (!text) fail("a quote that opens in this record is never closed");
  record_bytes_ += text->size() + 1;
  if (record_bytes_ > LineReader::usual_limit) {
    fail(fmt::format("a quote that opens in this record is not closed within {} bytes",
                     LineReader::usual_limit));
  }
  if (text->find('\0') != std::string_view::npos) lines_.fail("a NUL byte (is this a text file?)");
  return *text;
}

double table_weight(std::string_view field, const TableReader& table) {
  std::string text(field);
  const std::size_t comma = text.find(',');
  const char separator = table.form().separator;
  if (separator != ',' && comma != std::string::npos) {
    // Programs that separate by semicolons do so because commas are decimal there.
    const bool thousands = separator != ';' && text.size() - comma == 4 && comma >= 1 &&
                           comma <= 3 && text.front() != '0';
    if (thousands) {
      table.fail("weight " + in_quotes(field) + " can be read in two ways",
                 {advice("write numbers with a point, and without separators of thousands")});
    }
    text[comma] = '.';
  }
  const std::optional<double> value = parse_number(text);
  if (!value) table.fail("weight " + in_quotes(field) + " is not a finite number");
  if (*value < 0) {
    table.fail("weight " + in_quotes(field) + " is negative (weights must be at least 0)");
  }
  return *value;
}

std::vector<std::string> csv_fields(std::string_view line) {
  const auto fail = [](const std::string& what, std::vector<Remedy> remedies) {
    throw InvalidInput(Fault{.what = what, .remedies = std::move(remedies)});
  };
  const auto next_line = [&]() -> std::string_view {
    fail("a quote is never closed", {});
    return {};
  };
  FieldSplitter splitter(',');
  std::vector<std::string> fields;
  for (const Field& field : splitter.split(line, next_line, fail)) fields.emplace_back(field.text);
  return fields;
}

}  // namespace repsc
