// Checks of the memory that an execution is given: dense arrays apart from each other, and the size of a workspace.
#pragma once

#include <skipper/execute.h>
#include <skipper/problem.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace skipper {

/// What two arrays span, where both are dense and apart; else nothing, since strided arrays may lie between each other.
struct Spans {
  std::int64_t in = 0, out = 0;
};

inline Spans spans_of(Problem const& problem) {
  if (problem.placement == Placement::in_place) return {};
  // Unsigned, since inputs that are repeated may be more bytes than there are addresses.
  using Bytes = std::uint64_t;
  Bytes in = Bytes(in_element_bytes(problem)), out = Bytes(out_element_bytes(problem));
  for (Dim const& dim : problem.batch) in *= Bytes(dim.size), out *= Bytes(dim.size);
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    in *= Bytes(in_size(problem, i)), out *= Bytes(out_size(problem, i));
  bool const dense = in == Bytes(in_bytes(problem)) && out == Bytes(out_bytes(problem));
  return dense ? Spans{in_bytes(problem), out_bytes(problem)} : Spans{};
}

/// Whether they overlap, as numbers: the arrays may be a device's.
inline bool overlap(void const* in, void const* out, Spans const& spans) {
  auto const from = reinterpret_cast<std::uintptr_t>(in), to = reinterpret_cast<std::uintptr_t>(out);
  return from < to + std::uintptr_t(spans.out) && to < from + std::uintptr_t(spans.in);
}

// Apart, so that a call of nanoseconds pays for nothing of it.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_overlap(void const* in, void const* out,
                                                                  Spans const& spans, char const* in_name,
                                                                  char const* out_name, char const* instead) {
  auto const from = reinterpret_cast<std::uintptr_t>(in), to = reinterpret_cast<std::uintptr_t>(out);
  std::uintptr_t const bytes =
      std::min(from + std::uintptr_t(spans.in), to + std::uintptr_t(spans.out)) - std::max(from, to);
  throw Error(out_name, std::string("overlaps ") + in_name + " by " + std::to_string(bytes) +
                            " bytes; give an array of its own" + instead);
}
inline void demand_apart(void const* in, void const* out, Spans const& spans, char const* in_name = "in",
                         char const* out_name = "out", char const* instead = ", or make the plan in place") {
  if (overlap(in, out, spans)) refuse_overlap(in, out, spans, in_name, out_name, instead);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_workspace(ExecuteSettings const& settings,
                                                                    std::size_t needed) {
  if (!settings.workspace)
    throw Error("workspace", "is a null pointer but workspace_bytes is " +
                                 std::to_string(settings.workspace_bytes) +
                                 "; did its allocation fail? Without both, memory is taken as needed");
  throw Error("workspace", "has " + std::to_string(settings.workspace_bytes) +
                               " bytes but workspace_bytes() is " + std::to_string(needed) +
                               "; give so many, or none");
}

/// `needed()`: how many bytes, asked for only where the caller says how many there are.
template <class Needed>
void demand_workspace(ExecuteSettings const& settings, Needed needed) {
  if (settings.workspace_bytes == 0) return;
  std::size_t const bytes = static_cast<std::size_t>(needed());
  if (settings.workspace_bytes < bytes || (!settings.workspace && bytes > 0))
    refuse_workspace(settings, bytes);
}

}  // namespace skipper
