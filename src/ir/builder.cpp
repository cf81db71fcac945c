#include "ir/builder.h"

#include <algorithm>
#include <stdexcept>

namespace skipper::ir {
namespace {

thread_local Builder* current_builder = nullptr;

bool stands_alone(Op op) { return op == Op::constant || op == Op::undefined; }

/// What costs next to nothing and is the same in every region: integers and predicates of these.
bool moves_out(Type type) { return type == Type::pred || is_integer(type); }

bool is_division(Op op) { return op == Op::divide || op == Op::remainder; }

}  // namespace

Builder::Builder(Kernel kernel, Type real, std::int64_t blocks)
    : header_(std::move(kernel)), real_(real), last_block_(blocks - 1), outer_(current_builder) {
  header_.blocks = blocks;
  regions_.emplace_back();
  open_.push_back(0);
  current_builder = this;
}
Builder::~Builder() { current_builder = outer_; }
Builder& Builder::current() {
  if (!current_builder) throw std::logic_error("ir: a kernel's values are used where no kernel is recorded");
  return *current_builder;
}

bool Builder::is_open(int number) const {
  int const depth = regions_[std::size_t(number)].depth;
  return depth < int(open_.size()) && open_[std::size_t(depth)] == number;
}

/// The value where it is known now: what a merge has made of one of a region that is closed, and within a region again
/// what was merged.
Value Builder::visible(Value v) {
  while (what(v).op == Op::merge && is_open(int(what(v).bits))) v = operand(v, 0);
  while (!is_open(nodes_[std::size_t(v)].region)) {
    int const from = nodes_[std::size_t(v)].region;
    if (regions_[std::size_t(from)].is_loop)
      throw std::logic_error("ir: a value of a loop is used behind it; a variable of outside carries it");
    auto const left = region(from).left.find(v);
    v = left != region(from).left.end() ? left->second : merge_behind(from, v, undefined(what(v).type));
  }
  return v;
}
std::vector<Value> Builder::all_visible(std::vector<Value> const& values) {
  std::vector<Value> all;
  for (Value v : values) {
    if (v < 0) throw std::logic_error("ir: a number is read that was never set");
    all.push_back(visible(v));
  }
  return all;
}

Value Builder::node_in(int number, Instruction what, std::vector<Value> operands) {
  nodes_.push_back({what, std::move(operands), number});
  return Value(nodes_.size()) - 1;
}
Value Builder::record(Instruction what, std::vector<Value> operands) {
  Value const v = node_in(open_.back(), what, all_visible(operands));
  here().body.push_back(v);
  return v;
}

/// One for all that are equal, in the outermost region that knows the operands: of floating-point numbers, which wait in
/// registers, in this one. It stays in the loop that it is asked for in, where it would wait for all rounds.
Value Builder::pure(Op op, Type type, std::vector<Value> operands, std::int64_t bits) {
  operands = all_visible(operands);
  Key const key{op, type, bits, operands};
  int outermost = 0;
  bool moves = moves_out(type);
  if (is_division(op) && !is_constant(operands[1])) moves = false;  // which costs much, and may be by zero
  for (Value x : operands) {
    outermost = std::max(outermost, region(nodes_[std::size_t(x)].region).depth);
    moves = moves && moves_out(what(x).type);
  }
  for (int d = int(open_.size()); d-- > outermost;) {
    auto const& seen = region(open_[std::size_t(d)]).seen;
    if (auto const found = seen.find(key); found != seen.end()) return found->second;
  }
  int home = operands.empty() ? 0 : int(open_.size()) - 1;
  while (moves && home > outermost && !region(open_[std::size_t(home)]).is_loop) --home;
  Region& into = region(open_[std::size_t(home)]);
  Value const v = node_in(open_[std::size_t(home)], {.op = op, .type = type, .bits = bits}, operands);
  into.body.push_back(v);
  into.seen.emplace(key, v);
  return v;
}

std::vector<bool> Builder::live() const {
  std::vector<bool> live(nodes_.size());
  std::vector<Value> wanted;
  auto const want = [&](Value v) {
    if (v < 0 || live[std::size_t(v)]) return;
    live[std::size_t(v)] = true;
    wanted.push_back(v);
  };
  auto const with_effects = [&](auto self, Region const& r) -> void {
    for (Value v : r.body) {
      Op const op = what(v).op;
      if (op == Op::if_begin || op == Op::loop_begin)
        self(self, regions_[std::size_t(what(v).bits)]);
      else if (has_effect(op) && op != Op::loop_while)
        want(v);
    }
  };
  with_effects(with_effects, regions_[0]);
  while (!wanted.empty()) {
    Value const v = wanted.back();
    wanted.pop_back();
    for (Value x : nodes_[std::size_t(v)].operands) want(x);
    want(regions_[std::size_t(nodes_[std::size_t(v)].region)].begin);
    if (what(v).op == Op::merge) want(regions_[std::size_t(what(v).bits)].begin);
    if (what(v).op == Op::carried) want(regions_[std::size_t(what(v).bits)].begin);
    if (what(v).op == Op::loop_begin)
      for (Value x : regions_[std::size_t(what(v).bits)].body)
        if (what(x).op == Op::loop_while) want(x);
  }
  return live;
}

void Builder::emit(int number, std::vector<bool> const& live, std::vector<Value>& renamed, Kernel& out) {
  auto const add = [&](Value v, Instruction i) {
    i.first = int(out.operands.size());
    i.count = int(nodes_[std::size_t(v)].operands.size());
    for (Value x : nodes_[std::size_t(v)].operands) out.operands.push_back(x);  // renamed at the end
    renamed[std::size_t(v)] = out.size();
    out.code.push_back(i);
  };
  for (Value v : region(number).body) {
    if (!live[std::size_t(v)] || stands_alone(what(v).op)) continue;
    Instruction i = what(v);
    if (i.op != Op::if_begin && i.op != Op::loop_begin) {
      if (i.op == Op::carried) i.bits = 0;
      add(v, i);
      continue;
    }
    int const inner = int(i.bits);
    bool const is_loop = i.op == Op::loop_begin;
    i.bits = 0;
    add(v, i);
    emit(inner, live, renamed, out);
    out.code.push_back({.op = is_loop ? Op::loop_end : Op::if_end, .first = int(out.operands.size())});
    for (Value m : region(inner).merges) {
      if (!live[std::size_t(m)]) continue;
      Instruction merge = what(m);
      merge.bits = 0;
      add(m, merge);
    }
  }
}

Kernel Builder::finish() {
  if (open_.size() != 1) throw std::logic_error("ir: a kernel ends within a region");
  Kernel out = header_;
  std::vector<Value> renamed(nodes_.size(), no_value);
  auto const needed = live();
  for (Value v = 0; v < Value(nodes_.size()); ++v)  // these may be recorded behind what needs them
    if (needed[std::size_t(v)] && stands_alone(what(v).op)) {
      renamed[std::size_t(v)] = out.size();
      out.code.push_back(what(v));
    }
  emit(0, needed, renamed, out);
  for (Value& x : out.operands) x = renamed[std::size_t(x)];
  return out;
}

}  // namespace skipper::ir
