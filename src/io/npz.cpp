// Sparse matrices as scipy.sparse.save_npz() writes them: csr, csc and coo are read, csr is
// written. Nodes are named 0, 1, ... No memory is allocated because of a size in a header alone.
//
// A valid matrix (see finished.hpp), as this writer and SciPy write it, is used without building;
// any other is read entry by entry and built.
#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include "core/text.hpp"
#include "graph/build.hpp"
#include "graph/finished.hpp"
#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/npy.hpp"

namespace repsc {
namespace {

constexpr const char* mark_member = "repsc_nodes";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

std::string message_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

[[noreturn]] void fail(const std::string& where, const std::string& what,
                       std::vector<Remedy> remedies = {}) {
  throw InvalidInput(Fault{.what = what, .remedies = std::move(remedies), .where = where});
}

Archive open_archive(const std::string& path) {
  if (path == "-") {
    fail("standard input", "an .npz file cannot be read from a pipe",
         {advice("save it to a file first")});
  }
  const int file = open_input(path);
  int code = 0;
  Archive archive(zip_fdopen(file, 0, &code));
  if (archive) return archive;
  ::close(file);
  fail(path, "not an .npz file (" + message_of(code) + ")");
}

class NpzReader {
 public:
  NpzReader(const std::string& path, const ReadOptions& options)
      : path_(path),
        options_(options),
        archive_(open_archive(path)),
        edges_(sort_on_disk(options)) {}

  BuiltGraph read() {
    if (!NpyStream::exists(archive_.get(), "format")) {
      fail(path_, "not a sparse matrix of SciPy: there is no member format.npy",
           {advice("save one with scipy.sparse.save_npz")});
    }
    const std::string format = array("format").read_word();
    read_shape();
    if (format == "csr" || format == "csc") {
      if (!options_.memory) {  // the arrays are in memory as a whole
        if (std::optional<Graph> graph = read_finished()) return {std::move(*graph), {}};
      }
      read_compressed(format == "csc");
    } else if (format == "coo") {
      read_coordinates();
    } else {
      fail(path_, "sparse format " + in_quotes(format) + " is not supported",
           {advice("convert it with .tocsr()")});
    }
    require_plausible_size(num_nodes_, edges_.size(), path_);
    return assemble(NodeNames(static_cast<Index>(num_nodes_), 0), std::move(edges_),
                    options_.self_loops, path_)
        .built;
  }

 private:
  NpyStream array(const std::string& name) const { return {archive_.get(), name, path_}; }

  void read_shape() {
    NpyStream shape = array("shape");
    if (shape.size() != 2)
      shape.fail(fmt::format("{} dimensions but a matrix has 2", shape.size()));
    const std::int64_t rows = shape.next_integer();
    const std::int64_t columns = shape.next_integer();
    if (rows != columns || rows < 0) {
      fail(path_,
           fmt::format("{} rows and {} columns but a graph needs a square matrix", rows, columns));
    }
    num_nodes_ = static_cast<std::uint64_t>(rows);
    require_countable(num_nodes_, path_);
  }

  static void require_size(const NpyStream& array, std::uint64_t expected) {
    if (array.size() == expected) return;
    array.fail(fmt::format("{} elements but {} expected", array.size(), expected));
  }

  // The matrix without building it. csr and csc are the same here, as the matrix must be symmetric.
  // Errors are left to read_compressed(), which reports them with their position.
  [[nodiscard]] std::optional<Graph> read_finished() const {
    MatrixArrays arrays;
    try {
      NpyStream pointers = array("indptr");
      NpyStream indices = array("indices");
      NpyStream data = array("data");
      require_size(pointers, num_nodes_ + 1);
      require_size(data, indices.size());
      require_plausible_size(num_nodes_, static_cast<Offset>(indices.size()), path_);
      if (!pointers.read_all(arrays.offsets)) return {};
      report_entries(0);
      if (!indices.read_all(arrays.columns)) return {};
      report_entries(indices.size());
      if (!read_weights(data, arrays.weights)) return {};
      for (NpyStream* read : {&pointers, &indices, &data}) read->finish();
    } catch (const InvalidInput&) {
      return {};
    }
    return finished_graph(std::move(arrays), options_.self_loops);
  }

  void report_entries(std::uint64_t count) const {
    if (options_.progress) options_.progress({.stage = "read", .done = static_cast<Offset>(count)});
  }

