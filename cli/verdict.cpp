// See verdict.h.
#include "verdict.h"

#include <algorithm>
#include <cstring>

#include "format.h"
#include "reference/gaps.h"
#include "reference/whole_check.h"
#include "terminal.h"

namespace skipper::cli {

std::string complaint(Verdict const& v) {
  if (v.good()) return "";
  return formatted(
      "its error is {}, allowed {}; at most {}, allowed {}; a sum of all is off by {} times "
      "what rounding does{}",
      number_text(v.error.l2, 2), number_text(v.allowed_l2, 2), number_text(v.error.max, 2),
      number_text(v.allowed_max, 2), number_text(v.whole, 2), v.spoilt.empty() ? "" : "; " + v.spoilt);
}

JudgedArrays::JudgedArrays(Problem const& problem)
    : problem_(problem),
      bytes_(std::max(in_bytes(problem), out_bytes(problem))),
      given_(bytes_),
      in_(in_place() ? 0 : bytes_),
      out_(bytes_) {
  given_.fill_random(problem.precision);
  if (!in_place()) out_.poison();
  std::memcpy(in_place() ? out_.data() : in_.data(), given_.data(), given_.bytes());
}

InAndOut JudgedArrays::arrays() {
  return {in_place() ? out_.data() : in_.data(), out_.bytes(), out_.data(), out_.bytes()};
}

Verdict JudgedArrays::verdict(int threads, reference::Samples samples) const {
  Verdict v{text(problem_),
            reference::accuracy(problem_, given_.data(), out_.data(), samples),
            reference::allowed_l2(problem_),
            reference::allowed_max(problem_),
            reference::whole_check(problem_, given_.data(), out_.data(), threads).worst,
            ""};
  if (in_place()) return v;
  if (std::memcmp(in_.data(), given_.data(), given_.bytes()) != 0) v.spoilt = "the input was not preserved";
  if (!reference::gaps_are_untouched(problem_, out_.data())) v.spoilt = "a gap of the output was written";
  return v;
}

Verdict Verifier::verdict(Problem const& problem) {
  Plan const plan(problem, settings_);
  JudgedArrays judged(problem);
  run_(plan.device(), judged.arrays(), plan.workspace_bytes(),
       [&](void* in, void* out, ExecuteSettings const& settings) { plan.execute(in, out, settings); });
  return judged.verdict(threads_, samples_);
}

}  // namespace skipper::cli
