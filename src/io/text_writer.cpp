// TextWriter: a buffer, and zlib's deflate if the file is compressed.
#include "io/text_writer.hpp"

#include <iterator>

#include "repsc/core.hpp"

namespace repsc {

TextWriter::TextWriter(const std::string& path) : file_(path) {
  if (!path.ends_with(".gz")) return;
  gzip_ = std::make_unique<z_stream>();
  constexpr int gzip_window = 15 + 16;  // zlib: 16 more requests a gzip header (without a date)
  constexpr int level = 4;              // the usual 6 takes twice the time
  if (deflateInit2(gzip_.get(), level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    gzip_.reset();
    throw IoError(path + ": cannot write: zlib has no memory");
  }
  compressed_.resize(flush_size);
}

TextWriter::~TextWriter() {
  if (gzip_) deflateEnd(gzip_.get());
}

void TextWriter::commit() {
  flush(true);
  file_.commit();
}

void TextWriter::append(fmt::string_view format, fmt::format_args values) {
  fmt::vformat_to(std::back_inserter(text_), format, values);
  if (text_.size() >= flush_size) flush(false);
}

void TextWriter::flush(bool last) {
  if (gzip_) {
    compress(last);
  } else {
    file_.write({text_.data(), text_.size()});
  }
  text_.clear();
}

void TextWriter::compress(bool last) {
  gzip_->next_in = reinterpret_cast<Bytef*>(text_.data());
  gzip_->avail_in = static_cast<uInt>(text_.size());
  do {
    gzip_->next_out = reinterpret_cast<Bytef*>(compressed_.data());
    gzip_->avail_out = static_cast<uInt>(compressed_.size());
    deflate(gzip_.get(), last ? Z_FINISH : Z_NO_FLUSH);
    file_.write({compressed_.data(), compressed_.size() - gzip_->avail_out});
  } while (gzip_->avail_out == 0);
}

}  // namespace repsc
