// What all of the C interface shares: every call goes through guarded(), which turns exceptions into codes and keeps the
// message for the thread.
#pragma once

#include <skipper/problem.h>
#include <skipper/skipper_c.h>
#include <skipper/stream.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/of_thread.h"

namespace skipper::c {

/// What a function of the caller's threw on its way through ours.
struct CallbackFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Call>
void call_user(Call call) {
  try {
    call();
  } catch (std::exception const& e) {
    throw CallbackFailed(std::string("a function that was handed in threw: ") + e.what());
  } catch (...) {
    throw CallbackFailed("a function that was handed in threw something that is no std::exception");
  }
}

/// Null in destructors that run when the thread ends, after the message's.
inline std::string* last_message() { return of_thread<std::string, CallbackFailed>(); }

inline int failed(int code, char const* message) noexcept {
  try {
    if (std::string* const last = last_message()) *last = message;
  } catch (...) {  // no memory for the message: the code must do
  }
  return code;
}

template <class Work>
int guarded(Work work) noexcept {
  try {
    work();
    return SKIPPER_OK;
  } catch (Cancelled const& e) {
    return failed(SKIPPER_CANCELLED, e.what());
  } catch (Error const& e) {
    return failed(e.argument() == "device" ? SKIPPER_NO_DEVICE : SKIPPER_BAD_ARGUMENT, e.what());
  } catch (CallbackFailed const& e) {
    return failed(SKIPPER_CALLBACK, e.what());
  } catch (std::bad_alloc const&) {
    return failed(SKIPPER_NO_MEMORY, "memory: there is not enough of it; use smaller batches or fewer plans");
  } catch (std::exception const& e) {
    return failed(SKIPPER_INTERNAL, e.what());
  } catch (...) {
    return failed(SKIPPER_INTERNAL, "an exception of unknown type; please report it");
  }
}

/// What the function behind a null pointer to T did not do, or what it is for: handles are made by another call, pointers and
/// numbers are places of results.
template <class T>
constexpr char const* instead_of_null() {
  if constexpr (std::is_pointer_v<T>) return "; give the address of a variable that takes the result";
  if constexpr (std::is_class_v<T> && !std::is_trivially_copyable_v<T>) return "; did its creation fail?";
  if constexpr (!std::is_class_v<T> && !std::is_const_v<T>)
    return "; give the address of what takes the result";
  return "; give one";
}

template <class T>
T& demanded(T* pointer, char const* argument) {
  if (!pointer) throw Error(argument, std::string("is a null pointer") + instead_of_null<T>());
  return *pointer;
}

// One of the numbers of the header's enumerations.
[[noreturn]] inline void refuse(char const* argument, int value, char const* allowed) {
  throw Error(argument, "is " + std::to_string(value) + "; use " + allowed);
}

/// Throws Error unless it is one of so many things, whose name is "devices" or the like.
inline std::size_t index(char const* argument, int i, std::size_t count, char const* things) {
  if (i < 0 || std::size_t(i) >= count)
    throw Error(argument, "is " + std::to_string(i) + " but there are the " + things + " 0 to " +
                              std::to_string(count - 1));
  return std::size_t(i);
}

inline bool truth_of(char const* argument, int value) {
  if (value != 0 && value != 1) refuse(argument, value, "0 or 1");
  return value == 1;
}

inline Precision precision_of(int value) {
  if (value == SKIPPER_F32) return Precision::f32;
  if (value == SKIPPER_F64) return Precision::f64;
  if (value == SKIPPER_F16) return Precision::f16;
  if (value == SKIPPER_BF16) return Precision::bf16;
  refuse("precision", value, "SKIPPER_F16, SKIPPER_BF16, SKIPPER_F32 or SKIPPER_F64");
}

/// Copies what fits, ended by a zero; `needed`, which may be null, receives the bytes that all of it takes.
inline void hand_out(std::string const& all, char* text, long long size, long long* needed) {
  if (needed) *needed = static_cast<long long>(all.size()) + 1;
  if (size <= 0) return;
  demanded(text, "text");
  std::size_t const kept = std::min(all.size(), static_cast<std::size_t>(size) - 1);
  std::memcpy(text, all.data(), kept);
  text[kept] = 0;
}

}  // namespace skipper::c
