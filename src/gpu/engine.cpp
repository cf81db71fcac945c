#include "gpu/engine.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

#include "gpu/jit.h"
#include "plan/lower/lower.h"

namespace skipper::gpu {
namespace {

Driver const& demand_driver() {
  std::string reason;
  Driver const* const d = driver(&reason);
  if (!d) throw Error("device", "CUDA is not usable here: " + reason + "; use the cpu");
  return *d;
}

/// Device memory that is given back at the end.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t bytes) {
    if (bytes) demand(demand_driver().allocate(&pointer_, bytes), "allocating device memory");
  }
  ~Memory() {
    if (pointer_) demand_driver().release(pointer_);
  }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;
  DevicePointer at() const { return pointer_; }

 private:
  DevicePointer pointer_ = 0;
};

/// What kernel::Args<T> is, as bytes to hand to a launch.
template <class T>
struct LaunchArgs {
  DevicePointer in, out, roots;
  T scale;
};

struct Launchable {
  Lowered lowered;
  Module module = nullptr;
  Function function = nullptr;
  std::unique_ptr<Memory> roots;
};

}  // namespace

int device_count(std::string* reason) {
  Driver const* const d = driver(reason);
  int count = 0;
  if (d && d->device_count(&count) != 0) count = 0;
  return count;
}

Machine device_machine(int device) {
  Driver const& d = demand_driver();
  DeviceHandle handle = 0;
  demand(d.device(&handle, device), "finding the device");
  auto const fact = [&](DeviceFact which) {
    int value = 0;
    demand(d.device_fact(&value, int(which), handle), "reading a device attribute");
    return Index(value);
  };
  char name[256] = {};
  d.device_name(name, 255, handle);
  Machine m = machine(std::string(name).find("H100") != std::string::npos   ? "h100"
                      : std::string(name).find("A100") != std::string::npos ? "a100"
                      : std::string(name).find("4090") != std::string::npos ? "rtx4090"
                                                                            : "h200");
  m.architecture = "sm_" + std::to_string(fact(DeviceFact::major)) + std::to_string(fact(DeviceFact::minor));
  m.sms = fact(DeviceFact::sms);
  m.threads_block = fact(DeviceFact::threads_block);
  m.threads_sm = fact(DeviceFact::threads_sm);
  m.blocks_sm = fact(DeviceFact::blocks_sm);
  m.registers_sm = fact(DeviceFact::registers_sm);
  m.shared_block = fact(DeviceFact::shared_block);
  m.shared_sm = fact(DeviceFact::shared_sm);
  m.shared_reserved = fact(DeviceFact::shared_reserved);
  m.l2_bytes = fact(DeviceFact::l2_bytes);
  if (!fact(DeviceFact::cluster_launch)) m.cluster = 1;
  std::size_t bytes = 0;
  demand(d.device_memory(&bytes, handle), "reading the device's memory size");
  m.memory_bytes = Index(bytes);
  return m;
}

struct Transform::State {
  Program program;
  int device = 0;
  std::vector<Launchable> sweeps;
  std::size_t work_bytes = 0;  // of one work array
  int works = 0;
  mutable std::once_flag own_once;
  mutable std::unique_ptr<Memory> own;

  ~State() {
    for (Launchable& s : sweeps)
      if (s.module) driver()->unload_module(s.module);
  }
};

Transform::Transform(Problem const& problem, int device, PlanOptions options)
    : Transform(planner(problem, device_machine(device), options).front().program, device) {}

Transform::Transform(Program const& program, int device) {
  Driver const& d = demand_driver();
  Machine const m = device_machine(device);
  Current const current(device);
  auto state = std::make_shared<State>();
  state->program = program;
  state->device = device;
  bool const is_double = program.problem.precision == Precision::f64;
  std::vector<kernel::SweepSpec> specs;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    state->sweeps.push_back({lower(program, s, m), nullptr, nullptr, nullptr});
    specs.push_back(state->sweeps.back().lowered.spec);
    for (Buffer b : {program.sweeps[s].from, program.sweeps[s].to})
      state->works = std::max(state->works, b == Buffer::work ? 1 : b == Buffer::work2 ? 2 : 0);
  }
  state->work_bytes = std::size_t(points(program.problem) * element_bytes(program.problem));
  auto const kernels = compile(specs, is_double, m.architecture);
  for (std::size_t s = 0; s < specs.size(); ++s) {
    Launchable& sweep = state->sweeps[s];
    demand(d.load_module(&sweep.module, kernels[s].cubin.data()), "loading a kernel");
    demand(d.find_function(&sweep.function, sweep.module, kernels[s].name.c_str()), "finding a kernel");
    int const shared = int(specs[s].shared * element_bytes(program.problem));
    demand(d.set_function_fact(sweep.function, int(FunctionFact::dynamic_shared_bytes), shared),
           "asking for shared memory");
    if (specs[s].ranks > 8)
      demand(d.set_function_fact(sweep.function, int(FunctionFact::non_portable_cluster), 1),
             "asking for a large cluster");
    auto const upload = [&](auto const& roots) {
      std::size_t const bytes = roots.size() * sizeof(roots[0]);
      sweep.roots = std::make_unique<Memory>(bytes);
      if (bytes) demand(d.to_device(sweep.roots->at(), roots.data(), bytes), "uploading twiddles");
    };
    if (is_double)
      upload(roots64(sweep.lowered));
    else
      upload(roots32(sweep.lowered));
  }
  state_ = std::move(state);
}

std::size_t Transform::workspace_bytes() const { return state_->work_bytes * std::size_t(state_->works); }

std::string Transform::describe() const { return text(state_->program); }

void Transform::execute(void const* in, void* out, void* workspace, Stream stream) const {
  State const& s = *state_;
  Driver const& d = *driver();
  Current const current(s.device);
  if (s.works && !workspace) {
    std::call_once(s.own_once, [&] { s.own = std::make_unique<Memory>(workspace_bytes()); });
    workspace = reinterpret_cast<void*>(s.own->at());
  }
  auto const buffer = [&](Buffer b) {
    if (b == Buffer::in) return DevicePointer(reinterpret_cast<std::uintptr_t>(in));
    if (b == Buffer::out) return DevicePointer(reinterpret_cast<std::uintptr_t>(out));
    return DevicePointer(reinterpret_cast<std::uintptr_t>(workspace)) +
           (b == Buffer::work2 ? s.work_bytes : 0);
  };
  for (std::size_t i = 0; i < s.sweeps.size(); ++i) {
    Launchable const& sweep = s.sweeps[i];
    auto const& spec = sweep.lowered.spec;
    LaunchArgs<float> narrow{buffer(s.program.sweeps[i].from), buffer(s.program.sweeps[i].to),
                             sweep.roots->at(), float(s.program.problem.scale)};
    LaunchArgs<double> wide{narrow.in, narrow.out, narrow.roots, s.program.problem.scale};
    void* args = s.program.problem.precision == Precision::f64 ? static_cast<void*>(&wide)
                                                               : static_cast<void*>(&narrow);
    // Past the largest grid dimension the tiles go on in y: the kernel counts x first.
    Index const blocks = sweep.lowered.tiles * spec.ranks;
    Index rows = 1;
    while (blocks / rows > std::numeric_limits<int>::max() / 2 || blocks % rows != 0) ++rows;
    demand(d.launch(sweep.function, unsigned(blocks / rows), unsigned(rows), 1, unsigned(spec.threads), 1, 1,
                    unsigned(spec.shared * element_bytes(s.program.problem)), stream, &args, nullptr),
           "launching a sweep");
  }
}

}  // namespace skipper::gpu
