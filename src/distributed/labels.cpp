// One file of labels, written by all ranks at once.
//
// Rank 0 opens the temporary file of AtomicFile; once everybody knows how long the parts before its
// own are, every rank writes its lines at their place; rank 0 renames the file when all have
// succeeded. Until then there is no file of that name, or the old one. Where a rank does not see
// the file, because the folder is on a disk of rank 0, say, rank 0 writes the parts of all.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "core/text.hpp"
#include "io/atomic_file.hpp"
#include "repsc/distributed.hpp"

namespace repsc {
namespace {

std::string lines_of(const DistributedClustering& found, bool header) {
  std::string text = header ? "node,cluster\n" : "";
  const Labels& labels = found.clustering.labels;
  for (Index i = 0; i < found.names.size(); ++i) {
    text += csv_field(found.names[i]);
    text += ',';
    text += std::to_string(labels[static_cast<std::size_t>(i)]);
    text += '\n';
  }
  return text;
}

/// "" or what went wrong.
std::string write_at(const std::string& path, const std::string& text, std::int64_t offset) {
  const int file = ::open(path.c_str(), O_WRONLY);
  if (file < 0) return std::strerror(errno);
  std::string problem;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::pwrite(file, text.data() + done, text.size() - done,
                                   static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      problem = std::strerror(errno);
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  // Not every file system reports a full disk before this.
  if (::close(file) != 0 && problem.empty()) problem = std::strerror(errno);
  return problem;
}

/// Throws IoError, on every rank, with the first of their problems.
void agree(const Communicator& ranks, const std::string& path, const std::string& problem) {
  std::string own = problem;
  if (!own.empty()) {
    own = joined(path, ": rank ", ranks.rank(), " on ", ranks.host(), " cannot write: ", problem);
    own += '\n';
  }
  const std::vector<char> all = ranks.gather(std::span<const char>(own));
  if (all.empty()) return;
  const std::string text(all.begin(), all.end());
  throw IoError(text.substr(0, text.find('\n')));
}

bool seen_by_all(const Communicator& ranks, const std::string& path) {
  double missing[] = {::access(path.c_str(), W_OK) == 0 ? 0.0 : 1.0};
  ranks.max(missing);
  return missing[0] == 0;
}

/// Rank 0 writes the parts of all ranks one after the other: pipes and standard output have no
/// places to write to.
void write_in_turn(const Communicator& ranks, AtomicFile* file, std::string text) {
  std::int64_t size = static_cast<std::int64_t>(text.size());
  const std::vector<std::int64_t> sizes = ranks.gather(std::span<const std::int64_t>(&size, 1));
  if (!ranks.is_root()) {
    const Communicator::Parcel parcel[] = {{0, text.data(), text.size()}};
    ranks.transfer(parcel, {});
    return;
  }
  file->write(text);
  for (int rank = 1; rank < ranks.size(); ++rank) {
    text.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(rank)]));
    const Communicator::Parcel parcel[] = {{rank, text.data(), text.size()}};
    ranks.transfer({}, parcel);
    file->write(text);
  }
}

}  // namespace

void write_labels(const Communicator& ranks, const DistributedClustering& found,
                  const std::string& path) {
  const std::string text = lines_of(found, ranks.is_root());
  std::unique_ptr<AtomicFile> file;
  std::string problem;
  std::vector<char> temporary;
  if (ranks.is_root()) {
    try {
      file = std::make_unique<AtomicFile>(path);
      temporary.assign(file->temporary_path().begin(), file->temporary_path().end());
    } catch (const IoError& error) {
      problem = error.what();
    }
  }
  agree(ranks, path, problem);
  ranks.broadcast(temporary);
  const std::string place(temporary.begin(), temporary.end());
  std::optional<TemporaryOfAnother> of_root;
  if (!place.empty() && !ranks.is_root()) of_root.emplace(place);
  if (place.empty() || !seen_by_all(ranks, place)) {
    write_in_turn(ranks, file.get(), text);
  } else {
    const auto size = static_cast<std::int64_t>(text.size());
    const std::vector<std::int64_t> sizes = ranks.gather(std::span<const std::int64_t>(&size, 1));
    std::int64_t before = 0;
    for (int rank = 0; rank < ranks.rank(); ++rank) before += sizes[static_cast<std::size_t>(rank)];
    agree(ranks, path, write_at(place, text, before));
  }
  on_root(ranks, [&] { file->commit(); });
}

}  // namespace repsc
