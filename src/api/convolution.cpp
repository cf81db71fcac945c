// Convolutions: the sizes of the transforms, the spectrum of the kernel, and the two problems whose sides pad and crop.
// Around the data there must be so many zeros that nothing wraps into an output that is stored: k - 1 for full ones,
// half of that where only the middle is kept, none for valid ones.
#include <skipper/convolution.h>

#include <algorithm>
#include <cmath>

#include "api/arrays.h"
#include "api/elements.h"
#include "api/engine.h"
#include "api/held.h"
#include "api/settings.h"
#include "base/check_enum.h"
#include "base/numbers.h"
#include "cpu/callbacks.h"
#include "gpu/device.h"
#include "gpu/engine.h"

namespace skipper {
namespace {

using Values = std::vector<std::complex<double>>;

/// One axis: its length as it is transformed, and the outputs that are kept.
struct Along {
  std::int64_t size = 1, first = 0, count = 1;
  bool unrolled = false;  // circular in a longer one: the kernel stands there with what wraps round before it
};

[[noreturn]] void refuse_axis(std::size_t axis, char const* list, std::string const& what) {
  throw Error(std::string(list) + "[" + std::to_string(axis) + "]", what);
}

void check(ConvolutionProblem const& p) {
  check_enum("mode", p.mode, ConvolutionMode::valid);
  check_enum("precision", p.precision, Precision::bf16);
  if (p.shape.empty() || p.shape.size() > max_rank)
    throw Error("shape", "has " + std::to_string(p.shape.size()) + " axes but must have 1 to 64");
  if (p.kernel.size() != p.shape.size())
    throw Error("kernel", "has " + std::to_string(p.kernel.size()) + " axes and the data " +
                              std::to_string(p.shape.size()) + "; give it axes of size 1");
  for (std::size_t i = 0; i < p.shape.size(); ++i) {
    if (p.shape[i] < 1)
      refuse_axis(i, "shape", "is " + std::to_string(p.shape[i]) + " but must be at least 1");
    if (p.kernel[i] < 1)
      refuse_axis(i, "kernel", "is " + std::to_string(p.kernel[i]) + " but must be at least 1");
    bool const inside = p.mode == ConvolutionMode::circular || p.mode == ConvolutionMode::valid;
    if (inside && p.kernel[i] > p.shape[i])
      refuse_axis(i, "kernel",
                  "is " + std::to_string(p.kernel[i]) + ", more than the data's " +
                      std::to_string(p.shape[i]) + "; use mode full or same");
    if (p.shape[i] > (std::int64_t(1) << 60) || p.kernel[i] > (std::int64_t(1) << 60))
      refuse_axis(i, "shape", "is too long for 63 bits of address; use smaller arrays");
  }
  if (p.batch < 1) throw Error("batch", "is " + std::to_string(p.batch) + " but must be at least 1");
  if (!std::isfinite(p.scale)) throw Error("scale", "is not finite; give a number");
  if (p.kernels != 1 && p.kernels != p.batch)
    throw Error("kernels", "is " + std::to_string(p.kernels) + " but must be 1 or the batch, " +
                               std::to_string(p.batch));
}

bool has_long_prime(std::int64_t n) {
  constexpr std::int64_t longest = 31;  // that fused inverses take in every precision
  auto const factors = factorise(n);
  return std::any_of(factors.begin(), factors.end(), [](Factor const& f) { return f.prime > longest; });
}

/// `unrolled`: a circular convolution along an axis with a long prime is the middle of one with a kernel of 2 n - 1.
std::vector<Along> axes_of(ConvolutionProblem const& p, bool unrolled = false) {
  check(p);
  std::vector<Along> axes;
  for (std::size_t i = 0; i < p.shape.size(); ++i) {
    std::int64_t const n = p.shape[i], k = p.kernel[i];
    if (p.mode == ConvolutionMode::circular) {
      bool const longer = unrolled && has_long_prime(n);
      axes.push_back(longer ? Along{2 * next_smooth(n, 7), n - 1, n, true} : Along{n, 0, n});
      continue;
    }
    Along axis{n + k - 1, 0, n + k - 1};
    if (p.mode == ConvolutionMode::same) axis = {n + k / 2, (k - 1) / 2, n};
    if (p.mode == ConvolutionMode::valid) axis = {n, k - 1, n - k + 1};
    bool const even = !p.complex && i + 1 == p.shape.size();  // real transforms halve it
    axis.size = even ? 2 * next_smooth((axis.size + 1) / 2, 7) : next_smooth(axis.size, 7);
    axes.push_back(axis);
  }
  return axes;
}

/// Data to spectrum; `back` is the way from there to the outputs.
Problem forward_problem(ConvolutionProblem const& p, std::vector<Along> const& axes, bool back) {
  Problem problem;
  problem.precision = p.precision;
  problem.kind = p.complex ? Kind::c2c : back ? Kind::c2r : Kind::r2c;
  problem.direction = back ? Direction::inverse : Direction::forward;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Axis axis{axes[i].size};
    if (back) {
      bool const all = axes[i].count == axes[i].size;
      axis.out_first = all ? 0 : axes[i].first;
      axis.out_count = all ? 0 : axes[i].count;
    } else if (p.shape[i] != axes[i].size) {
      axis.in_count = p.shape[i];
    }
    problem.axes.push_back(axis);
  }
  if (p.batch > 1) problem.batch.push_back({p.batch});
  problem = dense_layout(std::move(problem));
  skipper::check(problem);
  return problem;
}

double value_at(ConvolutionProblem const& p, void const* kernel, std::int64_t i) {
  if (p.precision == Precision::f16) return static_cast<Half const*>(kernel)[i];
  if (p.precision == Precision::bf16) return static_cast<BFloat16 const*>(kernel)[i];
  if (p.precision == Precision::f32) return static_cast<float const*>(kernel)[i];
  return static_cast<double const*>(kernel)[i];
}

bool is_unrolled(std::vector<Along> const& axes) {
  return std::any_of(axes.begin(), axes.end(), [](Along const& a) { return a.unrolled; });
}

/// Calls `visit` with every place of a point of the kernel in the padded one: one, or two in each direction where it wraps round.
template <class Visit>
void each_place(ConvolutionProblem const& p, std::vector<Along> const& axes, bool flip, std::int64_t point,
                Visit visit) {
  std::vector<std::int64_t> places{0};
  std::int64_t stride = 1;
  for (std::size_t d = axes.size(); d-- > 0;) {
    std::int64_t const j = point % p.kernel[d], n = p.shape[d];
    bool const circular = p.mode == ConvolutionMode::circular;
    std::int64_t const at = flip ? (circular ? (n - j) % n : p.kernel[d] - 1 - j) : j;
    std::vector<std::int64_t> along{at % axes[d].size};
    if (axes[d].unrolled) along = at > 0 ? std::vector{at - 1, at + n - 1} : std::vector{n - 1};
    std::vector<std::int64_t> all;
    for (std::int64_t place : places)
      for (std::int64_t k : along) all.push_back(place + k * stride);
    places = std::move(all);
    point /= p.kernel[d];
    stride *= axes[d].size;
  }
  for (std::int64_t place : places) visit(static_cast<std::size_t>(place));
}

/// One kernel padded to the sizes of the transforms, complex; flipped where a correlation has zeros around it. A kernel
/// that is longer wraps, which only outputs that are not kept could tell.
Values padded(ConvolutionProblem const& p, std::vector<Along> const& axes, void const* kernel,
              std::int64_t which) {
  std::int64_t padded_points = 1, points = 1;
  for (Along const& axis : axes) padded_points *= axis.size;
  for (std::int64_t k : p.kernel) points *= k;
  bool const flip = p.correlate && (p.mode != ConvolutionMode::circular || is_unrolled(axes));
  Values all(static_cast<std::size_t>(padded_points));
  for (std::int64_t i = 0; i < points; ++i) {
    std::int64_t const at = which * points + i;
    std::complex<double> const value =
        p.complex ? std::complex<double>(value_at(p, kernel, 2 * at), value_at(p, kernel, 2 * at + 1))
                  : value_at(p, kernel, at);
    each_place(p, axes, flip, i, [&](std::size_t place) { all[place] += flip ? std::conj(value) : value; });
  }
  return all;
}

/// The spectra of all kernels in double precision, with the scale, laid out as the transform of the data is; `whole`: of
/// real data too all frequencies.
Values spectra(ConvolutionProblem const& p, std::vector<Along> const& axes, void const* kernel,
               PlanSettings const& settings, bool whole) {
  std::vector<std::int64_t> sizes;
  double points = 1;
  for (Along const& axis : axes) sizes.push_back(axis.size), points *= static_cast<double>(axis.size);
  Problem problem = c2c(sizes, 1, Precision::f64);
  problem.scale = p.scale / points;
  cpu::Transform const transform(problem, cpu::host_machine(), cpu_options(settings.cpu));
  std::int64_t const last = sizes.back(), kept = whole ? last : last / 2 + 1;
  bool const conjugate = p.correlate && p.mode == ConvolutionMode::circular && !is_unrolled(axes);
  Values result;
  for (std::int64_t which = 0; which < p.kernels; ++which) {
    Values const x = padded(p, axes, kernel, which);
    Values y(x.size());
    transform.execute(x.data(), y.data());
    for (std::size_t i = 0; i < y.size(); ++i)
      if (static_cast<std::int64_t>(i) % last < kept) result.push_back(conjugate ? std::conj(y[i]) : y[i]);
  }
  return result;
}

}  // namespace

