// See c_problem.h.
#include "api/c_problem.h"

#include <array>

#include "base/kinds.h"

namespace skipper::c {
namespace {

/// One of the constants of an enumeration in C, which are 0, 1, 2 and so on as those in C++ are.
template <class Enum>
Enum enum_of(std::string const& argument, int value, Enum last, char const* allowed) {
  if (value < 0 || value > int(last)) refuse(argument.c_str(), value, allowed);
  return Enum(value);
}

// Kinds of axes too: that header and table have the same ones is looked at by tests/architecture/fortran_test.cpp.
static_assert(int(Kind::r2c) == SKIPPER_R2C && int(Kind::c2r) == SKIPPER_C2R &&
              int(Kind::r2r) == SKIPPER_R2R);
static_assert(int(Order::reversed) == SKIPPER_ORDER_REVERSED &&
              int(Order::from_reversed) == SKIPPER_ORDER_FROM_REVERSED);
static_assert(int(Norm::ortho) == SKIPPER_NORM_ORTHO &&
              int(HostArrays::staged) == SKIPPER_HOST_ARRAYS_STAGED);
static_assert(int(StreamStrategy::host_and_device) == SKIPPER_STRATEGY_HOST_AND_DEVICE &&
              int(StreamStrategy::device_only) == SKIPPER_STRATEGY_DEVICE_ONLY);

Direction direction_of(int value) {
  if (value == SKIPPER_FORWARD) return Direction::forward;
  if (value == SKIPPER_INVERSE) return Direction::inverse;
  refuse("direction", value, "SKIPPER_FORWARD or SKIPPER_INVERSE");
}

int number_of(Precision precision) {
  for (int const value : {SKIPPER_F16, SKIPPER_BF16, SKIPPER_F32, SKIPPER_F64})
    if (precision_of(value) == precision) return value;
  throw Error("precision", "is none of those that C has");
}

void demand_rank(char const* argument, int rank, int least) {
  if (rank < least || rank > int(max_rank))
    throw Error(argument, "is " + std::to_string(rank) + " but must be " + std::to_string(least) + " to 64");
}

Axis axis_of(skipper_axis const& given, std::string const& at) {
  Axis axis{given.size, given.in_stride, given.out_stride};
  axis.kind = enum_of(at + ".kind", given.kind, all_axis_kinds.back(),
                      "SKIPPER_AXIS_FOURIER or another of skipper_axis_kind");
  axis.in_count = given.in_count;
  axis.out_first = given.out_first;
  axis.out_count = given.out_count;
  return axis;
}

Callback wrapped(skipper_callback function, void* data) {
  if (!function) return nullptr;
  return [=](CallbackRun const& run) {
    static_assert(sizeof(long long) == sizeof(*run.index));
    call_user([&] {
      function(run.values, run.count, reinterpret_cast<long long const*>(run.index), int(run.axis), data);
    });
  };
}

extern "C" void run_task(int index, void* context) {
  (*static_cast<std::function<void(int)> const*>(context))(index);
}

}  // namespace

namespace {

/// The first stride of a side that is not zero, by its name; nothing where all are.
std::string first_stride(skipper_problem const& g, char const* name, long long skipper_axis::*of_axis,
                         long long skipper_dim::*of_dim) {
  for (int i = 0; g.axes && i < g.rank; ++i)
    if (g.axes[i].*of_axis != 0) return "axes[" + std::to_string(i) + "]." + name;
  for (int i = 0; i < g.batch_rank; ++i)
    if (g.batch[i].*of_dim != 0) return "batch[" + std::to_string(i) + "]." + name;
  return "";
}

/// Strides of both sides, or of none, which are then dense.
struct Strides {
  std::string in, out;  // names of the first ones given
};

Strides strides_of(skipper_problem const& g) {
  return {first_stride(g, "in_stride", &skipper_axis::in_stride, &skipper_dim::in_stride),
          first_stride(g, "out_stride", &skipper_axis::out_stride, &skipper_dim::out_stride)};
}

/// Throws Error for a dimension without a stride beside others with one. A batch may have one input for all.
void demand_all_strides(Problem const& problem, bool has_axes, Strides const& strides) {
  auto const demand = [&](std::string const& name, long long size, long long stride, std::string const& first,
                          char const* given) {
    if (size <= 1 || stride != 0) return;
    if (!has_axes && name.starts_with("axes"))
      throw Error("shape", "has no strides while " + first +
                               " is given; give axes with strides in its place, "
                               "or no strides");
    throw Error(
        name, std::string("is 0 while ") + first + " is " + given + "; give all strides of a side, or none");
  };
  auto const value = [&](std::string const& first, bool input) {
    auto const i = std::size_t(std::stoi(first.substr(first.find('[') + 1)));
    bool const axis = first.starts_with("axes");
    return std::to_string(input ? (axis ? problem.axes[i].in_stride : problem.batch[i].in_stride)
                                : (axis ? problem.axes[i].out_stride : problem.batch[i].out_stride));
  };
  std::string const in = value(strides.in, true), out = value(strides.out, false);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    std::string const at = "axes[" + std::to_string(i) + "]";
    demand(at + ".in_stride", in_size(problem, i), problem.axes[i].in_stride, strides.in, in.c_str());
    demand(at + ".out_stride", out_size(problem, i), problem.axes[i].out_stride, strides.out, out.c_str());
  }
  for (std::size_t i = 0; i < problem.batch.size(); ++i)
    demand("batch[" + std::to_string(i) + "].out_stride", problem.batch[i].size, problem.batch[i].out_stride,
           strides.out, out.c_str());
}

std::vector<Axis> axes_of(skipper_problem const& g) {
  if (g.axes && g.shape)
    throw Error("shape", "is given beside axes; give one of the two, and a null pointer for the other");
  if (!g.axes && !g.shape) throw Error("axes", "is a null pointer, and so is shape; give one of the two");
  std::vector<Axis> axes;
  for (int i = 0; i < g.rank; ++i) {
    if (g.axes)
      axes.push_back(axis_of(g.axes[i], "axes[" + std::to_string(i) + "]"));
    else
      axes.push_back({.size = g.shape[i]});
  }
  return axes;
}

}  // namespace

