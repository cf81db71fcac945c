// Fibers by a hand-written switch: push the registers that a function call must preserve, exchange the stack
// pointers, pop. About 20 instructions, against two system calls for swapcontext, which remains the way on
// other architectures. Stacks come from a pool and go back to it.
#include "emulator/fiber.h"

#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SKIPPER_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SKIPPER_FIBER_ASAN 1
#endif
#endif
#ifdef SKIPPER_FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef SKIPPER_FIBER_ASSEMBLY
// Leaves the present stack, noting its pointer in *save, for the stack `load`. A stack that is entered for
// the first time finds `argument` where a function expects its first one.
extern "C" void skipper_fiber_switch(void** save, void* load, void* argument);

#ifdef __aarch64__
asm(R"(
  .text
  .balign 16
  .globl skipper_fiber_switch
  .type skipper_fiber_switch, %function
skipper_fiber_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  mov x0, x2
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size skipper_fiber_switch, .-skipper_fiber_switch
)");
constexpr int frame_words = 20;
constexpr int return_word = 11;  // x30
constexpr int words_above = 0;   // what a function finds above its frame: nothing
#else
asm(R"(
  .text
  .balign 16
  .globl skipper_fiber_switch
  .type skipper_fiber_switch, @function
skipper_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  movq %rdx, %rdi
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size skipper_fiber_switch, .-skipper_fiber_switch
)");
constexpr int frame_words = 7;  // six registers and the return address
constexpr int return_word = 6;
constexpr int words_above = 1;  // a function finds the address to return to (none) above a multiple of 16
#endif
#endif

namespace skipper::emulator {
namespace {

#ifdef SKIPPER_FIBER_ASAN
constexpr std::size_t stack_bytes = 256 << 10;
#else
constexpr std::size_t stack_bytes = 64 << 10;
#endif

/// Stacks that no fiber uses. They are mapped lazily, so a stack costs the pages that it has touched.
class StackPool {
 public:
  static StackPool& instance() {
    static StackPool pool;
    return pool;
  }
  std::byte* take() {
    std::lock_guard const lock(mutex_);
    if (free_.empty()) map();
    std::byte* const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give(std::byte* stack) noexcept {
    std::lock_guard const lock(mutex_);
    free_.push_back(stack);  // never allocates: map() has made room for every stack there is
  }
  ~StackPool() {
    for (auto* stack : free_) munmap(stack - page(), page() + stack_bytes);
  }

 private:
  static std::size_t page() {
    static auto const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
  }
  void map() {
    free_.reserve(++mapped_);
    void* const base = mmap(nullptr, page() + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    // An overflow shall stop here and not in the neighbour. Systems limit such pages: then do without.
    (void)mprotect(base, page(), PROT_NONE);
    free_.push_back(static_cast<std::byte*>(base) + page());
  }

  std::mutex mutex_;
  std::size_t mapped_ = 0;
  std::vector<std::byte*> free_;
};

/// Stacks start at different places within a page: else all fibers would fight for the same lines of the
/// cache.
std::size_t colour(std::byte const* stack) {
  return reinterpret_cast<std::uintptr_t>(stack) / stack_bytes % 16 * 256;
}

#ifdef SKIPPER_FIBER_ASAN
void before_switch(void** fake, void const* stack, std::size_t bytes) {
  __sanitizer_start_switch_fiber(fake, stack, bytes);
}
void after_switch(void* fake, void const** stack, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(fake, stack, bytes);
}
#else
void before_switch(void**, void const*, std::size_t) {}
void after_switch(void*, void const**, std::size_t*) {}
#endif

#ifdef SKIPPER_FIBER_ASSEMBLY
void jump(Context& from, Context& to, Fiber* fiber) {
  skipper_fiber_switch(&from.stack_pointer, to.stack_pointer, fiber);
}
#else
void jump(Context& from, Context& to, Fiber*) { swapcontext(&from.registers, &to.registers); }
#endif

}  // namespace

Fiber::Fiber() : stack_(StackPool::instance().take()), stack_bytes_(stack_bytes) {}

Fiber::~Fiber() {
  cancel();
  StackPool::instance().give(stack_);
}

void Fiber::start(void (*entry)(void*), void* argument) {
  cancel();
  entry_ = entry;
  argument_ = argument;
  prepare();
  state_ = State::fresh;
}

#ifdef SKIPPER_FIBER_ASSEMBLY
void Fiber::prepare() {
  std::byte* const top = stack_ + stack_bytes_ - colour(stack_) - 16;
#ifdef SKIPPER_FIBER_ASAN
  // begin() never returned from the last call, so its guard zones still stand.
  std::byte* const old_frames = stack_ + stack_bytes_ - 8192;
  ASAN_UNPOISON_MEMORY_REGION(old_frames, 8192);
#endif
  auto* const words = reinterpret_cast<std::uintptr_t*>(top) - words_above - frame_words;
  std::memset(words, 0, (frame_words + words_above) * sizeof *words);
  words[return_word] = reinterpret_cast<std::uintptr_t>(&Fiber::begin);
  inside_.stack_pointer = words;
}
#else
void Fiber::prepare() {
#ifdef SKIPPER_FIBER_ASAN
  std::byte* const old_frames = stack_ + stack_bytes_ - 8192;
  ASAN_UNPOISON_MEMORY_REGION(old_frames, 8192);
#endif
  getcontext(&inside_.registers);
  inside_.registers.uc_stack.ss_sp = stack_;
  inside_.registers.uc_stack.ss_size = stack_bytes_ - colour(stack_);
  inside_.registers.uc_link = nullptr;
  auto const self = std::uint64_t(reinterpret_cast<std::uintptr_t>(this));
  makecontext(&inside_.registers, reinterpret_cast<void (*)()>(&Fiber::begin_from_halves), 2, unsigned(self),
              unsigned(self >> 32));
}
#endif

bool Fiber::resume() {
  enter();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return state_ == State::suspended;
}

void Fiber::cancel() noexcept {
  if (state_ == State::suspended) {
    cancelled_ = true;
    enter();
    cancelled_ = false;
    error_ = nullptr;
  }
  state_ = State::idle;
}

void Fiber::enter() {
  before_switch(&fake_outside_, stack_, stack_bytes_);
  jump(outside_, inside_, this);
  after_switch(fake_outside_, nullptr, nullptr);
}

void Fiber::leave() {
  state_ = State::suspended;
  before_switch(&fake_inside_, outer_stack_, outer_bytes_);
  jump(inside_, outside_, nullptr);
  after_switch(fake_inside_, &outer_stack_, &outer_bytes_);
}

void Fiber::finish() {
  state_ = State::idle;
  before_switch(nullptr, outer_stack_, outer_bytes_);
  jump(inside_, outside_, nullptr);
  __builtin_unreachable();
}

void Fiber::begin(Fiber* fiber) noexcept {
  after_switch(nullptr, &fiber->outer_stack_, &fiber->outer_bytes_);
  try {
    fiber->entry_(fiber->argument_);
  } catch (Cancelled const&) {
  } catch (...) {
    fiber->error_ = std::current_exception();
  }
  fiber->finish();
}

void Fiber::begin_from_halves(unsigned low, unsigned high) noexcept {
  begin(reinterpret_cast<Fiber*>(std::uintptr_t(std::uint64_t(high) << 32 | low)));
}

}  // namespace skipper::emulator
