// The C interface: every call goes through guarded(), which turns exceptions into codes and keeps the message.
#include <skipper/plan.h>
#include <skipper/skipper_c.h>
#include <skipper/version.h>

#include <algorithm>
#include <cstring>
#include <new>

struct skipper_plan {
  skipper::Plan plan;
};

namespace {

using skipper::Error;

std::string& last_message() {
  thread_local std::string message;
  return message;
}

int failed(int code, char const* message) noexcept {
  try {
    last_message() = message;
  } catch (...) {  // no memory for the message: the code must do
  }
  return code;
}

template <class Work>
int guarded(Work work) noexcept {
  try {
    work();
    return SKIPPER_OK;
  } catch (Error const& e) {
    return failed(e.argument() == "device" ? SKIPPER_NO_DEVICE : SKIPPER_BAD_ARGUMENT, e.what());
  } catch (std::bad_alloc const&) {
    return failed(SKIPPER_NO_MEMORY, "memory: there is not enough of it; use smaller batches or fewer plans");
  } catch (std::exception const& e) {
    return failed(SKIPPER_INTERNAL, e.what());
  } catch (...) {
    return failed(SKIPPER_INTERNAL, "an exception of unknown type; please report it");
  }
}

template <class T>
T& demanded(T* pointer, char const* argument) {
  if (!pointer) throw Error(argument, "is a null pointer");
  return *pointer;
}

skipper::PlanSettings settings(char const* device, int threads) {
  skipper::PlanSettings result;
  if (device) result.device = skipper::Device(device);
  result.threads = threads;
  return result;
}

// One of the numbers of the header's enumerations.
[[noreturn]] void refuse(char const* argument, int value, char const* allowed) {
  throw Error(argument, "is " + std::to_string(value) + "; use " + allowed);
}

skipper::Precision precision_of(int value) {
  if (value == SKIPPER_F32) return skipper::Precision::f32;
  if (value == SKIPPER_F64) return skipper::Precision::f64;
  refuse("precision", value, "SKIPPER_F32 or SKIPPER_F64");
}

skipper::Direction direction_of(int value) {
  if (value == SKIPPER_FORWARD) return skipper::Direction::forward;
  if (value == SKIPPER_INVERSE) return skipper::Direction::inverse;
  refuse("direction", value, "SKIPPER_FORWARD or SKIPPER_INVERSE");
}

skipper::Problem dense_problem(int kind, int precision, int direction, int rank, long long const* shape,
                               long long batch) {
  if (rank < 1 || rank > int(skipper::max_rank))
    throw Error("rank", "is " + std::to_string(rank) + " but must be 1 to 64");
  demanded(shape, "shape");
  std::vector<std::int64_t> const sizes(shape, shape + rank);
  skipper::Precision const p = precision_of(precision);
  skipper::Direction const d = direction_of(direction);
  if (kind == SKIPPER_C2C) return skipper::c2c(sizes, batch, p, d);
  if (kind == SKIPPER_R2C && d == skipper::Direction::forward) return skipper::r2c(sizes, batch, p);
  if (kind == SKIPPER_C2R && d == skipper::Direction::inverse) return skipper::c2r(sizes, batch, p);
  if (kind == SKIPPER_R2C) refuse("direction", direction, "SKIPPER_FORWARD with SKIPPER_R2C");
  if (kind == SKIPPER_C2R) refuse("direction", direction, "SKIPPER_INVERSE with SKIPPER_C2R");
  refuse("kind", kind, "SKIPPER_C2C, SKIPPER_R2C or SKIPPER_C2R");
}

}  // namespace

extern "C" {

int skipper_plan_create(skipper_plan** plan, int kind, int precision, int direction, int rank,
                        long long const* shape, long long batch, double scale, char const* device,
                        int threads) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    skipper::Problem problem = dense_problem(kind, precision, direction, rank, shape, batch);
    problem.scale = scale;
    *plan = new skipper_plan{skipper::Plan(problem, settings(device, threads))};
  });
}

int skipper_plan_create_text(skipper_plan** plan, char const* problem, char const* device, int threads) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    demanded(problem, "problem");
    *plan = new skipper_plan{skipper::Plan(skipper::parse_problem(problem), settings(device, threads))};
  });
}

int skipper_plan_create_inverse(skipper_plan** inverse, skipper_plan const* plan) {
  return guarded([&] {
    demanded(inverse, "inverse") = nullptr;
    *inverse = new skipper_plan{demanded(plan, "plan").plan.inverse()};
  });
}

void skipper_plan_destroy(skipper_plan* plan) { delete plan; }

int skipper_execute(skipper_plan const* plan, void const* in, void* out) {
  return skipper_execute_with(plan, in, out, nullptr);
}

int skipper_execute_with(skipper_plan const* plan, void const* in, void* out, void* workspace) {
  return skipper_execute_on(plan, in, out, workspace, nullptr);
}

int skipper_execute_on(skipper_plan const* plan, void const* in, void* out, void* workspace, void* stream) {
  return guarded([&] { demanded(plan, "plan").plan.execute(in, out, workspace, stream); });
}

int skipper_workspace_bytes(skipper_plan const* plan, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") = static_cast<long long>(demanded(plan, "plan").plan.workspace_bytes());
  });
}

int skipper_array_bytes(skipper_plan const* plan, long long* in, long long* out) {
  return guarded([&] {
    skipper::Problem const& problem = demanded(plan, "plan").plan.problem();
    demanded(in, "in") = skipper::in_bytes(problem);
    demanded(out, "out") = skipper::out_bytes(problem);
  });
}

int skipper_describe(skipper_plan const* plan, char* text, long long size, long long* needed) {
  return guarded([&] {
    std::string const all = demanded(plan, "plan").plan.describe();
    if (needed) *needed = static_cast<long long>(all.size()) + 1;
    if (size <= 0) return;
    demanded(text, "text");
    std::size_t const kept = std::min(all.size(), static_cast<std::size_t>(size) - 1);
    std::memcpy(text, all.data(), kept);
    text[kept] = 0;
  });
}

char const* skipper_message(void) { return last_message().c_str(); }

char const* skipper_version(void) {
  static std::string const text = skipper::version();
  return text.c_str();
}

}  // extern "C"