Problem problem_of(skipper_problem const* given) {
  skipper_problem const& g = demanded(given, "problem");
  Problem problem;
  problem.kind = enum_of("kind", g.kind, Kind::r2r, "SKIPPER_C2C, SKIPPER_R2C, SKIPPER_C2R or SKIPPER_R2R");
  problem.precision = precision_of(g.precision);
  problem.direction = direction_of(g.direction);
  demand_rank("rank", g.rank, 1);
  demand_rank("batch_rank", g.batch_rank, 0);
  problem.axes = axes_of(g);
  if (g.batch_rank > 0) demanded(g.batch, "batch");
  if (g.batch_rank == 0 && g.batch)
    throw Error("batch",
                "is given but batch_rank is 0; say how many dimensions it has, or give a null pointer");
  for (int i = 0; i < g.batch_rank; ++i)
    problem.batch.push_back({g.batch[i].size, g.batch[i].in_stride, g.batch[i].out_stride});
  if (g.scale == 0)
    throw Error("scale", "is 0, so every output would be 0; begin with skipper_problem_default()");
  problem.scale = g.scale;
  problem.placement = truth_of("in_place", g.in_place) ? Placement::in_place : Placement::out_of_place;
  problem.order =
      enum_of("order", g.order, Order::from_reversed, "SKIPPER_ORDER_NATURAL or another of skipper_order");
  problem.norm = enum_of("norm", g.norm, Norm::ortho, "SKIPPER_NORM_NONE or SKIPPER_NORM_ORTHO");
  Strides const strides = strides_of(g);
  if (strides.in.empty() && strides.out.empty()) return dense_layout(problem);
  if (strides.in.empty() || strides.out.empty())
    throw Error(strides.in.empty() ? strides.out : strides.in,
                std::string("is given but all strides of the ") + (strides.in.empty() ? "in" : "out") +
                    "put are 0; give those of both sides, or none for dense arrays");
  demand_all_strides(problem, g.axes != nullptr, strides);
  return problem;
}

Problem problem_without_strides(skipper_problem const* given) {
  Problem problem = problem_of(given);
  Strides const strides = strides_of(*given);
  if (!strides.in.empty())
    throw Error(
        strides.in,
        "is given but the arrays of a distributed plan are boxes, which are dense; leave strides at 0");
  return problem;
}

void hand_out(Problem const& problem, skipper_problem* given, skipper_axis* axes, skipper_dim* batch) {
  skipper_problem& to = demanded(given, "given");
  demanded(axes, "axes");
  demanded(batch, "batch");
  to = skipper_problem_default();
  to.kind = int(problem.kind);
  to.precision = number_of(problem.precision);
  to.direction = problem.direction == Direction::forward ? SKIPPER_FORWARD : SKIPPER_INVERSE;
  to.rank = int(problem.axes.size()), to.axes = axes;
  for (Axis const& a : problem.axes)
    *axes++ = {a.size, a.in_stride, a.out_stride, int(a.kind), a.in_count, a.out_first, a.out_count};
  to.batch_rank = int(problem.batch.size()), to.batch = problem.batch.empty() ? nullptr : batch;
  for (Dim const& d : problem.batch) *batch++ = {d.size, d.in_stride, d.out_stride};
  to.scale = problem.scale;
  to.in_place = problem.placement == Placement::in_place;
  to.order = int(problem.order);
  to.norm = int(problem.norm);
}

CpuSettings settings_of(skipper_cpu_settings const& given) {
  return {given.threads, executor_of(given.executor), text_of(given.instruction_set)};
}

