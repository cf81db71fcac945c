#pragma once
// Integers of a kernel as affine forms, sum(weight x variable) + constant. A variable is a value of the kernel with a range, a
// digit of a form (form / span % extent), or a product of two forms. So all addresses that differ by a constant share what is
// left of them, digits side by side become one, and the range of a form says which tests are certain and whether 32 bits are
// enough. Forms are numbered; equal forms have one number.
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/kernel.h"

namespace skipper::ir {

struct Range {
  std::int64_t least = 0, most = 0;
  auto operator<=>(Range const&) const = default;
};
bool fits_i32(Range range);
Range hull(Range a, Range b);

struct Term {
  int variable = 0;
  std::int64_t weight = 0;
  auto operator<=>(Term const&) const = default;
};

struct Form {
  std::vector<Term> terms;  // by variable
  std::int64_t constant = 0;
  auto operator<=>(Form const&) const = default;
};

struct Variable {
  enum class Kind { value, digit, product } kind = Kind::value;
  Value value = no_value;             // value
  int of = -1, by = -1;               // digit: of what form; product: of which two
  std::int64_t span = 1, extent = 0;  // digit; extent 0: all that is above the span
  Range range;
  auto operator<=>(Variable const&) const = default;
};

class Forms {
 public:
  int constant(std::int64_t x) { return number_of({{}, x}); }
  int value(Value v, Range range);
  int plus(int a, int b);
  int times(int a, std::int64_t weight);
  int product(int a, int b);
  /// By a constant, rounded down. Refused where variables may make what is divided negative.
  int quotient(int a, std::int64_t by);
  int remainder(int a, std::int64_t by);

  int number_of(Form form);  // which may have terms of weight 0, in any order
  /// Good until the next form is made.
  Form const& operator[](int form) const { return forms_[std::size_t(form)]; }
  Variable const& variable(int number) const { return variables_[std::size_t(number)]; }
  bool is_constant(int form) const { return (*this)[form].terms.empty(); }
  /// The value that a form is, if it is one value alone.
  Value value_alone(int form) const;

  Range range(int form) const;       // anywhere
  Range range_here(int form) const;  // where what was narrowed holds
  /// A value is known to be within a range, until widen().
  void narrow(Value v, Range range) { narrowed_.emplace_back(v, range); }
  void widen() { narrowed_.pop_back(); }

 private:
  int term(Variable variable, std::int64_t weight);
  Range range_of(Variable const& v, bool here) const;
  Range range_of(Form const& form, bool here) const;
  int digit(Form rest, std::int64_t span, std::int64_t extent);
  bool join_digits(Form& sum, int& joined);

  std::map<Form, int> numbers_;
  std::vector<Form> forms_;
  std::map<Variable, int> variable_numbers_;
  std::vector<Variable> variables_;
  std::vector<std::pair<Value, Range>> narrowed_;
};

}  // namespace skipper::ir
