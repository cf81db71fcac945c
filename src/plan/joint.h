// Convolutions over all axes at once: forward transform, product with factors, inverse transform. The way there is a
// program whose last sweep is a joint: it transforms its tile, multiplies, and transforms it back at once, so that it
// writes where it read. The way back is the same program backwards: its digits in the opposite order, its layouts from
// the last to the first. What stands between is in no order that a user sees.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/program.h"

namespace skipper {

struct Joint {
  Program there;                // its last sweep is the joint
  std::optional<Program> back;  // from its second sweep on; nothing where the joint is all
  double cost = 0;              // x copy, estimated
};

/// The problems from data to spectrum, which is dense, and from there to the outputs: c2c, or r2c and c2r, perhaps with
/// cosine and sine axes.
struct ConvolutionEnds {
  Problem there, back;
};

/// The joints to try, best first. Real data goes through half a spectrum where the joint is free of folds, else as complex
/// numbers between real ends. Throws Error where there is none.
std::vector<Joint> joints(ConvolutionEnds const& ends, Factors factors, Machine const& machine);

/// Whether the factors are those of all frequencies, also of real data.
bool takes_whole_spectrum(Joint const& joint);

/// The factors of a spectrum in the order in which the joint's kernel reads them, with what the folds still lack. The
/// spectrum is dense, one for all of a batch or one for each.
std::vector<std::complex<double>> factors(Joint const& joint, Lowered const& lowered,
                                          std::vector<std::complex<double>> const& spectrum);

/// The same of a joint that divides: the tables of its dimensions, the batch too, slowest first, in the order of its
/// kernel. Past their ends there is no element to divide.
std::vector<double> symbol_tables(Joint const& joint, Lowered const& lowered,
                                  std::vector<std::vector<double>> const& axes);

/// The sweeps one after the other.
std::string text(Joint const& joint);

}  // namespace skipper
