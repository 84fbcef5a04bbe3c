// Layout of the help of a command.
#include "help.hpp"

#include "console.hpp"

namespace repsc::cli {
namespace {

constexpr std::size_t option_width = 28;

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(option_width);
  label("SUBCOMMAND", "COMMAND");
  label("Subcommands", "Commands");
  label("Positionals", "Files");
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return command->get_description() + "\n\n";
}

// Positional files with an optional one in the middle, G [R] LABELS, are one option with its own
// text.
std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  const std::string& text = option->get_option_text();
  return is_positional && !text.empty() ? text : Formatter::make_option_name(option, is_positional);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_items_expected_max() == 0) return "";
  return ' ' + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  const std::string& standard = option->get_default_str();
  if (!standard.empty()) text += " [" + standard + ']';
  if (option->get_required() && option->nonpositional()) text += " (required)";
  return wrapped(text, page_width - option_width);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  const std::string& text = option->get_option_text();
  return text.empty() ? Formatter::make_option_usage(option) : text;
}

}  // namespace repsc::cli
