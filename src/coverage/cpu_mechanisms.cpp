// The mechanisms of the CPU engine, by the words in which a schedule says what its steps do (the text() functions of src/cpu).
#include <string_view>

#include "coverage/mechanisms.h"
#include "coverage/problem_mechanisms.h"

namespace skipper::coverage {
namespace {

struct Word {
  char const* name;
  char const* word;
};

constexpr Word words[] = {
    {"single lines", " lines "},
    {"columns", " columns "},
    {"short lines", " short lines "},
    {"axes that share a sweep", "; "},
    {"several sweeps", "}\nsweep"},
    {"Rader", "rader("},
    {"Bluestein", "bluestein("},
    {"Rader of a long line", ": Rader "},
    {"Bluestein of a long line", "convolve "},
    {"long line forward and back", "forward and back"},
    {"sums over halves of a long line", "half of "},
    {"real line, even", "real half "},
    {"real line", ": real "},
    {"Hermitian split of a long line", "Hermitian split "},
    {"rows of a long real line", " rows "},
    {"pack of a long line", "pack "},
    {"combine of a long line", "combine "},
    {"split of a long line", ": split "},
    {"matrix", "matrix of "},
    {"dct1", ": dct1 "},
    {"dct2", ": dct2 "},
    {"dct3", ": dct3 "},
    {"dct4", ": dct4 "},
    {"dst1", ": dst1 "},
    {"dst2", ": dst2 "},
    {"dst3", ": dst3 "},
    {"dst4", ": dst4 "},
    {"dht", ": dht "},
    {"array of a long line", "-> line"},
    {"work array", "-> work"},
    {"bundles through a buffer", "loaded, done and stored"},
};

bool is_with(std::string_view name) {
  for (std::string_view const with :
       {"in place", "strides", "zero padding", "cropping", "orthonormal", "inverse", "f64"})
    if (name == with) return true;
  return false;
}

}  // namespace

Uses uses_of(Problem const& problem, std::string const& schedule) {
  Uses uses;
  for (ProblemMechanism const& m : problem_mechanisms)
    if (m.holds(problem)) uses.insert({m.name, ""});
  for (Word const& w : words) {
    if (schedule.find(w.word) == schedule.npos) continue;
    uses.insert({w.name, ""});
    for (ProblemMechanism const& m : problem_mechanisms)
      if (is_with(m.name) && m.holds(problem)) uses.insert({w.name, m.name});
  }
  return uses;
}

Vocabulary cpu_vocabulary() {
  Vocabulary v;
  for (Word const& w : words) v.mechanisms.push_back(w.name);
  for (ProblemMechanism const& m : problem_mechanisms) {
    v.problems.push_back(m.name);
    if (is_with(m.name)) v.with.push_back(m.name);
  }
  return v;
}

}  // namespace skipper::coverage
