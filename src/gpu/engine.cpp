// See engine.h.
#include "gpu/engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/device.h"
#include "gpu/loaded.h"
#include "kernel/memory.h"

namespace skipper::gpu {
namespace {

std::string name_of(int device) { return "cuda:" + std::to_string(device); }

void demand_alignment(DevicePointer pointer, std::uintptr_t bytes, char const* argument) {
  if (pointer % bytes == 0) return;
  throw Error(argument, "is " + std::to_string(pointer % bytes) + " bytes past a multiple of " +
                            std::to_string(bytes) +
                            ", where kernels need it to begin; allocate it so, or copy it there");
}

bool on_device_or_staged(DevicePointer pointer, int device, bool stage, char const* argument) {
  bool const there = on_device(pointer, device, argument);
  if (!there && !stage)
    throw Error(argument, "lies in host memory but the plan is for " + name_of(device) +
                              "; copy the array to the device, or let the plan do so with "
                              "GpuSettings::host_arrays = HostArrays::staged");
  return there;
}

/// Whether outputs leave no gap between the first and the last: else what lies in the gaps must be kept.
bool dense_output(Problem const& problem) {
  std::int64_t elements = 1;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) elements *= out_size(problem, a);
  for (Dim const& d : problem.batch) elements *= d.size;
  return elements * out_element_bytes(problem) == out_bytes(problem);
}

/// Refuses arrays that the device and its host together cannot hold, before anything is planned. Managed arrays may be larger
/// than the device.
void demand_room(Problem const& problem, int device) {
  double const in = double(in_bytes(problem)), out = double(out_bytes(problem));
  double const arrays = problem.placement == Placement::in_place ? std::max(in, out) : in + out;
  double const host = double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
  double const held = double(device_machine(device).memory_bytes) + std::max(host, 0.0);
  if (arrays <= held) return;
  auto const whole = [](double bytes) { return std::to_string(static_cast<unsigned long long>(bytes)); };
  throw Error("problem", "has arrays of " + whole(arrays) + " bytes but " + name_of(device) +
                             " and its host have " + whole(held) +
                             " together; transform parts of them, or files by `skipper fft --memory-limit`");
}

}  // namespace

bool on_device(DevicePointer pointer, int device, char const* argument) {
  unsigned type = 0;
  int owner = -1;
  unsigned managed = 0;  // CUDA writes a boolean, of one byte or four
  int facts[] = {int(PointerFact::memory_type), int(PointerFact::is_managed), int(PointerFact::device)};
  void* answers[] = {&type, &managed, &owner};
  demand(driver()->pointer_facts(3, facts, answers, pointer), "finding where an array lies");
  if (managed) return true;
  if (type != device_memory) return false;
  if (owner != device)
    throw Error(argument, "lies on " + name_of(owner) + " but the plan is for " + name_of(device) +
                              "; copy the array there, or plan for the device that has it");
  return true;
}

void demand_workspace(void const* workspace, int device) {
  DevicePointer const work = address(workspace);
  demand_alignment(work, 64, "workspace");
  if (work && !on_device(work, device, "workspace"))
    throw Error("workspace",
                "lies in host memory but the plan is for " + name_of(device) + "; allocate it on the device");
}

Transform::Transform(Problem const& problem, int device, Options options, Stopwatch watch)
    : stage_(options.stage_host_arrays), watch_(std::move(watch)) {
  demand_room(problem, device);
  // What a user's function is told of an element's place counts from the beginning of the array, not of an L2 block.
  if (!(options.load.empty() && options.store.empty())) options.plan.l2_blocks = false;
  // L2 blocks are addressed as if both arrays were in 16-bit storage.
  if (options.narrow != NarrowSides::both) options.plan.l2_blocks = false;
  std::string name = "plan " + text(problem) + (options.plan.clusters ? " clusters" : "") +
                     (options.plan.l2_blocks ? " L2 blocks" : "");
  if (options.peer_unit > 0) name += " peers " + std::to_string(options.peer_unit);
  if (options.narrow != NarrowSides::both)
    name += narrow_input(options.narrow) ? " narrow in" : " narrow out";
  load_fitting(name, device, options,
               [&](Machine const& m) { return prepared(problem, m, options.plan, watch_); });
}

Transform::Transform(ConvolutionSides const& sides, Factors factors, Spectrum const& spectrum, int device,
                     Options options, Stopwatch watch)
    : stage_(options.stage_host_arrays), watch_(std::move(watch)) {
  load_fitting("", device, options,
               [&](Machine const& m) { return prepared(sides, factors, spectrum, m, watch_); });
}

Transform::Transform(ConvolutionSides const& sides, Factors factors, AxisSymbols const& symbols, int device,
                     Options options, Stopwatch watch)
    : stage_(options.stage_host_arrays), watch_(std::move(watch)) {
  load_fitting("", device, options,
               [&](Machine const& m) { return prepared(sides, factors, symbols, m, watch_); });
}

Transform::Transform(Program const& program, int device, Options options, Stopwatch watch)
    : stage_(options.stage_host_arrays), watch_(std::move(watch)) {
  load("program " + text(program), device, options,
       [&] { return prepared(program, device_machine(device), watch_); });
}

void Transform::load_fitting(std::string const& name, int device, Options const& options,
                             std::function<Prepared(Machine const&)> const& make) {
  for (Machine m = device_machine(device);;) try {
      return load(name, device, options, [&] { return make(m); });
    } catch (ClusterTooLarge const& e) {
      m.cluster = e.blocks / 2;  // 1: none
    }
}

