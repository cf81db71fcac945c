// See steps_on_gpu.h.
#include "poisson/steps_on_gpu.h"

#include <algorithm>

#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

/// Real data: through half a spectrum where any axis is periodic.
Problem transform_of(PoissonProblem const& problem, bool back) {
  bool const periodic = std::any_of(problem.axes.begin(), problem.axes.end(),
                                    [](PoissonAxis const& a) { return a.low == Boundary::periodic; });
  Problem p;
  p.kind = !periodic ? Kind::r2r : back ? Kind::c2r : Kind::r2c;
  p.direction = periodic && back ? Direction::inverse : Direction::forward;
  p.precision = problem.precision;
  for (PoissonAxis const& axis : problem.axes)
    p.axes.push_back({axis.size, 0, 0, back ? transforms(axis).back : transforms(axis).forward});
  if (back) p.scale = 1 / gain_of(problem);
  return dense_layout(p);
}

constexpr std::size_t complex_bytes = 16;  // a complex number

gpu::Options plain(gpu::Options options) {
  options.load.clear();
  return options;
}

}  // namespace

StepsOnGpu::StepsOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : there_(transform_of(problem, false)),
      back_problem_(transform_of(problem, true)),
      singular_(is_singular(problem)),
      complex_(there_.kind == Kind::r2c),
      wide_(problem.precision == Precision::f64),
      gain_(gain_of(problem)),
      forward_(there_, device, options),
      back_(back_problem_, device, plain(options)),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)),
      side_streams_(context_) {
  std::vector<double> symbols;
  for (std::size_t a = problem.axes.size(); a-- > 0;) {
    dims_.push_back({out_size(there_, a), Index(symbols.size())});
    for (double const v : eigenvalues(problem.axes[a], problem.symbols))
      symbols.push_back(v + (a == 0 ? problem.shift : 0));
  }
  gpu::Current const current(context_);
  divide_ = std::make_unique<gpu::Divide>(symbols, complex_, wide_, device);
}

StepsOnGpu::~StepsOnGpu() {
  gpu::Current const current(context_);
  gpu::driver()->synchronise();  // what was launched may still run
  divide_.reset();
}

std::size_t StepsOnGpu::workspace_bytes() const {
  return gpu::Borrowed::part(std::size_t(out_bytes(there_))) + gpu::Borrowed::part(complex_bytes) +
         std::max(forward_.workspace_bytes(), back_.workspace_bytes());
}

double StepsOnGpu::solve(void const* f, void* phi, void* workspace, gpu::Stream stream) const {
  gpu::Current const current(context_);
  gpu::Borrowed borrowed(*pool_, stream, workspace);
  gpu::DevicePointer const spectrum = borrowed.take(std::size_t(out_bytes(there_)), "the spectrum"),
                           constant = borrowed.take(complex_bytes, "the constant mode");
  void* const between = reinterpret_cast<void*>(spectrum);
  void* const outer = workspace ? reinterpret_cast<void*>(borrowed.take(0, "the workspace")) : nullptr;
  forward_.execute(f, between, outer, stream);
  divide_->run(dims_, spectrum, constant, stream);
  if (!singular_) {
    back_.execute(between, phi, outer, stream);
    return 0;
  }
  auto const side = side_streams_.after(stream);  // the constant is known before the way back is over
  back_.execute(between, phi, outer, stream);
  return side.number(constant, wide_, "the constant mode") / gain_;
}

std::string StepsOnGpu::describe() const {
  return forward_.describe() + "divide by the symbol, summed in f64\n" + back_.describe();
}

}  // namespace skipper::poisson
