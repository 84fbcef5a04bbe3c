// Figures by gnuplot: one script per panel, stored beside the figure.
#include "experiments/figures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::experiments {
namespace {

// Okabe and Ito's colours, which colour-blind readers can distinguish; the marks differ as well.
struct Style {
  const char* color;
  int point;
  const char* dash;
  double size = 0.8;  ///< of the marks; larger ones are open, and seen around those drawn over them
};

Style style_of(CurveStyle style) {
  switch (style) {
    case CurveStyle::sc:
      return {"#009E73", 8, "2", 1.3};
    case CurveStyle::fairsc:
      return {"#D55E00", 4, "4", 1.2};
    case CurveStyle::repsc:
      return {"#0072B2", 7, "1"};
    case CurveStyle::exact:
      return {"#CC79A7", 12, "5"};
    case CurveStyle::types:
      return {"#56B4E9", 11, "1"};
    case CurveStyle::literal:
      return {"#E69F00", 10, "3"};
    case CurveStyle::soft:
      return {"#E69F00", 5, "1"};
    case CurveStyle::refined:
      return {"#000000", 9, "1"};
    case CurveStyle::automatic:
      return {"#CC79A7", 13, "1"};
    case CurveStyle::lots:
      return {"#888888", 6, "2"};
    case CurveStyle::other_family:
      return {"#56B4E9", 13, "4"};
    case CurveStyle::reference:
      return {"#000000", 0, "3"};
  }
  return {"#000000", 0, "1"};
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// "network, N, K, family: measure" in two lines.
std::string two_lines(const std::string& title) {
  const std::size_t colon = title.find(": ");
  if (colon == std::string::npos) return quoted(title);
  return fmt::format("{} . \"\\n\" . {}", quoted(title.substr(0, colon)),
                     quoted(title.substr(colon + 2)));
}

// 1, 2 and 5 times the powers of ten: by default gnuplot labels only the powers on a logarithmic
// axis.
std::string ticks_of(const Panel& panel) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  std::string ticks;
  for (double power = 1; power < 1e7; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * power;
      if (tick < low / 1.5 || tick > high * 1.5) continue;
      ticks += fmt::format("{}{}", ticks.empty() ? "" : ", ", tick);
    }
  }
  return ticks.empty() ? "" : fmt::format("set xtics ({})\n", ticks);
}

// The vertical range, with every bar and band in it.
std::string vertical_range(const Panel& panel) {
  if (panel.log_y) return "";
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      low = std::min(low, point.y - point.sd);
      high = std::max(high, point.y + point.sd);
    }
  }
  if (panel.from_zero) low = std::min(low, 0.0);
  const double margin = 0.05 * (high > low ? high - low : 1);
  return fmt::format("set yrange [{:.8g}:{:.8g}]\n", panel.from_zero && low == 0 ? 0 : low - margin,
                     high + margin);
}

std::string axes(const Panel& panel) {
  std::string text;
  text += fmt::format("set title {} font ',14'\nset xlabel {} offset 0,0.9\nset ylabel {}\n",
                      two_lines(panel.title), quoted(panel.x_label), quoted(panel.y_label));
  text +=
      "set key bmargin center horizontal maxcols 2 reverse Left samplen 2.5 spacing 1.1 width -1 "
      "font ',13'\n";
  text += "set border 3 lw 1\nset tics nomirror out\nset grid lc rgb '#DDDDDD' lw 0.5 lt 1\n";
  text += "set format '%g'\nset offsets graph 0.03, graph 0.03, 0, 0\nset xrange [*:*] noextend\n";
  if (panel.log_x) text += "set logscale x\n" + ticks_of(panel);
  if (panel.log_y) text += "set logscale y\n";
  return text + vertical_range(panel);
}

// Where curves share their values of x, marks of one would hide those of another: each curve is
// moved by a small part of the axis. An expression of gnuplot for x.
std::string moved_x(const Panel& panel, std::size_t number) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  int marked = 0, position = 0;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    for (const Point& point : curve.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
    if (curve.drawn != Drawn::both || curve.style == CurveStyle::reference) continue;
    if (i < number) ++position;
    ++marked;
  }
  const double share = 0.006 * (position - 0.5 * (marked - 1));
  if (share == 0 || !(high > low)) return "1";
  return panel.log_x ? fmt::format("($1*{:.6g})", std::pow(high / low, share))
                     : fmt::format("($1+{:.6g})", share * (high - low));
}

