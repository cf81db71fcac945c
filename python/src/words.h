// Values of enumerations by the words that Python users write, and the settings that several classes take.
#pragma once

#include <skipper/plan.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skipper::python {

template <class T>
using Words = std::vector<std::pair<char const*, T>>;

// The value that a word stands for. An Error names the argument and lists the words.
template <class T>
T value_of(char const* argument, std::string const& word, Words<T> const& words) {
  std::string known;
  for (auto const& [name, value] : words) {
    if (word == name) return value;
    known += std::string(known.empty() ? "" : ", ") + "'" + name + "'";
  }
  throw Error(argument, "is '" + word + "' but must be one of " + known);
}

inline Precision precision_of(std::string const& word) {
  return value_of<Precision>(
      "precision", word,
      {{"f32", Precision::f32}, {"f64", Precision::f64}, {"f16", Precision::f16}, {"bf16", Precision::bf16}});
}

// On a named GPU arrays are its own; the CPU alone takes a number of threads.
inline PlanSettings settings_of(std::string const& device, int threads) {
  PlanSettings settings;
  settings.device = Device(device);
  settings.cpu.threads = threads;
  return settings;
}

// Memory by its address: which array library it belongs to is Python's concern.
inline void* pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

inline ExecuteSettings execution(std::uintptr_t stream, std::uintptr_t workspace = 0) {
  ExecuteSettings settings;
  settings.workspace = pointer(workspace);
  settings.stream = pointer(stream);
  return settings;
}

}  // namespace skipper::python
