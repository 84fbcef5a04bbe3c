// An object of POSIX shared memory that has a name only until all ranks have opened it, and no size
// before that: a process that is killed leaves at most a few bytes behind.
#include "distributed/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <random>

namespace repsc {
namespace {

/// What rank 0 tells the others. They may run elsewhere and find another object of that name, so
/// that a random number within it has to be the same, too.
struct Ticket {
  std::array<char, 64> name = {};
  std::uint64_t token = 0;
};

Ticket new_ticket() {
  std::random_device random;
  Ticket ticket;
  ticket.token = std::uint64_t{random()} << 32U | random();
  fmt::format_to_n(ticket.name.data(), ticket.name.size() - 1, "/repsc-{}-{:016x}", ::getpid(),
                   std::uint64_t{random()} << 32U | random());
  return ticket;
}

/// Closes itself.
class OpenObject {
 public:
  explicit OpenObject(int number = -1) : number_(number) {}
  ~OpenObject() {
    if (number_ >= 0) ::close(number_);
  }
  OpenObject(OpenObject&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenObject& operator=(OpenObject&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }

 private:
  int number_;
};

OpenObject created(const Ticket& ticket) {
  OpenObject object(
      ::shm_open(ticket.name.data(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!object.valid()) return object;
  const auto written = ::write(object.number(), &ticket.token, sizeof(ticket.token));
  if (written == sizeof(ticket.token)) return object;
  ::shm_unlink(ticket.name.data());
  return OpenObject();
}

OpenObject opened(const Ticket& ticket) {
  OpenObject object(::shm_open(ticket.name.data(), O_RDWR | O_CLOEXEC, 0));
  if (!object.valid()) return object;
  std::uint64_t token = 0;
  const auto read = ::read(object.number(), &token, sizeof(token));
  return read == sizeof(token) && token == ticket.token ? std::move(object) : OpenObject();
}

bool all_succeed(const Communicator& ranks, bool here) {
  double failed[1] = {here ? 0.0 : 1.0};
  ranks.max(failed);
  return failed[0] == 0;
}

/// Pages for this rank's part. Without them, memory that does not exist would be noticed only when
/// it is written, which ends the process. Each rank takes its part, so that pages are near it.
bool reserved(const OpenObject& object, const Communicator& ranks, std::size_t bytes) {
  const auto part = bytes / static_cast<std::size_t>(ranks.size()) + 1;
  const auto begin = std::min(bytes, part * static_cast<std::size_t>(ranks.rank()));
  const auto count = std::min(part, bytes - begin);
  if (count == 0) return true;
  return ::posix_fallocate(object.number(), static_cast<off_t>(begin), static_cast<off_t>(count)) ==
         0;
}

}  // namespace

SharedMemory SharedMemory::among(const Communicator& ranks, std::size_t bytes) {
  Ticket ticket;
  OpenObject object;
  if (ranks.is_root()) {
    ticket = new_ticket();
    object = created(ticket);
  }
  ranks.broadcast(&ticket, sizeof(ticket));
  if (!ranks.is_root()) object = opened(ticket);
  const bool same = all_succeed(ranks, object.valid());
  if (ranks.is_root() && object.valid()) ::shm_unlink(ticket.name.data());
  if (!same) return {};
  if (!all_succeed(ranks, reserved(object, ranks, bytes))) return {};
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, object.number(), 0);
  SharedMemory result(data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data), bytes);
  return all_succeed(ranks, static_cast<bool>(result)) ? std::move(result) : SharedMemory();
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace repsc
