// Signals: an interrupted run leaves no half-written file; a reader that stops reading is no error.
#pragma once

namespace repsc::cli {

void handle_signals();

/// Whether a write met a pipe that nobody reads any more (`repsc ... | head`).
[[nodiscard]] bool reader_has_left();

}  // namespace repsc::cli
