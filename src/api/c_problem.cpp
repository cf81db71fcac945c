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

Problem dense_problem(int kind, int precision, int direction, int rank, long long const* shape,
                      long long batch) {
  demand_rank("rank", rank, 1);
  demanded(shape, "shape");
  std::vector<std::int64_t> const sizes(shape, shape + rank);
  Precision const p = precision_of(precision);
  Direction const d = direction_of(direction);
  if (kind == SKIPPER_C2C) return c2c(sizes, batch, p, d);
  if (kind == SKIPPER_R2C && d == Direction::forward) return r2c(sizes, batch, p);
  if (kind == SKIPPER_C2R && d == Direction::inverse) return c2r(sizes, batch, p);
  if (kind == SKIPPER_R2C) refuse("direction", direction, "SKIPPER_FORWARD with SKIPPER_R2C");
  if (kind == SKIPPER_C2R) refuse("direction", direction, "SKIPPER_INVERSE with SKIPPER_C2R");
  refuse("kind", kind, "SKIPPER_C2C, SKIPPER_R2C or SKIPPER_C2R; SKIPPER_R2R by skipper_plan_create_problem");
}

Problem problem_of(skipper_problem const* given) {
  skipper_problem const& g = demanded(given, "problem");
  Problem problem;
  problem.kind = enum_of("kind", g.kind, Kind::r2r, "SKIPPER_C2C, SKIPPER_R2C, SKIPPER_C2R or SKIPPER_R2R");
  problem.precision = precision_of(g.precision);
  problem.direction = direction_of(g.direction);
  demand_rank("rank", g.rank, 1);
  demand_rank("batch_rank", g.batch_rank, 0);
  demanded(g.axes, "axes");
  for (int i = 0; i < g.rank; ++i)
    problem.axes.push_back(axis_of(g.axes[i], "axes[" + std::to_string(i) + "]"));
  if (g.batch_rank > 0) demanded(g.batch, "batch");
  for (int i = 0; i < g.batch_rank; ++i)
    problem.batch.push_back({g.batch[i].size, g.batch[i].in_stride, g.batch[i].out_stride});
  problem.scale = g.scale;
  problem.placement = truth_of("in_place", g.in_place) ? Placement::in_place : Placement::out_of_place;
  problem.order =
      enum_of("order", g.order, Order::from_reversed, "SKIPPER_ORDER_NATURAL or another of skipper_order");
  problem.norm = enum_of("norm", g.norm, Norm::ortho, "SKIPPER_NORM_NONE or SKIPPER_NORM_ORTHO");
  return truth_of("strided", g.strided) ? problem : dense_layout(problem);
}

PlanSettings settings_of(skipper_plan_settings const* given) {
  PlanSettings settings;
  if (!given) return settings;
  settings.device = device_of(given->device);
  settings.cpu.threads = given->threads;
  settings.cpu.instruction_set = text_of(given->instruction_set);
  settings.cpu.executor = executor_of(given->run, given->run_threads, given->run_data);
  settings.callbacks.load = wrapped(given->load, given->load_data);
  settings.callbacks.store = wrapped(given->store, given->store_data);
  settings.gpu.host_arrays = enum_of("host_arrays", given->host_arrays, HostArrays::staged,
                                     "SKIPPER_HOST_ARRAYS_BY_DEVICE or another of skipper_host_arrays");
  settings.gpu.program = text_of(given->program);
  settings.gpu.tuning = text_of(given->tuning);
  settings.callbacks.cuda_load = text_of(given->cuda_load);
  settings.callbacks.cuda_store = text_of(given->cuda_store);
  settings.callbacks.cuda_data = given->cuda_data;
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
  settings.cpu.threads = given->threads;
  settings.cpu.instruction_set = text_of(given->instruction_set);
  if (given->progress)
    settings.progress = [call = given->progress, data = given->progress_data](StreamProgress const& p) {
      bool go_on = false;
      call_user([&] { go_on = call(p.slices_done, p.slices, data) != 0; });
      return go_on;
    };
  return settings;
}

Executor executor_of(skipper_run_function run, int threads, void* data) {
  Executor executor;
  executor.threads = threads;
  if (run)
    executor.run = [=](int tasks, std::function<void(int)> const& task) {
      call_user([&] { run(tasks, run_task, const_cast<std::function<void(int)>*>(&task), data); });
    };
  return executor;
}

}  // namespace skipper::c

extern "C" skipper_problem skipper_problem_default(void) {
  skipper_problem problem = {};
  problem.kind = SKIPPER_C2C;
  problem.precision = SKIPPER_F32;
  problem.direction = SKIPPER_FORWARD;
  problem.scale = 1;
  return problem;
}
