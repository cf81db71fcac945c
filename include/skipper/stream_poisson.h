// Poisson and Helmholtz problems (poisson.h) on arrays in host memory, through a device that need not hold them, as StreamPlan
// transforms them. With host_and_device the data cross the link once, with device_only three times.
//
//   skipper::StreamSettings settings;
//   settings.memory_limit = std::int64_t(4) << 30;
//   skipper::StreamPoisson poisson(problem, settings);
//   poisson.solve(f, phi);
#pragma once

#include <skipper/element.h>
#include <skipper/poisson.h>
#include <skipper/stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace skipper {

// A value as plans are, and empty when moved from. Solves of one object take turns, and throw Cancelled where the progress
// function says so.
class StreamPoisson {
 public:
  // Throws Error where the problem makes no sense, or where even one slice does not fit; the message says what limit would do.
  explicit StreamPoisson(PoissonProblem const& problem, StreamSettings const& settings = {});

  // Host pointers to dense, row-major arrays, which may be one. The workspace is host memory; a stream is an Error, since the
  // solver has its own and returns when phi is there.
  PoissonResult solve(float const* f, float* phi, SolveSettings<float> const& settings = {}) const;
  PoissonResult solve(double const* f, double* phi, SolveSettings<double> const& settings = {}) const;

  // Of a complex problem: std::complex, or CUDA's float2 and double2 (element.h).
  template <ComplexElement F, ComplexElement Phi>
  requires WritableElement<Phi> PoissonResult solve(F* f, Phi* phi, ExecuteSettings const& settings = {})
  const { return solve_complex(f, element_v<F>, phi, element_v<Phi>, settings); }

  PoissonProblem const& problem() const;
  Device const& device() const;
  std::size_t workspace_bytes() const;  // of host memory, for an array between two passes; often 0
  std::int64_t device_bytes() const;    // most of the device's memory at once; at most the limit
  int trips() const;                    // how often data go to the device and back

  // What solve() does, pass by pass, as text.
  std::string describe() const;

 private:
  PoissonResult solve_complex(void const* f, Element f_type, void* phi, Element phi_type,
                              ExecuteSettings const& settings) const;

  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
