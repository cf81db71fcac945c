// The loop that commands run over their cases: what a case gives is handed on, to be printed, before the next one begins; one that
// fails does not end the others.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases.h"
#include "terminal.h"

namespace skipper::cli {

// Thrown for a case that the user wants left out: it is listed, and counts as no failure.
struct LeftOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Fault {
  std::string why;             // empty: there is none
  bool failed = true;          // false where the case was left out
  std::exception_ptr refused;  // what was thrown, where the problem is refused rather than its result wrong
};

// Runs work and says what it threw: that a problem is refused, its result wrong, or memory too small. All else is thrown on.
Fault fault_of(std::function<void()> const& work);

// found(measure(problem)) for each case, or failed(case, fault) where it has no result. Returns how many failed. Where one problem
// alone was named on the command line, a refusal of it is one of the command line, and is thrown.
template <class Measure, class Found, class Failed>
std::size_t for_each_case(std::vector<Case> const& cases, Measure const& measure, Found const& found,
                          Failed const& failed) {
  std::size_t count = 0;
  Progress progress(cases.size());
  for (Case const& c : cases) {
    progress.step(c.line);
    std::optional<decltype(measure(*c.problem))> result;
    Fault const fault =
        c.problem ? fault_of([&] { result.emplace(measure(*c.problem)); }) : Fault{c.fault, true, nullptr};
    progress.clear();
    if (fault.refused && c.named && cases.size() == 1) std::rethrow_exception(fault.refused);
    if (result) {
      found(*result);
    } else {
      count += fault.failed;
      failed(c, fault);
    }
  }
  return count;
}

}  // namespace skipper::cli
