// The default executor, and what settings that leave things open stand for.
#include <skipper/error.h>
#include <skipper/executor.h>

#include <mutex>
#include <string>

#include "cpu/host.h"
#include "cpu/pool.h"
#include "cpu/process.h"

namespace skipper {
namespace {

struct Default {
  std::mutex mutex;
  Executor executor;
};
constinit cpu::PerProcess<Default> kept;

void demand_threads(char const* argument, int threads) {
  if (threads < 0 || threads > max_threads)
    throw Error(argument, "is " + std::to_string(threads) +
                              " but must be 0, which is one for each core, to " +
                              std::to_string(max_threads));
}

}  // namespace

void set_default_executor(Executor const& executor) {
  demand_threads("executor.threads", executor.threads);
  if (executor.threads != 0 && !executor.run)
    throw Error("executor.threads",
                "is " + std::to_string(executor.threads) +
                    " but there is no executor.run; give it, or cpu.threads of a plan for "
                    "threads of Skipper's own");
  Executor next = executor;  // the one before is destroyed after the lock: that is code of a user
  Default& mine = kept.get();
  std::lock_guard const lock(mine.mutex);
  std::swap(mine.executor, next);
}

Executor default_executor() {
  Default& mine = kept.get();
  std::lock_guard const lock(mine.mutex);
  return mine.executor;
}

namespace cpu {

Resolved resolved(int threads, Executor const& executor) {
  demand_threads("cpu.threads", threads);
  demand_threads("cpu.executor.threads", executor.threads);
  Resolved result{threads, executor.run ? executor : default_executor()};
  if (threads == 0) result.threads = result.executor.run ? result.executor.threads : 0;
  if (result.threads == 0) result.threads = cores();
  return result;
}

}  // namespace cpu
}  // namespace skipper
