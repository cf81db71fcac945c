#pragma once
// The golden programs of a machine that are small enough to emulate, held to all that verify() asks: every small one, and
// every fifth of the larger, which take most of the time, without those that another machine has too, which its own test
// verifies; all of them with SKIPPER_LONG=1.
#include <gtest/gtest.h>

#include <set>

#include "support/goldens.h"
#include "support/quick.h"
#include "support/verify.h"
#include "support/verify_real.h"

namespace skipper::testing {

inline void verify_goldens(std::string const& machine_name, std::string const& verified_machine = "") {
  std::set<std::string> seen;
  if (!verified_machine.empty() && !thorough())
    for (Golden const& golden : goldens(verified_machine)) seen.insert(text(golden.program));
  Index const max_points = quick() ? 8192 : 300'000;
  Machine const m = machine(machine_name);
  int verified = 0, larger = 0;
  for (Golden const& golden : goldens(machine_name)) {
    if (seen.contains(text(golden.program))) continue;
    bool const complex = golden.problem.kind == Kind::c2c;
    Index work = 0;  // of the definition, which is all that real kinds are compared with
    for (Axis const& a : golden.problem.axes) work += a.size * points(golden.problem);
    if (points(golden.problem) > max_points || (!complex && work > (quick() ? 1'000'000 : 8'000'000)))
      continue;
    if (points(golden.problem) > 30'000 && larger++ % 5 && !thorough()) continue;
    (complex ? verify : verify_real)(golden.program, m, std::uint64_t(++verified));
  }
  int const expected = !seen.empty() ? (quick() ? 3 : 20) : quick() ? 20 : 60;
  EXPECT_GE(verified, expected) << "too few golden programs are small enough to emulate";
}

}  // namespace skipper::testing
