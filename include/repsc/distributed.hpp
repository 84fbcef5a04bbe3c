// Clustering by several processes that exchange messages (MPI): each of them, a rank, holds a range
// of the rows of every graph and vector. No type of MPI appears here.
//
//   repsc::Communicator ranks(argc, argv);
//   const auto found = repsc::cluster_distributed(ranks, input, 5);   // the input of rank 0 counts
//   repsc::write_labels(ranks, found, "labels.csv");                  // every rank writes its part
//
// The same seed gives the same bytes on any number of ranks (docs/distributed.md, "Same bytes").
// This header belongs to the library repsc_mpi, which is built where MPI is installed; the library
// repsc does not link MPI.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "repsc/report.hpp"

namespace repsc {

/// What this rank has sent so far, start and end of the job not counted.
struct Traffic {
  std::int64_t exchanges = 0;      ///< of rows that other ranks need: one per product with a graph
  std::int64_t messages = 0;       ///< of these exchanges
  std::int64_t bytes = 0;          ///< of these messages
  std::int64_t reductions = 0;     ///< sums and maxima over all ranks
  std::int64_t reduced_bytes = 0;  ///< length of the numbers that were combined
};

/// All ranks of the job. The functions below the line are called by every rank, in the same order.
class Communicator {
 public:
  /// Starts MPI; may remove arguments that are meant for it.
  Communicator(int& argc, char**& argv);
  /// Ends MPI.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] std::string host() const;
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

  /// Ends all ranks at once, with this exit code of the job.
  [[noreturn]] void end_all(int code) const;
  /// Whether a rank on this machine has called end_all(): nothing more has to be said. For handlers
  /// of signals; false if the ranks run on several machines.
  [[nodiscard]] bool is_ending() const noexcept;
  /// After an error: true if every rank arrives here within `seconds`, so that all have failed
  /// alike.
  [[nodiscard]] bool all_arrive(double seconds) const;

  // ---------------------------------------------------------------------------------------------

  void barrier() const;
  /// Each number becomes the sum or the largest of those of all ranks. Whole numbers have no
  /// rounding, so that the order of the ranks does not matter.
  void sum(std::span<std::int64_t> numbers) const;
  void max(std::span<double> numbers) const;
  void broadcast(void* data, std::size_t bytes) const;  ///< from rank 0
  /// One byte from rank 0, which may take long until it calls this: the others sleep meanwhile.
  void broadcast_patiently(char* byte) const;

  /// The numbers of all ranks, those of rank 0 first.
  template <typename T>
  [[nodiscard]] std::vector<T> gather(std::span<const T> own) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::int64_t> bytes = sizes_of(own.size_bytes());
    std::int64_t all = 0;
    for (const std::int64_t count : bytes) all += count;
    std::vector<T> result(static_cast<std::size_t>(all) / sizeof(T));
    gather_bytes(own.data(), bytes, result.data());
    return result;
  }
  /// The vector of rank 0, for all.
  template <typename T>
  void broadcast(std::vector<T>& numbers) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::uint64_t count = numbers.size();
    broadcast(&count, sizeof(count));
    numbers.resize(count);
    broadcast(numbers.data(), count * sizeof(T));
  }

  /// A part of a message between two ranks.
  struct Parcel {
    int peer = 0;
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  /// The messages that follow belong to the next exchange.
  void begin_exchange() const { ++traffic_.exchanges; }
  /// Sends and receives; each rank knows what it gets. Counted as messages of an exchange.
  void exchange(std::span<const Parcel> outgoing, std::span<const Parcel> incoming) const;
  /// The same, not counted: for the distribution of the input.
  void transfer(std::span<const Parcel> outgoing, std::span<const Parcel> incoming) const;

 private:
  struct Handles;
  [[nodiscard]] std::vector<std::int64_t> sizes_of(std::size_t own_bytes) const;
  void broadcast_from(int rank, void* data, std::size_t bytes) const;
  void gather_bytes(const void* own, const std::vector<std::int64_t>& bytes, void* all) const;
  void count_reduction(std::size_t bytes) const;

  std::unique_ptr<Handles> handles_;
  int rank_ = 0;
  int size_ = 1;
  mutable Traffic traffic_;
};

/// Rank 0 has failed, and reports it.
class RootFailed : public std::runtime_error {
 public:
  RootFailed() : std::runtime_error("rank 0 has failed") {}
};

