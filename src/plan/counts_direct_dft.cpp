// Counts of digits that are multiplied by their matrix, or transformed by symmetry, in shared memory (counts.h).
#include <algorithm>
#include <vector>

#include "plan/counts.h"
#include "plan/memory_units.h"

namespace skipper {

namespace {

using kernel::SweepSpec;

/// The first element of a line in the exchange into step i.
Index line_place(SweepSpec const& s, int i, int number) {
  kernel::AffineTerms const shares = line_terms(s, i);
  Index place = 0;
  for (int p = 0; p < shares.count; ++p)
    place += Index(unsigned(number) / shares.span[p] % shares.extent[p]) * shares.weight[p];
  return place;
}

/// Eight lines of the exchange into step i, from number `first` on.
SharedCount matrix_dft_traffic(SweepSpec const& s, int i, int first, Index element_bytes) {
  int const n = direct_dft_length(s, i), pitch = direct_dft_pitch(s, i), lines = direct_dft_lines(s, i);
  auto const line = [&](int number) { return line_place(s, i, number); };
  std::vector<Index> read[warp];
  for (int lane = 0; lane < warp; ++lane)
    for (int b = 0; b < matrix_dft_blocks(s, i); ++b) {
      int const own = first + lane / 4, j = 4 * b + lane % 4 <= n / 2 ? 4 * b + lane % 4 : 0;
      Index const place = line(own < lines ? own : lines - 1);
      read[lane].insert(read[lane].end(), {place + j * pitch, place + (j == 0 ? 0 : n - j) * pitch});
    }
  SharedCount total = one_after_another(read, element_bytes);
  for (int rows = 0; rows < matrix_row_blocks(s, i); ++rows) {
    std::vector<Index> written[warp];
    for (int lane = 0; lane < warp; ++lane)
      for (int e = 0; e < 2; ++e)
        for (int h = 0; h < 2; ++h) {
          int const number = first + 2 * (lane % 4) + e, k = 16 * rows + 8 * h + lane / 4;
          if (number >= lines || 2 * k > n) continue;
          written[lane].push_back(line(number) + k * pitch);
          if (k > 0 && 2 * k < n) written[lane].push_back(line(number) + (n - k) * pitch);
        }
    total += one_after_another(written, element_bytes);
  }
  return total;
}

/// Sixteen lines by symmetry: lanes 2 l and 2 l + 1 take both parts of all of line l, and put one.
SharedCount symmetric_dft_traffic(SweepSpec const& s, int i, int first, Index element_bytes) {
  int const n = direct_dft_length(s, i), pitch = direct_dft_pitch(s, i), lines = direct_dft_lines(s, i);
  std::vector<Index> read[warp], written[warp], also[warp];
  for (int lane = 0; lane < warp; ++lane) {
    int const own = first + lane / 2, part = lane % 2;
    Index const place = 2 * line_place(s, i, own < lines ? own : lines - 1);
    for (int j = 0; one_sum_per_warp(s, i) && j < n; ++j) {
      read[lane].push_back(place + 2 * j * pitch + part);
      also[lane].push_back(place + 2 * j * pitch + 1 - part);
      if (own < lines) written[lane].push_back(place + 2 * j * pitch + part);
    }
    if (one_sum_per_warp(s, i)) continue;
    read[lane].push_back(place + part);
    for (int j = 1; j < n; ++j)
      read[lane].insert(read[lane].end(), {place + 2 * j * pitch + part, place + 2 * j * pitch + 1 - part});
    for (int k = 0; k < n && own < lines; ++k) written[lane].push_back(place + 2 * k * pitch + part);
  }
  SharedCount total = one_after_another(read, element_bytes / 2);
  total += one_after_another(also, element_bytes / 2);
  total += one_after_another(written, element_bytes / 2);
  return total;
}

}  // namespace

/// What warps read of the lines of all steps, and write.
SharedCount direct_dft_lines_traffic(kernel::SweepSpec const& spec, Index element_bytes) {
  SharedCount total;
  for (int i = 0; i < spec.steps; ++i)
    for (int first = 0; is_direct_dft(spec, i) && first < direct_dft_lines(spec, i);
         first += direct_dft_lines_per_warp(spec, i))
      total += by_symmetry(spec, i) ? symmetric_dft_traffic(spec, i, first, element_bytes)
                                    : matrix_dft_traffic(spec, i, first, element_bytes);
  return total;
}

}  // namespace skipper
