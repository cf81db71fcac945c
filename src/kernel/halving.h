#pragma once
// How a prime goes by halves (codelets/half_prime.h): counts that its code, its threads and its cost go by.
namespace skipper::kernel {

inline constexpr int longest_half_prime = 127, most_half = longest_half_prime / 2;

constexpr bool in_thirds(int n) { return n / 2 % 3 == 0; }
constexpr bool in_pairs(int n) { return !in_thirds(n) && n / 2 % 2 == 0; }
/// Parts of a correlation, and what each has at most.
constexpr int parts_of_half(int n) { return in_thirds(n) ? 3 : 2; }
constexpr int part_of_half(int n) { return (n / 2 + parts_of_half(n) - 1) / parts_of_half(n); }

constexpr int half_of(int n) { return n / 2; }
constexpr int second_part(int n) {
  return n / 2 - part_of_half(n) < part_of_half(n) ? n / 2 - part_of_half(n) : part_of_half(n);
}

/// Up to here a line goes by two threads, past it by four (kernel/halves.h); in thirds the longest takes few enough registers.
inline constexpr int longest_together = 103;
constexpr bool goes_together(int n) { return n <= longest_together || in_thirds(n); }

/// Rows of products at once: as many as leave a thread its registers, in rounds of as many each. One, and no rounds, where
/// it is straight code.
inline constexpr int longest_straight = 79, most_rows = 8;
constexpr bool in_straight_code(int n) { return n <= longest_straight; }
constexpr int rows_at_once(int n) {
  if (in_straight_code(n)) return 1;
  int const kept = (in_pairs(n) && goes_together(n) ? 5 : 6) * part_of_half(n) / (goes_together(n) ? 1 : 2);
  int const room = goes_together(n) ? (147 - kept) / 6 : (110 - kept) / 4;
  int const most = room < 1 ? 1 : room < most_rows ? room : most_rows;
  int const rounds = (part_of_half(n) + most - 1) / most;
  return (part_of_half(n) + rounds - 1) / rounds;
}
constexpr int rounds_of_rows(int n) { return (part_of_half(n) + rows_at_once(n) - 1) / rows_at_once(n); }
constexpr int diagonals(int n) { return part_of_half(n) + rows_at_once(n) - 1; }

}  // namespace skipper::kernel
