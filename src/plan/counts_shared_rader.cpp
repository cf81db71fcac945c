// What lines by Rader that stay in their places (kernel/rader_lines.h) do to shared memory: see counts.h.
#include "base/convolution_tables.h"
#include "plan/counts.h"
#include "plan/memory_units.h"

namespace skipper {
namespace {

using kernel::SweepSpec;

struct ThreadCoordinates {
  Index line = 0, number = 0, place = 0;
  bool exists = false;
};

ThreadCoordinates coordinates(SweepSpec const& s, int i, Index n) {
  Index const lines = rader_lines(s), here = rader_butterflies(s, i), stride = rader_stride(s, i);
  Index const line = lines_first(s, i) ? n % lines : n / here,
              number = lines_first(s, i) ? n / lines : n % here;
  return {line, number,
          line * rader_pitch(s) + 1 + number / stride * stride * (rader_radix(s, i) - 1) + number,
          n < lines * here};
}

/// Places of a warp, lane by lane, in the order in which each lane goes to them.
struct Touched {
  std::vector<Index> places[warp];
  SharedCount count(Index element_bytes) const { return one_after_another(places, element_bytes); }
};

/// Calls f(lane, place) for each butterfly of radix i that the warp from thread `first` on has, round after round.
template <class F>
void each_butterfly(SweepSpec const& s, int i, int first, F f) {
  for (int round = 0; round < rader_rounds(s, i) * rader_butterflies_at_once(s, i); ++round)
    for (int lane = 0; lane < warp && first + lane < s.threads; ++lane)
      if (ThreadCoordinates const at = coordinates(s, i, first + lane + Index(round) * s.threads); at.exists)
        f(lane, at);
}

/// Radix 0, whose butterflies at number 0 take the point that is left over after their own elements, and put the sum of all
/// before them.
SharedCount multiply_traffic(SweepSpec const& s, int first, Index element_bytes) {
  Touched taken, put;
  int const together = rader_butterflies_at_once(s, 0);
  for (int round = 0; round < rader_rounds(s, 0); ++round)
    for (int lane = 0; lane < warp && first + lane < s.threads; ++lane) {
      std::vector<Index> own, points;
      for (int b = 0; b < together; ++b) {
        ThreadCoordinates const at =
            coordinates(s, 0, first + lane + Index(round * together + b) * s.threads);
        for (int k = 0; at.exists && k < rader_radix(s, 0); ++k)
          own.push_back(at.place + k * rader_stride(s, 0));
        if (at.exists && at.number == 0) points.push_back(at.line * rader_pitch(s));
      }
      auto& in = taken.places[lane];
      auto& out = put.places[lane];
      in.insert(in.end(), own.begin(), own.end());
      in.insert(in.end(), points.begin(), points.end());
      out.insert(out.end(), points.begin(), points.end());
      out.insert(out.end(), own.begin(), own.end());
    }
  SharedCount total = taken.count(element_bytes);
  return total += put.count(element_bytes);
}

}  // namespace

SharedCount shared_rader_traffic(SweepSpec const& s, Index element_bytes) {
  SharedCount total;
  if (!shared_rader(s)) return total;
  int const last = last_rader_radix(s);
  std::vector<Index> radices{rader_radix(s, last)};
  for (int i = 0; i < last; ++i) radices.push_back(rader_radix(s, i));
  std::vector<Index> const order = rader_order(s.shared_rader.prime, radices);
  for (int first = 0; first < s.threads; first += warp) {
    total += multiply_traffic(s, first, element_bytes);
    for (int i = 1; i <= last; ++i) {
      Touched places, ordered;
      each_butterfly(s, i, first, [&](int lane, ThreadCoordinates const& at) {
        for (int k = 0; k < rader_radix(s, i); ++k) {
          places.places[lane].push_back(at.place + k * rader_stride(s, i));
          ordered.places[lane].push_back(
              at.line * rader_pitch(s) +
              order[std::size_t(at.number + Index(k) * rader_butterflies(s, last))]);
        }
      });
      for (int both = 0; both < 2; ++both) {  // there and back
        total += places.count(element_bytes);
        total += (i == last ? ordered : places).count(element_bytes);
      }
    }
  }
  return total;
}

}  // namespace skipper
