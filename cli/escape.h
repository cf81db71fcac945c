// Text from files and command lines as a terminal may get it: it cannot move the cursor, set colours or ring.
#pragma once

#include <string>
#include <string_view>

namespace skipper::cli {

// Control characters, and bytes that are no UTF-8, as \x1b; all else as it is.
std::string escaped(std::string_view text);

// The same for text of several lines: newlines and tabs stay.
std::string escaped_lines(std::string_view text);

// The bytes of the character at the beginning of a text: 1 to 4, or 0 where it is no UTF-8.
std::size_t character_bytes(std::string_view text);

// What fits into so many columns, cut between characters. Each that is not ASCII is taken for two columns wide, as the
// widest are.
std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace skipper::cli
