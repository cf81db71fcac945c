// Integers of 32 bits, in pairs 64: sums, products, comparisons.
#include <algorithm>
#include <functional>

#include "sass/operations.h"

namespace skipper::sass {
namespace {

std::uint64_t wide(std::uint32_t v) { return v; }
std::int32_t with_sign(std::uint32_t v) { return std::int32_t(v); }

/// What a sum adds for an operand: of -x, which is ~x + 1, also the carry out of its 32 bits.
U64 addend(Warp& w, Operand const& operand) {
  Operand plain = operand;
  plain.negative = false;
  bool const negative = operand.negative;
  return each([=](std::uint32_t v) { return negative ? wide(~v) + 1 : wide(v); }, w.registers().u32(plain));
}

/// IADD3: two predicates take the carries, and with .X two are added.
Action add3(Form& form) {
  bool const extended = form.take("X");
  Operand const to = form.result(), carry = form.optional_predicate(), carry2 = form.optional_predicate();
  Operand const a = form.u32(), b = form.u32(), c = form.u32();
  Operand const p = extended ? form.predicate() : never(), q = extended ? form.predicate() : never();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const add = [](auto x, auto y) { return x + y; };
    U64 const sum = each(add, each(add, each(add, addend(w, a), addend(w, b)), addend(w, c)),
                         each([](auto x, auto y) { return wide(x + y); }, r.carry(p), r.carry(q)));
    r.set(to, mask, each([](std::uint64_t s) { return std::uint32_t(s); }, sum));
    r.set_truth(carry, mask, where([](std::uint64_t s) { return s >> 32 >= 1; }, sum));
    r.set_truth(carry2, mask, where([](std::uint64_t s) { return s >> 32 >= 2; }, sum));
  };
}

Action add(Form& form) {  // VIADD
  Operand const to = form.result(), a = form.u32(), b = form.u32();
  return [=](Warp& w, Mask mask) {
    w.registers().set(to, mask, each(std::plus<std::uint32_t>(), w.registers().u32(a), w.registers().u32(b)));
  };
}

U64 products(Registers const& r, Operand const& a, Operand const& b, bool is_unsigned) {
  return each(
      [=](std::uint32_t x, std::uint32_t y) {
        return is_unsigned ? wide(x) * y : std::uint64_t(std::int64_t(with_sign(x)) * with_sign(y));
      },
      r.u32(a), r.u32(b));
}

/// IMAD.WIDE and IMAD.HI: 64 bits of a b + c, or the upper ones, with a carry out, and with .X one in.
Action multiply_wide(Form& form, bool is_unsigned, bool high) {
  bool const extended = form.take("X");
  Operand const to = form.result(), carry = form.optional_predicate();
  Operand const a = form.u32(), b = form.u32(), c = form.u64();
  Operand const p = extended ? form.predicate() : never();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    U64 const product = products(r, a, b, is_unsigned);
    U64 const sum = each([](auto x, auto y, auto z) { return x + y + z; }, product, r.u64(c), r.carry(p));
    if (high)
      r.set(to, mask, each([](std::uint64_t s) { return std::uint32_t(s >> 32); }, sum));
    else
      r.set(to, mask, sum);
    r.set_truth(carry, mask, where([](auto x, auto s) { return s < x; }, product, sum));
  };
}

/// IMAD: the names of its simple cases, as IMAD.MOV, change nothing.
Action multiply_add(Form& form) {
  form.take_one({"MOV", "IADD", "SHL"});
  bool const is_wide = form.take("WIDE"), high = form.take("HI"), is_unsigned = form.take("U32");
  if (is_wide || high) return multiply_wide(form, is_unsigned, high);
  bool const extended = form.take("X");
  Operand const to = form.result(), a = form.u32(), b = form.u32(), c = form.u32();
  Operand const p = extended ? form.predicate() : never();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const f = [](auto x, auto y, auto z, auto carry) { return x * y + z + carry; };
    r.set(to, mask, each(f, r.u32(a), r.u32(b), r.u32(c), r.carry(p)));
  };
}

/// LEA: a shifted left, plus b. With .HI the upper half of the pair (c, a) shifted; with .SX32 c is a's sign.
Action shift_add(Form& form) {
  bool const high = form.take("HI"), extended = form.take("X"), sign = form.take("SX32");
  Operand const to = form.result(), carry = form.optional_predicate();
  Operand const a = form.u32(), b = form.u32();
  Operand const c = high && !sign ? form.u32() : Operand{};
  int const shift = form.integer();
  if (shift < 0 || shift > 31 || (!high && (extended || sign))) throw Fault("unknown kind of LEA");
  Operand const p = extended ? form.predicate() : never();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    U32 const low = r.u32(a);
    U32 const upper =
        sign ? each([](std::uint32_t v) { return std::uint32_t(with_sign(v) >> 31); }, low) : r.u32(c);
    auto const shifted = [=](std::uint32_t l, std::uint32_t u) {
      std::uint64_t const both = joined(l, u) << shift;
      return high ? both >> 32 : wide(std::uint32_t(both));
    };
    U64 const sum = each([](auto x, auto y, auto z) { return x + wide(y) + z; }, each(shifted, low, upper),
                         r.u32(b), r.carry(p));
    r.set(to, mask, each([](std::uint64_t s) { return std::uint32_t(s); }, sum));
    r.set_truth(carry, mask, where([](std::uint64_t s) { return s >> 32 != 0; }, sum));
  };
}