std::vector<std::int64_t> out_shape(ConvolutionProblem const& problem) {
  std::vector<std::int64_t> shape;
  for (Along const& axis : axes_of(problem)) shape.push_back(axis.count);
  return shape;
}

struct Convolution::State {
  ConvolutionProblem problem;
  Device device;
  Spans spans;
  std::unique_ptr<cpu::BufferedTransform const> buffered;  // on the CPU
  std::unique_ptr<gpu::Transform const> transform;         // on a GPU
};

namespace {

std::unique_ptr<gpu::Transform const> joined_on_gpu(ConvolutionProblem const& problem,
                                                    std::vector<Along> const& axes, void const* kernel,
                                                    int device, PlanSettings const& settings) {
  return std::make_unique<gpu::Transform const>(
      ConvolutionSides{forward_problem(problem, axes, false), forward_problem(problem, axes, true)},
      problem.kernels > 1 ? Factors::each : Factors::shared,
      [&](bool whole) { return spectra(problem, axes, kernel, settings, whole || problem.complex); }, device,
      gpu_options(settings));
}

/// Arrays are dense, and check() has seen that they fit in 63 bits.
Spans spans_of(ConvolutionProblem const& problem, std::vector<Along> const& axes) {
  std::int64_t const element = problem.precision == Precision::f64 ? 8 : is_16_bit(problem.precision) ? 2 : 4;
  Spans spans{element * problem.batch, element * problem.batch};
  if (problem.complex) spans.in *= 2, spans.out *= 2;
  for (std::size_t i = 0; i < axes.size(); ++i) spans.in *= problem.shape[i], spans.out *= axes[i].count;
  return spans;
}

/// Where a long prime is in the way of a fused inverse, the axis is unrolled into a longer one without.
std::unique_ptr<gpu::Transform const> on_gpu(ConvolutionProblem const& problem,
                                             std::vector<Along> const& axes, void const* kernel, int device,
                                             PlanSettings const& settings) {
  gpu::demand_driver();
  auto const longer = axes_of(problem, true);
  if (!is_unrolled(longer)) return joined_on_gpu(problem, axes, kernel, device, settings);
  try {
    return joined_on_gpu(problem, axes, kernel, device, settings);
  } catch (Error const& e) {
    if (e.argument() != "shape") throw;
    return joined_on_gpu(problem, longer, kernel, device, settings);
  }
}

}  // namespace

