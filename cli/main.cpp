// repsc: the command-line tool. Parses the options, runs one command, and turns errors into one
// line on standard error and an exit code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "help.hpp"
#include "interrupts.hpp"
#include "repsc/core.hpp"
#include "repsc/io.hpp"
#include "repsc/report.hpp"
#include "wording.hpp"

namespace repsc::cli {
namespace {

// Names from a file may contain control characters; an error message must stay one line.
int fail(ExitCode code, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  std::fputs(("repsc: " + message + '\n').c_str(), stderr);
  return code;
}

int internal_error(const char* what) {
  return fail(exit_internal_error, fmt::format("internal error; please report it: {}", what));
}

// Without a string: there may be no memory for one.
int out_of_memory() {
  std::fputs(
      "repsc: out of memory; use a machine with more memory or a higher limit (ulimit -v), a "
      "smaller graph, a lower --rank or a lower --memory-limit\n",
      stderr);
  return exit_bad_input;
}

// What the system says where there is no room for another thread.
bool is_lack_of_memory(const std::error_code& code) {
  return code == std::errc::not_enough_memory || code == std::errc::resource_unavailable_try_again;
}

void describe_tool(CLI::App& tool) {
  tool.description(
      "Spectral clustering in which every individual is represented in every cluster:\n"
      "splits a graph G so that each node's neighbours in a second graph R are spread\n"
      "over all clusters in proportion to cluster size.");
  tool.set_version_flag("--version", std::string("repsc ") + version);
  tool.require_subcommand(0, 1);
  tool.footer(
      "Start with\n"
      "  repsc demo\n"
      "  repsc cluster --help\n\n"
      "Exit codes: 0 fine, 2 wrong usage, 3 bad input, 4 not converged, 5 a target was\n"
      "not met, 70 internal error, 130 interrupted.");
}

// The help command for the called command: "repsc graph knn --help".
std::string help_of(const CLI::App& tool) {
  std::string call = "repsc";
  const CLI::App* command = &tool;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    call += ' ' + command->get_name();
  }
  return call + " --help";
}

// Letters to insert, delete, replace or swap with the next until one word is the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// The words among `known` that `given` was probably meant to be; "" if none is near. A part at the
// front, such as --target for --target-balance, is near.
std::string nearest(const std::string& given, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = given.size() / 3 + 1;
  for (const std::string& word : known) {
    const bool front = given.size() >= 4 && word.starts_with(given);
    const std::size_t away = front ? 1 : distance(given, word);
    if (away > least || (away == least && !best.empty())) continue;
    least = away;
    best = word;
  }
  return best;
}

// The innermost command that was called.
const CLI::App& called(const CLI::App& tool) {
  const CLI::App* command = &tool;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

// A sentence for the words that no command or option is called; "" if all are known.
std::string suggestion(const CLI::App& tool, const std::vector<std::string>& words) {
  const CLI::App& command = called(tool);
  std::vector<std::string> commands;
  std::vector<std::string> options;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(sub->get_name());
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (const std::string& word : words) {
    const bool is_option = word.starts_with("--");
    if (!is_option && (word.starts_with('-') || commands.empty())) continue;
    const std::string given = word.substr(0, word.find('='));
    const std::string meant = nearest(given, is_option ? options : commands);
    const char* const kind = is_option ? "option" : "command";
    if (meant.empty()) {
      if (is_option) continue;
      return fmt::format("there is no command '{}'; the commands are: {}", word,
                         fmt::join(commands, ", "));
    }
    return fmt::format("there is no {} '{}'; did you mean {}?", kind, given, meant);
  }
  return "";
}

int answer(const CLI::App& tool, const CLI::ParseError& error,
           const std::vector<std::string>& words) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
    const std::string near = suggestion(tool, words);
    return fail(exit_usage,
                fmt::format("{} (see {})", near.empty() ? error.what() : near, help_of(tool)));
  }
  std::ostringstream text;
  tool.exit(error, text, text);
  write_text_file("-", text.str());
  return exit_fine;
}

int run_tool(int argc, char** argv) {
  CLI::App tool;
  tool.name("repsc");
  tool.formatter(std::make_shared<HelpFormatter>());  // commands inherit it
  describe_tool(tool);
  Run run;
  add_commands(tool, run);
  try {
    remember_command(argc, argv);
    tool.parse(argc, argv);
    if (!run)
      throw CLI::ValidationError("no command was given; try `repsc demo`, which needs no input");
    return run();
  } catch (const CLI::ParseError& error) {
    return answer(tool, error, tool.remaining(true));
  } catch (const InvalidOptions& error) {
    return fail(exit_usage, fmt::format("{} (see {})", in_words(error), help_of(tool)));
  }
}

int run_and_report(int argc, char** argv) {
  try {
    return run_tool(argc, argv);
  } catch (const InvalidInput& error) {
    return fail(exit_bad_input, in_words(error));
  } catch (const IoError& error) {
    return reader_has_left() ? exit_fine : fail(exit_bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    return out_of_memory();
  } catch (const std::system_error& error) {
    if (is_lack_of_memory(error.code())) return out_of_memory();
    return internal_error(error.what());
  } catch (const std::exception& error) {
    return internal_error(error.what());
  } catch (...) {
    return internal_error("an unknown exception");
  }
}

}  // namespace
}  // namespace repsc::cli

int main(int argc, char** argv) {
  repsc::end_blas_threads();
  repsc::cli::handle_signals();
  const int code = repsc::cli::run_and_report(argc, argv);
  // Without the end of the libraries: OpenBLAS waits there for its threads, and one that finds no
  // memory to start with never ends (`ulimit -v 65536`).
  std::fflush(nullptr);
  std::_Exit(code);
}
