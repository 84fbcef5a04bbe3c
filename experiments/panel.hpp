// A panel of a figure: curves with their labels, the paper's figure number, and a caption.
#pragma once

#include <string>
#include <vector>

#include "experiments/summary.hpp"

namespace repsc::experiments {

/// Style of a curve: a method has the same colour and mark in every figure.
enum class CurveStyle {
  sc,
  fairsc,
  repsc,
  exact,
  types,
  literal,
  soft,
  refined,
  automatic,
  lots,
  other_family,
  reference
};

/// How a curve is drawn: a cloud has unordered points, a level is a horizontal line without points,
/// a band is a line with its spread.
enum class Drawn { both, points, line, band };

struct Curve {
  std::string name = {};  ///< in the legend
  CurveStyle style = CurveStyle::repsc;
  std::vector<Point> points = {};
  Drawn drawn = Drawn::both;
};

struct Panel {
  std::string file = {};  ///< without the ending
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  bool log_x = false;
  bool log_y = false;
  bool from_zero = true;  ///< the vertical axis starts at 0; a logarithmic one cannot
  std::vector<Curve> curves = {};
  std::string paper = {};    ///< "Figure 1(a)"
  std::string caption = {};  ///< one computed sentence
  std::string script = {};   ///< gnuplot commands that draw something other than curves
};

/// A number of a claim: a mean over n repeats.
struct ClaimNumber {
  std::string where = {};     ///< "K = 4, r = 200"
  std::string quantity = {};  ///< "RepSC balance / ratio cut"
  double value = unknown;
  double sd = 0;  ///< 0 if it is no mean over repeats
  int n = 0;      ///< 0: computed from others
};

/// Who says it.
enum class Source {
  paper,
  ours,         ///< not in the paper
  construction  ///< true by the construction of the example, or proved
};
[[nodiscard]] std::string name(Source source);

/// A statement about an experiment, compared with the results. How numbers with uncertainty are
/// compared: see at_least() and higher().
struct Claim {
  std::string id = {};
  std::string experiment = {};
  std::string family = {};     ///< "unnormalized", "normalized", "both"
  std::string statement = {};  ///< the claim and how it is tested
  bool holds = false;
  std::string numbers = {};
  std::string tried = {};  ///< what else was examined if the claim does not hold
  Source source = Source::ours;
  std::string figure = {};   ///< of the paper, "" if none
  std::string quote = {};    ///< what the paper says, and where
  std::string reading = {};  ///< "": the default
  std::vector<ClaimNumber> data = {};
};

[[nodiscard]] std::string family_name(bool normalized);
/// "urepsc" or "nrepsc" for "repsc"; "usc" for "sc".
[[nodiscard]] std::string method_name(bool normalized, const std::string& base);
/// "URepSC (approx.)", "NFairSC", ...: what the paper's legends say.
[[nodiscard]] std::string legend_name(const std::string& method);
[[nodiscard]] CurveStyle style_of_method(const std::string& method);

/// The curve of a method of one family.
[[nodiscard]] Curve method_curve(const Summary& summary, Quantity quantity, bool normalized,
                                 const std::string& base, const Summary::Choice& choice,
                                 const Summary::Abscissa& x);

/// Three significant digits, for sentences.
[[nodiscard]] std::string shown(double value);
/// The point of largest y; points must not be empty.
[[nodiscard]] const Point& highest(const std::vector<Point>& points);
[[nodiscard]] const Point& lowest(const std::vector<Point>& points);
/// Spearman's rank correlation of y with x, ties averaged; NaN for fewer than three points.
[[nodiscard]] double rank_correlation(const std::vector<Point>& points);
/// Slope of the least-squares line of log y against log x.
[[nodiscard]] double log_slope(const std::vector<Point>& points);

/// The rule for all claims that compare means a and b: the difference a - b is compared with its
/// standard error, sqrt(sd_a^2 / n_a + sd_b^2 / n_b). A constant has n = 0 and no error.
/// "a is at least b": a - b is not below -2 standard errors.
[[nodiscard]] bool at_least(const Point& a, const Point& b);
/// "a is higher than b": a - b is above 2 standard errors. Equal numbers are not higher.
[[nodiscard]] bool higher(const Point& a, const Point& b);
[[nodiscard]] Point constant(double value);
/// The standard error of a - b.
[[nodiscard]] double standard_error(const Point& a, const Point& b);

}  // namespace repsc::experiments