std::string data_blocks(const Panel& panel) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    text += fmt::format("$curve{} << EOD\n", i);
    for (const Point& point : panel.curves[i].points) {
      // On a logarithmic axis the bar must not reach zero.
      const double low = panel.log_y && point.sd >= point.y ? point.y * 0.05 : point.y - point.sd;
      text +=
          fmt::format("{:.8g} {:.8g} {:.8g} {:.8g}\n", point.x, point.y, low, point.y + point.sd);
    }
    text += "EOD\n";
  }
  return text;
}

std::string plot_command(const Panel& panel) {
  std::string text = "plot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    const Style style = style_of(curve.style);
    if (i > 0) text += ", \\\n     ";
    const std::string title =
        curve.name.empty() ? std::string("notitle") : "title " + quoted(curve.name);
    if (curve.style == CurveStyle::reference || curve.drawn == Drawn::line) {
      text += fmt::format("$curve{} using 1:2 with lines lc rgb '{}' dt {} lw 1.5 {}", i,
                          style.color, style.dash, title);
      continue;
    }
    if (curve.drawn == Drawn::band) {
      text += fmt::format(
          "$curve{0} using 1:3:4 with filledcurves lc rgb '{1}' fs transparent solid 0.25 "
          "notitle, \\\n     $curve{0} using 1:2 with lines lc rgb '{1}' dt {2} lw 1.5 {3}",
          i, style.color, style.dash, title);
      continue;
    }
    if (curve.drawn == Drawn::points) {
      text += fmt::format("$curve{} using 1:2 with points lc rgb '{}' pt {} ps 0.7 {}", i,
                          style.color, style.point, title);
      continue;
    }
    text += fmt::format(
        "$curve{0} using {5}:2:3:4 with yerrorbars lc rgb '{1}' pt {2} ps {6} lw 1 notitle, \\\n   "
        "  "
        "$curve{0} using {5}:2 with linespoints lc rgb '{1}' pt {2} ps {6} dt {3} lw 2 title {4}",
        i, style.color, style.point, style.dash, quoted(curve.name), moved_x(panel, i), style.size);
  }
  return text + '\n';
}

bool has_points(const Panel& panel) {
  for (const Curve& curve : panel.curves) {
    if (!curve.points.empty()) return true;
  }
  return false;
}

// Runs gnuplot in `folder` with its messages in a file; the exit status, -1 if it cannot start.
int run_gnuplot(const std::vector<std::string>& arguments, const std::string& folder,
                const std::string& messages) {
  std::vector<std::string> words{"gnuplot"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string figure_script(const Panel& panel) {
  std::string text = fmt::format("# {}: {}. Draw again with `gnuplot {}.gp`.\nreset session\n",
                                 panel.paper, panel.title, panel.file);
  std::string body = panel.script;
  if (body.empty()) {
    text += data_blocks(panel) + axes(panel);
    body = plot_command(panel);
  }
  text += fmt::format(
      "set terminal svg size 520,400 dynamic noenhanced font 'Arial,14' "
      "background '#FFFFFF'\nset output '{}.svg'\n{}",
      panel.file, body);
  text += fmt::format(
      "set terminal pdfcairo size 5.2in,4in noenhanced font 'Arial,14'\n"
      "set output '{}.pdf'\n{}set output\n",
      panel.file, body);
  return text;
}

bool can_draw() {
  static const bool found = run_gnuplot({"--version"}, "", "/dev/null") == 0;
  return found;
}

std::string draw(const std::vector<Panel>& panels, const std::string& folder) {
  std::vector<std::string> scripts;
  for (const Panel& panel : panels) {
    if (panel.script.empty() && !has_points(panel)) continue;
    write_text_file(folder + '/' + panel.file + ".gp", figure_script(panel));
    scripts.push_back(panel.file + ".gp");
  }
  if (!can_draw()) return how_to_draw;
  const std::string messages = std::filesystem::absolute(folder) / "gnuplot.log";
  std::string complaints;
  // One process draws all figures. It stops at the first script that fails; then each script runs
  // in its own process.
  if (!scripts.empty() && run_gnuplot(scripts, folder, messages) != 0) {
    for (const std::string& script : scripts) {
      if (run_gnuplot({script}, folder, messages) == 0) continue;
      std::ifstream log(messages);
      complaints += fmt::format(
          "gnuplot {}: {}\n", script,
          std::string(std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>()));
    }
  }
  std::error_code ignored;
  std::filesystem::remove(messages, ignored);
  return complaints;
}

}  // namespace repsc::experiments
