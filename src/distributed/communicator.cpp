// The ranks of the job, by MPI.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>

#include "distributed/shared_memory.hpp"
#include "repsc/distributed.hpp"

namespace repsc {
namespace {

/// MPI counts in int; longer messages go in pieces.
constexpr std::size_t largest_piece = std::size_t{1} << 30U;

char* at(void* data, std::int64_t byte) { return static_cast<char*>(data) + byte; }

std::size_t as_size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

struct Communicator::Handles {
  using Flag = std::atomic<unsigned char>;
  static_assert(Flag::is_always_lock_free && sizeof(Flag) == 1);

  MPI_Comm work = MPI_COMM_NULL;
  MPI_Comm failures = MPI_COMM_NULL;  ///< apart from the others, which may be in use when one fails
  SharedMemory memory;
  Flag* ending = nullptr;  ///< in that memory
};

Communicator::Communicator(int& argc, char**& argv) : handles_(std::make_unique<Handles>()) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &handles_->work);
  MPI_Comm_dup(MPI_COMM_WORLD, &handles_->failures);
  MPI_Comm_rank(handles_->work, &rank_);
  MPI_Comm_size(handles_->work, &size_);
  handles_->memory = SharedMemory::among(*this, sizeof(Handles::Flag));
  if (handles_->memory) handles_->ending = new (handles_->memory.data()) Handles::Flag;
  barrier();  // all have made the same flag
  traffic_ = {};
}

Communicator::~Communicator() {
  MPI_Comm_free(&handles_->work);
  MPI_Comm_free(&handles_->failures);
  MPI_Finalize();
}

std::string Communicator::host() const {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

bool Communicator::is_ending() const noexcept {
  return handles_->ending != nullptr && handles_->ending->load() != 0;
}

void Communicator::end_all(int code) const {
  if (handles_->ending != nullptr) handles_->ending->store(1);
  MPI_Abort(handles_->work, code);
  ::_exit(code);
}

bool Communicator::all_arrive(double seconds) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(handles_->failures, &request);
  const Stopwatch watch;
  int done = 0;
  while (done == 0 && watch.seconds() < seconds) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done != 0;
}

void Communicator::barrier() const { MPI_Barrier(handles_->work); }

void Communicator::count_reduction(std::size_t bytes) const {
  ++traffic_.reductions;
  traffic_.reduced_bytes += static_cast<std::int64_t>(bytes);
}

void Communicator::sum(std::span<std::int64_t> numbers) const {
  count_reduction(numbers.size_bytes());
  for (std::size_t begin = 0; begin < numbers.size(); begin += largest_piece / 8) {
    const std::size_t count = std::min(largest_piece / 8, numbers.size() - begin);
    MPI_Allreduce(MPI_IN_PLACE, numbers.data() + begin, static_cast<int>(count), MPI_INT64_T,
                  MPI_SUM, handles_->work);
  }
}

void Communicator::max(std::span<double> numbers) const {
  count_reduction(numbers.size_bytes());
  for (std::size_t begin = 0; begin < numbers.size(); begin += largest_piece / 8) {
    const std::size_t count = std::min(largest_piece / 8, numbers.size() - begin);
    MPI_Allreduce(MPI_IN_PLACE, numbers.data() + begin, static_cast<int>(count), MPI_DOUBLE,
                  MPI_MAX, handles_->work);
  }
}

void Communicator::broadcast_from(int rank, void* data, std::size_t bytes) const {
  for (std::size_t begin = 0; begin < bytes; begin += largest_piece) {
    MPI_Bcast(static_cast<char*>(data) + begin,
              static_cast<int>(std::min(largest_piece, bytes - begin)), MPI_BYTE, rank,
              handles_->work);
  }
}

void Communicator::broadcast(void* data, std::size_t bytes) const {
  broadcast_from(0, data, bytes);
}

// MPI itself waits actively, which takes the cores from rank 0 where ranks are many.
void Communicator::broadcast_patiently(char* byte) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(byte, 1, MPI_BYTE, 0, handles_->work, &request);
  constexpr double longest = 1e-3;
  const Stopwatch watch;
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    // At most a tenth of the time is lost to sleep.
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::min(longest, watch.seconds() / 10)));
  }
}

std::vector<std::int64_t> Communicator::sizes_of(std::size_t own_bytes) const {
  const auto own = static_cast<std::int64_t>(own_bytes);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size_));
  MPI_Allgather(&own, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, handles_->work);
  return sizes;
}

void Communicator::gather_bytes(const void* own, const std::vector<std::int64_t>& bytes,
                                void* all) const {
  std::vector<std::int64_t> begins(bytes.size());
  std::exclusive_scan(bytes.begin(), bytes.end(), begins.begin(), std::int64_t{0});
  const std::int64_t sum = begins.back() + bytes.back();
  count_reduction(static_cast<std::size_t>(sum));
  const auto own_rank = static_cast<std::size_t>(rank_);
  if (static_cast<std::size_t>(sum) > largest_piece) {
    if (bytes[own_rank] > 0) std::memcpy(at(all, begins[own_rank]), own, as_size(bytes[own_rank]));
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
      broadcast_from(static_cast<int>(rank), at(all, begins[rank]), as_size(bytes[rank]));
    }
    return;
  }
  const std::vector<int> counts(bytes.begin(), bytes.end());
  const std::vector<int> places(begins.begin(), begins.end());
  MPI_Allgatherv(own, counts[own_rank], MPI_BYTE, all, counts.data(), places.data(), MPI_BYTE,
                 handles_->work);
}

void Communicator::transfer(std::span<const Parcel> outgoing,
                            std::span<const Parcel> incoming) const {
  std::vector<MPI_Request> requests;
  const auto each_piece = [](const Parcel& parcel, const auto& use) {
    for (std::size_t begin = 0; begin < parcel.bytes; begin += largest_piece) {
      use(static_cast<char*>(parcel.data) + begin,
          static_cast<int>(std::min(largest_piece, parcel.bytes - begin)));
    }
  };
  for (const Parcel& parcel : incoming) {
    each_piece(parcel, [&](char* data, int bytes) {
      MPI_Irecv(data, bytes, MPI_BYTE, parcel.peer, 0, handles_->work, &requests.emplace_back());
    });
  }
  for (const Parcel& parcel : outgoing) {
    each_piece(parcel, [&](const char* data, int bytes) {
      MPI_Isend(data, bytes, MPI_BYTE, parcel.peer, 0, handles_->work, &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void Communicator::exchange(std::span<const Parcel> outgoing,
                            std::span<const Parcel> incoming) const {
  for (const Parcel& parcel : outgoing) {
    if (parcel.bytes == 0) continue;
    ++traffic_.messages;
    traffic_.bytes += static_cast<std::int64_t>(parcel.bytes);
  }
  transfer(outgoing, incoming);
}

}  // namespace repsc
