// repsc: the command-line tool. Parses the options, runs one command, and turns errors into one
// line on standard error and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

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

int answer(const CLI::App& tool, const CLI::ParseError& error) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
    return fail(exit_usage, fmt::format("{} (see {})", error.what(), help_of(tool)));
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
    tool.parse(argc, argv);
    if (!run)
      throw CLI::ValidationError("no command was given; try `repsc demo`, which needs no input");
    return run();
  } catch (const CLI::ParseError& error) {
    return answer(tool, error);
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
    return fail(exit_internal_error,
                "out of memory; use a smaller graph, a lower --rank or a lower --memory-limit");
  } catch (const std::exception& error) {
    return fail(exit_internal_error,
                std::string("internal error; please report it: ") + error.what());
  } catch (...) {
    return fail(exit_internal_error, "internal error; please report it: an unknown exception");
  }
}

}  // namespace
}  // namespace repsc::cli

int main(int argc, char** argv) {
  repsc::cli::handle_signals();
  return repsc::cli::run_and_report(argc, argv);
}
