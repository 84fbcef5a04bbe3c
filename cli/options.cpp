// Options that several commands share.
#include "options.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace repsc::cli {
namespace {

std::string unexpected(const std::string& value, const std::string& expected) {
  return fmt::format("'{}' is not {}", value, expected);
}

/// A number of bytes of at least 2^20: digits, and K, M, G or T for powers of 1024.
std::optional<std::int64_t> parse_bytes(const std::string& text) {
  constexpr std::string_view units = "KMGT";
  constexpr std::int64_t least = std::int64_t{1} << 20U;
  constexpr std::int64_t most = std::int64_t{1} << 60U;
  std::int64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || bytes < 0 || rest.size() > 1) return std::nullopt;
  if (!rest.empty()) {
    const std::size_t unit =
        units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(rest.front()))));
    if (unit == std::string_view::npos) return std::nullopt;
    for (std::size_t step = 0; step <= unit; ++step) {
      if (bytes > most / 1024) return std::nullopt;
      bytes *= 1024;
    }
  }
  return bytes >= least && bytes <= most ? std::optional(bytes) : std::nullopt;
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
  const auto apply = [&options](int count) {
    if (count > 0) options.threads = count;
    set_num_threads(options.threads);
  };
  command
      .add_option_function<int>("--threads", apply,
                                "number of threads; 0: all cores (results do not depend on it)")
      ->default_str("0")
      ->check(at_least(0));
  auto* quiet =
      command.add_flag("--quiet", options.quiet, "print nothing but errors on standard error");
  command.add_flag("--verbose", options.verbose, "report each stage")->excludes(quiet);
}

void add_time_limit_option(CLI::App& command, std::optional<double>& seconds) {
  command
      .add_option_function<std::string>(
          "--time-limit",
          [&seconds](const std::string& text) {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value) || !(value > 0)) {
              refuse_value("--time-limit", text, "a number of seconds above 0");
            }
            seconds = value;
          },
          "end after this many seconds with the best result so far, which is marked in the report; "
          "it then depends on the speed of the machine")
      ->type_name("SECONDS");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  const auto only_digits = [](const std::string& text) -> std::string {
    const bool fine = text.find_first_not_of("0123456789") == std::string::npos;
    return fine ? "" : unexpected(text, "a whole number of at least 0");
  };
  command.add_option("--seed", seed, "random seed; the same seed gives the same result")
      ->capture_default_str()
      ->check(CLI::Validator(only_digits, ""));
}

void refuse(const std::string& option, const std::string& message) {
  throw CLI::ValidationError(option, message);
}

void refuse_value(const std::string& option, const std::string& value,
                  const std::string& expected) {
  refuse(option, unexpected(value, expected));
}

const Choices<GraphFormat>& format_choices() {
  static const Choices<GraphFormat> choices{{"txt", GraphFormat::edge_list},
                                            {"mtx", GraphFormat::matrix_market},
                                            {"graph", GraphFormat::metis},
                                            {"npz", GraphFormat::npz},
                                            {"rgraph", GraphFormat::rgraph}};
  return choices;
}

const Choices<SelfLoops>& self_loop_choices() {
  static const Choices<SelfLoops> choices{
      {"add", SelfLoops::add}, {"keep", SelfLoops::keep}, {"drop", SelfLoops::drop}};
  return choices;
}

void add_memory_option(CLI::App& command, std::optional<std::int64_t>& bytes,
                       const std::string& description) {
  const auto parse = [&bytes](const std::string& text) {
    bytes = parse_bytes(text);
    if (!bytes) refuse_value("--memory", text, "a size such as 512M or 4G, at least 1M");
  };
  command.add_option_function<std::string>("--memory", parse, description)->type_name("SIZE");
}

CLI::Validator at_least(std::int64_t low) {
  const auto check = [low](const std::string& text) -> std::string {
    std::int64_t value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= low) return "";
    return unexpected(text, fmt::format("a whole number of at least {}", low));
  };
  return CLI::Validator(check, "");
}

CLI::Validator probability() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1) return "";
    return unexpected(text, "a number from 0 to 1");
  };
  return CLI::Validator(check, "");
}

CLI::Option* add_words(CLI::App& command, const std::string& flag, std::vector<std::string>& words,
                       const std::string& description) {
  return command.add_option(flag, words, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
}

}  // namespace repsc::cli
