// Branches, ends and barriers; and what orders, waits or prefetches, which does nothing here.
#include "sass/operations.h"

namespace skipper::sass {
namespace {

/// BRA: a predicate before the label is a second guard. With .U all threads are known to go one way.
Action branch(Form& form) {
  form.take("U");
  Operand const also = form.optional_predicate();
  int const target = int(form.of(Operand::Sort::label).bits);
  return [=](Warp& w, Mask mask) { w.jump(mask & w.registers().truth(also), target); };
}

/// CALL: where to return to is in a register by then.
Action call(Form& form) {
  form.take("NOINC");
  if (!form.take_one({"REL", "ABS"})) throw Fault("unknown kind of CALL");
  int const target = int(form.of(Operand::Sort::label).bits);
  return [=](Warp& w, Mask mask) { w.jump(mask, target); };
}

/// RET: to the address that a register has, from the beginning of the kernel.
Action give_back(Form& form) {
  form.take("NODEC");
  bool const is_relative = form.take("REL");
  if (!is_relative && !form.take("ABS")) throw Fault("unknown kind of RET");
  Operand const to = form.of(Operand::Sort::general);
  if (is_relative ? form.of(Operand::Sort::label).bits != 0 : form.integer() != 0)
    throw Fault("it returns to another function");
  return [=](Warp& w, Mask mask) {
    U32 const places = w.registers().u32(to);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      w.jump(mask & Mask(1) << lane, int(places[lane]) / instruction_bytes);
  };
}

/// EXIT: a predicate is a second guard.
Action end(Form& form) {
  Operand const also = form.optional_predicate();
  return [=](Warp& w, Mask mask) { w.end(mask & w.registers().truth(also)); };
}

Action begin_convergence(Form& form) {
  int const barrier = form.of(Operand::Sort::barrier).index;
  form.of(Operand::Sort::label);  // where they meet
  return [=](Warp& w, Mask mask) { w.begin_convergence(barrier, mask); };
}

Action converge(Form& form) {
  int const barrier = form.of(Operand::Sort::barrier).index;
  return [=](Warp& w, Mask mask) { w.converge(barrier, mask); };
}

Action leave_convergence(Form& form) {
  int const barrier = form.of(Operand::Sort::barrier).index;
  return [=](Warp& w, Mask mask) { w.leave_convergence(barrier, mask); };
}

Action converge_all(Form& form) {
  if (!form.take("ALL")) throw Fault("unknown kind of WARPSYNC");
  return [](Warp& w, Mask mask) { w.converge_all(mask); };
}

/// BAR.SYNC, and BAR.RED.AND, which also asks all threads of the block.
Action block_barrier(Form& form) {
  form.take("DEFER_BLOCKING");
  bool const votes = form.take("RED");
  if (votes ? !form.take("AND") : !form.take("SYNC")) throw Fault("unknown kind of BAR");
  if (form.integer() != 0) throw Fault("unknown barrier");
  Operand const vote = votes ? form.predicate() : always();
  return [=](Warp& w, Mask mask) {
    if (mask & ~w.registers().truth(vote)) w.block().vote = false;
    w.wait(mask, Warp::State::at_block_barrier);
  };
}

/// Warps of a cluster wait for each other where they wait; that they have come is said before.
Action cluster_barrier(Form&) {
  return [](Warp& w, Mask mask) { w.wait(mask, Warp::State::at_cluster_barrier); };
}

Action nothing(Form&) {
  return [](Warp&, Mask) {};
}

/// CCTL: prefetches into L2, or forgets what is in L1.
Action cache_control(Form& form) {
  if (form.take("IVALL")) return nothing(form);
  if (!form.take("E") || !form.take("PF2")) throw Fault("unknown kind of CCTL");
  form.address();
  return nothing(form);
}

Action fence(Form& form) {
  form.take("ALL"), form.take("SC"), form.take_one({"GPU", "SYS", "CTA"});
  return nothing(form);
}

}  // namespace

Operations const& control_operations() {
  static Operations const all = {{"BRA", branch},
                                 {"CALL", call},
                                 {"RET", give_back},
                                 {"EXIT", end},
                                 {"BSSY", begin_convergence},
                                 {"BSYNC", converge},
                                 {"BREAK", leave_convergence},
                                 {"WARPSYNC", converge_all},
                                 {"BAR", block_barrier},
                                 {"UCGABAR_WAIT", cluster_barrier},
                                 {"UCGABAR_ARV", nothing},
                                 {"MEMBAR", fence},
                                 {"CCTL", cache_control},
                                 {"ERRBAR", nothing},
                                 {"CGAERRBAR", nothing},
                                 {"ACQBULK", nothing},
                                 {"PREEXIT", nothing},
                                 {"YIELD", nothing},
                                 {"NOP", nothing}};
  return all;
}

}  // namespace skipper::sass
