// What the experiments with d-regular representation graphs share.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/panel.hpp"

namespace repsc::experiments {

struct Model {
  Index nodes;
  int clusters;
  Index degree;
};

/// The setting of a repeat, without a method.
[[nodiscard]] Setting regular_setting(const std::string& id, const Model& model, int run,
                                      std::uint64_t seed);
/// Samples R, of types if the methods end in "-types", and a similarity graph.
[[nodiscard]] Instance regular_instance(std::vector<Setting> settings);

/// What the panels show.
struct Kind {
  Quantity quantity;
  const char* file;
  const char* label;
};
inline constexpr std::array regular_kinds{
    Kind{Quantity::accuracy, "accuracy", "accuracy"},
    Kind{Quantity::average_balance, "balance", "average balance"},
    Kind{Quantity::ratio_cut, "ratio-cut", "ratio cut"}};

/// What an experiment of Figures 1 and 5 varies.
enum class Axis { nodes, clusters, degree };
[[nodiscard]] const char* axis_label(Axis axis);
[[nodiscard]] char axis_letter(Axis axis);
[[nodiscard]] Summary::Abscissa abscissa(Axis axis);

/// The claims of such an experiment; `fixed` says what does not vary.
[[nodiscard]] std::vector<Claim> compared_claims(const Summary& summary, Axis axis,
                                                 const std::string& id, const std::string& fixed);

/// Where each curve begins and ends.
[[nodiscard]] std::string caption_along(const Panel& panel);

}  // namespace repsc::experiments