void Transform::load(std::string name, int device, Options const& options,
                     std::function<Prepared()> const& make) {
  if (!name.empty() && !(options.load.empty() && options.store.empty()))
    name += "\nload " + options.load + "\nstore " + options.store + "\ndata " +
            std::to_string(address(options.data));
  program_ = loaded(name, device, watch_, [&] {
    Prepared made = make();
    made.parts = made.parts || options.parts;
    set_user(made, options.load, options.store, options.data);
    set_peers(made, options.peer_unit);
    set_narrow(made, options.narrow);
    return made;
  });
  pool_ = Pool::of(device);
  watch_.lap("pool");
}

std::size_t Transform::workspace_bytes() const { return program_->workspace_bytes(); }

std::string Transform::describe() const {
  return text(FusedInverse{program_->program, program_->inverse}) + name_of(program_->device) + " " +
         device_title(program_->device) + ", " + std::to_string(workspace_bytes()) + " bytes of workspace\n";
}

void Transform::execute(void const* in, void* out, void* workspace, Stream stream) const {
  run(in, out, workspace, stream, nullptr);
}

void Transform::execute_to_peers(void const* in, DevicePointer bases, void* workspace, Stream stream) const {
  LoadedProgram const& p = *program_;
  Current const current(p.context);
  DevicePointer const from = address(in);
  DevicePointer work = address(workspace);
  on_device_or_staged(from, p.device, false, "in");
  demand_alignment(from, p.in_alignment, "in");
  demand_alignment(work, 64, "workspace");
  Borrowed borrowed(*pool_, stream);
  if (workspace_bytes() > 0 && !work) work = borrowed.take(workspace_bytes(), "the workspace");
  p.launch(from, kernel::peer_origin, work, stream, reinterpret_cast<void*>(bases));
}

std::complex<double> Transform::execute_for_constant_mode(void const* in, void* out, void* workspace,
                                                          Stream stream) const {
  std::complex<double> constant_mode = 0;
  run(in, out, workspace, stream, &constant_mode);
  return constant_mode;
}

std::complex<double> Transform::constant_mode(void const* workspace, Stream stream) const {
  Current const current(program_->context);
  bool const wide = program_->program.problem.precision == Precision::f64;
  std::complex<double> constant_mode = 0;
  std::complex<float> narrow = 0;
  demand(driver()->to_host_async(wide ? static_cast<void*>(&constant_mode) : &narrow,
                                 constant_mode_place(workspace), wide ? 16 : 8, stream),
         "copying the constant mode to the host");
  demand(driver()->synchronise_stream(stream), "waiting for the constant mode");
  return (wide ? constant_mode : narrow) * constant_mode_factor();
}

DevicePointer Transform::constant_mode_place(void const* workspace) const {
  return program_->constant_mode(address(workspace));
}

double Transform::constant_mode_factor() const { return program_scale(program_->program); }

void Transform::run(void const* in, void* out, void* workspace, Stream stream,
                    std::complex<double>* constant_mode) const {
  LoadedProgram const& p = *program_;
  bool const in_place = p.inputs.placement == Placement::in_place;
  Current const current(p.context);
  DevicePointer from = address(in), to = address(out), work = address(workspace);
  bool const works = workspace_bytes() > 0;
  demand_workspace(works ? workspace : nullptr, p.device);
  bool const in_there = on_device_or_staged(from, p.device, stage_, "in");
  bool const out_there = in_place ? in_there : on_device_or_staged(to, p.device, stage_, "out");
  if (in_there)
    demand_alignment(from, p.in_alignment, "in");  // what is staged is copied to where it should be
  if (out_there) demand_alignment(to, p.out_alignment, "out");

  Driver const& d = *driver();
  Borrowed borrowed(*pool_, stream);
  if (!(in_there && out_there) && capturing(stream))
    throw Error(
        in_there ? "out" : "in",
        "lies in host memory, which cannot be staged while the stream is captured; use device memory");
  std::size_t in_size = std::size_t(in_bytes(p.inputs)), out_size = std::size_t(out_bytes(p.outputs));
  if (in_place) in_size = out_size = std::max(in_size, out_size);  // one array
  if (!in_there) {
    from = borrowed.take(in_size, "staging the input");
    demand(d.to_device_async(from, in, in_size, stream), "copying the input to the device");
  }
  if (!out_there) {
    to = in_place ? from : borrowed.take(out_size, "staging the output");
    if (!in_place && !dense_output(p.outputs))
      demand(d.to_device_async(to, out, out_size, stream), "copying the output's gaps to the device");
  }
  if (works && !work) work = borrowed.take(workspace_bytes(), "the workspace");
  p.launch(from, to, work, stream, p.data);
  bool const wide = p.program.problem.precision == Precision::f64;
  std::complex<float> narrow = 0;
  if (constant_mode)
    demand(d.to_host_async(wide ? static_cast<void*>(constant_mode) : &narrow, p.constant_mode(work),
                           wide ? 16 : 8, stream),
           "copying the constant mode to the host");
  if (!out_there) demand(d.to_host_async(out, to, out_size, stream), "copying the output to the host");
  if (constant_mode || !(in_there && out_there))
    demand(d.synchronise_stream(stream), "waiting for the transform");
  if (constant_mode) *constant_mode = (wide ? *constant_mode : narrow) * program_scale(p.program);
}

}  // namespace skipper::gpu
