// What one case of many may fail by.
#include "each_case.h"

#include <skipper/error.h>

#include <new>

namespace skipper::cli {

Fault fault_of(std::function<void()> const& work) {
  constexpr char const* too_large = "there is not enough memory; use a smaller problem";
  try {
    work();
    return {};
  } catch (LeftOut const& e) {
    return {e.what(), false, nullptr};
  } catch (Error const& e) {
    bool const wrong = e.argument() == "result";
    return {e.what(), true, wrong ? nullptr : std::current_exception()};
  } catch (BadArgument const& e) {
    return {e.what(), true, std::current_exception()};
  } catch (std::bad_alloc const&) {
    return {too_large, true, std::current_exception()};
  } catch (std::length_error const&) {  // more than any memory could hold
    return {too_large, true, std::current_exception()};
  }
}

}  // namespace skipper::cli
