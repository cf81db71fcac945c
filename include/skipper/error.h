// The one exception type of Skipper. Its message names the argument that is at fault, the limit it
// broke and the way out; argument() gives the first of these by itself, so that a caller who builds
// problems from user input can point at the right field. What a message quotes of its input is made visible (visible.h),
// so that a hostile text cannot write escape sequences to a terminal or a log.
#pragma once

#include <skipper/visible.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace skipper {

class Error : public std::runtime_error {
 public:
  Error(std::string argument, std::string message)
      : std::runtime_error(visible(argument + ": " + message)), argument_(std::move(argument)) {}

  // For example "axes[1].size"; what() begins with it.
  std::string const& argument() const noexcept { return argument_; }

 private:
  std::string argument_;
};

}  // namespace skipper
