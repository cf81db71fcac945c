// A plan: a problem made ready to be computed on one device. Making it costs time and memory once; execute() then
// makes no decisions. Plans are values that share immutable state: copying one is cheap, and any number of threads
// may execute the same one at once, each on its own arrays. One that was moved from throws Error from all functions until
// another is assigned to it.
//
//   skipper::Plan plan({256, 256, 256});      // complex to complex, f32, forward, dense, on the best device
//   plan.execute(in, out);
//   skipper::Plan back = plan.inverse();      // scaled by 1/N
//   back.execute(out, in);                    // in is back
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/device.h>
#include <skipper/element.h>
#include <skipper/execute.h>
#include <skipper/half.h>
#include <skipper/problem.h>
#include <skipper/callbacks.h>
#include <skipper/settings.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

// A user's own work on elements as they are read and written, without a sweep of its own. The functions are for the
// CPU (callbacks.h says how they are called); the CUDA C++ texts are for GPUs, where the plan's kernels are compiled with
// them. A text defines a function, beside whatever else it needs:
//   Value on_load(Value x, long long place, void* data)     in cuda_load
//   Value on_store(Value x, long long place, void* data)    in cuda_store
// Value is float or double where that side is real, else a struct of two with the parts re and im (f16 and bf16
// arrays: of float); `place` counts elements of the array from its first one, and `data` is cuda_data: device memory that the texts
// know what to do with. What is returned is transformed, or written. It may be called more than once for an element.
// A function without its text on a GPU plan, or a text without its function on a CPU plan, is an Error; so is cuda_data without a
// text.
struct Callbacks {
  Callback load = {}, store = {};
  std::string cuda_load = {}, cuda_store = {};
  void* cuda_data = nullptr;
};

struct PlanSettings {
  Device device = Device("best");
  Callbacks callbacks = {};
  CpuSettings cpu = {};
  GpuSettings gpu = {};
};

// A part of what making a plan took: "search", "compile" and the like.
struct PlanTiming {
  std::string name = {};
  double seconds = 0;
};

class Plan {
 public:
  // Complex to complex over a dense array of this shape, slowest axis first. Not normalised in either direction.
  explicit Plan(std::vector<std::int64_t> const& shape, Precision precision = Precision::f32,
                Direction direction = Direction::forward, PlanSettings const& settings = {});
  explicit Plan(std::vector<std::int64_t> const& shape, PlanSettings const& settings);

  // The same by sizes of any integral type: Plan({x.size()}).
  template <std::integral Size>
  explicit Plan(std::initializer_list<Size> shape, Precision precision = Precision::f32,
                Direction direction = Direction::forward, PlanSettings const& settings = {})
      : Plan(std::vector<std::int64_t>(shape.begin(), shape.end()), precision, direction, settings) {}
  template <std::integral Size>
  explicit Plan(std::initializer_list<Size> shape, PlanSettings const& settings)
      : Plan(std::vector<std::int64_t>(shape.begin(), shape.end()), settings) {}

  // Anything else: builders and fields are in problem.h. Throws Error where the problem makes no sense or cannot be
  // computed on the device.
  explicit Plan(Problem const& problem, PlanSettings const& settings = {});

  // Computes. The pointers are to the first element of either side. Their types must be those of the plan's kind and
  // precision, else Error: real sides are float or double, complex ones std::complex, CUDA's float2 and double2 or FFTW's
  // types, f16 arrays of every kind Half, bf16 ones BFloat16 (element.h); void is not checked. In place the two pointers are one. The input is
  // preserved unless in place: out of place dense arrays that overlap are an Error. Those with strides may interleave, and that they
  // share no element is for the caller to see to.
  //
  // On a GPU the work is enqueued on settings.stream. The pointers are to the GPU's memory or, for the best device and with
  // HostArrays::staged, to host memory: then execute() copies, and returns when the output is there. With a workspace and
  // arrays of the GPU execute() allocates nothing and waits for nothing, so that it may be captured into a graph. A plan must
  // outlive what was enqueued or captured: destroying the last copy of it waits for the device, but not for graphs.
  template <ArrayElement In, WritableElement Out>
  void execute(In* in, Out* out, ExecuteSettings const& settings = {}) const {
    run(in, element_v<In>, out, element_v<Out>, settings);
  }

  // Memory that execute() needs beyond the two arrays: the size of settings.workspace.
  std::size_t workspace_bytes() const;

  // The plan that undoes this one, on the same device: sides and direction swapped, and the scale such that the way
  // there and back is the identity: 1/N for a plan of N points that has no scale of its own. A plan that was made with
  // Direction::inverse has no such scale (problem.h):
  //   Plan forward({n});                                         // X[k] = sum x[j] exp(-2 pi i j k / n)
  //   Plan backward({n}, Precision::f32, Direction::inverse);    // after forward: n x[j]
  //   Plan back = forward.inverse();                             // after forward: x[j]; its scale is 1/n
  Plan inverse() const;

  Problem const& problem() const;
  Device const& device() const;

  // What execute() does, sweep by sweep, as text.
  std::string describe() const;

  // Where the time of making the plan went, part by part in the order they came.
  std::vector<PlanTiming> plan_timings() const;

 private:
  void run(void const* in, Element in_type, void* out, Element out_type,
           ExecuteSettings const& settings) const;

  struct State;
  std::shared_ptr<State const> state_;
};

// The problem that undoes this one. Throws Error where there is none: a scale of zero, or inputs that share places.
Problem inverse_problem(Problem const& problem);

}  // namespace skipper
