// repsc-mpi: the tool for several processes. Every rank parses the same command line and runs the
// same command; rank 0 reads the input and speaks. An error of any rank ends all of them with one
// line and the exit code of that error.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "exit_codes.hpp"
#include "help.hpp"
#include "ranks.hpp"
#include "repsc/io.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

volatile std::sig_atomic_t speaks = 0;
const Communicator* all_ranks = nullptr;

// mpirun sends SIGTERM after Ctrl-C, at the end of a batch job's time, and when another rank has
// ended. Which of these is known only if that rank has said why, on this machine.
extern "C" void stop(int) {
  abandon_files();
  constexpr char line[] =
      "repsc-mpi: interrupted (by Ctrl-C, by the batch system, or because another process has "
      "ended)\n";
  if (speaks != 0 && !all_ranks->is_ending()) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, sizeof(line) - 1);
  } else {
    // Open MPI's mpirun kills all others as soon as the first process ends; rank 0, which removes
    // its temporary files and speaks, needs a moment.
    constexpr int milliseconds = 300;
    ::poll(nullptr, 0, milliseconds);
  }
  ::_exit(exit_interrupted);
}

void handle_signals(const Communicator& ranks) {
  all_ranks = &ranks;
  speaks = ranks.is_root() ? 1 : 0;
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
}

struct Failure {
  ExitCode code = exit_fine;
  std::string message = {};
  bool of_root = false;  ///< rank 0 has failed, and will say why
};

// "-eps_type lobpcg -eps_ncv 40": options for SLEPc, with their values, are taken out.
std::string take_slepc_options(std::vector<std::string>& words) {
  const auto is_slepc = [](const std::string& word) {
    for (const char* part : {"-eps_", "-st_", "-bv_", "-ds_", "-ksp_", "-pc_", "-log_"}) {
      if (word.starts_with(part)) return true;
    }
    return false;
  };
  const auto is_value = [](const std::string& word) {
    const bool number = word.size() > 1 &&
                        (std::isdigit(static_cast<unsigned char>(word[1])) != 0 || word[1] == '.');
    return !word.starts_with('-') || number;
  };
  std::string taken;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_slepc(words[i])) {
      others.push_back(words[i]);
      continue;
    }
    taken += (taken.empty() ? "" : " ") + words[i];
    if (i + 1 < words.size() && is_value(words[i + 1])) taken += ' ' + words[++i];
  }
  words = std::move(others);
  return taken;
}

void describe_tool(CLI::App& tool) {
  tool.name("repsc-mpi");
  tool.description(
      "repsc on several processes, on one machine or many:\n"
      "  mpirun -n 8 repsc-mpi cluster G.mtx -k 5 -o labels.csv\n"
      "Each process holds a range of the rows of the graphs. Labels do not depend on\n"
      "the number of processes.");
  tool.set_version_flag("--version", std::string("repsc-mpi ") + version);
  tool.require_subcommand(0, 1);
  tool.footer(
      "Exit codes: 0 fine, 2 wrong usage, 3 bad input, 4 not converged, 70 internal\n"
      "error, 130 interrupted.");
}

// CLI11 takes the words from the back.
void parse(CLI::App& tool, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  tool.parse(words);
}

int run_tool(const Communicator& ranks, std::vector<std::string> words, Failure& failure) {
  CLI::App tool;
  tool.formatter(std::make_shared<HelpFormatter>());
  describe_tool(tool);
  Run run;
  const std::string slepc = take_slepc_options(words);
  add_distributed_cluster_command(tool, ranks, slepc, run);
  try {
    refuse_serial_options(words);
    parse(tool, words);
    if (!run) throw CLI::ValidationError("no command was given; the command is `cluster`");
    return run();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream text;
      tool.exit(error, text, text);
      if (ranks.is_root()) write_text_file("-", text.str());
      return exit_fine;
    }
    failure = {exit_usage, fmt::format("{} (see repsc-mpi cluster --help)", error.what())};
  } catch (const InvalidOptions& error) {
    failure = {exit_usage, fmt::format("{} (see repsc-mpi cluster --help)", in_words(error))};
  }
  return failure.code;
}

int run_and_catch(const Communicator& ranks, const std::vector<std::string>& words,
                  Failure& failure) {
  try {
    return run_tool(ranks, words, failure);
  } catch (const RootFailed& error) {
    failure = {exit_internal_error, error.what(), /*of_root=*/true};
  } catch (const InvalidInput& error) {
    failure = {exit_bad_input, in_words(error)};
  } catch (const IoError& error) {
    failure = {exit_bad_input, error.what()};
  } catch (const std::bad_alloc&) {
    failure = {exit_bad_input,
               "out of memory; use more machines or fewer processes on each of them"};
  } catch (const std::exception& error) {
    failure = {exit_internal_error,
               fmt::format("internal error; please report it: {}", error.what())};
  }
  return failure.code;
}

void print(std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  std::fputs(("repsc-mpi: " + message + '\n').c_str(), stderr);
  std::fflush(stderr);
}

// If all ranks have failed, they have failed alike, and rank 0 speaks. Otherwise the others wait
// for this rank in vain: it speaks for itself and ends them. The lowest rank waits the shortest
// time. A rank that has heard of the failure of rank 0 waits however long that takes to get here.
int report(const Communicator& ranks, const Failure& failure) {
  const double patience = failure.of_root ? std::numeric_limits<double>::infinity()
                                          : 3 + 0.2 * std::min(ranks.rank(), 20);
  if (!ranks.all_arrive(patience)) {
    print(ranks.is_root()
              ? failure.message
              : fmt::format("rank {} on {}: {}", ranks.rank(), ranks.host(), failure.message));
    ranks.end_all(failure.code);
  }
  int code = failure.code;
  ranks.broadcast(&code, sizeof(code));
  if (ranks.is_root()) print(failure.message);
  return code;
}

int run(int argc, char** argv) {
  set_num_threads(1);  // the ranks share the cores
  const Communicator ranks(argc, argv);
  handle_signals(ranks);
  Failure failure;
  const int found = run_and_catch(ranks, {argv + 1, argv + argc}, failure);
  const int code = failure.code == exit_fine ? found : report(ranks, failure);
  // All is said. The first rank that leaves with an error makes mpirun interrupt the others.
  speaks = 0;
  return code;
}

}  // namespace
}  // namespace repsc::cli

int main(int argc, char** argv) {
  repsc::end_blas_threads();
  const int code = repsc::cli::run(argc, argv);
  std::fflush(nullptr);
  std::_Exit(code);
}
