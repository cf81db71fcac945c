// Convolutions with kernels of a few points at random places: so every output has a definition of a few terms, and all are compared.
#include <skipper/convolution.h>

#include <cstring>

#include "buffer.h"
#include "coverage/convolutions.h"
#include "coverage/generator.h"
#include "random_sorts.h"
#include "reference/convolution.h"
#include "scalars.h"
#include "verdict.h"

namespace skipper::cli {
namespace {

constexpr std::int64_t points_of_a_kernel = 6;

std::int64_t product(std::vector<std::int64_t> const& sizes) {
  std::int64_t all = 1;
  for (std::int64_t const n : sizes) all *= n;
  return all;
}

std::int64_t element_bytes(ConvolutionProblem const& p) {
  return std::int64_t(scalar_bytes(p.precision)) * (p.complex ? 2 : 1);
}

// All kernels, one after the other: noise at a few points of each, the first and the last one among them, and else zeros.
Buffer kernels_of(ConvolutionProblem const& p) {
  std::int64_t const points = product(p.kernel), element = element_bytes(p);
  Buffer noise(p.kernels * points * element), kernels(p.kernels * points * element);
  noise.fill_random(p.precision, 2);
  coverage::Generator random(std::uint64_t(points), std::uint64_t(p.kernels));
  for (std::int64_t k = 0; k < p.kernels; ++k)
    for (std::int64_t i = 0; i < points_of_a_kernel; ++i) {
      std::int64_t const point = i == 0 ? 0 : i == 1 ? points - 1 : random.below(points);
      std::size_t const at = std::size_t((k * points + point) * element);
      std::memcpy(static_cast<std::byte*>(kernels.data()) + at,
                  static_cast<std::byte const*>(noise.data()) + at, std::size_t(element));
    }
  return kernels;
}

Outcome verify_convolution(ConvolutionProblem const& p, RandomRun& run) {
  PlanSettings settings;
  settings.device = run.device;
  settings.cpu = run.cpu;
  Buffer const kernels = kernels_of(p);
  Convolution const convolution(p, kernels.data(), settings);
  std::int64_t const in_bytes = p.batch * product(p.shape) * element_bytes(p);
  std::int64_t const out_bytes = p.batch * product(out_shape(p)) * element_bytes(p);
  Buffer given(in_bytes), in(in_bytes), out(out_bytes);
  given.fill_random(p.precision);
  std::memcpy(in.data(), given.data(), given.bytes());
  out.poison();
  run.on_device(convolution.device(), {in.data(), in.bytes(), out.data(), out.bytes()},
                convolution.workspace_bytes(),
                [&](void* from, void* to, ExecuteSettings const& s) { convolution.execute(from, to, s); });
  double const allowed = reference::allowed_l2(p);
  Verdict verdict{"",      reference::accuracy(p, given.data(), kernels.data(), out.data(), run.threads),
                  allowed, 8 * allowed,
                  0,       ""};
  if (std::memcmp(in.data(), given.data(), given.bytes()) != 0)
    verdict.spoilt = "the input was not preserved";
  return {complaint(verdict), {}};
}

Drawn draw_convolution(std::uint64_t seed, std::uint64_t number, coverage::Sizes const& sizes) {
  ConvolutionProblem const p = coverage::drawn_convolution(seed, number, sizes);
  return {coverage::text(p), coverage::uses_of(p, coverage::convolution_properties()),
          [p](RandomRun& run) { return verify_convolution(p, run); }};
}

}  // namespace

RandomSort random_convolutions() {
  return {"convolutions", coverage::names_of(coverage::convolution_properties()), draw_convolution};
}

}  // namespace skipper::cli
