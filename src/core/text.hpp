// Words of a text file: quoted for messages, cut from lines, read as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace repsc {

/// The text between quotes, for a message: at most 40 bytes. Valid UTF-8 is kept as it is; control
/// characters and all other bytes are escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The number of bytes of the character of valid UTF-8 at the front, 0 if there is none. Overlong
/// forms and surrogates are not valid.
[[nodiscard]] std::size_t utf8_character(std::string_view text);

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Cuts the next field, ended by blanks or tabs, off the front of `rest`; empty at the end.
[[nodiscard]] std::string_view next_field(std::string_view& rest);

/// A finite number in decimal notation, nothing else around it. "nan" and "inf" are not numbers.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A whole number >= 0 in digits; empty if the text is not one or it does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// "838" for "8.38e+02": the whole number that a name in floating-point notation stands for. The
/// name contains '.', 'e' or 'E', and its absolute value is below 2^53. Nothing for other names.
[[nodiscard]] std::optional<std::string> whole_number_name(std::string_view name);

/// A field of a CSV line: quoted as in RFC 4180, also if a reader would take it for a comment.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace repsc
