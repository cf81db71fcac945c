// See halfcomplex.h.
#include "halfcomplex.h"

namespace skipper::fftw3 {
namespace {

/// visit(line, k) for all lines and 0 < k < n/2 or so; neighbours in memory one after the other.
template <class Visit>
void for_each_pair(Lines const& lines, Visit const& visit) {
  Index const pairs = (lines.n + 1) / 2;  // 1 to pairs-1 have a mirror image other than themselves
  auto const magnitude = [](Index stride) { return stride < 0 ? -stride : stride; };
  if (magnitude(lines.stride) <= magnitude(lines.distance)) {
    for (Index line = 0; line < lines.count; ++line)
      for (Index k = 1; k < pairs; ++k) visit(line, k);
  } else {
    for (Index k = 1; k < pairs; ++k)
      for (Index line = 0; line < lines.count; ++line) visit(line, k);
  }
}

/// visit(line, k) for those that are their own: 0, and n/2 of an even n.
template <class Visit>
void for_each_real(Lines const& lines, Visit const& visit) {
  for (Index line = 0; line < lines.count; ++line) {
    visit(line, Index(0));
    if (lines.n % 2 == 0) visit(line, lines.n / 2);
  }
}

Index place(Lines const& lines, Index line, Index k) { return line * lines.distance + k * lines.stride; }
Index complex_place(Lines const& lines, Index line, Index k) { return 2 * (line * (lines.n / 2 + 1) + k); }

}  // namespace

void unpack_halfcomplex(Lines const& lines, Real const* spectrum, Real* to) {
  for_each_real(lines, [&](Index line, Index k) {
    to[place(lines, line, k)] = spectrum[complex_place(lines, line, k)];
  });
  for_each_pair(lines, [&](Index line, Index k) {
    Real const* const c = spectrum + complex_place(lines, line, k);
    to[place(lines, line, k)] = c[0];
    to[place(lines, line, lines.n - k)] = c[1];
  });
}

void pack_halfcomplex(Lines const& lines, Real const* from, Real* spectrum) {
  for_each_real(lines, [&](Index line, Index k) {
    Real* const c = spectrum + complex_place(lines, line, k);
    c[0] = from[place(lines, line, k)];
    c[1] = 0;
  });
  for_each_pair(lines, [&](Index line, Index k) {
    Real* const c = spectrum + complex_place(lines, line, k);
    c[0] = from[place(lines, line, k)];
    c[1] = from[place(lines, line, lines.n - k)];
  });
}

}  // namespace skipper::fftw3
