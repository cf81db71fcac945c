// What has been covered and how often, and the choice of problems that cover what is rare.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/mechanisms.h"

namespace skipper::coverage {

using Counts = std::map<Use, Index>;
void add(Counts& counts, Uses const& uses);

struct Chosen {
  Problem problem;
  Uses uses;
  std::string refusal;  // why it cannot be planned; empty: it can be
};

/// The uses of a problem's plan; throws Error where it has none.
using UsesOf = std::function<Uses(Problem const&)>;

/// Problems are chosen in groups of so many, out of a few times as many that are drawn: of those again and again the one whose uses
/// are rarest in the group so far. What cannot be planned is chosen first. A group depends on its number and on none before it, so that
/// several processes can take a share of the groups each.
inline constexpr Index group_size = 16, drawn_for_each = 8;
std::vector<Chosen> group(std::uint64_t seed, Index number, Index size, Sizes const& sizes,
                          UsesOf const& uses_of);

/// What is drawn from for a machine. `schedule` makes a CPU's plan and says what it does; a GPU's is planned here.
struct Source {
  Sizes sizes;
  UsesOf uses_of;
  Vocabulary vocabulary;
};
Source source_for(std::string const& machine_text, Index max_bytes,
                  std::function<std::string(Problem const&)> const& schedule);

/// Rows of a table: a mechanism, how many problems have it, and how many have it with each of the words it is crossed with, if
/// it is.
struct Row {
  std::string mechanism;
  Index problems = 0;
  std::vector<Index> with;
};
std::vector<Row> table(Counts const& counts, Vocabulary const& vocabulary);

}  // namespace skipper::coverage
