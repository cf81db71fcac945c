#pragma once
// Fibers: functions that can be left in the middle and entered again, each on its own small stack. The
// emulator gives one to each GPU thread, so that a barrier is a switch of stacks and not of operating-system
// threads.
#include <cstddef>
#include <exception>

#if defined(__linux__) && (defined(__aarch64__) || defined(__x86_64__)) && !defined(SKIPPER_FIBER_UCONTEXT)
#define SKIPPER_FIBER_ASSEMBLY 1
#else
#include <ucontext.h>
#endif

namespace skipper::emulator {

/// Where a suspended flow of control stands.
struct Context {
#ifdef SKIPPER_FIBER_ASSEMBLY
  void* stack_pointer = nullptr;  // the registers lie on the stack
#else
  ucontext_t registers = {};
#endif
};

class Fiber {
 public:
  Fiber();
  ~Fiber();
  Fiber(Fiber const&) = delete;
  Fiber& operator=(Fiber const&) = delete;

  /// Lays out a call of entry(argument); the first resume() makes it.
  void start(void (*entry)(void*), void* argument);

  /// Runs the fiber up to its next yield() (true) or its end (false). Rethrows here what entry threw.
  bool resume();

  /// Inside the fiber: goes back to the caller of resume().
  void yield() {
    if (cancelled_) throw Cancelled{};
    leave();
    if (cancelled_) throw Cancelled{};
  }

  /// Ends a suspended fiber: its yield() throws, so that the objects on its stack are destroyed.
  void cancel() noexcept;

 private:
  struct Cancelled {};
  enum class State { idle, fresh, suspended };

  void prepare();  // makes `inside_` a call of begin
  void enter();
  void leave();
  [[noreturn]] void finish();
  static void begin(Fiber*) noexcept;  // the first function on the fiber's stack
  static void begin_from_halves(unsigned low, unsigned high) noexcept;

  std::byte* stack_ = nullptr;
  std::size_t stack_bytes_ = 0;
  Context inside_, outside_;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  State state_ = State::idle;
  bool cancelled_ = false;
  std::exception_ptr error_;

  // What AddressSanitizer wants to know about the two stacks.
  void *fake_inside_ = nullptr, *fake_outside_ = nullptr;
  void const* outer_stack_ = nullptr;
  std::size_t outer_bytes_ = 0;
};

}  // namespace skipper::emulator
