// What a plan does: a list of steps. Mostly that is one, a Problem of Skipper's. What Problem has no words for is
//   Move          no axis: elements are copied from place to place
//   Halfcomplex   one axis of R2HC or HC2R: a real Fourier transform, and its spectrum in another order
//   Staged        all else: elements are gathered into a dense array, transformed there in place, and scattered
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "call.h"
#include "copy.h"
#include "engine.h"
#include "halfcomplex.h"

namespace skipper::fftw3 {

class Program;

struct Move {
  Copy copy;
};

struct Halfcomplex {
  RealKind kind = RealKind::r2hc;
  std::vector<Dim> loops;
  Lines in, out;
  Engine engine;  // between the reals and the dense lines of their spectra
};

struct Staged {
  std::vector<Dim> loops;
  Copy gather, scatter;
  Index reals = 0;  // of the dense array
  std::unique_ptr<Program const> inner;
};

using Step = std::variant<Engine, Move, Halfcomplex, Staged>;

class Program {
 public:
  /// The call is normalised and not empty. Throws Error, or std::bad_alloc, where it cannot be computed.
  Program(Call const& call, int threads) : Program(call, threads, Dense::perhaps) {}

  /// The one Problem that does it all, or null: then execute() of it on first() of either side is all there is to do.
  Engine const* only_engine() const { return steps_.size() == 1 ? std::get_if<Engine>(&steps_[0]) : nullptr; }

  /// Where the interleaved numbers of a side begin. Real and imaginary parts may be swapped.
  Real* first_in(Arrays const& arrays) const { return swapped_ ? arrays.in_imag : arrays.in; }
  Real* first_out(Arrays const& arrays) const { return swapped_ ? arrays.out_imag : arrays.out; }

  /// The buffer has buffer_reals(), aligned to 64 bytes. Two runs at the same time need two.
  void run(Arrays arrays, Real* buffer) const;
  Index buffer_reals() const { return buffer_reals_; }

  std::string describe() const;

 private:
  enum class Dense { perhaps, yes };
  Program(Call const& call, int threads, Dense dense);

  bool add_native(Call const& call, int threads);
  bool add_real_axes(Call const& call, int threads);
  void add_halfcomplex(Call const& call, std::size_t axis, bool first, int threads);
  void add_staged(Call const& call, int threads);

  std::vector<Step> steps_;  // the first one from the input to the output, the others there in place
  bool swapped_ = false;
  Index buffer_reals_ = 0;
};

}  // namespace skipper::fftw3
