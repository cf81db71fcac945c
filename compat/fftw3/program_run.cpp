// Runs the steps of a program (program.h).
#include "program.h"
#include "staging.h"

namespace skipper::fftw3 {
namespace {

/// body(offset in the input, offset in the output) for all places of the loops.
template <class Body>
void for_each_place(std::vector<Dim> const& loops, std::size_t level, Index in, Index out, Body const& body) {
  if (level == loops.size()) return body(in, out);
  Dim const& loop = loops[level];
  for (Index i = 0; i < loop.size; ++i)
    for_each_place(loops, level + 1, in + i * loop.in_stride, out + i * loop.out_stride, body);
}

void run_halfcomplex(Halfcomplex const& step, Real const* in, Real* out, Real* buffer) {
  for_each_place(step.loops, 0, 0, 0, [&](Index in_at, Index out_at) {
    if (step.kind == RealKind::hc2r) {
      pack_halfcomplex(step.in, in + in_at, buffer);
      step.engine.execute(buffer, out + out_at);
      return;
    }
    step.engine.execute(in + in_at, buffer);
    unpack_halfcomplex(step.out, buffer, out + out_at);
  });
}

void run_staged(Staged const& step, Real const* in, Real* out, Real* buffer) {
  Arrays const dense{buffer, buffer + 1, buffer, buffer + 1};
  Real* const rest = buffer + rounded(step.reals);
  for_each_place(step.loops, 0, 0, 0, [&](Index in_at, Index out_at) {
    step.gather.run(in + in_at, buffer);
    step.inner->run(dense, rest);
    step.scatter.run(buffer, out + out_at);
  });
}

}  // namespace

void Program::run(Arrays arrays, Real* buffer) const {
  for (Step const& step : steps_) {
    if (auto const* engine = std::get_if<Engine>(&step))
      engine->execute(first_in(arrays), first_out(arrays));
    else if (auto const* move = std::get_if<Move>(&step))
      move->copy.run(arrays.in, arrays.out);
    else if (auto const* lines = std::get_if<Halfcomplex>(&step))
      run_halfcomplex(*lines, arrays.in, arrays.out, buffer);
    else
      run_staged(std::get<Staged>(step), arrays.in, arrays.out, buffer);
    arrays.in = arrays.out;
    arrays.in_imag = arrays.out_imag;
  }
}

}  // namespace skipper::fftw3