  // Values stored as bytes are accepted only if all are 1; no weights are stored for them.
  static bool read_weights(NpyStream& data, std::vector<double>& weights) {
    if (!data.bytes()) return data.read_all(weights);
    std::vector<std::uint8_t> bytes;
    return data.read_all(bytes) &&
           std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 1; });
  }

  // Row i, or column i for csc, has the entries from indptr[i] up to indptr[i + 1].
  void read_compressed(bool columns) {
    NpyStream pointers = array("indptr");
    NpyStream indices = array("indices");
    NpyStream data = array("data");
    require_size(pointers, num_nodes_ + 1);
    require_size(data, indices.size());
    const auto total = static_cast<std::int64_t>(indices.size());
    std::int64_t end = pointers.next_integer();
    if (end != 0) pointers.fail(fmt::format("begins with {} but must begin with 0", end));
    for (std::uint64_t i = 0; i < num_nodes_; ++i) {
      const std::int64_t begin = end;
      end = pointers.next_integer();
      if (end < begin || end > total) {
        pointers.fail(fmt::format("{} follows {}, but values must not decrease or exceed {}", end,
                                  begin, total));
      }
      for (std::int64_t entry = begin; entry < end; ++entry) {
        const auto outer = static_cast<std::int64_t>(i);
        const std::int64_t inner = indices.next_integer();
        add(columns ? inner : outer, columns ? outer : inner, data.next_number());
      }
    }
    if (end != total) pointers.fail(fmt::format("ends with {} but must end with {}", end, total));
    for (NpyStream* read : {&pointers, &indices, &data}) read->finish();
  }

  void read_coordinates() {
    NpyStream rows = array("row");
    NpyStream columns = array("col");
    NpyStream data = array("data");
    require_size(columns, rows.size());
    require_size(data, rows.size());
    for (std::uint64_t entry = 0; entry < rows.size(); ++entry) {
      const std::int64_t row = rows.next_integer();
      add(row, columns.next_integer(), data.next_number());
    }
    for (NpyStream* read : {&rows, &columns, &data}) read->finish();
  }

  void add(std::int64_t row, std::int64_t column, double weight) {
    const auto inside = [&](std::int64_t node) {
      return node >= 0 && static_cast<std::uint64_t>(node) < num_nodes_;
    };
    if (!inside(row) || !inside(column)) {
      fail(path_, fmt::format("entry {}: ({}, {}) but nodes are numbered from 0 to {}",
                              edges_.size(), row, column, num_nodes_ - 1));
    }
    if (!std::isfinite(weight) || weight < 0) {
      fail(path_,
           fmt::format("entry {}: ({}, {}): weight {} but weights must be finite and at least 0",
                       edges_.size(), row, column, weight));
    }
    edges_.add(static_cast<Index>(row), static_cast<Index>(column), weight);
    constexpr Offset report_every = 1 << 16;
    if (options_.progress && edges_.size() % report_every == 0) {
      options_.progress({.stage = "read", .done = edges_.size()});
    }
  }

  const std::string& path_;
  const ReadOptions& options_;
  Archive archive_;
  std::uint64_t num_nodes_ = 0;
  EdgeStore edges_;
};

// Adds arrays to an archive without copying them: they have to live until close().
class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path) : path_(path), file_(path) {
    require_file(!file_.temporary_path().empty(), path, "an .npz file cannot be written to a pipe");
    int code = 0;
    archive_.reset(zip_open(file_.temporary_path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!archive_) throw IoError(path + ": cannot write: " + message_of(code));
  }

  template <typename Value>
  void add(const std::string& name, const char* type, std::span<const Value> values) {
    add(name, type, fmt::format("({},)", values.size()),
        {fragment(values.data(), values.size_bytes())});
  }

  /// `count` ones, from a short repeated buffer.
  void add_ones(const std::string& name, std::size_t count) {
    std::vector<zip_buffer_fragment_t> parts;
    for (std::size_t left = count; left > 0;) {
      const std::size_t size = std::min(left, ones_.size());
      parts.push_back(fragment(ones_.data(), size));
      left -= size;
    }
    add(name, "|u1", fmt::format("({},)", count), std::move(parts));
  }

