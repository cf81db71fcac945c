// See sweep.h.
#include "trace/sweep.h"

#include "trace/codelets.h"
#include "trace/traced.h"

namespace skipper::kernel {

template <int R>
void dft(Complex<ir::Real> (&v)[R]) {
  trace::codelet(R, v);
}
template <int R>
void dft(Complex<Perhaps<ir::Real>> (&v)[R]) {
  trace::codelet(R, v);
}

}  // namespace skipper::kernel

#include "kernel/sweep.h"

namespace skipper::trace {

Bool record_sweep(kernel::SweepSpec const& spec, Block& block, kernel::Args<Real> const& args) {
  return kernel::sweep<Real>(Traced{&spec}, block, args);
}

std::vector<ir::Parameter> sweep_parameters(ir::Type real, std::string const& prefix) {
  std::vector<ir::Parameter> all;
  for (char const* name : {"in", "out", "roots", "scale", "factors", "data", "constant_mode"})
    all.push_back({prefix + name, std::string(name) == "scale" ? real : ir::Type::i64});
  return all;
}

Index array(int parameter) {
  constexpr ir::Range addresses{std::int64_t(kernel::peer_origin), std::int64_t(1) << 48};
  return Index::of(ir::builder().index_parameter(parameter, addresses));
}

kernel::Args<Real> sweep_arguments(int first) {
  Real const scale = Real::of(ir::builder().parameter(first + 3));
  return {{array(first)},     {array(first + 1)}, {array(first + 2)}, scale,
          {array(first + 4)}, {array(first + 5)}, {array(first + 6)}};
}

}  // namespace skipper::trace
