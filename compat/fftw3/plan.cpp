// See plan.h.
#include "plan.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <unordered_set>
#include <utility>

#include "base/environment.h"
#include "threads.h"
#include "wisdom.h"

namespace skipper::fftw3 {
namespace {

constexpr std::align_val_t alignment{64};

/// Handles, living and dead. A dead one is used again as late as can be.
class Handles {
 public:
  static Handles& instance() {
    static Handles* const handles =
        new Handles;  // until the very end: programs destroy plans in their destructors
    return *handles;
  }

  FftwPlan make(std::unique_ptr<PlanBody const> body) {
    std::lock_guard lock(mutex_);
    FftwPlan handle = nullptr;
    if (dead_.size() > max_dead) {
      handle = dead_.front();
      dead_.pop_front();
    } else {
      handle = new FFTW_NAME(plan_s);
    }
    living_.insert(handle);
    handle->body.store(body.release(), std::memory_order_release);
    return handle;
  }

  void destroy(FftwPlan handle) {
    std::unique_ptr<PlanBody const> body;
    std::lock_guard lock(mutex_);
    if (living_.erase(handle) == 0) return;
    body.reset(handle->body.exchange(nullptr, std::memory_order_acq_rel));
    dead_.push_back(handle);
  }

 private:
  static constexpr std::size_t max_dead = 1024;
  std::mutex mutex_;
  std::unordered_set<FftwPlan> living_;
  std::deque<FftwPlan> dead_;
};

[[noreturn, gnu::cold]] void give_up(char const* why) {
  std::fprintf(stderr, "libskipper_%s3: %s\n", prefix, why);
  std::abort();
}

bool logs() {
  static bool const asked = switched_on("SKIPPER_LOG");
  return asked;
}

void log(Call const& call, std::string const& how) {
  if (logs()) std::fprintf(stderr, "skipper %s: %s: %s\n", prefix, text(call).c_str(), how.c_str());
}

/// Whether the arrays are to each other as those of the plan.
bool related(PlanBody const& body, Arrays const& arrays) {
  Call const& call = body.call;
  if (call.overlap != Overlap::partly && (arrays.in == arrays.out) != (body.arrays.in == body.arrays.out))
    return false;
  return (!arrays.in_imag || arrays.in_imag - arrays.in == call.in_pair) &&
         (!arrays.out_imag || arrays.out_imag - arrays.out == call.out_pair);
}

}  // namespace

Buffer::Buffer(Index reals) : reals_(reals) {
  if (reals > 0) spare_.store(allocate(), std::memory_order_relaxed);
}
Buffer::~Buffer() { ::operator delete(spare_.load(std::memory_order_relaxed), alignment); }

Real* Buffer::allocate() const {
  return static_cast<Real*>(::operator new(sizeof(Real) * static_cast<std::size_t>(reals_), alignment));
}
Real* Buffer::take() const {
  if (reals_ == 0) return nullptr;
  Real* const memory = spare_.exchange(nullptr, std::memory_order_acquire);
  return memory ? memory : allocate();
}
void Buffer::give(Real* memory) const {
  if (memory) ::operator delete(spare_.exchange(memory, std::memory_order_acq_rel), alignment);
}

PlanBody::PlanBody(Call const& given, Arrays const& at, int at_work)
    : call(given),
      arrays(at),
      threads(at_work),
      program(is_empty(given) ? std::nullopt : std::optional<Program>(std::in_place, given, at_work)),
      only_engine(program ? program->only_engine() : nullptr),
      buffer_reals(program ? program->buffer_reals() : 0),
      buffer(buffer_reals) {}

PlanBody::PlanBody(Adopted const& plan) : buffer(0), adopted(plan), adopted_text(plan.text) {
  call.kind = plan.kind;
  arrays.in = plan.in;
  arrays.out = plan.out;
}

PlanBody::~PlanBody() {
  if (adopted.destroy) adopted.destroy(adopted.self);
}

FftwPlan make_plan(Call call, Arrays const& arrays, unsigned flags) noexcept try {
  relate(call, arrays);
  call = normalised(std::move(call));
  if ((flags & FFTW_WISDOM_ONLY) && !Wisdom::instance().knows(call, flags)) return nullptr;
  auto body = std::make_unique<PlanBody const>(call, arrays, planner_threads());
  Wisdom::instance().learn(call, flags);
  if (logs()) log(call, body->program ? body->program->describe() : "nothing to do");
  return Handles::instance().make(std::move(body));
} catch (std::exception const& e) {
  try {
    log(call, std::string("no plan: ") + e.what());
  } catch (...) {  // no memory for the text either
  }
  return nullptr;
}

PlanBody const* body_of(FftwPlan plan) noexcept {
  return plan ? plan->body.load(std::memory_order_acquire) : nullptr;
}

void execute_on(PlanBody const& body, Arrays const& arrays) noexcept try {
  if (body.adopted.execute) return body.adopted.execute(body.adopted.self, arrays.in, arrays.out);
  if (!arrays.in || !arrays.out || !body.program) return;
  if (!related(body, arrays)) {  // FFTW forbids it; a plan of their own computes what was meant
    Call call = body.call;
    relate(call, arrays);
    PlanBody const own(call, arrays, body.threads);
    Real* const memory = own.buffer.take();
    own.program->run(arrays, memory);
    return own.buffer.give(memory);
  }
  if (body.only_engine)
    return body.only_engine->execute(body.program->first_in(arrays), body.program->first_out(arrays));
  Real* const memory = body.buffer.take();
  body.program->run(arrays, memory);
  body.buffer.give(memory);
} catch (std::exception const& e) {
  give_up(e.what());
}

void destroy(FftwPlan plan) noexcept {
  if (plan) Handles::instance().destroy(plan);
}

double operations(PlanBody const& body) {
  if (body.adopted.execute) return body.adopted.operations;
  Call const& call = body.call;
  double points = 1, times = call.kind == Kind::c2c ? 5 : 2.5;
  for (Dim const& axis : call.axes) points *= static_cast<double>(axis.size);
  for (Dim const& dim : call.batch) times *= static_cast<double>(dim.size);
  return points <= 1 ? 0 : times * points * std::log2(points);
}

std::string describe(PlanBody const& body) {
  if (body.adopted.execute) return body.adopted_text;
  return text(body.call) + "\n" + (body.program ? body.program->describe() : "nothing to do\n");
}

}  // namespace skipper::fftw3

using namespace skipper::fftw3;

FftwPlan SKIPPER_FFTW_ADOPT(Adopted const* plan) try {
  auto body = std::make_unique<PlanBody>(*plan);
  body->adopted.destroy = nullptr;  // until nothing can fail any more
  PlanBody* const made = body.get();
  FftwPlan const handle = Handles::instance().make(std::move(body));
  made->adopted.destroy = plan->destroy;
  return handle;
} catch (std::exception const&) {
  return nullptr;
}
