// Floating-point numbers and predicates as the builder records them. What is simplified gives the same bits as what was written: no
// sum with zero is left out but x + -0 and x - 0, and no product but those with 1 and -1.
#include <bit>
#include <cmath>
#include <stdexcept>

#include "ir/builder.h"

namespace skipper::ir {
namespace {

/// A constant rounded to its type.
double rounded(double x, Type type) { return type == Type::f32 ? double(float(x)) : x; }

}  // namespace

Value Builder::constant(std::int64_t bits, Type type) { return pure(Op::constant, type, {}, bits); }
Value Builder::number(double x, Type type) { return constant(bits_of(x, type), type); }
Value Builder::undefined(Type type) { return pure(Op::undefined, type, {}); }
Value Builder::parameter(int number) {
  return pure(Op::parameter, header_.parameters.at(std::size_t(number)).type, {}, number);
}

/// A constant takes the type of the other operand.
Type Builder::common_type(Value& a, Value& b) {
  if (a < 0 || b < 0) throw std::logic_error("ir: a number is read that was never set");
  Type const x = what(a).type, y = what(b).type;
  if (x == y) return x;
  if (is_constant(a)) return a = number(number_of(what(a)), y), y;
  if (is_constant(b)) return b = number(number_of(what(b)), x), x;
  throw std::logic_error("ir: " + name_of(x) + " meets " + name_of(y) + "; convert one of them");
}

Value Builder::negate(Value a) {
  if (a < 0) throw std::logic_error("ir: a number is read that was never set");
  if (is_constant(a)) return number(-number_of(what(a)), what(a).type);
  if (what(a).op == Op::negate) return visible(operand(a, 0));
  return pure(Op::negate, what(a).type, {a});
}

Value Builder::add(Value a, Value b) {
  Type const type = common_type(a, b);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b)) {
    double const x = number_of(what(b));
    if (is_constant(a)) return number(rounded(number_of(what(a)) + x, type), type);
    if (x == 0 && std::signbit(x)) return a;
  }
  if (what(b).op == Op::negate) return subtract(a, visible(operand(b, 0)));
  if (what(a).op == Op::negate) return subtract(b, visible(operand(a, 0)));
  if (b < a) std::swap(a, b);
  return pure(Op::add, type, {a, b});
}

Value Builder::subtract(Value a, Value b) {
  Type const type = common_type(a, b);
  if (is_constant(b)) return add(a, negate(b));
  if (what(b).op == Op::negate) return add(a, visible(operand(b, 0)));
  if (is_constant(a) && number_of(what(a)) == 0 && std::signbit(number_of(what(a)))) return negate(b);
  return pure(Op::subtract, type, {a, b});
}

Value Builder::multiply(Value a, Value b) {
  Type const type = common_type(a, b);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b)) {
    double const x = number_of(what(b));
    if (is_constant(a)) return number(rounded(number_of(what(a)) * x, type), type);
    if (x == 1) return a;
    if (x == -1) return negate(a);
    if (what(a).op == Op::negate) return multiply(visible(operand(a, 0)), number(-x, type));
  }
  if (what(a).op == Op::negate) return negate(multiply(visible(operand(a, 0)), b));
  if (what(b).op == Op::negate) return negate(multiply(a, visible(operand(b, 0))));
  if (b < a) std::swap(a, b);
  return pure(Op::multiply, type, {a, b});
}

Value Builder::reciprocal(Value a) {
  if (a < 0) throw std::logic_error("ir: a number is read that was never set");
  return pure(Op::reciprocal, what(a).type, {a});
}

Value Builder::convert(Value a, Type to) {
  if (a < 0) throw std::logic_error("ir: a number is read that was never set");
  Type const from = what(a).type;
  if (from == to) return a;
  if (is_constant(a)) {
    if (is_integer(from) && is_integer(to))
      return constant(to == Type::i32 ? std::int32_t(what(a).bits) : what(a).bits, to);
    if (is_floating(from) && is_floating(to)) return number(number_of(what(a)), to);
  }
  return pure(Op::convert, to, {a});
}

Value Builder::equal(Value a, Value b) {
  common_type(a, b);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a)) return truth(number_of(what(a)) == number_of(what(b)));
  return pure(Op::equal, Type::pred, {a, b});
}

Value Builder::less(Value a, Value b) {
  common_type(a, b);
  if (is_constant(a) && is_constant(b)) return truth(number_of(what(a)) < number_of(what(b)));
  return pure(Op::less, Type::pred, {a, b});
}

Value Builder::truth(bool yes) { return constant(yes, Type::pred); }
bool Builder::is_certain(Value p, bool yes) const { return is_constant(p) && (what(p).bits != 0) == yes; }

Value Builder::both(Value a, Value b) {
  if (is_certain(a, false) || is_certain(b, true) || a == b) return a;
  if (is_certain(b, false) || is_certain(a, true)) return b;
  if (invert(a) == b) return truth(false);
  if (b < a) std::swap(a, b);
  return pure(Op::both, Type::pred, {a, b});
}
Value Builder::either(Value a, Value b) {
  if (is_certain(a, true) || is_certain(b, false) || a == b) return a;
  if (is_certain(b, true) || is_certain(a, false)) return b;
  if (invert(a) == b) return truth(true);
  if (b < a) std::swap(a, b);
  return pure(Op::either, Type::pred, {a, b});
}
Value Builder::invert(Value a) {
  if (is_constant(a)) return truth(what(a).bits == 0);
  if (what(a).op == Op::invert) return visible(operand(a, 0));
  return pure(Op::invert, Type::pred, {a});
}
Value Builder::select(Value p, Value a, Value b) {
  p = known(p);
  if (is_certain(p, true) || a == b) return a;
  if (is_certain(p, false)) return b;
  if (what(p).op == Op::invert) return select(visible(operand(p, 0)), b, a);
  Type const type = what(a).type;
  if (type != what(b).type && is_floating(type)) common_type(a, b);
  if (type == Type::pred) return either(both(p, a), both(invert(p), b));
  return pure(Op::select, what(a).type, {p, a, b});
}

}  // namespace skipper::ir
