// repsc experiment: lists the paper's experiments and runs them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "experiments/page.hpp"
#include "experiments/run.hpp"
#include "options.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

using experiments::Size;

struct Options {
  CommonOptions common;
  experiments::Request request;
  int repeats = 0;  // 0: those of the size
  std::vector<std::string> ids;
  bool all = false;
  bool with_extensions = false;
  std::string out = "experiments-out";
};

std::string data_folder(const std::string& given) {
  if (!given.empty()) return given;
  const char* folder = std::getenv("REPSC_DATA");
  return folder == nullptr ? "" : folder;
}

std::string duration(double seconds) {
  if (std::isnan(seconds)) return "?";
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(seconds, 1.0));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

int list_experiments(const Options& options) {
  const double factor = experiments::machine_factor();
  const int threads = num_threads();
  TextTable table({"id", "quick", "paper", "the paper's figure", "varies"});
  for (const experiments::Experiment& experiment : experiments::catalogue()) {
    std::vector<std::string> row{experiment.id};
    for (const Size size : {Size::quick, Size::paper}) {
      try {
        const experiments::Request request{.size = size,
                                           .repeats = experiments::default_repeats(size),
                                           .data = data_folder(options.request.data)};
        row.push_back("about " +
                      duration(experiments::estimated_seconds(experiment, request, factor) /
                               (experiment.alone ? 1 : threads)));
      } catch (const experiments::DataMissing&) {
        row.emplace_back("needs data");
      }
    }
    row.push_back(experiment.paper);
    row.push_back(experiment.varies);
    table.add(std::move(row));
  }
  write_text_file("-", table.text());
  return exit_fine;
}

/// Progress of a run: a bar on a terminal, else a line every few seconds.
class Bar {
 public:
  explicit Bar(bool quiet) : quiet_(quiet), terminal_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

  void show(const experiments::RunProgress& progress) {
    const double pause = terminal_ ? 0.2 : 5;
    if (quiet_ || watch_.seconds() - last_ < pause) return;
    last_ = watch_.seconds();
    const std::string state = fmt::format(
        "{} {}/{} rows, {:.0f}%, about {} left", progress.experiment, progress.rows_done,
        progress.rows_total, 100 * progress.share, duration(progress.seconds_left));
    if (!terminal_) {
      std::fputs((state + '\n').c_str(), stderr);
      return;
    }
    constexpr int width = 24;
    const auto filled = static_cast<std::size_t>(std::lround(width * progress.share));
    const std::string bar = std::string(filled, '#') + std::string(width - filled, '-');
    std::fputs(("\r\033[K[" + bar + "] " + state).c_str(), stderr);
    std::fflush(stderr);
    shown_ = true;
  }

  void clear() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  Stopwatch watch_;
  double last_ = -10;
};

std::vector<std::string> wanted_ids(const Options& options) {
  if (!options.all) {
    if (options.ids.empty())
      refuse(
          "ID",
          "name at least one experiment, or give --all; `repsc experiment list` shows the names");
    return options.ids;
  }
  if (!options.ids.empty()) refuse("--all", "it cannot be given with ids; give one of the two");
  std::vector<std::string> ids;
  for (const auto& experiment : experiments::catalogue()) ids.push_back(experiment.id);
  return ids;
}

void check_words(const Options& options) {
  for (const std::string& method : options.request.also) {
    if (method != "exact") refuse_value("--also", method, "exact");
  }
  for (const std::string& id : options.ids) {
    (void)as_usage([&] { return experiments::experiment_by_id(id); });
  }
  for (const std::string& reading : options.request.readings) {
    as_usage([&] { experiments::require_reading(reading, wanted_ids(options)); });
  }
}

int run_wanted(const Options& options) {
  Console console(options.common);
  check_words(options);
  experiments::Request request = options.request;
  request.repeats =
      options.repeats > 0 ? options.repeats : experiments::default_repeats(request.size);
  request.data = data_folder(request.data);
  if (options.with_extensions)
    request.also.insert(request.also.end(), {"soft", "refined", "default"});
  Bar bar(options.common.quiet);
  const Stopwatch watch;
  const experiments::RunReport report = experiments::run_experiments(
      {.ids = wanted_ids(options),
       .request = request,
       .out = options.out,
       .threads = options.common.threads},
      {.note =
           [&](const std::string& text) {
             bar.clear();
             console.note("{}", text);
           },
       .progress = [&](const experiments::RunProgress& progress) { bar.show(progress); }});
  bar.clear();
  require(!report.finished.empty(), "no experiment could run: ",
          report.skipped.empty() ? "no experiment was named" : report.skipped.front().second);
  const auto of_paper = experiments::count_claims(report.claims, experiments::Source::paper);
  const auto ours = experiments::count_claims(report.claims, experiments::Source::ours);
  for (const auto& skipped : report.skipped)
    console.warn("{} was skipped because its data is missing", skipped.first);
  console.note(
      "{} of {} claims of the paper hold, {} of {} statements of ours; {} in all; open "
      "{}/index.html",
      of_paper.held, of_paper.tested, ours.held, ours.tested, duration(watch.seconds()),
      options.out);
  return exit_fine;
}

void add_list(CLI::App& command, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* list = command.add_subcommand(
      "list", "list the experiments and their estimated time on this machine");
  list->add_option("--data", options->request.data, "folder of the real networks")
      ->type_name("DIR");
  add_common_options(*list, options->common);
  list->callback([&run, options] { run = [options] { return list_experiments(*options); }; });
}

void add_run(CLI::App& command, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* runner =
      command.add_subcommand("run", "run experiments; run the same command again to resume");
  runner->add_option("ID", options->ids, "experiments to run; see `repsc experiment list`")
      ->type_name("ID...");
  runner->add_flag("--all", options->all, "every experiment");
  add_choice<Size>(*runner, "--size", options->request.size,
                   {{"quick", Size::quick}, {"paper", Size::paper}, {"tiny", Size::tiny}},
                   "quick: minutes; paper: the paper's parameters; tiny: seconds, for tests");
  runner->add_option("--repeats", options->repeats, "repeats (default: 3 quick, 10 paper)")
      ->check(at_least(1));
  runner->add_option("--out", options->out, "folder for results and figures")
      ->type_name("DIR")
      ->capture_default_str();
  runner
      ->add_option("--data", options->request.data,
                   "folder of the real networks (default: REPSC_DATA)")
      ->type_name("DIR");
  add_words(*runner, "--also", options->request.also,
            "further methods in the same plots: exact (RepSC with R itself instead of its "
            "approximation; dreg-*)");
  add_words(*runner, "--reading", options->request.readings,
            "further readings of what the paper leaves open, or all; docs/experiments.md lists "
            "them");
  runner->add_flag(
      "--with-extensions", options->with_extensions,
      "add the methods of docs/beyond.md as curves (soft constraint, refinement, the default; "
      "dreg-*, planted, fao, air)");
  add_seed_option(*runner, options->request.seed);
  add_common_options(*runner, options->common);
  runner->callback([&run, options] { run = [options] { return run_wanted(*options); }; });
}

}  // namespace

void add_experiment_command(CLI::App& tool, Run& run) {
  CLI::App* command =
      tool.add_subcommand("experiment", "run the paper's experiments and draw its figures");
  command->require_subcommand(1);
  add_list(*command, run);
  add_run(*command, run);
}

}  // namespace repsc::cli