  void add(const std::string& name, const char* type, const std::string& shape,
           std::vector<zip_buffer_fragment_t> parts) {
    headers_.push_back(std::make_unique<std::string>(header(type, shape)));
    parts.insert(parts.begin(), fragment(headers_.back()->data(), headers_.back()->size()));
    const std::string file = name + ".npy";
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_fragment_create(parts.data(), parts.size(), 0, &error);
    zip_error_fini(&error);
    if (source == nullptr) throw std::bad_alloc();  // it only allocates
    const zip_int64_t place = zip_file_add(archive_.get(), file.c_str(), source, 0);
    if (place < 0) {
      zip_source_free(source);
      fail_writing();
    }
    const auto member = static_cast<zip_uint64_t>(place);
    constexpr zip_uint32_t fast = 1;
    constexpr zip_uint16_t first_day =
        (1U << 5U) | 1U;  // 1 January 1980: the same bytes every time
    // Arrays of ones compress to almost nothing. Other arrays compress to three quarters only, and
    // uncompressed they are read four times faster.
    const bool repetitive = parts.size() > 2;
    zip_set_file_compression(archive_.get(), member, repetitive ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                             repetitive ? fast : 0);
    zip_file_set_dostime(archive_.get(), member, 0, first_day, 0);
  }

  static zip_buffer_fragment_t fragment(const void* data, std::size_t bytes) {
    return {static_cast<zip_uint8_t*>(const_cast<void*>(data)), bytes};
  }

  void close() {
    if (zip_close(archive_.get()) != 0) fail_writing();
    [[maybe_unused]] zip_t* const freed = archive_.release();  // by zip_close()
    file_.commit();
  }

 private:
  [[noreturn]] void fail_writing() {
    throw IoError(path_ + ": cannot write: " + zip_strerror(archive_.get()));
  }

  // Version 1.0, padded so that the data begin at a multiple of 64 bytes.
  static std::string header(const char* type, const std::string& shape) {
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
    constexpr std::size_t start = 10;
    text.append(63 - (start + text.size()) % 64, ' ');
    text += '\n';
    const std::string magic("\x93NUMPY\x01\x00", 8);
    return magic + static_cast<char>(text.size() % 256) + static_cast<char>(text.size() / 256) +
           text;
  }

  std::string path_;
  AtomicFile file_;
  std::vector<std::unique_ptr<std::string>> headers_;
  std::vector<std::uint8_t> ones_ = std::vector<std::uint8_t>(std::size_t{1} << 20U, 1);
  Archive archive_;
};

// SciPy needs indices and indptr of the same type, 32 bits if that is enough.
template <typename Stored>
void write_archive(const Graph& graph, const char* type, const std::string& path,
                   const NamesMark& mark) {
  const std::vector<Stored> pointers(graph.offsets().begin(), graph.offsets().end());
  const std::array<std::int64_t, 2> shape = {graph.num_nodes(), graph.num_nodes()};
  std::vector<Stored> converted;
  std::span<const Stored> indices;
  if constexpr (std::is_same_v<Stored, Index>) {
    indices = graph.neighbors();
  } else {
    converted.assign(graph.neighbors().begin(), graph.neighbors().end());
    indices = converted;
  }
  const std::string word = mark.word();
  NpzWriter out(path);
  out.add<Stored>("indices", type, indices);
  out.add<Stored>("indptr", type, pointers);
  out.add("format", "|S3", "()", {NpzWriter::fragment("csr", 3)});
  out.add<std::int64_t>("shape", "<i8", shape);
  if (graph.weighted()) {
    out.add<double>("data", "<f8", graph.weights());
  } else {
    out.add_ones("data", graph.neighbors().size());
  }
  if (mark.any()) {  // SciPy reads the members that it knows
    out.add(mark_member, fmt::format("|S{}", word.size()).c_str(), "()",
            {NpzWriter::fragment(word.data(), word.size())});
  }
  out.close();
}

}  // namespace

BuiltGraph read_npz(const std::string& path, const ReadOptions& options) {
  return NpzReader(path, options).read();
}

NamesMark read_npz_mark(const std::string& path) {
  const Archive archive = open_archive(path);
  if (!NpyStream::exists(archive.get(), mark_member)) return {};
  return NamesMark::of_word(NpyStream(archive.get(), mark_member, path).read_word());
}

void write_npz(const Graph& graph, const std::string& path, const NamesMark& mark) {
  if (graph.num_entries() <= std::numeric_limits<std::int32_t>::max()) {
    write_archive<std::int32_t>(graph, "<i4", path, mark);
  } else {
    write_archive<std::int64_t>(graph, "<i8", path, mark);
  }
}

}  // namespace repsc
