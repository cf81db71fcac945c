#include "interpreter/slots.h"

#include <algorithm>

namespace skipper::interpreter {

using ir::Op;
using ir::Value;

bool is_fixed(Op op) {
  return op == Op::constant || op == Op::parameter || op == Op::thread || op == Op::rank ||
         op == Op::shared_base;
}

std::vector<Value> partners(ir::Kernel const& kernel) {
  std::vector<Value> partner(kernel.code.size(), ir::no_value), open;
  for (Value v = 0; v < kernel.size(); ++v) {
    Op const op = kernel[v].op;
    if (op == Op::if_begin || op == Op::loop_begin) open.push_back(v);
    if (op != Op::if_end && op != Op::loop_end) continue;
    partner[std::size_t(v)] = open.back();
    partner[std::size_t(open.back())] = v;
    open.pop_back();
  }
  return partner;
}

namespace {

/// The last instruction that needs each value. What a loop uses of outside, or carries, is needed to its end.
std::vector<Value> last_uses(ir::Kernel const& kernel) {
  std::vector<Value> last(kernel.code.size(), ir::no_value), loops;
  auto const partner = partners(kernel);
  for (Value v = 0; v < kernel.size(); ++v) {
    Op const op = kernel[v].op;
    if (op == Op::loop_begin) loops.push_back(v);
    if (op == Op::loop_end) loops.pop_back();
    auto const use = [&](Value x) {
      Value at = v;
      for (Value loop : loops)
        if (x < loop || kernel[x].op == Op::carried)
          at = std::max(at, partner[std::size_t(loop)]);  // the outermost that it comes from outside of
      last[std::size_t(x)] = std::max(last[std::size_t(x)], at);
    };
    for (Value x : kernel.operands_of(v)) use(x);
    if (op != Op::carried) continue;
    Value const end = partner[std::size_t(loops.back())];
    last[std::size_t(v)] = std::max(last[std::size_t(v)], end);
    Value const next = kernel.operands_of(v)[1];
    last[std::size_t(next)] = std::max(last[std::size_t(next)], end);
  }
  return last;
}

}  // namespace

Slots slots(ir::Kernel const& kernel) {
  auto const last = last_uses(kernel);
  Slots all{std::vector<int>(kernel.code.size(), -1), 0};
  std::vector<std::vector<Value>> ends(kernel.code.size());
  for (Value v = 0; v < kernel.size(); ++v)
    if (last[std::size_t(v)] >= 0) ends[std::size_t(last[std::size_t(v)])].push_back(v);
  std::vector<int> free;
  auto const take = [&](Value v) {
    if (kernel[v].type == ir::Type::none || all.of[std::size_t(v)] >= 0) return;
    bool const reuses = !free.empty() && !is_fixed(kernel[v].op);
    all.of[std::size_t(v)] = reuses ? free.back() : all.count++;
    if (reuses) free.pop_back();
  };
  auto const give_back = [&](Value v) {
    if (!is_fixed(kernel[v].op) && all.of[std::size_t(v)] >= 0) free.push_back(all.of[std::size_t(v)]);
  };
  for (Value v = 0; v < kernel.size(); ++v) {
    take(v);
    // A load gives its parts, while it still needs its address.
    for (Value p = v + 1; p < kernel.size() && kernel[p].op == Op::part; ++p) take(p);
    if (last[std::size_t(v)] < 0) give_back(v);
    for (Value x : ends[std::size_t(v)]) give_back(x);
  }
  return all;
}

}  // namespace skipper::interpreter
