// The one exception type of Skipper. Its message names the argument that is at fault, the limit it
// broke and the way out; argument() gives the first of these by itself, so that a caller who builds
// problems from user input can point at the right field. What a message quotes of its input is made visible, so that a
// hostile text cannot write escape sequences to a terminal or a log.
#pragma once

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
  // Control characters as \x1b; new lines and tabs stay, because a compiler's log has them.
  static std::string visible(std::string const& text) {
    char const* const digits = "0123456789abcdef";
    std::string result;
    for (char const c : text) {
      auto const byte = static_cast<unsigned char>(c);
      if ((byte < ' ' && c != '\n' && c != '\t') || byte == 127)
        result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      else
        result += c;
    }
    return result;
  }

  std::string argument_;
};

}  // namespace skipper
