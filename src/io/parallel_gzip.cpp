#include "io/parallel_gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "core/quiet_thread.hpp"

namespace repsc {
namespace {

// Of texts of which the second follows the first.
GzipSum both(const GzipSum& first, const GzipSum& second) {
  return {.checksum = static_cast<std::uint32_t>(
              ::crc32_combine(first.checksum, second.checksum, static_cast<z_off_t>(second.size))),
          .size = first.size + second.size};
}

GzipSum sum_of(std::span<const char> text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  return {.checksum = static_cast<std::uint32_t>(::crc32_z(0, bytes, text.size())),
          .size = text.size()};
}

}  // namespace

ParallelGzip::ParallelGzip(int file, GzipReader& reader, const Sizes& sizes)
    : file_(file),
      reader_(reader),
      sizes_(sizes),
      begin_(reader.bit()),
      num_parts_(std::max<std::int64_t>((sizes.file - begin_ / 8) / sizes.part, 1)),
      bit_(begin_),
      before_(reader.before().begin(), reader.before().end()),
      sum_(reader.sum()) {
  // Threads that have read a part begin another one while it waits for its turn.
  const std::int64_t places = sizes.threads + std::max(sizes.threads / 4, 2);
  places_ = std::vector<Place>(static_cast<std::size_t>(std::min(places, num_parts_)));
  const auto wanted = std::min<std::int64_t>(sizes.threads, num_parts_);
  for (std::int64_t k = 0; k < wanted; ++k) {
    std::thread thread =
        start_quietly([](void* self) { static_cast<ParallelGzip*>(self)->run(); }, this);
    if (!thread.joinable()) break;
    threads_.push_back(std::move(thread));
  }
  if (threads_.empty()) give_up();
}

ParallelGzip::~ParallelGzip() {
  {
    const std::lock_guard lock(state_);
    stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ParallelGzip::run() {
  // Failures are found again by the reader, which reports them.
  std::optional<GzipPartReader> reader;
  for (;;) {
    std::int64_t number = 0;
    {
      std::unique_lock lock(state_);
      changed_.wait(lock, [&] {
        return stopped_ || taken_ == num_parts_ ||
               taken_ - released_ < static_cast<std::int64_t>(places_.size());
      });
      if (stopped_ || taken_ == num_parts_) return;
      number = taken_++;
    }
    Place& place = places_[static_cast<std::size_t>(number) % places_.size()];
    try {
      if (!reader) reader.emplace(file_);
      const std::int64_t first = begin_ + 8 * sizes_.part * number;
      reader->read(first, number == 0,
                   number + 1 == num_parts_ ? GzipPart::file_end : first + 8 * sizes_.part,
                   sizes_.most_text, stopped_, place.part);
    } catch (const std::exception&) {
      place.part.complete = false;
    }
    {
      const std::lock_guard lock(state_);
      place.done = true;
    }
    changed_.notify_all();
  }
}

// The part whose turn it is, once it has been read; null after the last one.
GzipPart* ParallelGzip::next_part() {
  std::unique_lock lock(state_);
  if (released_ == num_parts_) return nullptr;
  Place& place = places_[static_cast<std::size_t>(released_) % places_.size()];
  changed_.wait(lock, [&] { return place.done; });
  return &place.part;
}

void ParallelGzip::release_part() {
  {
    const std::lock_guard lock(state_);
    places_[static_cast<std::size_t>(released_) % places_.size()].done = false;
    ++released_;
  }
  changed_.notify_all();
}

// Puts the text of a part that begins where the text before ends right. False if something is
// wrong.
bool ParallelGzip::fits(GzipPart& part) {
  if (!part.complete_text(before_)) return false;
  const std::span<const char> text = part.text;
  GzipSum sum = both(both(sum_, sum_of(text.first(part.without_sum))), part.sum);
  if (part.end) {
    if (part.end->checksum != sum.checksum) return false;
    if (part.end->size != static_cast<std::uint32_t>(sum.size)) return false;
    sum = part.last_sum;
  }
  sum_ = sum;
  bit_ = part.last_bit;
  const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(sum_.size, Inflate::history));
  const auto last = text.last(std::min(text.size(), kept));
  before_.insert(before_.end(), last.begin(), last.end());
  before_.erase(before_.begin(), before_.end() - static_cast<std::ptrdiff_t>(kept));
  return true;
}

void ParallelGzip::go_alone(std::int64_t stop_bit) {
  if (!alone_) reader_.resume(bit_, before_, sum_);
  reader_.stop_at(stop_bit);
  alone_ = true;
}

void ParallelGzip::give_up() {
  go_alone(GzipPart::file_end);
  gave_up_ = true;
}

ParallelGzip::State ParallelGzip::read_alone(std::vector<char>& text, std::size_t count) {
  const State state = reader_.read(text, count);
  if (state != State::stopped) return state;
  alone_ = false;
  bit_ = reader_.bit();
  before_.assign(reader_.before().begin(), reader_.before().end());
  sum_ = reader_.sum();
  return State::more;
}

ParallelGzip::State ParallelGzip::read(std::vector<char>& text, std::size_t count) {
  text.clear();
  while (text.empty()) {
    if (ended_) return State::ended;
    if (alone_) {
      const State state = read_alone(text, count);
      if (state != State::more) return state;
      continue;
    }
    // Files whose parts do not fit together are read twice, for a while.
    constexpr int most_useless = 3;
    GzipPart* const part = useless_ > most_useless + useful_ ? nullptr : next_part();
    if (part == nullptr) {
      give_up();
    } else if (part->complete && part->first_bit > bit_) {
      go_alone(part->first_bit);
    } else {
      const bool useful = part->complete && part->first_bit == bit_ && fits(*part);
      if (useful) {
        text.swap(part->text);
        ended_ = bit_ == GzipPart::file_end;
      }
      ++(useful ? useful_ : useless_);
      release_part();
    }
  }
  return State::more;
}

std::int64_t ParallelGzip::position() const {
  if (alone_) return reader_.position();
  return ended_ ? sizes_.file : bit_ / 8;
}

}  // namespace repsc
