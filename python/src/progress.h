// What runs after every slice of a streamed execution: it looks for Ctrl-C and calls the user's Python function.
#pragma once

#include <skipper/stream.h>

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "gil.h"

namespace skipper::python {

// The function of one execution, for as long as this lives, on the thread that executes. Made with the GIL.
class ProgressScope {
 public:
  explicit ProgressScope(nanobind::object function);
  ~ProgressScope();
  ProgressScope(ProgressScope const&) = delete;
  ProgressScope& operator=(ProgressScope const&) = delete;

  // Runs `execute` without the GIL. False where the function stopped it by returning False; what the function threw, or
  // KeyboardInterrupt, is thrown from here.
  template <class Execute>
  bool run(Execute execute) {
    try {
      ReleasedGil const released;
      execute();
    } catch (Cancelled const&) {
      if (thrown_) std::rethrow_exception(thrown_);
      return false;
    }
    return true;
  }

  // For StreamSettings::progress.
  static bool report(StreamProgress const& progress);

 private:
  bool ask(StreamProgress const& progress);

  nanobind::object function_;  // or None
  std::exception_ptr thrown_;
  ProgressScope* outer_;
};

// Of a streamed execution. memory_limit: 0 for what is free.
StreamSettings stream_settings(std::string const& device, int threads, std::int64_t memory_limit,
                               std::string const& strategy);

}  // namespace skipper::python
