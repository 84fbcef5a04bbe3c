// Options that several commands share: choices by word, ranges, and the options of every command.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console.hpp"
#include "repsc/io.hpp"

namespace repsc::cli {

/// --threads, --quiet, --verbose.
void add_common_options(CLI::App& command, CommonOptions& options);

/// --time-limit: seconds since the start of the command.
void add_time_limit_option(CLI::App& command, std::optional<double>& seconds);

/// --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed);

/// Reports wrong usage of an option: ends parsing with one line.
[[noreturn]] void refuse(const std::string& option, const std::string& message);
/// The same about its value: "'x' is not <expected>".
[[noreturn]] void refuse_value(const std::string& option, const std::string& value,
                               const std::string& expected);

template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// An option whose value is one of a few words; the help shows them as a|b|c.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Value& target,
                        const Choices<Value>& choices, const std::string& description) {
  std::string words;
  std::string standard;
  for (const auto& [word, value] : choices) {
    words += (words.empty() ? "" : "|") + word;
    if (value == target) standard = word;
  }
  const auto choose = [flag, words, choices, &target](const std::string& given) {
    for (const auto& [word, value] : choices) {
      if (word != given) continue;
      target = value;
      return;
    }
    refuse_value(flag, given, "one of " + words);
  };
  return command.add_option_function<std::string>(flag, choose, description)
      ->type_name(words)
      ->default_str(standard);
}

/// The same for an option that the library chooses if it is not given: `auto` comes first, and is
/// the default.
template <typename Value>
CLI::Option* add_automatic_choice(CLI::App& command, const std::string& flag,
                                  std::optional<Value>& target, const Choices<Value>& choices,
                                  const std::string& description) {
  Choices<std::optional<Value>> all{{"auto", std::nullopt}};
  all.insert(all.end(), choices.begin(), choices.end());
  return add_choice(command, flag, target, all, description);
}

[[nodiscard]] const Choices<GraphFormat>& format_choices();
[[nodiscard]] const Choices<SelfLoops>& self_loop_choices();

/// --memory, a number of bytes of at least 2^20: 512M, 4G.
void add_memory_option(CLI::App& command, std::optional<std::int64_t>& bytes,
                       const std::string& description);

/// Checks that keep the help short: the type of the option shows no range.
[[nodiscard]] CLI::Validator at_least(std::int64_t low);
[[nodiscard]] CLI::Validator probability();

/// An option that may be given again and takes lists: --same school,city or --same school --same
/// city.
CLI::Option* add_words(CLI::App& command, const std::string& flag, std::vector<std::string>& words,
                       const std::string& description);

}  // namespace repsc::cli
