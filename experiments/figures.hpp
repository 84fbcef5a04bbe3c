// Figures by gnuplot, a program of the system that is called, not linked.
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
    "gnuplot is not installed, so no figures were drawn; get it with `apt install gnuplot-nox` and "
    "call the same command again: nothing is computed twice";

/// Writes <folder>/<file>.gp for every panel and, where gnuplot is there, the figures beside them.
/// Returns what gnuplot complained about, "" where all went well.
std::string draw(const std::vector<Panel>& panels, const std::string& folder);

}  // namespace repsc::experiments