Convolution::Convolution(ConvolutionProblem const& problem, void const* kernel, Element type,
                         PlanSettings const& settings) {
  std::vector<Along> const axes = axes_of(problem);
  Element const wanted = element_type(problem.precision, problem.complex);
  if (!fits(type, wanted)) throw wrong_element("kernel", type, wanted);
  if (!kernel) throw Error("kernel", "is a null pointer; give its first element");
  check_settings(settings.cpu);
  check_settings(settings.gpu);
  check_settings(settings.callbacks);
  Spans const spans = spans_of(problem, axes);
  demand_gpu(settings.gpu, settings.device);
  demand_no_program(settings.gpu, "a convolution");
  if (auto const device = cuda_number(settings.device.name())) try {
      state_ = std::make_shared<State const>(
          State{problem, settings.device, spans, nullptr, on_gpu(problem, axes, kernel, *device, settings)});
      return;
    } catch (Error const&) {
      if (!settings.device.is_best()) throw;
    }
  cpu::Options options = cpu_options(settings.cpu);
  options.load = settings.callbacks.load;
  options.store = settings.callbacks.store;
  Problem const forward = forward_problem(problem, axes, false), back = forward_problem(problem, axes, true);
  state_ = std::make_shared<State const>(
      State{problem, Device("cpu"), spans,
            cpu::make_buffered(forward, back, spectra(problem, axes, kernel, settings, problem.complex),
                               cpu::host_machine(), options),
            nullptr});
}

void Convolution::run(void const* in, Element in_type, void* out, Element out_type,
                      ExecuteSettings const& settings) const {
  State const& state = held(state_, "convolution");
  Element const wanted = element_type(state.problem.precision, state.problem.complex);
  demand_elements({in_type, out_type}, {wanted, wanted});
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  if (in == out)
    throw Error("out", "is the same array as in, but convolutions are out of place; give another one");
  demand_apart(in, out, state.spans, "in", "out", ": convolutions are out of place");
  demand_workspace(settings, [&] { return workspace_bytes(); });
  if (state.transform) {
    gpu::demand_driver();  // it is gone in a child of fork()
    return state.transform->execute(in, out, settings.workspace, static_cast<gpu::Stream>(settings.stream));
  }
  if (settings.stream)
    throw Error("stream", "is given but the convolution is for the cpu, which has none; leave it out");
  if (settings.workspace) return state.buffered->execute(in, out, settings.workspace);
  std::unique_ptr<std::byte[]> const own(new std::byte[workspace_bytes()]);
  state.buffered->execute(in, out, own.get());
}

std::size_t Convolution::workspace_bytes() const {
  State const& state = held(state_, "convolution");
  return state.transform ? state.transform->workspace_bytes() : state.buffered->workspace_bytes();
}
Device const& Convolution::device() const { return held(state_, "convolution").device; }
ConvolutionProblem const& Convolution::problem() const { return held(state_, "convolution").problem; }
std::string Convolution::describe() const {
  State const& state = held(state_, "convolution");
  return state.transform ? state.transform->describe() : state.buffered->describe();
}

}  // namespace skipper
