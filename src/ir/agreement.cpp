// Which threads agree on a value: a forward pass over the instructions, again while loops change what they carry.
#include <algorithm>

#include "ir/check.h"

namespace skipper::ir {
namespace {

constexpr std::int64_t warp = 32;

/// Whether the instruction has the same outcome for all threads of a warp, though its operand is the thread's index.
bool agrees_in_warp(Kernel const& kernel, Instruction const& i, std::span<Value const> operands) {
  if (operands.size() != 2 || kernel[operands[0]].op != Op::thread) return false;
  Instruction const& by = kernel[operands[1]];
  if (by.op != Op::constant) return false;
  if (i.op == Op::shift_right) return by.bits >= 5;
  return (i.op == Op::less || i.op == Op::divide) && by.bits % warp == 0;
}

Agree of_instruction(Kernel const& kernel, Value v, std::vector<Agree> const& known) {
  Instruction const& i = kernel[v];
  auto const operands = kernel.operands_of(v);
  Agree least = Agree::cluster;
  for (Value x : operands) least = std::max(least, known[std::size_t(x)]);
  switch (i.op) {
    case Op::thread:
      return Agree::thread;
    case Op::rank:
      return Agree::block;
    case Op::atomic_or:
    case Op::atomic_and:
    case Op::user_load:
    case Op::user_store:
    case Op::matrix_multiply:
      return Agree::thread;
    case Op::load:
      return std::max(least, i.access.space == Space::shared ? Agree::block : Agree::cluster);
    case Op::all_of_block:
      return Agree::block;
    default:
      return agrees_in_warp(kernel, i, operands) ? Agree::warp : least;
  }
}

}  // namespace

std::vector<Agree> agreement(Kernel const& kernel) {
  std::vector<Agree> known(kernel.code.size(), Agree::cluster);
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Value> begun;      // regions that are open
    std::vector<Agree> tested;     // by whom they are entered, or left
    Agree ended = Agree::cluster;  // of the region that ended last
    for (Value v = 0; v < kernel.size(); ++v) {
      Instruction const& i = kernel[v];
      Agree agree = of_instruction(kernel, v, known);
      if (i.op == Op::if_begin || i.op == Op::loop_begin) {
        begun.push_back(v);
        // Of a loop what an earlier round has found.
        tested.push_back(i.op == Op::if_begin ? agree : known[std::size_t(v)]);
      } else if (i.op == Op::loop_while) {
        tested.back() = std::max(tested.back(), agree);
      } else if (i.op == Op::if_end || i.op == Op::loop_end) {
        ended = tested.back();
        if (i.op == Op::loop_end && known[std::size_t(begun.back())] != ended)
          known[std::size_t(begun.back())] = ended, changed = true;
        begun.pop_back(), tested.pop_back();
      } else if (i.op == Op::merge) {
        agree = std::max(agree, ended);
      } else if (i.op == Op::carried) {
        agree = std::max(agree, tested.back());
      }
      if (i.op == Op::loop_begin) continue;
      if (known[std::size_t(v)] != agree) known[std::size_t(v)] = agree, changed = true;
    }
  }
  return known;
}

}  // namespace skipper::ir
