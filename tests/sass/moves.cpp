// Between registers, predicates and special registers.
#include "sass/operations.h"

namespace skipper::sass {
namespace {

Action move(Form& form) {
  Operand const to = form.result(), from = form.u32();
  return [=](Warp& w, Mask mask) { w.registers().set(to, mask, w.registers().u32(from)); };
}

template <class T>
Lanes<T> chosen(Mask first, Lanes<T> const& a, Lanes<T> const& b) {
  Lanes<T> out;
  for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = has(first, lane) ? a[lane] : b[lane];
  return out;
}

Action select(Form& form) {
  Operand const to = form.result(), a = form.u32(), b = form.u32(), which = form.predicate();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask, chosen(r.truth(which), r.u32(a), r.u32(b)));
  };
}

Action select_number(Form& form) {
  Operand const to = form.result(), a = form.f32(), b = form.f32(), which = form.predicate();
  return [=](Warp& w, Mask mask) {
    Registers& r = w.registers();
    r.set(to, mask, chosen(r.truth(which), r.f32(a), r.f32(b)));
  };
}

/// The upper half of generic addresses of shared memory: no address of the host has it.
constexpr std::uint32_t shared_window = std::uint32_t(generic_shared >> 32);

U32 special(Warp& w, std::string const& name) {
  U32 value;
  if (name == "SR_TID.X" || name == "SR_LANEID")
    for (std::size_t lane = 0; lane < lanes; ++lane)
      value[lane] = std::uint32_t(name == "SR_TID.X" ? w.first_thread() : 0) + std::uint32_t(lane);
  else
    value.fill(name == "SR_CTAID.X"    ? w.block().x
               : name == "SR_CTAID.Y"  ? w.block().y
               : name == "SR_CgaCtaId" ? std::uint32_t(w.block().rank)
               : name == "SR_SWINHI"   ? shared_window
                                       : 0);
  return value;
}

Action read_special(Form& form) {
  Operand const to = form.result(), from = form.of(Operand::Sort::special);
  bool known = false;
  for (char const* name :
       {"SRZ", "SR_TID.X", "SR_LANEID", "SR_CTAID.X", "SR_CTAID.Y", "SR_CgaCtaId", "SR_SWINHI"})
    known = known || from.name == name;
  if (!known) throw Fault("unknown register " + from.name);
  return [=](Warp& w, Mask mask) { w.registers().set(to, mask, special(w, from.name)); };
}

/// CS2R of zero: two registers, or with .32 one.
Action clear(Form& form) {
  bool const single = form.take("32");
  Operand const to = form.result(), from = form.of(Operand::Sort::special);
  if (from.name != "SRZ") throw Fault("unknown register " + from.name);
  return [=](Warp& w, Mask mask) {
    for (int next = 0; next < (single ? 1 : 2); ++next) w.registers().set(to, mask, U32{}, next);
  };
}

/// P2R, UP2UR and R2P: predicates as bits of a register, those that the last operand has.
Action save_predicates(Form& form) {
  Operand const to = form.result(), from = form.of(Operand::Sort::special), others = form.u32();
  std::uint32_t const saved = std::uint32_t(form.integer());
  bool const is_uniform = from.name == "UPR";
  if (!is_uniform && from.name != "PR") throw Fault("unknown register " + from.name);
  auto const sort = is_uniform ? Operand::Sort::uniform_predicate : Operand::Sort::predicate;
  return [=](Warp& w, Mask mask) {
    U32 value = w.registers().u32(others);
    for (int p = 0; p < true_predicate; ++p) {
      U32 const truth = w.registers().carry({.sort = sort, .index = p});
      for (std::size_t lane = 0; lane < lanes && saved >> p & 1; ++lane)
        value[lane] = (value[lane] & ~(1u << p)) | truth[lane] << p;
    }
    w.registers().set(to, mask, value);
  };
}

Action restore_predicates(Form& form) {
  Operand const to = form.of(Operand::Sort::special), from = form.u32();
  std::uint32_t const restored = std::uint32_t(form.integer());
  if (to.name != "PR") throw Fault("unknown register " + to.name);
  return [=](Warp& w, Mask mask) {
    U32 const value = w.registers().u32(from);
    for (int p = 0; p < true_predicate; ++p)
      if (restored >> p & 1)
        w.registers().set_truth({.sort = Operand::Sort::predicate, .index = p}, mask,
                                where([=](std::uint32_t v) { return v >> p & 1; }, value));
  };
}

/// B2R.RESULT: what BAR.RED has found.
Action barrier_result(Form& form) {
  if (!form.take("RESULT")) throw Fault("unknown kind of B2R");
  Operand const number = form.result(), truth = form.optional_predicate();
  if (number.index != zero_register) throw Fault("unknown kind of B2R");
  return [=](Warp& w, Mask mask) { w.registers().set_truth(truth, mask, w.block().result ? ~Mask(0) : 0); };
}

}  // namespace

Operations const& register_operations() {
  static Operations const all = {{"MOV", move},
                                 {"UMOV", move},
                                 {"R2UR", move},
                                 {"SEL", select},
                                 {"USEL", select},
                                 {"FSEL", select_number},
                                 {"S2R", read_special},
                                 {"S2UR", read_special},
                                 {"CS2R", clear},
                                 {"P2R", save_predicates},
                                 {"UP2UR", save_predicates},
                                 {"R2P", restore_predicates},
                                 {"B2R", barrier_result}};
  return all;
}

}  // namespace skipper::sass
