// See verdict.h.
#include "verdict.h"

#include <algorithm>
#include <cstring>

#include "buffer.h"
#include "reference/gaps.h"
#include "reference/whole_check.h"

namespace skipper::cli {
namespace {

constexpr int poison = 0xff;  // in every byte it makes not-a-number of every precision

bool is_in_place(Plan const& plan) { return plan.problem().placement == Placement::in_place; }

}  // namespace

void Verifier::on_cpu(Plan const& plan, void* in, void* out) const {
  Buffer work(std::int64_t(plan.workspace_bytes()));
  std::memset(work.data(), poison, work.bytes());
  plan.execute(is_in_place(plan) ? out : in, out,
               {.workspace_bytes = work.bytes(), .workspace = work.bytes() ? work.data() : nullptr});
}

// The arrays come back from the device, so that a kernel that writes to its input is seen as well.
void Verifier::on_gpu(Plan const& plan, void* in, void* out) {
  if (!cuda_) cuda_ = std::make_unique<Cuda>(cuda_device(plan.device().name()));
  Problem const& problem = plan.problem();
  bool const same = is_in_place(plan);
  auto const bytes = std::size_t(std::max(in_bytes(problem), out_bytes(problem)));
  std::size_t const workspace = plan.workspace_bytes();
  void* const from = cuda_->device_memory("in", bytes).data;
  void* const to = same ? from : cuda_->device_memory("out", bytes).data;
  void* const work = workspace ? cuda_->device_memory("work", workspace).data : nullptr;
  cuda_->upload(from, same ? out : in, bytes);
  if (!same) cuda_->poison(to, bytes);
  if (work) cuda_->poison(work, workspace);
  plan.execute(from, to, {.workspace_bytes = workspace, .workspace = work, .stream = cuda_->stream()});
  cuda_->download(out, to, bytes);
  if (!same) cuda_->download(in, from, bytes);
}

Verdict Verifier::verdict(Problem const& problem) {
  Plan const plan(problem, settings_);
  bool const same = is_in_place(plan), gpu = cuda_device(plan.device().name()) >= 0;
  std::int64_t const bytes = std::max(in_bytes(problem), out_bytes(problem));
  Buffer given(bytes), in(same ? 0 : bytes), out(bytes);
  given.fill_random(problem.precision);
  if (same)
    std::memcpy(out.data(), given.data(), given.bytes());
  else
    std::memcpy(in.data(), given.data(), given.bytes()), std::memset(out.data(), poison, out.bytes());
  gpu ? on_gpu(plan, in.data(), out.data()) : on_cpu(plan, in.data(), out.data());
  Verdict v{text(problem),
            reference::accuracy(problem, given.data(), out.data(), samples_),
            reference::allowed_l2(problem),
            reference::allowed_max(problem),
            reference::whole_check(problem, given.data(), out.data(), threads_).worst,
            ""};
  if (same) return v;
  if (std::memcmp(in.data(), given.data(), given.bytes()) != 0) v.spoilt = "the input was not preserved";
  if (!reference::gaps_are_untouched(problem, out.data())) v.spoilt = "a gap of the output was written";
  return v;
}

}  // namespace skipper::cli
