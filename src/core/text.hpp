// Words of a text file: showing them in messages, cutting lines into them, reading them as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace repsc {

/// The text between quotes, for a message: at most 40 bytes, all that is not plain ASCII escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Cuts the next field, ended by blanks or tabs, off the front of `rest`; empty at the end.
[[nodiscard]] std::string_view next_field(std::string_view& rest);

/// A finite number in decimal notation, nothing else around it. "nan" and "inf" are not numbers.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A whole number >= 0 in digits; empty if the text is not one or it does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// "838" for "8.38e+02": a name that only floating-point output can have made of a whole number
/// (it holds '.', 'e' or 'E', and is integral and below 2^53 in size). Nothing for other names.
[[nodiscard]] std::optional<std::string> whole_number_name(std::string_view name);

/// A field of a CSV line: quoted as in RFC 4180, also where a reader would take it for a comment.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace repsc
