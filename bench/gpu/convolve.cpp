// Measures convolutions on a GPU against what they replace: the plan there, the plan back, and a pointwise sweep between,
// which is counted as a copy. A case is the problem there, c2c or r2c; the convolution is circular, by a kernel that
// shifts by one along every axis, so that what comes out is known.
//   convolve LIST [compile=1]
// where `compile` leaves it at filling the cache of kernels, which needs no GPU.
#include <skipper/skipper.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/gpu/arena.h"
#include "cli/cases.h"
#include "cli/scalars.h"
#include "gpu/jit.h"
#include "gpu/prepare.h"

using namespace skipper;

namespace {

ConvolutionProblem convolution_of(Problem const& there) {
  ConvolutionProblem p;
  p.precision = there.precision;
  p.complex = there.kind == Kind::c2c;
  p.mode = ConvolutionMode::circular;
  for (Axis const& a : there.axes) p.shape.push_back(a.size);
  p.kernel.assign(p.shape.size(), 2);
  for (Dim const& d : there.batch) p.batch *= d.size;
  return p;
}

/// One at the last gather index of all, zero elsewhere, in any precision.
std::vector<std::byte> shift_kernel(ConvolutionProblem const& p) {
  std::size_t const gather_indices = std::size_t(1) << p.kernel.size(), parts = p.complex ? 2 : 1;
  auto const all = [&]<class T>(T) {
    std::vector<T> values(gather_indices * parts, T(0));
    values[(gather_indices - 1) * parts] = T(1);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  return with_scalar(p.precision, all);
}

/// How far the first array that came out is from the shifted input, in f32.
double error_of(ConvolutionProblem const& p, bench::Arena::Arrays const& arrays) {
  cli::Cuda cuda(0);
  std::size_t n = 1, parts = p.complex ? 2 : 1;
  for (auto s : p.shape) n *= std::size_t(s);
  std::vector<float> in(n * parts), out(n * parts);
  cuda.download(in.data(), reinterpret_cast<void*>(arrays.in), in.size() * sizeof(float));
  cuda.download(out.data(), reinterpret_cast<void*>(arrays.out), out.size() * sizeof(float));
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t rest = i, to = 0, stride = 1;
    for (std::size_t d = p.shape.size(); d-- > 0;
         stride *= std::size_t(p.shape[d]), rest /= std::size_t(p.shape[d]))
      to += (rest % std::size_t(p.shape[d]) + 1) % std::size_t(p.shape[d]) * stride;
    for (std::size_t c = 0; c < parts; ++c)
      worst = std::max(worst, double(std::abs(in[i * parts + c] - out[to * parts + c])));
  }
  return worst;
}

void measure(Problem const& there, bench::Arena& arena) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  ConvolutionProblem const p = convolution_of(there);
  Plan const forward(there, settings), back = forward.inverse();
  Convolution const convolution(p, shift_kernel(p).data(), settings);
  auto const arrays = arena.arrays(
      there, std::max({forward.workspace_bytes(), back.workspace_bytes(), convolution.workspace_bytes()}));
  auto const at = [](gpu::DevicePointer pointer) { return reinterpret_cast<void*>(pointer); };
  auto const time = [&](auto const& plan) {
    return arena.seconds([&] {
      plan.execute(at(arrays.in), at(arrays.out), {.workspace = at(arrays.work), .stream = arena.stream()});
    });
  };
  double const copy = arena.copy_seconds(there), a = time(forward), b = time(back), c = time(convolution);
  std::printf(
      "%s  there %.2f  back %.2f  convolution %.2f x copy (%.1f us), %.0f %% of there, product and "
      "back%s\n%s",
      text(there).c_str(), a / copy, b / copy, c / copy, c * 1e6, 100 * c / (a + b + copy),
      there.precision == Precision::f32 ? (", worst error " + std::to_string(error_of(p, arrays))).c_str()
                                        : "",
      convolution.describe().c_str());
  std::fflush(stdout);
}

/// The kernels of the three, for an H200.
void compile(Problem const& there) {
  Machine const h200 = machine("h200");
  Stopwatch watch;
  Problem back = inverse_problem(there);
  bool const wide = there.precision == Precision::f64;
  std::vector<kernel::SweepSpec> specs;
  auto const add = [&](gpu::Prepared const& prepared) {
    for (auto const& sweep : prepared.sweeps) specs.push_back(sweep.spec);
  };
  PlanOptions const options{.clusters = true, .l2_blocks = false, .max_candidates = 1};
  add(gpu::prepared(there, h200, options, watch));
  add(gpu::prepared(back, h200, options, watch));
  back.scale = 1;
  add(gpu::prepared(
      {there, back}, Factors::shared, [](bool) { return std::vector<std::complex<double>>{}; }, h200, watch));
  gpu::compile(specs, wide, h200.architecture);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw Error("LIST", "is missing; name a file of cases");
  bool const only_compile = argc > 2 && !std::strcmp(argv[2], "compile=1");
  if (argc > 2 && !only_compile) throw Error(argv[2], "is no word of convolve; use compile=1");
  for (cli::Case const& c : cli::read_list(argv[1])) try {
      if (c.problem && only_compile) compile(*c.problem);
      if (!c.problem || only_compile) continue;
      bench::Arena arena;  // each with its own arrays: noise is what went in
      measure(*c.problem, arena);
    } catch (Error const& e) {
      std::printf("%s: %s\n", c.line.c_str(), e.what());
    }
} catch (Error const& e) {
  std::fprintf(stderr, "convolve: %s\n", e.what());
  return 2;
}
