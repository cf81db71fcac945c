// See results.h.
#include "results.h"

#include <skipper/error.h>

#include <new>
#include <string>

namespace skipper::cufft {
namespace {

cufftResult result_of(Error const& error, Doing doing) {
  std::string const& argument = error.argument();
  bool const executing = doing == Doing::executing;
  if (argument == "memory") return CUFFT_ALLOC_FAILED;
  if (argument == "device")
    return executing ? CUFFT_EXEC_FAILED : CUFFT_MISSING_DEPENDENCY;  // NVRTC: a driver is there
  if (argument == "cuda") {
    if (std::string(error.what()).find("NVRTC") != std::string::npos) return CUFFT_NVRTC_FAILURE;
    return executing ? CUFFT_EXEC_FAILED : CUFFT_INTERNAL_ERROR;
  }
  if (argument == "stream") return CUFFT_EXEC_FAILED;
  if (argument == "problem" || argument.ends_with(".size")) return CUFFT_INVALID_SIZE;
  return CUFFT_INVALID_VALUE;
}

}  // namespace

cufftResult refused(char const* function, cufftResult result) noexcept {
  log("%s returns %d", function, int(result));
  return result;
}

cufftResult result_of_exception(char const* function, Doing doing) noexcept {
  try {
    throw;
  } catch (Error const& e) {
    cufftResult result = CUFFT_INTERNAL_ERROR;
    try {
      result = result_of(e, doing);
    } catch (std::bad_alloc const&) {  // no memory for the text
    }
    log("%s returns %d: %s", function, int(result), e.what());
    return result;
  } catch (std::bad_alloc const&) {
    return refused(function, CUFFT_ALLOC_FAILED);
  } catch (std::exception const& e) {
    log("%s fails: %s", function, e.what());
    return CUFFT_INTERNAL_ERROR;
  } catch (...) {
    return refused(function, CUFFT_INTERNAL_ERROR);
  }
}

}  // namespace skipper::cufft
