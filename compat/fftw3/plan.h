// The object behind fftw_plan, and how planner calls make one.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "adopt.h"
#include "call.h"
#include "program.h"

namespace skipper::fftw3 {

/// Memory for one execution at a time, kept from one to the next; others at the same time allocate. No lock, so a child
/// of fork() finds none that is held.
class Buffer {
 public:
  explicit Buffer(Index reals);
  Buffer(Buffer const&) = delete;
  Buffer& operator=(Buffer const&) = delete;
  ~Buffer();

  Real* take() const;
  void give(Real* memory) const;

 private:
  Real* allocate() const;

  Index reals_;
  mutable std::atomic<Real*> spare_{nullptr};
};

/// What a living plan has. Immutable but for the buffer: any number of threads may execute one plan.
struct PlanBody {
  PlanBody(Call const& given, Arrays const& at, int at_work);
  explicit PlanBody(Adopted const& plan);
  PlanBody(PlanBody const&) = delete;
  PlanBody& operator=(PlanBody const&) = delete;
  ~PlanBody();

  Call call;
  Arrays arrays;  // those it was planned for
  int threads = 1;
  std::optional<Program> program;       // none where the batch is empty
  Engine const* only_engine = nullptr;  // all there is to do, if that is one Problem
  Index buffer_reals = 0;
  Buffer buffer;
  Adopted adopted;           // does it all, where it is somebody else's plan
  std::string adopted_text;  // what that says of itself
};

/// The plan of a call, or null where FFTW would return none: for bad arguments, for lack of memory, and where flags ask
/// for wisdom only and there is none. Never throws.
FftwPlan make_plan(Call call, Arrays const& arrays, unsigned flags) noexcept;

/// Null where the pointer is none of a living plan.
PlanBody const* body_of(FftwPlan plan) noexcept;

/// Executes on these arrays, whether or not they are related as those that the plan was made for.
void execute_on(PlanBody const& body, Arrays const& arrays) noexcept;

/// Waits for nobody; what the pointer is none of is left alone.
void destroy(FftwPlan plan) noexcept;

/// Operations, by the usual count of 5 N log2 N for complex numbers.
double operations(PlanBody const& body);

/// What it does, in lines.
std::string describe(PlanBody const& body);

}  // namespace skipper::fftw3

/// What FFTW's type is a pointer to. These are never given back to the system, so that a plan used after its
/// destruction is noticed rather than followed.
struct FFTW_NAME(plan_s) {
  std::atomic<skipper::fftw3::PlanBody const*> body{nullptr};
};
