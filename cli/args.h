// The words after a command, sorted into options and operands by the options that the command declares. Anything
// that does not fit is a BadArgument that names the word and the way out.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace skipper::cli {

struct Option {
  std::string name;   // "--machine"
  std::string value;  // what stands for its value in help, "NAME"; empty: a flag
  std::string help;
};

struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Args {
 public:
  // Options are `--name value` or `--name=value`, in any place; after `--` all words are operands.
  Args(std::string command, std::vector<std::string> const& words, std::vector<Option> const& options);

  std::vector<std::string> const& operands() const { return operands_; }
  // Refuses unless there are `least` to `most` operands.
  void demand_operands(std::size_t least, std::size_t most, std::string const& what) const;

  bool has(std::string const& name) const { return value(name).has_value(); }
  std::optional<std::string> value(std::string const& name) const;
  std::string value_or(std::string const& name, std::string const& other) const;
  std::int64_t integer_or(std::string const& name, std::int64_t other, std::int64_t least,
                          std::int64_t most) const;
  // "4G", "512MB", "100000": bytes. As GNU's tools read them: K, M, G, T, P, E and KiB, MiB, ... are powers of 1024, KB,
  // MB, ... of 1000; small letters mean the same.
  std::int64_t bytes_or(std::string const& name, std::int64_t other) const;
  double number_or(std::string const& name, double other, double least) const;
  // One of the choices, or `other` where the option is not given.
  std::string choice_or(std::string const& name, std::string const& other,
                        std::vector<std::string> const& choices) const;
  // Refuses where both are given.
  void demand_apart(std::string const& name, std::string const& other) const;

  [[noreturn]] void refuse(std::string const& message) const;

 private:
  std::string command_;
  std::vector<std::string> operands_;
  std::vector<std::pair<std::string, std::string>> options_;
};

// The options of several groups, one after the other.
std::vector<Option> together(std::vector<std::vector<Option>> const& groups);

// The words between separators, "fftw,cufft"; an empty text has one, which is empty.
std::vector<std::string> split(std::string const& text, char separator);

// Whole numbers between separators, "512x512x512" or "0,-1"; `what` stands in the message.
std::vector<std::int64_t> integers(std::string const& text, char separator, std::string const& what);

}  // namespace skipper::cli
