#include "io/parallel_gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <new>
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

}  // namespace

ParallelGzip::ParallelGzip(int file, GzipReader& reader, const Sizes& sizes)
    : file_(file),
      reader_(reader),
      sizes_(sizes),
      begin_(reader.bit()),
      num_parts_(std::max<std::int64_t>((sizes.file - begin_ / 8) / sizes.part, 1)),
      bit_(begin_),
      sum_(reader.sum()),
      next_bit_(begin_),
      next_before_(reader.before().begin(), reader.before().end()) {
  // Threads that have read a part begin another one while it waits for its turn.
  const std::int64_t places = sizes.threads + std::max(sizes.threads / 4, 2);
  places_ = std::vector<Place>(static_cast<std::size_t>(std::min(places, num_parts_)));
  const auto wanted = std::min<std::int64_t>(sizes.threads, num_parts_);
  threads_.reserve(static_cast<std::size_t>(wanted));  // nothing may fail once one of them runs
  for (std::int64_t k = 0; k < wanted; ++k) {
    std::thread thread =
        start_quietly([](void* self) { static_cast<ParallelGzip*>(self)->run(); }, this);
    if (!thread.joinable()) break;
    threads_.push_back(std::move(thread));
  }
  if (threads_.empty()) give_up(next_bit_, next_before_);
}

ParallelGzip::~ParallelGzip() {
  {
    const std::lock_guard lock(state_);
    stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

ParallelGzip::Place& ParallelGzip::place_of(std::int64_t number) {
  return places_[static_cast<std::size_t>(number) % places_.size()];
}

bool ParallelGzip::can_begin() const {
  return begun_ < num_parts_ && begun_ - released_ < static_cast<std::int64_t>(places_.size());
}

// Failures are found again by the reader, which reports them.
void ParallelGzip::run() {
  std::optional<GzipPartReader> reader;
  std::unique_lock lock(state_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || completing_ < placed_ || can_begin(); });
    if (stopped_) return;
    if (completing_ < placed_) {
      Place& place = place_of(completing_++);
      lock.unlock();
      place.right = place.part.complete_text(place.before);
      lock.lock();
      place.stage = Stage::completed;
    } else {
      const std::int64_t number = begun_++;
      Place& place = place_of(number);
      lock.unlock();
      try {
        if (!reader) reader.emplace(file_);
        read_part(*reader, number);
      } catch (const std::exception&) {
        place.part.complete = false;
      }
      lock.lock();
      place.stage = Stage::read;
      place_parts();
    }
    changed_.notify_all();
  }
}

void ParallelGzip::read_part(GzipPartReader& reader, std::int64_t number) {
  GzipPart& part = place_of(number).part;
  part.text.reserve(sizes_.text);  // takes no memory before it is written
  const std::int64_t first = begin_ + 8 * sizes_.part * number;
  const std::int64_t stop = number + 1 == num_parts_ ? GzipPart::file_end : first + 8 * sizes_.part;
  reader.read(first, number == 0,
              {.stop_bit = stop, .most_text = sizes_.most_text, .cancelled = stopped_}, part);
}

void ParallelGzip::place_parts() {
  while (!stuck_ && placed_ < begun_) {
    Place& place = place_of(placed_);
    if (place.stage != Stage::read) return;
    try {
      place.before = next_before_;
      stuck_ = !place.part.complete || place.part.first_bit != next_bit_ ||
               !place.part.follow(next_before_);
    } catch (const std::bad_alloc&) {
      stuck_ = true;
      place.part.complete = false;
    }
    if (stuck_) return;
    next_bit_ = place.part.last_bit;
    place.stage = Stage::placed;
    ++placed_;
  }
}

void ParallelGzip::release_part() {
  place_of(released_).stage = Stage::nothing;
  ++released_;
  placed_ = std::max(placed_, released_);
  completing_ = std::max(completing_, released_);
}

// False if the end of a member says something else.
bool ParallelGzip::adds_up(const GzipPart& part) {
  GzipSum sum = both(both(sum_, part.front_sum), part.sum);
  if (part.end) {
    if (part.end->checksum != sum.checksum) return false;
    if (part.end->size != static_cast<std::uint32_t>(sum.size)) return false;
    sum = part.last_sum;
  }
  sum_ = sum;
  return true;
}

void ParallelGzip::go_alone(std::int64_t bit, std::span<const unsigned char> before,
                            std::int64_t stop_bit) {
  reader_.resume(bit, before, sum_);
  reader_.stop_at(stop_bit);
  alone_ = true;
}

void ParallelGzip::give_up(std::int64_t bit, std::span<const unsigned char> before) {
  go_alone(bit, before, GzipPart::file_end);
  gave_up_ = true;
}

ParallelGzip::State ParallelGzip::read_alone(std::vector<char>& text, std::size_t count) {
  const State state = reader_.read(text, count);
  bit_ = 8 * reader_.position();
  if (state != State::stopped) return state;
  alone_ = false;
  sum_ = reader_.sum();
  const std::lock_guard lock(state_);
  next_bit_ = bit_ = reader_.bit();
  next_before_.assign(reader_.before().begin(), reader_.before().end());
  stuck_ = false;
  place_parts();
  changed_.notify_all();
  return State::more;
}

// The text of the next part, or of none.
void ParallelGzip::take_part(std::vector<char>& text) {
  std::unique_lock lock(state_);
  if (released_ == num_parts_) return give_up(next_bit_, next_before_);
  Place& place = place_of(released_);
  changed_.wait(
      lock, [&] { return place.stage == Stage::completed || (stuck_ && placed_ == released_); });
  GzipPart& part = place.part;
  if (place.stage == Stage::completed) {
    // The reader finds out what is wrong.
    if (!place.right || !adds_up(part)) return give_up(part.first_bit, place.before);
    text.swap(part.text);
    bit_ = part.last_bit;
    ended_ = bit_ == GzipPart::file_end;
    ++useful_;
  } else if (part.complete && part.first_bit > next_bit_) {
    return go_alone(next_bit_, next_before_, part.first_bit);
  } else {
    // Files whose parts do not fit together are read twice, for a while.
    constexpr int most_useless = 3;
    if (++useless_ > most_useless + useful_) return give_up(next_bit_, next_before_);
    stuck_ = false;
  }
  release_part();
  place_parts();
  changed_.notify_all();
}

ParallelGzip::State ParallelGzip::read(std::vector<char>& text, std::size_t count) {
  text.clear();
  while (text.empty()) {
    if (ended_) return State::ended;
    if (!alone_) {
      take_part(text);
      continue;
    }
    const State state = read_alone(text, count);
    if (state != State::more) return state;
  }
  return State::more;
}

std::int64_t ParallelGzip::position() const { return ended_ ? sizes_.file : bit_ / 8; }

}  // namespace repsc
