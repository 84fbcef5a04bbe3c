// The command as it was typed.
#include "command_line.hpp"

#include <fmt/format.h>

namespace repsc::cli {
namespace {

std::string& remembered() {
  static std::string text;
  return text;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./:=,+@%") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void remember_command(int argc, const char* const* argv) {
  std::string text = "repsc";
  for (int i = 1; i < argc; ++i) text += fmt::format(" {}", quoted(argv[i]));
  remembered() = text;
}

const std::string& command_line() { return remembered(); }

}  // namespace repsc::cli
