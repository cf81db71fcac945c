#pragma once
// Runs kernels on the CPU as a GPU would: a grid of clusters of blocks of threads. All threads of a cluster
// live at once, as fibers; clusters run one after another, or on several host threads.
//
//   Counts counts = emulate<float>(spec, tiles, Launch<float>{in, n, out, n, roots, m}, Checks::all());
//
// A kernel that breaks a rule makes it throw an EmulationError. The counts are the same for any number of
// workers.
#include "emulator/block.h"
#include "emulator/codelets.h"
#include "emulator/registers.h"
#include "emulator/remembered.h"
#include "kernel/sweep.h"

#include <atomic>
#include <functional>
#include <vector>

namespace skipper::kernel {

/// What emulated kernels take for dft() of kernel/codelets.h, because these match better. Every file that instantiates a kernel with
/// such numbers must see them, or a kernel would be defined twice.
template <int R>
void dft(Complex<float> (&v)[R]) {
  emulator::codelet(R, v);
}
template <int R>
void dft(Complex<double> (&v)[R]) {
  emulator::codelet(R, v);
}
template <int R>
void dft(Complex<Perhaps<float>> (&v)[R]) {
  emulator::codelet(R, v);
}
template <int R>
void dft(Complex<Perhaps<double>> (&v)[R]) {
  emulator::codelet(R, v);
}

}  // namespace skipper::kernel

namespace skipper::emulator {

using Body = std::function<void(EmulatedBlock&)>;

/// Runs body once for each thread of the grid. `arrays` is the global memory it may touch under
/// Checks::bounds.
Counts run_grid(Grid const& grid, Checks checks, Body const& body, std::vector<Array> arrays = {},
                int workers = 1);

/// The arrays of one sweep, with their lengths in elements.
template <class T>
struct Launch {
  kernel::Complex<T> const* in = nullptr;
  Wide in_count = 0;
  kernel::Complex<T>* out = nullptr;
  Wide out_count = 0;
  kernel::Complex<T> const* roots = nullptr;
  Wide roots_count = 0;
  T scale = 1;
  kernel::Complex<T> const* factors = nullptr;
  Wide factors_count = 0;
  kernel::Complex<T>* constant_mode = nullptr;  // one number
};

/// The spec as a launch of its own knows it.
inline Remembered remembered(kernel::SweepSpec const& spec) {
  static std::atomic<unsigned long> launches = 0;
  return {&spec, ++launches};
}

inline kernel::SweepSpec const& spec_of(Remembered r) { return *r.spec; }
template <class Spec>
kernel::SweepSpec const& spec_of(Spec) {
  return Spec::value;
}

/// Runs the sweep of a spec that is Remembered, Fixed or Named; `only`: one of its tiles alone.
template <class T, class Spec>
Counts emulate_with(Spec spec, Wide tiles, Launch<T> const& launch, Checks checks = Checks::all(),
                    int workers = 1, Wide only = -1) {
  auto const& value = spec_of(spec);
  // What is written one by one, reals and numbers of 16 bits, is watched one by one.
  Array written = storable(launch.out, launch.out_count);
  int const parts = (value.post.real ? 2 : 1) * (in_full(value, kernel::MapName::post) ? 1 : 2);
  written.bytes /= parts;
  written.count *= parts;
  kernel::Args<T> const args{launch.in,      launch.out, launch.roots,        launch.scale,
                             launch.factors, nullptr,    launch.constant_mode};
  return run_grid(
      {tiles, value.cluster_ranks, value.threads, value.shared, only}, checks,
      [&](EmulatedBlock& block) { kernel::sweep<T>(spec, block, args); },
      {loadable(launch.in, launch.in_count), written, root_table(launch.roots, launch.roots_count),
       root_table(launch.factors, launch.factors_count),
       storable(launch.constant_mode, launch.constant_mode ? 1 : 0)},
      workers);
}

/// Runs the sweep of any spec by the one kernel that reads its spec when running.
template <class T>
Counts emulate(kernel::SweepSpec const& spec, Wide tiles, Launch<T> const& launch,
               Checks checks = Checks::all(), int workers = 1, Wide only = -1) {
  return emulate_with<T>(remembered(spec), tiles, launch, checks, workers, only);
}

/// The same on arguments as a launch hands them to a kernel, where nothing is watched.
template <class T>
void run_sweep(kernel::SweepSpec const& spec, Wide tiles, kernel::Args<T> const& args, Wide only = -1) {
  Remembered const known = remembered(spec);
  run_grid({tiles, spec.cluster_ranks, spec.threads, spec.shared, only}, Checks::none(),
           [&](EmulatedBlock& block) { kernel::sweep<T>(known, block, args); });
}

// That kernel takes long to compile: once for each precision, in single.cpp and double.cpp.
extern template Counts emulate(kernel::SweepSpec const&, Wide, Launch<float> const&, Checks, int, Wide);
extern template Counts emulate(kernel::SweepSpec const&, Wide, Launch<double> const&, Checks, int, Wide);
extern template void run_sweep(kernel::SweepSpec const&, Wide, kernel::Args<float> const&, Wide);
extern template void run_sweep(kernel::SweepSpec const&, Wide, kernel::Args<double> const&, Wide);

}  // namespace skipper::emulator