/// Runs `work` on rank 0, while the others sleep. What it throws there ends them with RootFailed.
template <typename Work>
void on_root(const Communicator& ranks, const Work& work) {
  std::exception_ptr failure;
  if (ranks.is_root()) {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  char failed = failure ? 1 : 0;
  ranks.broadcast_patiently(&failed);
  if (failure) std::rethrow_exception(failure);
  if (failed != 0) throw RootFailed();
}

/// How repsc-mpi solves for eigenvectors.
enum class DistributedSolver {
  lapack,   ///< dense, on rank 0; up to 4000 nodes
  lanczos,  ///< thick-restart block Lanczos, with the same bytes on any number of ranks
  slepc,    ///< SLEPc, Krylov-Schur unless its options say otherwise; labels agree, bytes may not
};

/// How ranks get the rows of vectors that others hold. Labels and numbers do not depend on it.
enum class Exchange {
  messages,       ///< each rank sends the rows that others need
  shared_memory,  ///< all ranks run on one machine, and read rows where they are
};

/// Throws InvalidOptions that says how to get it if this build has no SLEPc.
void require_slepc();

struct DistributedOptions {
  /// None: nrepsc with a representation graph or groups, else nsc. There is no search among
  /// candidates.
  std::optional<Method> method = {};
  std::optional<Rank> rank = {};                  ///< urepsc, nrepsc with a hard constraint
  std::optional<ConstraintKind> constraint = {};  ///< urepsc, nrepsc
  std::optional<double> strength = {};            ///< of a soft constraint
  std::optional<EmbeddingRows> embedding_rows = {};
  /// None: lapack or lanczos, by the size, as smallest_eigenpairs() chooses.
  std::optional<DistributedSolver> solver = {};
  std::string slepc_options = {};        ///< "-eps_type lobpcg -eps_ncv 40"
  std::optional<double> tolerance = {};  ///< none: as ClusterOptions::tolerance has it
  int max_iterations = 1000;
  int kmeans_restarts = 10;
  /// Moves nodes between clusters, many at once, to lower the objective of RefineOptions. Needs a
  /// representation graph or groups.
  bool refine = false;
  std::optional<double> mu = {};  ///< RefineOptions::mu
  std::uint64_t seed = 0;
  bool baselines = true;  ///< plain clustering and lots, on whose scale the result is placed
  /// Every rank has the whole input, or a view of it such as a mapped file, and takes its rows from
  /// it. Otherwise rank 0 has it, and sends each rank its rows.
  bool input_everywhere = false;
  /// None: shared memory if all ranks see the same and there is room, else messages.
  std::optional<Exchange> exchange = {};
  /// Problems of at most this many entries, of G and of a graph R together, are clustered by rank 0
  /// as cluster() does it, unless a solver or an exchange is named: that takes less time than
  /// messages. 0: rows are always spread.
  Offset alone_up_to = Offset{1} << 22U;
  ProgressFn progress = {};
};

/// The part of the checks that needs no graph; the method that will run. Throws InvalidOptions for
/// what contradicts itself or is not offered by ranks.
[[nodiscard]] Method choose_distributed_method(const InputKinds& given,
                                               const DistributedOptions& options);

/// A clustering of which each rank has the rows that it holds.
struct DistributedClustering {
  /// Its labels are those of the own rows, and it has no embedding. Warnings: of rank 0.
  Clustering clustering;
  Metrics metrics;  ///< of all rows
  Metrics start;    ///< the same before refinement, if there was one
  NodeNames names;  ///< of the own rows
  DistributedFacts facts;
  double evaluate_seconds = 0;
};

/// Called by every rank. Unless options.input_everywhere, the input of rank 0 is distributed and
/// others are not looked at. The input is released as soon as the rows are distributed. Throws what
/// cluster() throws; on every rank, or RootFailed on the others.
[[nodiscard]] DistributedClustering cluster_distributed(const Communicator& ranks,
                                                        ClusterInput input, int num_clusters,
                                                        const DistributedOptions& options = {});

/// Writes the labels of all ranks to one file, completely or not at all; "-" is the standard output
/// of rank 0. Called by every rank. Each writes its own lines if all see the folder of the file.
void write_labels(const Communicator& ranks, const DistributedClustering& found,
                  const std::string& path);

}  // namespace repsc
