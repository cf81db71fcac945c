// How a target fails, and what an Error must look like.
#include <cstdio>
#include <cstdlib>

#include "fuzz/fuzz.h"

namespace skipper::fuzz {

void fail(std::string const& what) {
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();  // the driver sees it
}

void demand_good(Error const& error) {
  std::string const what = error.what();
  demand(!error.argument().empty(), "an Error names no argument: " + what);
  demand(what.starts_with(error.argument() + ": ") && what.size() > error.argument().size() + 2,
         "an Error says nothing: " + what);
  for (char const c : what)
    demand(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t',
           "an Error has a control character: " + what);
  demand(what.size() < 4096, "an Error is a whole file: " + what);
}

}  // namespace skipper::fuzz
