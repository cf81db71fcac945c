// Convolutions over all axes at once: forward transform, product with factors, inverse transform. The forward part is a
// program whose last sweep is a fused inverse: it transforms its tile, multiplies, and transforms it back at once, so that it
// writes where it read. The inverse part is the same program backwards: its digits in the opposite order, its layouts from
// the last to the first. What stands between is in no order that a user sees.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/program.h"

namespace skipper {

struct FusedInverse {
  Program forward;  // its last sweep is the fused inverse
  // The way back. Its first sweep is that last one too; nothing where there is no other.
  std::optional<Program> inverse;
  double scale = 1;  // of the factors: what no sweep multiplies by
  double cost = 0;   // x copy, estimated
};

/// The problem from data to spectrum, which is dense, and the one from there to the outputs: c2c, or r2c and c2r, perhaps
/// with cosine and sine axes.
struct ConvolutionSides {
  Problem there, back;
};

/// The fused inverses to try, best first. Real data goes through half a spectrum where the fused inverse is free of real
/// transforms, else as complex numbers between real sides. Throws Error where there is none.
std::vector<FusedInverse> fused_inverses(ConvolutionSides const& sides, Factors factors,
                                         Machine const& machine);

/// Whether the factors are those of all frequencies, also of real data.
bool takes_whole_spectrum(FusedInverse const& fused_inverse);

/// The factors of a spectrum in the order in which the fused inverse's kernel reads them, times what the real transforms
/// still lack. The spectrum is dense, one for all of a batch or one for each.
std::vector<std::complex<double>> factors(FusedInverse const& fused_inverse, Lowered const& lowered,
                                          std::vector<std::complex<double>> const& spectrum);

/// The same of a fused inverse that divides: the tables of its dimensions, the batch too, slowest first, in the order of its
/// kernel. Past their ends there is no element to divide.
std::vector<double> symbol_tables(FusedInverse const& fused_inverse, Lowered const& lowered,
                                  std::vector<std::vector<double>> const& axes);

/// The sweeps one after the other.
std::string text(FusedInverse const& fused_inverse);

}  // namespace skipper
