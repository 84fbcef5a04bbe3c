// Signals. Handlers call only async-signal-safe functions.
#include "interrupts.hpp"

#include <unistd.h>

#include <csignal>

#include "exit_codes.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::cli {
namespace {

volatile std::sig_atomic_t pipe_closed = 0;
std::atomic<bool> worth_finishing = false;
std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void stop(int) {
  if (worth_finishing && !was_interrupted.exchange(true)) return;
  abandon_files();
  constexpr char line[] = "\nrepsc: interrupted\n";
  // The newline ends the progress line, which exists only on a terminal.
  const std::size_t skipped = ::isatty(STDERR_FILENO) == 1 ? 0 : 1;
  [[maybe_unused]] const auto written =
      ::write(STDERR_FILENO, line + skipped, sizeof(line) - 1 - skipped);
  ::_exit(exit_interrupted);
}

extern "C" void note_closed_pipe(int) { pipe_closed = 1; }

}  // namespace

void handle_signals() {
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::signal(SIGPIPE, note_closed_pipe);
}

void finish_on_interrupt() { worth_finishing = true; }

const std::atomic<bool>& interrupted() { return was_interrupted; }

bool reader_has_left() { return pipe_closed != 0; }

}  // namespace repsc::cli
