// Signals: an interrupted run leaves no half-written file; a reader that stops reading is no error.
#pragma once

namespace repsc::cli {

void handle_signals();

/// Whether a write failed because the reader closed the pipe (`repsc ... | head`).
[[nodiscard]] bool reader_has_left();

}  // namespace repsc::cli