enum class Compare { lt, le, eq, ne, ge, gt };
Compare comparison(Form& form) {
  std::pair<char const*, Compare> const all[] = {{"LT", Compare::lt}, {"LE", Compare::le},
                                                 {"EQ", Compare::eq}, {"NE", Compare::ne},
                                                 {"GE", Compare::ge}, {"GT", Compare::gt}};
  for (auto const& [name, compare] : all)
    if (form.take(name)) return compare;
  throw Fault("unknown comparison");
}
bool compared(Compare c, int order) {  // of two numbers: below zero, zero, above
  switch (c) {
    case Compare::lt:
      return order < 0;
    case Compare::le:
      return order <= 0;
    case Compare::eq:
      return order == 0;
    case Compare::ne:
      return order != 0;
    case Compare::ge:
      return order >= 0;
    default:
      return order > 0;
  }
}

/// ISETP: with .EX numbers are the upper words of pairs, and a predicate says what their lower ones gave.
Action compare_integers(Form& form) {
  Compare const c = comparison(form);
  bool const is_unsigned = form.take("U32"), conjunction = form.take("AND"), extended = form.take("EX");
  if (!conjunction && !form.take("OR")) throw Fault("unknown kind of ISETP");
  Operand const to = form.predicate(), complement = form.predicate(), a = form.u32(), b = form.u32();
  Operand const with = form.predicate(), lower = extended ? form.predicate() : always();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    U32 const x = r.u32(a), y = r.u32(b);
    Mask const below =
        where([=](auto u, auto v) { return is_unsigned ? u < v : with_sign(u) < with_sign(v); }, x, y);
    Mask const equal = where([](auto u, auto v) { return u == v; }, x, y);
    Mask const at_equal = extended ? r.truth(lower) : compared(c, 0) ? ~Mask(0) : 0;
    Mask const result = (below & (compared(c, -1) ? ~Mask(0) : 0)) | (equal & at_equal) |
                        (~below & ~equal & (compared(c, 1) ? ~Mask(0) : 0));
    Mask const other = r.truth(with);
    r.set_truth(to, mask, conjunction ? result & other : result | other);
    r.set_truth(complement, mask, conjunction ? ~result & other : ~result | other);
  };
}

std::uint32_t least_or_most(std::uint32_t x, std::uint32_t y, bool is_unsigned, bool least) {
  bool const below = is_unsigned ? x < y : with_sign(x) < with_sign(y);
  return below == least ? x : y;
}

/// VIMNMX: the lesser where the predicate holds, else the greater; VIADDMNMX of a + b and c.
Action extremum(Form& form, bool adds) {
  bool const is_unsigned = form.take("U32");
  Operand const to = form.result(), a = form.u32(), b = form.u32();
  Operand const c = adds ? form.u32() : Operand{}, lesser = form.predicate();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const f = [=](auto x, auto y, auto z, auto least) {
      return least_or_most(adds ? x + y : x, adds ? z : y, is_unsigned, least != 0);
    };
    r.set(to, mask, each(f, r.u32(a), r.u32(b), r.u32(c), r.carry(lesser)));
  };
}

/// IDP: products of the parts of a and bytes of b, added to c.
Action dot_product(Form& form) {
  bool const halves = form.take("2A");
  bool const known = halves ? form.take("LO") && form.take("U16") && form.take("U8")
                            : form.take("4A") && form.take("U8") && form.take("U8");
  if (!known) throw Fault("unknown kind of IDP");
  Operand const to = form.result(), a = form.u32(), b = form.u32(), c = form.u32();
  int const parts = halves ? 2 : 4, bits = halves ? 16 : 8;
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const f = [=](std::uint32_t x, std::uint32_t y, std::uint32_t sum) {
      for (int k = 0; k < parts; ++k) sum += (x >> bits * k & ((1u << bits) - 1)) * (y >> 8 * k & 255);
      return sum;
    };
    r.set(to, mask, each(f, r.u32(a), r.u32(b), r.u32(c)));
  };
}

}  // namespace

Operations const& integer_operations() {
  static Operations const all = {{"IADD3", add3},
                                 {"UIADD3", add3},
                                 {"VIADD", add},
                                 {"IMAD", multiply_add},
                                 {"UIMAD", multiply_add},
                                 {"LEA", shift_add},
                                 {"ULEA", shift_add},
                                 {"ISETP", compare_integers},
                                 {"UISETP", compare_integers},
                                 {"VIMNMX", [](Form& form) { return extremum(form, false); }},
                                 {"VIADDMNMX", [](Form& form) { return extremum(form, true); }},
                                 {"IDP", dot_product}};
  return all;
}

}  // namespace skipper::sass
