// Floating-point numbers: sums, products, comparisons, conversions, and the matrix products of a warp.
#include <cmath>
#include <limits>

#include <skipper/bfloat16.h>
#include <skipper/half.h>
#include "sass/operations.h"

namespace skipper::sass {
namespace {

template <class F>
Action of_f32(Form& form, F f) {
  Operand const to = form.result(), a = form.f32(), b = form.f32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask, each(f, r.f32(a), r.f32(b)));
  };
}

template <class F>
Action of_f64(Form& form, F f) {
  Operand const to = form.result(), a = form.f64(), b = form.f64();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask, each(f, r.f64(a), r.f64(b)));
  };
}

Action multiply_add_f32(Form& form) {
  Operand const to = form.result(), a = form.f32(), b = form.f32(), c = form.f32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask,
          each([](float x, float y, float z) { return std::fma(x, y, z); }, r.f32(a), r.f32(b), r.f32(c)));
  };
}

Action multiply_add_f64(Form& form) {
  Operand const to = form.result(), a = form.f64(), b = form.f64(), c = form.f64();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask,
          each([](double x, double y, double z) { return std::fma(x, y, z); }, r.f64(a), r.f64(b), r.f64(c)));
  };
}

/// Of two numbers, whether a comparison by this name holds: NE is false of what is no number, NEU true.
template <class T>
bool compared(std::string const& name, T x, T y) {
  if (x != x || y != y) return name.back() == 'U';
  std::string const order = name.substr(0, 2);
  return order == "LT"   ? x < y
         : order == "LE" ? x <= y
         : order == "EQ" ? x == y
         : order == "NE" ? x != y
         : order == "GE" ? x >= y
                         : x > y;
}

/// FSETP and DSETP.
Action compare(Form& form, bool of_double) {
  auto const name =
      form.take_one({"LT", "LE", "EQ", "NE", "GE", "GT", "LTU", "LEU", "EQU", "NEU", "GEU", "GTU"});
  bool const conjunction = form.take("AND");
  if (!name || (!conjunction && !form.take("OR"))) throw Fault("unknown comparison");
  Operand const to = form.predicate(), complement = form.predicate();
  Operand const a = of_double ? form.f64() : form.f32(), b = of_double ? form.f64() : form.f32();
  Operand const with = form.predicate();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const holds = [&](auto x, auto y) { return compared(*name, x, y); };
    Mask const result = of_double ? where(holds, r.f64(a), r.f64(b)) : where(holds, r.f32(a), r.f32(b));
    Mask const other = r.truth(with);
    r.set_truth(to, mask, conjunction ? result & other : result | other);
    r.set_truth(complement, mask, conjunction ? ~result & other : ~result | other);
  };
}

/// MUFU.RCP, which on a GPU may be off by a unit in the last place; .RCP64H of the upper words of doubles.
Action reciprocal(Form& form) {
  bool const of_double = form.take("RCP64H");
  if (!of_double && !form.take("RCP")) throw Fault("unknown kind of MUFU");
  Operand const to = form.result(), x = of_double ? form.u32() : form.f32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    if (!of_double) return r.set(to, mask, each([](float v) { return 1 / v; }, r.f32(x)));
    auto const f = [](std::uint32_t upper) {
      return std::uint32_t(
          std::bit_cast<std::uint64_t>(1 / std::bit_cast<double>(std::uint64_t(upper) << 32)) >> 32);
    };
    r.set(to, mask, each(f, r.u32(x)));
  };
}

/// I2F of U32, U64 and S64, rounded to nearest, or with .RP up.
Action from_integer(Form& form) {
  bool const is_wide = form.take("U64"), is_signed = !is_wide && form.take("S64"), up = form.take("RP");
  bool const is_short = !is_wide && !is_signed && form.take("U32");
  if (!is_wide && !is_signed && !is_short) throw Fault("unknown kind of I2F");
  Operand const to = form.result(), x = is_short ? form.u32() : form.u64();
  return [=](Warp& w, Mask mask) {
    auto const f = [=](std::uint64_t v) {
      float const nearest = is_signed ? float(std::int64_t(v)) : float(v);
      long double const exact = is_signed ? (long double)(std::int64_t(v)) : (long double)(v);
      return up && nearest < exact ? std::nextafter(nearest, std::numeric_limits<float>::infinity())
                                   : nearest;
    };
    Registers& r = w.registers();
    auto const widened = [](std::uint32_t v) { return std::uint64_t(v); };
    r.set(to, mask, each(f, is_short ? each(widened, r.u32(x)) : r.u64(x)));
  };
}

/// I2FP.F32 of U32 and S32, rounded to nearest.
Action from_word(Form& form) {
  bool const is_unsigned = form.take("U32");
  if (!form.take("F32") || (!is_unsigned && !form.take("S32"))) throw Fault("unknown kind of I2FP");
  Operand const to = form.result(), x = form.u32();
  return [=](Warp& w, Mask mask) {
    auto const f = [=](std::uint32_t v) { return is_unsigned ? float(v) : float(std::int32_t(v)); };
    w.registers().set(to, mask, each(f, w.registers().u32(x)));
  };
}

/// What is out of the integer's range goes to its nearest end.
template <class Integer>
Integer truncated(float x) {
  constexpr Integer most = std::numeric_limits<Integer>::max();
  return !(x > 0) ? Integer(0) : x >= float(most) ? most : Integer(x);
}

