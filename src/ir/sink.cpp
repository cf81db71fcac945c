#include "ir/sink.h"

#include <algorithm>
#include <stdexcept>

namespace skipper::ir {
namespace {

/// Regions are named by the instructions that begin them; the kernel itself is region -1.
constexpr Value whole = no_value;

class Sinking {
 public:
  explicit Sinking(Kernel const& from)
      : from_(from),
        region_(from.code.size(), whole),
        anchor_(from.code.size()),
        uses_(from.code.size()),
        before_(from.code.size()) {}

  Kernel run() {
    find_uses();
    for (Value v = 0; v < from_.size(); ++v) anchor_[std::size_t(v)] = v;
    for (Value v = from_.size(); v-- > 0;)  // what uses a value is placed before the value is
      if (moves(v)) place(v);
    return rebuilt();
  }

 private:
  /// Where an operand is needed: an instruction, and the region that it is needed in.
  struct Use {
    Value at, region;
  };

  void find_uses() {
    std::vector<Value> open, carried;
    Value ended = no_value, end = no_value;  // the region that ended last, and its end
    for (Value v = 0; v < from_.size(); ++v) {
      Op const op = from_[v].op;
      auto const operands = from_.operands_of(v);
      if (op == Op::if_end || op == Op::loop_end) {
        if (op == Op::loop_end)
          for (Value c = open.back() + 1; from_[c].op == Op::carried; ++c)
            use(from_.operands_of(c)[1], v, open.back());
        region_[std::size_t(v)] = ended = open.back();
        end = v;
        open.pop_back();
        continue;
      }
      Value const here = open.empty() ? whole : open.back();
      region_[std::size_t(v)] = here;
      if (op == Op::if_begin || op == Op::loop_begin) open.push_back(v);
      if (op == Op::merge) {
        use(operands[0], end, ended);
        use(operands[1], ended, here);
      } else if (op == Op::carried) {  // its first value comes from before the loop
        use(operands[0], here, region_[std::size_t(here)]);
      } else {
        for (Value x : operands) use(x, v, here);
      }
    }
  }
  void use(Value x, Value at, Value region) { uses_[std::size_t(x)].push_back({at, region}); }

  bool moves(Value v) const {
    auto const& i = from_[v];
    bool const is_pure_integer = is_pure(i.op) && (i.type == Type::pred || is_integer(i.type));
    return is_pure_integer && i.count > 0 && !uses_[std::size_t(v)].empty();
  }

  Value parent(Value region) const { return region_[std::size_t(region)]; }
  int depth(Value region) const {
    int n = 0;
    for (; region != whole; region = parent(region)) ++n;
    return n;
  }
  Value common(Value a, Value b) const {
    while (a != b) (depth(a) >= depth(b) ? a : b) = parent(depth(a) >= depth(b) ? a : b);
    return a;
  }

  void place(Value v) {
    Value const home = region_[std::size_t(v)];
    auto const& uses = uses_[std::size_t(v)];
    Value target = use_region(uses[0]);
    for (Use const& u : uses) target = common(target, use_region(u));
    for (Value r = target; r != home; r = parent(r)) {
      if (r == whole) throw std::logic_error("ir: a value is used outside of its region");
      if (from_[r].op == Op::loop_begin) target = parent(r);
    }
    if (target == home) return;
    Value first = from_.size();
    for (Use const& u : uses) first = std::min(first, place_in(target, u));
    region_[std::size_t(v)] = target;
    anchor_[std::size_t(v)] = first;
    before_[std::size_t(first)].push_back(v);
  }
  /// The user may have been placed anew, with all that it needs.
  Value use_region(Use const& u) const { return is_placed(u.at) ? region_[std::size_t(u.at)] : u.region; }
  bool is_placed(Value v) const { return anchor_[std::size_t(v)] != v; }
  /// The instruction of the region before which a use is served.
  Value place_in(Value region, Use const& u) const {
    Value at = anchor_[std::size_t(u.at)], r = use_region(u);
    for (; r != region; r = parent(r)) at = r;
    return at;
  }

  Kernel rebuilt() {
    Kernel to = from_;
    to.code.clear();
    to.operands.clear();
    std::vector<Value> renamed(from_.code.size(), no_value), order;
    for (Value v = 0; v < from_.size(); ++v) {
      auto const& placed = before_[std::size_t(v)];
      order.insert(order.end(), placed.rbegin(), placed.rend());
      if (!is_placed(v)) order.push_back(v);
    }
    for (Value v : order) {
      renamed[std::size_t(v)] = to.size();
      to.code.push_back(from_[v]);
    }
    for (std::size_t n = 0; n < order.size(); ++n) {
      Instruction& i = to.code[n];
      auto const operands = from_.operands_of(order[n]);
      i.first = int(to.operands.size());
      for (Value x : operands) to.operands.push_back(renamed[std::size_t(x)]);
    }
    return to;
  }

  Kernel const& from_;
  std::vector<Value> region_;
  std::vector<Value> anchor_;  // before which instruction it is placed; itself where it stays
  std::vector<std::vector<Use>> uses_;
  std::vector<std::vector<Value>> before_;  // the last one first
};

}  // namespace

Kernel sunk(Kernel const& kernel) { return Sinking(kernel).run(); }

}  // namespace skipper::ir
