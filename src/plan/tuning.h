// Programs that were measured to be the best on a machine, kept as text: the version of Skipper and the machine they are
// for, then one program after the other, a blank line between them.
//
//   skipper tuning 1
//   version 0.1.0
//   machine h200 gpu sm_90 ...
//
//   c2c f32 forward 512x512x512
//   {Z(..)} .. in -> work [..]
//   {..} work -> out
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/machine.h"
#include "plan/program.h"

namespace skipper {

struct Tuning {
  std::string version;  // of Skipper
  Machine machine;
  std::vector<Program> programs;  // one a problem
};

/// One without programs, for this version.
Tuning empty_tuning(Machine const& machine);

std::string text(Tuning const& tuning);
/// Throws Error where it is something else, or of another form.
Tuning parse_tuning(std::string_view text);

/// The same in two moves, for who wants one program of many: version and machine alone, leaving the programs' text; and
/// the program for a problem out of that.
Tuning parse_head(std::string_view& text);
std::optional<Program> find_program(std::string_view programs, Problem const& problem);

/// Why it must not be used on this machine by this version; empty where it may be. How much memory a device has may
/// differ: drivers disagree about that.
std::string mismatch(Tuning const& tuning, Machine const& machine);

/// The program for the problem, or null.
Program const* find(Tuning const& tuning, Problem const& problem);

/// Adds a program, in place of the one that was there for its problem.
void put(Tuning& tuning, Program program);

}  // namespace skipper
