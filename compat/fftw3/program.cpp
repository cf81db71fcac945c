// See program.h: which steps a call takes.
#include "program.h"

#include <algorithm>
#include <utility>

#include "direct.h"
#include "staging.h"

namespace skipper::fftw3 {
namespace {

/// What one step works on at a time, so that it stays in a cache.
constexpr Index step_reals = 32768;

bool equal_strides(std::vector<Dim> const& dims) {
  return std::all_of(dims.begin(), dims.end(), [](Dim const& d) { return d.in_stride == d.out_stride; });
}

/// What is left of r2r where these axes are only gone over.
Call only_trig(Call const& call) {
  Call rest = call;
  rest.axes.clear();
  rest.kinds.clear();
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    if (is_halfcomplex(call.kinds[i])) {
      rest.batch.push_back(call.axes[i]);
    } else {
      rest.axes.push_back(call.axes[i]);
      rest.kinds.push_back(call.kinds[i]);
    }
  }
  return rest;
}

Copy whole_copy(Call const& call) {
  std::vector<Dim> dims = call.batch;
  if (call.kind == Kind::c2c) dims.push_back({2, call.in_pair, call.out_pair});
  return Copy(dims);
}

/// The real Fourier transform of lines; the spectra are dense.
Problem line_problem(RealKind kind, Lines const& in, Lines const& out) {
  Problem problem;
  problem.precision = precision;
  Index const half = in.n / 2 + 1;
  if (kind == RealKind::hc2r) {
    problem.kind = Kind::c2r;
    problem.direction = Direction::inverse;
    problem.axes = {{in.n, 1, out.stride}};
    if (out.count > 1) problem.batch = {{out.count, half, out.distance}};
  } else {
    problem.kind = Kind::r2c;
    problem.axes = {{in.n, in.stride, 1}};
    if (in.count > 1) problem.batch = {{in.count, in.distance, half}};
  }
  return problem;
}

}  // namespace

Program::Program(Call const& call, int threads, Dense dense) {
  if (add_native(call, threads)) return;
  if (dense == Dense::yes) throw Error("size", "is beyond what memory can hold; give smaller dimensions");
  add_staged(call, threads);
}

bool Program::add_native(Call const& call, int threads) {
  if (std::optional<Problem> const problem = direct_problem(call)) {
    swapped_ = call.in_pair == -1;
    steps_.emplace_back(Engine(*problem, threads));
    return true;
  }
  bool const in_order =
      call.overlap == Overlap::none ||
      (call.overlap == Overlap::same && equal_strides(call.axes) && equal_strides(call.batch));
  if (!in_order) return false;
  if (call.axes.empty()) {
    if (call.overlap == Overlap::none) steps_.emplace_back(Move{whole_copy(call)});
    return true;
  }
  return call.kind == Kind::r2r && add_real_axes(call, threads);
}

bool Program::add_real_axes(Call const& call, int threads) try {
  Call const trig = only_trig(call);
  if (!trig.axes.empty()) {
    std::optional<Problem> const problem = direct_problem(trig);
    if (!problem) return false;
    steps_.emplace_back(Engine(*problem, threads));
  }
  for (std::size_t i = 0; i < call.axes.size(); ++i)
    if (is_halfcomplex(call.kinds[i])) add_halfcomplex(call, i, steps_.empty(), threads);
  return true;
} catch (Error const&) {  // strides that Problem refuses
  steps_.clear();
  buffer_reals_ = 0;
  return false;
}

void Program::add_halfcomplex(Call const& call, std::size_t axis, bool first, int threads) {
  std::vector<Dim> others = call.batch;
  for (std::size_t i = 0; i < call.axes.size(); ++i)
    if (i != axis) others.push_back(call.axes[i]);
  Dim line = call.axes[axis];
  if (!first) {  // in place on the output
    line.in_stride = line.out_stride;
    for (Dim& dim : others) dim.in_stride = dim.out_stride;
  }
  Index const spectrum = 2 * (line.size / 2 + 1);
  Cut const cut = cut_fastest(std::move(others), step_reals / spectrum);
  Lines const in{line.size, line.in_stride, cut.inner.size, cut.inner.in_stride};
  Lines const out{line.size, line.out_stride, cut.inner.size, cut.inner.out_stride};
  RealKind const kind = call.kinds[axis];
  steps_.emplace_back(Halfcomplex{kind, cut.loops, in, out, Engine(line_problem(kind, in, out), threads)});
  buffer_reals_ = std::max(buffer_reals_, product(spectrum, cut.inner.size));
}

void Program::add_staged(Call const& call, int threads) {
  bool const apart = call.overlap == Overlap::none ||
                     (call.overlap == Overlap::same && equal_strides(call.axes) && equal_strides(call.batch));
  Staging const staging = stage(call, apart ? step_reals : 0);
  Staged step{staging.loops, Copy(staging.gather), Copy(staging.scatter), staging.reals,
              std::unique_ptr<Program const>(new Program(staging.inner, threads, Dense::yes))};
  buffer_reals_ = sum(rounded(staging.reals), step.inner->buffer_reals());
  steps_.emplace_back(std::move(step));
}

std::string Program::describe() const {
  std::string result;
  for (Step const& step : steps_) {
    if (auto const* engine = std::get_if<Engine>(&step)) {
      result += engine->describe();
    } else if (std::holds_alternative<Move>(step)) {
      result += "copy\n";
    } else if (auto const* lines = std::get_if<Halfcomplex>(&step)) {
      result += "halfcomplex lines by\n" + lines->engine.describe();
    } else {
      result += "gather, then in place, then scatter\n" + std::get<Staged>(step).inner->describe();
    }
  }
  return result.empty() ? "nothing to do\n" : result;
}

}  // namespace skipper::fftw3
