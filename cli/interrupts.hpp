// Signals: an interrupted run leaves no half-written file; a reader that stops reading is no error.
#pragma once

#include <atomic>

namespace repsc::cli {

void handle_signals();

/// From now on the first Ctrl-C (or SIGTERM) sets interrupted() instead of ending the tool, so that
/// finished work can be written. The second one ends it at once.
void finish_on_interrupt();
[[nodiscard]] const std::atomic<bool>& interrupted();

/// Whether a write failed because the reader closed the pipe (`repsc ... | head`).
[[nodiscard]] bool reader_has_left();

}  // namespace repsc::cli
