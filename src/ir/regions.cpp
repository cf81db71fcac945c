// Regions as the builder records them: what is done by some threads only, and loops.
#include <algorithm>
#include <stdexcept>

#include "ir/builder.h"

namespace skipper::ir {

void Builder::open_region(Value begin, bool is_loop) {
  Region r;
  r.parent = open_.back();
  r.depth = int(open_.size());
  r.begin = begin;
  r.is_loop = is_loop;
  nodes_[std::size_t(begin)].what.bits = std::int64_t(regions_.size());
  open_.push_back(int(regions_.size()));
  regions_.push_back(std::move(r));
}

/// The region that ended last goes on if its condition is the same and nothing but integers were worked out since, from other
/// values than it has left: these then come before it.
bool Builder::reopen(Value condition) {
  auto& body = here().body;
  std::size_t at = body.size();
  while (at > 0 && is_pure(what(body[at - 1]).op) && !is_floating(what(body[at - 1]).type)) --at;
  if (at == 0) return false;
  Value const begin = body[at - 1];
  if (what(begin).op != Op::if_begin || operand(begin, 0) != condition) return false;
  int const number = int(what(begin).bits);
  for (std::size_t i = at; i < body.size(); ++i)
    for (Value x : nodes_[std::size_t(body[i])].operands) {
      auto const& merges = region(number).merges;
      if (std::ranges::find(merges, x) != merges.end()) return false;
    }
  body.erase(body.begin() + std::ptrdiff_t(at) - 1);
  open_.push_back(number);
  return true;
}

void Builder::begin_if(Value condition) {
  condition = visible(condition);
  if (!reopen(condition)) open_region(node_in(open_.back(), {.op = Op::if_begin}, {condition}), false);
  // What the condition says about a value holds inside.
  auto const narrow = [&](auto self, Value c, bool yes) -> void {
    if (what(c).op == Op::both && yes) return self(self, operand(c, 0), yes), self(self, operand(c, 1), yes);
    if (what(c).op == Op::either && !yes)
      return self(self, operand(c, 0), yes), self(self, operand(c, 1), yes);
    if (what(c).op == Op::invert) return self(self, operand(c, 0), !yes);
    if ((what(c).op != Op::less && !(what(c).op == Op::equal && yes)) || !is_constant(operand(c, 1))) return;
    std::int64_t const bound = what(operand(c, 1)).bits;
    Range const all{INT64_MIN, INT64_MAX};
    Range const range = what(c).op == Op::equal ? Range{bound, bound}
                        : yes                   ? Range{all.least, bound - 1}
                                                : Range{bound, all.most};
    if (is_integer(what(operand(c, 0)).type)) forms_.narrow(operand(c, 0), range), ++here().narrows;
  };
  here().narrows = 0;
  narrow(narrow, condition, true);
}

/// Whether a predicate is certain for the threads that are here.
Value Builder::known(Value p) {
  for (int number : open_) {
    Region const& r = region(number);
    if (number == 0 || r.is_loop) continue;
    auto const implies = [&](auto self, Value c, Value x) -> bool {
      return c == x ||
             (what(c).op == Op::both && (self(self, operand(c, 0), x) || self(self, operand(c, 1), x)));
    };
    Value const c = operand(r.begin, 0);
    if (implies(implies, c, p)) return truth(true);
    if (what(p).op == Op::invert && implies(implies, c, operand(p, 0))) return truth(false);
    if (what(c).op == Op::invert && operand(c, 0) == p) return truth(false);
  }
  return p;
}

/// The value behind a region that has ended: `inside` for the threads that were in it.
Value Builder::merge_behind(int number, Value inside, Value otherwise) {
  Region& r = region(number);
  while (what(otherwise).op == Op::merge && int(what(otherwise).bits) == number)
    otherwise = operand(otherwise, 1);  // the region went on, and nobody had come in since
  if (inside == otherwise) return inside;
  bool const is_outside = is_open(nodes_[std::size_t(inside)].region);
  if (is_outside && !is_floating(what(inside).type)) return select(operand(r.begin, 0), inside, otherwise);
  Value const v =
      node_in(r.parent, {.op = Op::merge, .type = what(inside).type, .bits = number}, {inside, otherwise});
  r.merges.push_back(v);
  if (what(otherwise).op == Op::undefined) r.left[inside] = v;
  return v;
}

/// The value that a variable has at the end of the innermost region, of the type that it has behind it.
Value Builder::value_inside(Slot const& slot, int before) {
  if (slot.kind != Held::index) return visible(slot.held);
  Range const range =
      before < 0 ? forms_.range(slot.held) : hull(forms_.range(slot.held), forms_.range(before));
  return value_of(slot.held, fits_i32(range) ? Type::i32 : Type::i64);
}

/// What a variable stands for behind a region that has just ended. -1: it was never set before.
int Builder::held_behind(Held kind, int number, Value inside, int held, int before) {
  Type const type = what(inside).type;
  if (kind != Held::index) {
    Value const otherwise = before < 0 ? undefined(type) : visible(before);
    return merge_behind(number, inside, kind == Held::number ? convert(otherwise, type) : otherwise);
  }
  Range const range = before < 0 ? forms_.range(held) : hull(forms_.range(held), forms_.range(before));
  return form_of(merge_behind(number, inside, before < 0 ? undefined(type) : value_of(before, type)), range);
}

void Builder::end_if() {
  int const number = open_.back();
  std::vector<Assigned> const assigned = std::move(here().assigned);
  here().assigned.clear();
  std::vector<Value> inside;
  for (auto const& [slot, before] : assigned) inside.push_back(value_inside(*slot, before));
  for (; here().narrows > 0; --here().narrows) forms_.widen();
  open_.pop_back();
  std::vector<int> behind;
  for (std::size_t i = 0; i < assigned.size(); ++i) {
    auto const& [slot, before] = assigned[i];
    behind.push_back(slot->held == before ? before
                                          : held_behind(slot->kind, number, inside[i], slot->held, before));
  }
  here().body.push_back(region(number).begin);
  for (std::size_t i = 0; i < assigned.size(); ++i) {
    Slot& slot = *assigned[i].slot;
    --slot.assigned_in;
    slot.held = assigned[i].before;
    assign(slot, behind[i]);
  }
}

void Builder::assign(Slot& slot, int held) {
  if (held == slot.held) return;
  slot.depth = std::min(slot.depth, depth());  // it was returned from a region
  if (slot.depth < depth()) {
    auto& all = here().assigned;
    if (slot.assigned_in == 0 || std::ranges::find(all, &slot, &Assigned::slot) == all.end()) {
      all.push_back({&slot, slot.held});
      ++slot.assigned_in;
    }
  }
  slot.held = held;
}

void Builder::forget(Slot& slot) {
  for (int number : open_) {
    auto& all = region(number).assigned;
    std::erase_if(all, [&](Assigned const& a) { return a.slot == &slot; });
  }
  slot.assigned_in = 0;
}

/// What a carried variable stands for in a round.
int Builder::held_in_round(Slot const& slot, Value carried, Range range) {
  return slot.kind == Held::index ? form_of(carried, range) : carried;
}

/// Records a loop that carries these variables. False where it assigns others too: these are added, and nothing is recorded.
bool Builder::record_loop(std::vector<Carried>& all, std::function<Value()> const& test,
                          std::function<void()> const& body) {
  std::vector<Value> initial, nodes;
  for (auto const& c : all) {
    Type const type = fits_i32(c.range) ? Type::i32 : Type::i64;
    initial.push_back(c.slot->kind == Held::index ? value_of(c.before, type) : visible(c.before));
  }
  open_region(node_in(open_.back(), {.op = Op::loop_begin}, {}), true);
  int const number = open_.back();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Value const v = node_in(number, {.op = Op::carried, .type = what(initial[i]).type, .bits = number},
                            {initial[i], initial[i]});
    here().body.push_back(v);
    nodes.push_back(v);
    all[i].slot->held = held_in_round(*all[i].slot, v, all[i].range);
  }
  Value const goes_on = test();
  record({.op = Op::loop_while}, {goes_on});
  body();
  std::vector<Assigned> const assigned = std::move(here().assigned);
  here().assigned.clear();
  std::size_t const carried = all.size();
  for (auto const& [slot, before] : assigned) {
    --slot->assigned_in;
    if (std::ranges::find(all, slot, &Carried::slot) != all.end()) continue;
    if (before < 0) throw std::logic_error("ir: a variable is first set in a loop; give it a value before");
    all.push_back({slot, before, {INT32_MIN, INT32_MAX}});
  }
  bool const is_complete = all.size() == carried;
  for (std::size_t i = 0; i < carried && is_complete; ++i) {
    auto const& slot = *all[i].slot;
    Value const next =
        slot.kind == Held::index ? value_of(slot.held, what(nodes[i]).type) : visible(slot.held);
    nodes_[std::size_t(nodes[i])].operands[1] = next;
  }
  open_.pop_back();
  for (auto const& c : all) c.slot->held = c.before;
  if (!is_complete) return false;
  here().body.push_back(region(number).begin);
  for (std::size_t i = 0; i < carried; ++i) {
    nodes_[std::size_t(nodes[i])].region = open_.back();  // known behind the loop too
    assign(*all[i].slot, held_in_round(*all[i].slot, nodes[i], all[i].range));
  }
  return true;
}

void Builder::loop_while(std::function<Value()> const& test, std::function<void()> const& body) {
  std::vector<Carried> all;
  while (!record_loop(all, test, body)) continue;
}

void Builder::loop(int from, int below, std::int64_t step, std::function<void(int)> const& body) {
  loop_by(from, below, forms_.constant(step), body);
}

void Builder::loop_by(int from, int below, int step, std::function<void(int)> const& body) {
  Range const first = forms_.range(from), bound = forms_.range(below), by = forms_.range(step);
  if (first.least >= bound.most) return;
  if (first.least + by.least >= bound.most && first.most < bound.least) return body(from);  // one round
  Slot counter{.held = from, .depth = depth(), .kind = Held::index};
  std::vector<Carried> all{{&counter, from, {first.least, std::max(first.most, bound.most - 1 + by.most)}}};
  auto const test = [&] { return less_forms(counter.held, below); };
  auto const round = [&] {
    forms_.narrow(forms_.value_alone(counter.held), {first.least, bound.most - 1});
    body(counter.held);
    forms_.widen();
    assign(counter, forms_.plus(counter.held, step));
  };
  while (!record_loop(all, test, round)) continue;
}

}  // namespace skipper::ir
