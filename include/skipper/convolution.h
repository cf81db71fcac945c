// Convolution and correlation as one call: forward transform, product with the kernel's spectrum, inverse transform.
// The spectrum is made once, with the object; zeros around the data are never read and what is not asked for is never
// written.
//
//   skipper::Convolution blur({.shape = {480, 640}, .kernel = {9, 9}, .mode = skipper::ConvolutionMode::same}, kernel);
//   blur.execute(image, blurred);
#pragma once

#include <skipper/plan.h>

namespace skipper {

// What lies around the data and which outputs are wanted. circular: the data repeat, as many outputs as data. The
// others have zeros around, as scipy.signal's modes: full has n + k - 1 outputs, same the n in the middle of these,
// valid the n - k + 1 that no zero enters.
enum class ConvolutionMode { circular, full, same, valid };

struct ConvolutionProblem {
  std::vector<std::int64_t> shape = {};   // of the data, slowest axis first
  std::vector<std::int64_t> kernel = {};  // of the kernel, of the same rank
  ConvolutionMode mode = ConvolutionMode::full;
  bool correlate = false;  // sums of data times conjugated kernel at growing offsets, not at falling ones
  bool complex = false;    // data, kernel and outputs; else real
  Precision precision = Precision::f32;
  std::int64_t batch = 1;    // arrays of data, one after the other
  std::int64_t kernels = 1;  // 1: the same for all; else as many as there are arrays
  double scale = 1;          // of the outputs
};

// Of one array of outputs. Throws Error where the problem makes no sense.
std::vector<std::int64_t> out_shape(ConvolutionProblem const& problem);

// As plans: values that share immutable state, executed by any number of threads at once, empty when moved from.
class Convolution {
 public:
  // The kernel is dense, in host memory and not needed afterwards; its type must be that of the data, as with a plan's arrays,
  // else Error. On a GPU the arrays are its memory, or staged, as a plan's. The kernel's spectrum is made by the CPU with
  // settings.cpu, whichever the device is. Programs and tuning files are plans' alone: giving them is an Error.
  template <ArrayElement Value>
  Convolution(ConvolutionProblem const& problem, Value const* kernel, PlanSettings const& settings = {})
      : Convolution(problem, kernel, element_v<Value>, settings) {}

  // Dense arrays that do not overlap, of the problem's types, else Error. Types,
  // workspace and stream as a plan's.
  template <ArrayElement In, WritableElement Out>
  void execute(In* in, Out* out, ExecuteSettings const& settings = {}) const {
    run(in, element_v<In>, out, element_v<Out>, settings);
  }
  std::size_t workspace_bytes() const;

  ConvolutionProblem const& problem() const;
  Device const& device() const;
  std::string describe() const;

 private:
  Convolution(ConvolutionProblem const& problem, void const* kernel, Element type,
              PlanSettings const& settings);
  void run(void const* in, Element in_type, void* out, Element out_type,
           ExecuteSettings const& settings) const;

  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
