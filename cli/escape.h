// Text from files and command lines as a terminal may get it: it cannot move the cursor, set colours or ring.
#pragma once

#include <skipper/visible.h>

#include <string>
#include <string_view>

namespace skipper::cli {

// As visible() makes it, on one line.
std::string escaped(std::string_view text);

// The same for text of several lines: newlines and tabs stay.
std::string escaped_lines(std::string_view text);

// What fits into so many columns, cut between characters. Each that is not ASCII is taken for two columns wide, as the
// widest are.
std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace skipper::cli