/// F2I.TRUNC to U32 and U64: towards zero.
Action to_integer(Form& form) {
  form.take("FTZ"), form.take("NTZ");
  bool const is_wide = form.take("U64");
  if ((!is_wide && !form.take("U32")) || !form.take("TRUNC")) throw Fault("unknown kind of F2I");
  Operand const to = form.result(), x = form.f32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    if (is_wide) return r.set(to, mask, each(truncated<std::uint64_t>, r.f32(x)));
    r.set(to, mask, each(truncated<std::uint32_t>, r.f32(x)));
  };
}

/// F2F: a number in the other precision.
Action convert(Form& form) {
  bool const widens = form.take_next() == "F64";
  if (form.take_next() != (widens ? "F32" : "F64")) throw Fault("unknown kind of F2F");
  Operand const to = form.result(), x = widens ? form.f32() : form.f64();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    if (widens) return r.set(to, mask, each([](float v) { return double(v); }, r.f32(x)));
    r.set(to, mask, each([](double v) { return float(v); }, r.f64(x)));
  };
}

/// HADD2.F32: here only a way to widen one half of a register.
Action widen_half(Form& form) {
  if (!form.take("F32")) throw Fault("unknown kind of HADD2");
  Operand const to = form.result(), zero = form.u32(), x = form.next();
  if (zero.index != zero_register || zero.sort != Operand::Sort::general || !x.half ||
      x.sort != Operand::Sort::general || x.negative || x.absolute)
    throw Fault("unknown kind of HADD2");
  int const shift = 16 * *x.half;
  Operand whole = x;
  whole.half.reset();
  return [=](Warp& w, Mask mask) {
    w.registers().set(to, mask,
                      each([=](std::uint32_t v) { return half_value(std::uint16_t(v >> shift)); },
                           w.registers().u32(whole)));
  };
}

/// HFMA2: here only a way to write two numbers of 16 bits, the first above.
Action two_halves(Form& form) {
  form.take("MMA");
  Operand const to = form.result(), a = form.u32(), b = form.u32();
  Operand const high = form.of(Operand::Sort::number), low = form.of(Operand::Sort::number);
  if (a.index != zero_register || b.index != zero_register) throw Fault("unknown kind of HFMA2");
  U32 value;
  value.fill(std::uint32_t(half_bits(float(high.number))) << 16 | half_bits(float(low.number)));
  return [=](Warp& w, Mask mask) { w.registers().set(to, mask, value); };
}

/// F2FP.PACK_AB: two numbers rounded to 16 bits each, the first above.
Action pack(Form& form) {
  bool const brain = form.take("BF16");
  if ((!brain && !form.take("F16")) || !form.take("F32") || !form.take("PACK_AB"))
    throw Fault("unknown kind of F2FP");
  Operand const to = form.result(), high = form.f32(), low = form.f32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const bits = [=](float v) { return std::uint32_t(brain ? bfloat16_bits(v) : half_bits(v)); };
    r.set(to, mask, each([=](float h, float l) { return bits(h) << 16 | bits(l); }, r.f32(high), r.f32(low)));
  };
}

/// DMMA.16x8xK: D = A B + C. Thread t has of A, 16 x K, rows t/4 and t/4 + 8 of column t%4 + 4i; of B, K x 8, row t%4 + 4i of
/// column t/4; of C and D, 16 x 8, columns 2(t%4) and the next of rows t/4 and t/4 + 8.
Action matrix_product(Form& form) {
  bool const deep = form.take("16x8x16");
  if (!deep && !form.take("16x8x4")) throw Fault("unknown kind of DMMA");
  int const quads = deep ? 4 : 1;
  Operand const to = form.result(), a = form.u64(), b = form.u64(), c = form.u64();
  auto const doubles = [](Registers const& r, Operand const& from, int number) {
    Operand at = from;
    if (at.index != zero_register) at.index += 2 * number;
    return r.f64(at);
  };
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    if (mask != ~Mask(0)) throw Fault("a matrix product by part of a warp");
    F64 sums[4];
    for (int part = 0; part < 4; ++part) sums[part] = doubles(r, c, part);
    for (int quad = 0; quad < quads; ++quad) {
      F64 const left[2] = {doubles(r, a, 2 * quad), doubles(r, a, 2 * quad + 1)}, right = doubles(r, b, quad);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t part = 0; part < 4; ++part)
          for (std::size_t k = 0; k < 4; ++k)
            sums[part][lane] = std::fma(left[part / 2][lane / 4 * 4 + k],
                                        right[(lane % 4 * 2 + part % 2) * 4 + k], sums[part][lane]);
    }
    for (int part = 0; part < 4; ++part) {
      Operand at = to;
      at.index += 2 * part;
      r.set(at, mask, sums[part]);
    }
  };
}

}  // namespace

Operations const& number_operations() {
  static Operations const all = {
      {"FADD", [](Form& form) { return of_f32(form, [](float x, float y) { return x + y; }); }},
      {"FMUL", [](Form& form) { return of_f32(form, [](float x, float y) { return x * y; }); }},
      {"DADD", [](Form& form) { return of_f64(form, [](double x, double y) { return x + y; }); }},
      {"DMUL", [](Form& form) { return of_f64(form, [](double x, double y) { return x * y; }); }},
      {"FFMA", multiply_add_f32},
      {"DFMA", multiply_add_f64},
      {"FSETP", [](Form& form) { return compare(form, false); }},
      {"DSETP", [](Form& form) { return compare(form, true); }},
      {"MUFU", reciprocal},
      {"I2F", from_integer},
      {"I2FP", from_word},
      {"F2I", to_integer},
      {"F2F", convert},
      {"HADD2", widen_half},
      {"HFMA2", two_halves},
      {"F2FP", pack},
      {"DMMA", matrix_product}};
  return all;
}

}  // namespace skipper::sass
