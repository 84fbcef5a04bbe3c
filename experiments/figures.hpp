// Figures by gnuplot, which is called as a program, not linked.
#pragma once

#include <string>
#include <vector>

#include "experiments/panel.hpp"

namespace repsc::experiments {

/// The gnuplot script that draws `panel` as <file>.svg and <file>.pdf in the current folder.
[[nodiscard]] std::string figure_script(const Panel& panel);

/// Whether gnuplot can be called here.
[[nodiscard]] bool can_draw();
inline constexpr const char* how_to_draw =
    "gnuplot is not installed, so no figures were drawn; install it with `apt install gnuplot-nox` "
    "and run the same command again (results are not computed again)";

/// Writes <folder>/<file>.gp for every panel and, if gnuplot is installed, the figures beside them.
/// Returns the error messages of gnuplot, "" if there were none.
std::string draw(const std::vector<Panel>& panels, const std::string& folder);

}  // namespace repsc::experiments
