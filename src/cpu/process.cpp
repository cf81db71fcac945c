// See process.h.
#include "cpu/process.h"

#include <pthread.h>

namespace skipper::cpu {
namespace {

constinit std::atomic<unsigned> generation{0};

void count_child() { generation.fetch_add(1, std::memory_order_relaxed); }

// When the library is loaded, so that no thread can be about to do it while another one forks.
[[maybe_unused]] int const registered = pthread_atfork(nullptr, nullptr, count_child);

}  // namespace

unsigned process_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace skipper::cpu
