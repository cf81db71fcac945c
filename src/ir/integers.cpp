// Integers as the builder records them: forms become instructions where they are used.
#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "ir/builder.h"

namespace skipper::ir {
namespace {

bool is_power_of_two(std::int64_t x) { return x > 0 && std::has_single_bit(std::uint64_t(x)); }
int log2_of(std::int64_t x) { return std::countr_zero(std::uint64_t(x)); }
bool fits_i32(std::int64_t x) { return x == std::int32_t(x); }
std::int64_t ceiling(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }

/// x / by is the upper half of x * factor, shifted, for all x up to `most` (Granlund and Montgomery 1994).
struct Magic {
  std::uint64_t factor = 0;  // 0: none of 32 bits
  int shift = 0;
};
Magic magic_of(std::uint64_t most, std::uint64_t by) {
  for (int shift = 32; shift < 63; ++shift) {
    std::uint64_t const power = std::uint64_t(1) << shift, factor = power / by + (power % by > 0);
    if (factor >> 32) break;
    std::uint64_t const excess = factor * by - power;  // below `by`, which has 31 bits, as has `most`
    if (excess * most < power) return {factor, shift - 32};
  }
  return {};
}

}  // namespace

int Builder::thread() { return forms_.value(pure(Op::thread, Type::i32, {}), {0, header_.threads - 1}); }
int Builder::rank() {
  if (header_.cluster_ranks == 1) return forms_.constant(0);
  return forms_.value(pure(Op::rank, Type::i32, {}), {0, header_.cluster_ranks - 1});
}
int Builder::block() {
  Range const range{0, last_block_};
  return forms_.value(pure(Op::block, ir::fits_i32(range) ? Type::i32 : Type::i64, {}), range);
}
int Builder::blocks() {
  Range const range{1, last_block_ + 1};
  return forms_.value(pure(Op::blocks, ir::fits_i32(range) ? Type::i32 : Type::i64, {}), range);
}
int Builder::shared_base() { return forms_.value(pure(Op::shared_base, Type::i32, {}), {0, 1 << 24}); }
int Builder::index_parameter(int number, Range range) { return forms_.value(parameter(number), range); }
int Builder::form_of(Value v, Range range) {
  if (is_constant(v)) return forms_.constant(what(v).bits);
  return forms_.value(v, range);
}
int Builder::opaque(int form) {
  if (forms_.is_constant(form)) return form;
  return forms_.value(value_of(form), forms_.range(form));
}

Value Builder::quotient_value(Value x, std::int64_t most, std::int64_t by, Type type) {
  if (by == 1) return x;
  if (is_power_of_two(by)) return pure(Op::shift_right, type, {x, constant(log2_of(by), Type::i32)});
  Magic const magic = type == Type::i32 ? magic_of(std::uint64_t(most), std::uint64_t(by)) : Magic{};
  if (magic.factor == 0) return pure(Op::divide, type, {x, constant(by, type)});
  Value const high =
      pure(Op::multiply_high, type, {x, constant(std::int32_t(std::uint32_t(magic.factor)), type)});
  return magic.shift == 0 ? high : pure(Op::shift_right, type, {high, constant(magic.shift, Type::i32)});
}

Value Builder::variable_value(int number) {
  Variable const v = forms_.variable(number);
  if (v.kind == Variable::Kind::value) return visible(v.value);
  Type const type = ir::fits_i32(v.range) ? Type::i32 : Type::i64;
  if (v.kind == Variable::Kind::product)
    return pure(Op::multiply, type, {value_of(v.of, type), value_of(v.by, type)});
  Range const range = forms_.range(v.of);
  Type const whole = ir::fits_i32(range) ? Type::i32 : Type::i64;
  Value const x = value_of(v.of), above = quotient_value(x, range.most, v.span, whole);
  Value digit = above;
  if (v.extent > 0 && is_power_of_two(v.extent)) {
    digit = pure(Op::bit_and, whole, {above, constant(v.extent - 1, whole)});
  } else if (v.extent > 0) {
    Value const rounds = is_power_of_two(v.span) ? quotient_value(above, range.most / v.span, v.extent, whole)
                                                 : quotient_value(x, range.most, v.span * v.extent, whole);
    digit = whole == Type::i32 ? pure(Op::multiply_add, whole, {rounds, constant(-v.extent, whole), above})
                               : pure(Op::remainder, whole, {above, constant(v.extent, whole)});
  }
  return convert(digit, type);
}

/// sum + x weight.
Value Builder::scaled_sum(Value sum, Value x, std::int64_t weight, Type type) {
  bool const is_wide = type == Type::i64;
  if (is_wide && what(x).type == Type::i32 && fits_i32(weight) && weight != 1) {
    Value const by = constant(weight, Type::i32);
    return sum < 0 ? pure(Op::multiply_wide, type, {x, by}) : pure(Op::multiply_add_wide, type, {x, by, sum});
  }
  x = convert(x, type);
  if (sum < 0 || weight == 1 || is_power_of_two(weight)) {
    if (is_power_of_two(weight) && weight > 1)
      x = pure(Op::shift_left, type, {x, constant(log2_of(weight), Type::i32)});
    else if (weight != 1)
      x = pure(Op::multiply, type, {x, constant(weight, type)});
    return sum < 0 ? x : pure(Op::add, type, {sum, x});
  }
  return pure(Op::multiply_add, type, {x, constant(weight, type), sum});
}

bool Builder::is_uniform(int number) {
  Variable const v = forms_.variable(number);
  if (v.kind == Variable::Kind::value) {
    Op const op = what(v.value).op;
    return op == Op::parameter || op == Op::block || op == Op::rank || op == Op::shared_base;
  }
  for (int of : {v.of, v.by})
    if (of >= 0)
      for (auto const& t : Form(forms_[of]).terms)
        if (!is_uniform(t.variable)) return false;
  return true;
}

Value Builder::value_of(int form, Type type) { return convert(value_of(form), type); }
Value Builder::value_of(int number) {
  Form const f = forms_[number];
  Type const type = ir::fits_i32(forms_.range(number)) ? Type::i32 : Type::i64;
  if (f.terms.empty()) return constant(f.constant, type);
  if (auto const known = values_of_forms_.find({number, type}); known != values_of_forms_.end())
    if (is_open(nodes_[std::size_t(known->second)].region)) return known->second;
  Value sum = no_value;
  // A multiple of what is there already, as are the exponents of a twiddle chain.
  std::int64_t common = 0;
  for (auto const& t : f.terms) common = std::gcd(common, t.weight);
  Form base{f.terms, 0};
  for (auto& t : base.terms) t.weight /= common;
  auto const there = values_of_forms_.find({forms_.number_of(base), type});
  if (f.terms.size() > 1 && common > 1 && there != values_of_forms_.end() &&
      is_open(nodes_[std::size_t(there->second)].region)) {
    sum = scaled_sum(no_value, there->second, common, type);
  } else {
    for (bool uniform : {true, false})  // what all threads share first
      for (auto const& t : f.terms)
        if (is_uniform(t.variable) == uniform)
          sum = scaled_sum(sum, variable_value(t.variable), t.weight, type);
  }
  if (f.constant != 0) sum = pure(Op::add, type, {sum, constant(f.constant, type)});
  return values_of_forms_[{number, type}] = sum;
}

Value Builder::one_bit(int form) {
  Value const number = value_of(form, Type::i32);
  if (is_constant(number)) return constant(std::int32_t(std::uint32_t(1) << what(number).bits), Type::i32);
  return pure(Op::shift_left, Type::i32, {constant(1, Type::i32), number});
}

Value Builder::common_bits(Value a, Value b) { return pure(Op::bit_and, what(a).type, {a, b}); }

Value Builder::less_forms(int a, int b) {
  int const apart = forms_.plus(a, forms_.times(b, -1));
  Range const range = forms_.range_here(apart);
  if (range.most < 0) return truth(true);
  if (range.least >= 0) return truth(false);
  Form terms = forms_[apart];
  std::int64_t unit = 0;
  for (auto const& t : terms.terms) unit = std::gcd(unit, t.weight);
  for (auto& t : terms.terms) t.weight /= unit;
  std::int64_t const bound = ceiling(-terms.constant, unit);
  terms.constant = 0;
  Value const x = value_of(forms_.number_of(terms));
  Type const type = what(x).type == Type::i32 && fits_i32(bound) ? Type::i32 : Type::i64;
  return pure(Op::less, Type::pred, {convert(x, type), constant(bound, type)});
}

int Builder::quotient(int a, int by) {
  if (forms_.is_constant(by)) return forms_.quotient(a, forms_[by].constant);
  Range const x = forms_.range_here(a), y = forms_.range_here(by);
  if (x.least < 0 || y.least < 0) throw std::invalid_argument("ir: a quotient of what may be negative");
  Type const type = ir::fits_i32(x) && ir::fits_i32(y) ? Type::i32 : Type::i64;
  Value const quotient = pure(Op::divide, type, {value_of(a, type), value_of(by, type)});
  return form_of(quotient, {0, x.most / std::max<std::int64_t>(y.least, 1)});
}
/// What the quotient leaves, so that both cost one division.
int Builder::remainder(int a, int by) {
  if (forms_.is_constant(by)) return forms_.remainder(a, forms_[by].constant);
  int const rest = forms_.plus(a, forms_.times(forms_.product(quotient(a, by), by), -1));
  return form_of(value_of(rest), {0, std::min(forms_.range_here(a).most, forms_.range_here(by).most - 1)});
}

Value Builder::equal_forms(int a, int b) {
  int const apart = forms_.plus(a, forms_.times(b, -1));
  Range const range = forms_.range_here(apart);
  if (range.most < 0 || range.least > 0) return truth(false);
  if (forms_.is_constant(apart)) return truth(true);
  Form terms = forms_[apart];
  std::int64_t unit = 0;
  for (auto const& t : terms.terms) unit = std::gcd(unit, t.weight);
  if (terms.constant % unit != 0) return truth(false);
  if (terms.terms[0].weight < 0) unit = -unit;
  for (auto& t : terms.terms) t.weight /= unit;
  std::int64_t const wanted = -terms.constant / unit;
  terms.constant = 0;
  Value const x = value_of(forms_.number_of(terms));
  Type const type = what(x).type == Type::i32 && fits_i32(wanted) ? Type::i32 : Type::i64;
  return pure(Op::equal, Type::pred, {convert(x, type), constant(wanted, type)});
}

int Builder::select_form(Value p, int a, int b) {
  if (is_certain(p, true) || a == b) return a;
  if (is_certain(p, false)) return b;
  int const apart = forms_.plus(a, forms_.times(b, -1));
  int const base = forms_.is_constant(apart) ? b : forms_.constant(0);
  int const yes = forms_.is_constant(apart) ? apart : a, no = forms_.is_constant(apart) ? base : b;
  int const other = forms_.is_constant(apart) ? forms_.constant(0) : no;
  Range const range = hull(forms_.range(yes), forms_.range(other));
  Type const type = ir::fits_i32(range) ? Type::i32 : Type::i64;
  return forms_.plus(base, form_of(select(p, value_of(yes, type), value_of(other, type)), range));
}

}  // namespace skipper::ir
