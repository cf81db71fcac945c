// See plan.h.
#include "plan.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "log.h"

namespace skipper::cufft {
namespace {

constexpr std::uintptr_t area_alignment = 64;  // of a workspace of Skipper's

std::uintptr_t address(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

Plan skipper_plan(Problem const& problem, int device) {
  PlanSettings settings;
  settings.device = Device("cuda:" + std::to_string(device));
  settings.gpu.host_arrays =
      HostArrays::staged;  // a GPU reads pinned arrays of the host, so cuFFT takes them
  return Plan(problem, settings);
}

bool outputs_overlap(Error const& error) { return error.argument().ends_with(".out_stride"); }

Direction main_direction(Kind kind) { return kind == Kind::c2r ? Direction::inverse : Direction::forward; }

}  // namespace

/// Outputs that overlap are no error yet: programs make plans for both ways with strides that suit one.
cufftResult PlanBody::make(Call const& call) {
  made_for_ = current_device();
  call_ = call;
  variants_ = {};  // what a call that failed may have left
  work_bytes_ = 0;
  alignment_ = complex_bytes(call.elements.precision);
  Direction const first = main_direction(call.elements.kind);
  Variant& apart = variants_[std::size_t(first)][std::size_t(Arrays::apart)];
  try {
    work_bytes_ = make_variant(apart, first, Arrays::apart).bytes;
  } catch (Error const& e) {
    if (!outputs_overlap(e)) throw;
    log("no execution will be possible: %s", e.what());
    apart.refused = made_ = true;
    return CUFFT_SUCCESS;
  }
  if (patient_jit > 0)
    for (Direction const direction : {Direction::forward, Direction::inverse})
      for (Arrays const arrays : {Arrays::apart, Arrays::together})
        if (call.elements.kind == Kind::c2c || direction == first)
          if (Variant const* const v = variant(direction, arrays))
            work_bytes_ = std::max(work_bytes_, v->bytes);
  if (allocates && work_bytes_ > 0 && !given_area && !own_area_.allocate(made_for_, work_bytes_))
    return CUFFT_ALLOC_FAILED;
  made_ = true;
  return CUFFT_SUCCESS;
}

PlanBody::Variant const& PlanBody::make_variant(Variant& variant, Direction direction, Arrays arrays) {
  Problem const problem = problem_of(call_, direction, arrays);
  variant.plan.emplace(skipper_plan(problem, made_for_));
  variant.bytes = variant.plan->workspace_bytes();
  if (logs()) log("planned %s\n%s", text(problem).c_str(), variant.plan->describe().c_str());
  return variant;
}

PlanBody::Variant const* PlanBody::variant(Direction direction, Arrays arrays) {
  Variant& variant = variants_[std::size_t(direction)][std::size_t(arrays)];
  if (variant.plan) return &variant;
  if (variant.refused) return nullptr;
  try {
    return &make_variant(variant, direction, arrays);
  } catch (Error const& e) {
    if (arrays != Arrays::together || e.argument() == "memory" || e.argument() == "cuda") throw;
    variant.refused = true;
    log("not in place, so staged: %s", e.what());
    return nullptr;
  }
}

/// The caller's work area, or one that Skipper takes in stream order: for a variant that needs more than was told.
void PlanBody::run(Variant const& variant, void const* in, void* out) const {
  ExecuteSettings settings;
  settings.stream = stream;
  if (variant.bytes <= work_bytes_ && address(work_area()) % area_alignment == 0)
    settings.workspace = work_area();
  variant.plan->execute(in, out, settings);
}

cufftResult PlanBody::execute(void const* in, void* out, Direction direction) {
  if (work_bytes_ > 0 && !work_area()) return CUFFT_NO_WORKSPACE;
  if (call_.elements.kind != Kind::c2c) direction = main_direction(call_.elements.kind);
  if (variants_[std::size_t(main_direction(call_.elements.kind))][std::size_t(Arrays::apart)].refused)
    return CUFFT_INVALID_VALUE;
  bool const aligned = (address(in) | address(out)) % std::uintptr_t(alignment_) == 0;
  if (aligned && in != out)
    run(*variant(direction, Arrays::apart), in, out);
  else if (Variant const* const together = aligned ? variant(direction, Arrays::together) : nullptr)
    run(*together, in, out);
  else
    return execute_staged(in, out, direction);
  return CUFFT_SUCCESS;
}

/// By copies of the arrays: of the input where it lies in the output or is not aligned, of the output where it is not
/// aligned, there and back, because it may have gaps.
cufftResult PlanBody::execute_staged(void const* in, void* out, Direction direction) {
  bool const same = in == out;
  Variant const& v = *variant(direction, same ? Arrays::staged : Arrays::apart);
  Problem const& problem = v.plan->problem();
  auto const in_size = std::size_t(in_bytes(problem)), out_size = std::size_t(out_bytes(problem));
  CurrentContext const current(made_for_);
  StreamMemory in_memory(stream), out_memory(stream);
  void const* from = in;
  void* to = out;
  if (same || address(in) % std::uintptr_t(alignment_) != 0) {
    void* const staged = in_memory.allocate(in_size);
    if (!staged) return CUFFT_ALLOC_FAILED;
    if (!copy(staged, in, in_size, stream)) return CUFFT_EXEC_FAILED;
    from = staged;
  }
  if (address(out) % std::uintptr_t(alignment_) != 0) {
    to = out_memory.allocate(out_size);
    if (!to) return CUFFT_ALLOC_FAILED;
    if (!copy(to, out, out_size, stream)) return CUFFT_EXEC_FAILED;
  }
  run(v, from, to);
  return to == out || copy(out, to, out_size, stream) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

std::size_t needed_bytes(Call const& call, int device) {
  try {
    return skipper_plan(problem_of(call, main_direction(call.elements.kind), Arrays::apart), device)
        .workspace_bytes();
  } catch (Error const& e) {
    if (!outputs_overlap(e)) throw;
    return 0;  // as of the plan that is made of it
  }
}

}  // namespace skipper::cufft