PlanSettings settings_of(skipper_plan_settings const* given) {
  PlanSettings settings;
  if (!given) return settings;
  settings.device = device_of(given->device);
  settings.cpu = settings_of(given->cpu);
  settings.gpu.host_arrays = enum_of("gpu.host_arrays", given->gpu.host_arrays, HostArrays::staged,
                                     "SKIPPER_HOST_ARRAYS_BY_DEVICE, SKIPPER_HOST_ARRAYS_REFUSED or "
                                     "SKIPPER_HOST_ARRAYS_STAGED");
  settings.gpu.program = text_of(given->gpu.program);
  settings.gpu.tuning = text_of(given->gpu.tuning);
  skipper_callbacks const& functions = given->callbacks;
  auto const demand_function = [](char const* name, skipper_callback function, void const* data) {
    if (data && !function)
      throw Error(
          std::string("callbacks.") + name + "_data",
          std::string("is given but callbacks.") + name + " is a null pointer; give both, or neither");
  };
  demand_function("load", functions.load, functions.load_data);
  demand_function("store", functions.store, functions.store_data);
  settings.callbacks.load = wrapped(functions.load, functions.load_data);
  settings.callbacks.store = wrapped(functions.store, functions.store_data);
  settings.callbacks.cuda_load = text_of(functions.cuda_load);
  settings.callbacks.cuda_store = text_of(functions.cuda_store);
  settings.callbacks.cuda_data = functions.cuda_data;
  return settings;
}

StreamSettings settings_of(skipper_stream_settings const* given) {
  StreamSettings settings;
  if (!given) return settings;
  settings.device = device_of(given->device);
  settings.memory_limit = given->memory_limit;
  settings.strategy =
      enum_of("strategy", given->strategy, StreamStrategy::device_only,
              "SKIPPER_STRATEGY_AUTOMATIC, SKIPPER_STRATEGY_HOST_AND_DEVICE or SKIPPER_STRATEGY_DEVICE_ONLY");
  settings.pinned = truth_of("pinned", given->pinned);
  settings.cpu = settings_of(given->cpu);
  if (given->progress_data && !given->progress)
    throw Error("progress_data", "is given but progress is a null pointer; give both, or neither");
  if (given->progress)
    settings.progress = [call = given->progress, data = given->progress_data](StreamProgress const& p) {
      bool go_on = false;
      call_user([&] { go_on = call(p.slices_done, p.slices, data) != 0; });
      return go_on;
    };
  return settings;
}

Executor executor_of(skipper_executor const& given) {
  if (given.data && !given.run)
    throw Error("executor.data", "is given but executor.run is a null pointer; give both, or neither");
  Executor executor;
  executor.threads = given.threads;
  if (given.run)
    executor.run = [run = given.run, data = given.data](int tasks, std::function<void(int)> const& task) {
      call_user([&] { run(tasks, run_task, const_cast<std::function<void(int)>*>(&task), data); });
    };
  return executor;
}

}  // namespace skipper::c

using namespace skipper::c;

extern "C" {

skipper_axis skipper_axis_default(void) {
  skipper_axis axis = {};
  axis.size = 1;
  return axis;
}

skipper_dim skipper_dim_default(void) { return {1, 0, 0}; }

skipper_problem skipper_problem_default(void) {
  skipper_problem problem = {};
  problem.kind = SKIPPER_C2C;
  problem.precision = SKIPPER_F32;
  problem.direction = SKIPPER_FORWARD;
  problem.scale = 1;
  return problem;
}

int skipper_problem_check(skipper_problem const* problem) {
  return guarded([&] { check(problem_of(problem)); });
}

int skipper_problem_bytes(skipper_problem const* problem, long long* in, long long* out) {
  return guarded([&] {
    skipper::Problem const p = problem_of(problem);
    check(p);
    demanded(in, "in") = in_bytes(p);
    demanded(out, "out") = out_bytes(p);
  });
}

int skipper_problem_text(skipper_problem const* problem, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(skipper::text(problem_of(problem)), text, size, needed); });
}

int skipper_problem_read(char const* text, skipper_problem* given, skipper_axis* axes, skipper_dim* batch) {
  return guarded([&] { hand_out(skipper::parse_problem(&demanded(text, "text")), given, axes, batch); });
}

int skipper_problem_inverse(skipper_problem const* problem, skipper_problem* given, skipper_axis* axes,
                            skipper_dim* batch) {
  return guarded([&] { hand_out(skipper::inverse_problem(problem_of(problem)), given, axes, batch); });
}

skipper_plan_settings skipper_plan_settings_default(void) { return {}; }
skipper_execute_settings skipper_execute_settings_default(void) { return {}; }
skipper_stream_settings skipper_stream_settings_default(void) { return {}; }

}  // extern "C"
