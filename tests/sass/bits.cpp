// Bits of words and of predicates: shifts, functions of three bits, permutations of bytes.
#include <algorithm>
#include <bit>

#include "sass/operations.h"

namespace skipper::sass {
namespace {

/// SHF: the pair (high, low) shifted; of the result the lower half, or with .HI the upper one.
Action shift(Form& form) {
  bool const left = form.take("L"), right = form.take("R"), wraps = form.take("W");
  bool const is_wide = form.take("U64"), is_wide_signed = form.take("S64"), is_signed = form.take("S32");
  bool const is_unsigned = form.take("U32"), high = form.take("HI");
  if (left == right || int(is_wide) + int(is_wide_signed) + int(is_signed) + int(is_unsigned) != 1)
    throw Fault("unknown kind of SHF");
  Operand const to = form.result(), low = form.u32(), count = form.u32(), upper = form.u32();
  std::uint32_t const period = is_wide || is_wide_signed ? 64 : 32, most = std::min(period, 63u);
  bool const arithmetic = is_signed || is_wide_signed;
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const f = [=](std::uint32_t l, std::uint32_t n, std::uint32_t u) {
      std::uint32_t const by = wraps ? n % period : std::min(n, most);
      std::uint64_t const both = joined(l, u);
      std::uint64_t const moved = left         ? both << by
                                  : arithmetic ? std::uint64_t(std::int64_t(both) >> by)
                                               : both >> by;
      return std::uint32_t(high ? moved >> 32 : moved);
    };
    r.set(to, mask, each(f, r.u32(low), r.u32(count), r.u32(upper)));
  };
}

/// Bit by bit: bit 4x + 2y + z of the table.
std::uint32_t looked_up(int table, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t out = 0;
  for (int k = 0; k < 8; ++k)
    if (table >> k & 1) out |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
  return out;
}

/// LOP3.LUT: any function of three bits. A predicate takes whether the result is other than zero.
Action logic(Form& form) {
  if (!form.take("LUT")) throw Fault("unknown kind of LOP3");
  Operand const truth = form.optional_predicate(), to = form.result();
  Operand const a = form.u32(), b = form.u32(), c = form.u32();
  int const table = form.integer();
  Operand const also = form.predicate();
  if (also.index != true_predicate || !also.inverted) throw Fault("LOP3 with a predicate to combine with");
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    U32 const v =
        each([=](auto x, auto y, auto z) { return looked_up(table, x, y, z); }, r.u32(a), r.u32(b), r.u32(c));
    r.set(to, mask, v);
    r.set_truth(truth, mask, where([](std::uint32_t x) { return x != 0; }, v));
  };
}

/// PLOP3.LUT: two functions of three predicates.
Action predicate_logic(Form& form) {
  if (!form.take("LUT")) throw Fault("unknown kind of PLOP3");
  Operand const to = form.predicate(), to2 = form.predicate();
  Operand const a = form.predicate(), b = form.predicate(), c = form.predicate();
  int const table = form.integer(), table2 = form.integer();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    Mask const x = r.truth(a), y = r.truth(b), z = r.truth(c);
    r.set_truth(to, mask, looked_up(table, x, y, z));
    r.set_truth(to2, mask, looked_up(table2, x, y, z));
  };
}

/// VOTEU.ANY: whether a predicate holds in any of the threads that are there; before that, a register takes those in which it does.
Action vote(Form& form) {
  if (!form.take("ANY")) throw Fault("unknown kind of VOTEU");
  Operand const first = form.next();
  bool const counts = first.sort == Operand::Sort::uniform;
  Operand const to = counts ? form.predicate() : first, from = form.predicate();
  if (!counts && first.sort != Operand::Sort::uniform_predicate) throw Fault("unknown kind of VOTEU");
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    Mask const voters = r.truth(from) & mask;
    U32 all;
    all.fill(voters);
    if (counts) r.set(first, mask, all);
    r.set_truth(to, mask, voters != 0 ? mask : Mask(0));
  };
}

/// REDUX.OR: the words of the threads that are there in one.
Action reduce(Form& form) {
  if (!form.take("OR")) throw Fault("unknown kind of REDUX");
  Operand const to = form.result(), from = form.u32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    U32 const words = r.u32(from);
    U32 all{};
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (has(mask, lane)) all[0] |= words[lane];
    all.fill(all[0]);
    r.set(to, mask, all);
  };
}

/// FLO.U32: the number of the highest bit that is set; of none -1.
Action highest_bit(Form& form) {
  if (!form.take("U32")) throw Fault("unknown kind of FLO");
  Operand const to = form.result(), from = form.u32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask, each([](std::uint32_t x) { return std::uint32_t(std::bit_width(x)) - 1; }, r.u32(from)));
  };
}

/// PRMT: each byte of the result is one of the eight of a and c, or its sign.
Action permute(Form& form) {
  Operand const to = form.result(), a = form.u32(), selector = form.u32(), c = form.u32();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    auto const f = [](std::uint32_t x, std::uint32_t s, std::uint32_t z) {
      std::uint32_t out = 0;
      for (int k = 0; k < 4; ++k) {
        std::uint32_t const which = s >> 4 * k & 15;
        std::uint32_t byte = std::uint32_t(joined(x, z) >> 8 * (which & 7)) & 255;
        if (which & 8) byte = byte & 128 ? 255 : 0;
        out |= byte << 8 * k;
      }
      return out;
    };
    r.set(to, mask, each(f, r.u32(a), r.u32(selector), r.u32(c)));
  };
}

}  // namespace

Operations const& bit_operations() {
  static Operations const all = {{"SHF", shift},
                                 {"USHF", shift},
                                 {"LOP3", logic},
                                 {"ULOP3", logic},
                                 {"PLOP3", predicate_logic},
                                 {"UPLOP3", predicate_logic},
                                 {"VOTEU", vote},
                                 {"REDUX", reduce},
                                 {"FLO", highest_bit},
                                 {"UFLO", highest_bit},
                                 {"PRMT", permute},
                                 {"UPRMT", permute}};
  return all;
}

}  // namespace skipper::sass
