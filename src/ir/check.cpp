#include "ir/check.h"

#include <algorithm>

namespace skipper::ir {
namespace {

class Check {
 public:
  explicit Check(Kernel const& kernel)
      : kernel_(kernel), agree_(agreement(kernel)), open_(kernel.code.size()) {}

  std::vector<std::string> run() {
    regions_.push_back({no_value, Agree::cluster, false, {}});
    for (at_ = 0; at_ < kernel_.size(); ++at_) {
      Instruction const& i = kernel_[at_];
      for (Value x : kernel_.operands_of(at_)) check_known(x);
      check_types(i);
      check_flow(i);
      if (regions_.empty()) return faults_;  // nothing below makes sense
    }
    if (regions_.size() != 1) say("a region is not closed");
    return faults_;
  }

 private:
  struct Open {
    Value begin;
    Agree agree;  // who goes the same way
    bool has_test;
    std::vector<Value> values;
  };

  void say(std::string const& what) {
    std::string const where = at_ < kernel_.size() ? ", " + name_of(kernel_[at_].op) : "";
    faults_.push_back("instruction " + std::to_string(at_) + where + ": " + what);
  }
  Instruction const& operand(int i) const { return kernel_[kernel_.operands_of(at_)[std::size_t(i)]]; }
  int count() const { return int(kernel_.operands_of(at_).size()); }

  void check_known(Value x) {
    if (x < 0 || x >= kernel_.size()) return say("it has no operand");
    Op const op = kernel_[at_].op;
    bool const is_next = op == Op::carried && x == kernel_.operands_of(at_)[1];
    bool const is_inside = op == Op::merge && x == kernel_.operands_of(at_)[0];
    if (is_next) {
      if (kernel_[x].type != kernel_[at_].type) say("what comes next is of another type");
    } else if (is_inside ? x >= at_ : !open_[std::size_t(x)]) {
      say("operand %" + std::to_string(x) + " is not known here");
    }
  }

  void expect(bool yes, char const* what) {
    if (!yes) say(what);
  }
  void expect_operands(int n) {
    if (count() != n) say("it has " + std::to_string(count()) + " operands in place of " + std::to_string(n));
  }
  void check_same(int from, int to) {
    for (int k = from; k < to && k < count(); ++k)
      if (operand(k).type != kernel_[at_].type)
        say("operand " + std::to_string(k) + " is of type " + name_of(operand(k).type));
  }

  void check_types(Instruction const& i) {
    switch (i.op) {
      case Op::negate:
      case Op::reciprocal:
        expect_operands(1), check_same(0, 1);
        return;
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::remainder:
      case Op::bit_and:
      case Op::bit_or:
      case Op::multiply_high:
      case Op::merge:
      case Op::carried:
        expect_operands(2), check_same(0, 2);
        return;
      case Op::multiply_add:
        expect_operands(3), check_same(0, 3);
        return;
      case Op::shift_left:
      case Op::shift_right:
        expect_operands(2), check_same(0, 1);
        return;
      case Op::multiply_wide:
      case Op::multiply_add_wide:
        expect_operands(i.op == Op::multiply_wide ? 2 : 3);
        expect(i.type == Type::i64 && operand(0).type == Type::i32 && operand(1).type == Type::i32,
               "it multiplies what is not i32");
        check_same(2, 3);
        return;
      case Op::select:
        expect_operands(3), expect_predicate(), check_same(1, 3);
        return;
      case Op::less:
      case Op::equal:
        expect_operands(2);
        expect(operand(0).type == operand(1).type, "it compares two types");
        return;
      case Op::both:
      case Op::either:
      case Op::invert:
        check_same(0, 3);
        return;
      case Op::if_begin:
      case Op::loop_while:
      case Op::all_of_block:
        expect_operands(1), expect_predicate();
        return;
      case Op::load:
      case Op::store:
        return check_access(i);
      case Op::prefetch:
      case Op::discard:
      case Op::load_acquire:
      case Op::add_release:
        expect_operands(1), expect_address(Type::i64);
        return;
      case Op::user_load:
      case Op::user_store:
        expect(count() == 3 || count() == 4, "it takes a number or a complex one, a place and the data");
        expect(is_floating(operand(0).type), "it takes what is no number");
        for (int k = 1; k < count(); ++k)
          if (operand(k).type != (k + 2 < count() ? operand(0).type : Type::i64))
            say("operand " + std::to_string(k) + " is of type " + name_of(operand(k).type));
        return;
      case Op::matrix_multiply:
        expect(count() == matrix_operands(1) || count() == matrix_operands(4), "it has the wrong operands");
        return;
      default:
        return;
    }
  }
  void expect_predicate() { expect(operand(0).type == Type::pred, "its condition is no predicate"); }
  void expect_address(Type type) { expect(operand(0).type == type, "its address is of another type"); }

  void check_access(Instruction const& i) {
    bool const on_chip = i.access.space == Space::shared || i.access.space == Space::remote;
    expect_address(on_chip ? Type::i32 : Type::i64);
    expect(i.access.count == 1 || i.access.count == 2 || i.access.count == 4, "it moves 1, 2 or 4 numbers");
    if (i.op == Op::load) return expect_operands(1);
    expect_operands(1 + i.access.count);
    expect(i.access.space != Space::table, "nobody writes a table");
    Type const in_register = bytes_of(i.access.type) == 2 ? Type::f32 : i.access.type;
    for (int k = 1; k < count(); ++k)
      if (operand(k).type != in_register) say("it stores a number of type " + name_of(operand(k).type));
  }

  void check_flow(Instruction const& i) {
    switch (i.op) {
      case Op::if_begin:
      case Op::loop_begin: {
        Agree const own = agree_[std::size_t(at_)];
        regions_.push_back({at_, std::max(regions_.back().agree, own), false, {}});
        return;
      }
      case Op::loop_while:
        expect(kernel_[regions_.back().begin].op == Op::loop_begin && !regions_.back().has_test,
               "a loop has one exit");
        regions_.back().has_test = true;
        return;
      case Op::if_end:
      case Op::loop_end:
        return close(i.op == Op::if_end ? Op::if_begin : Op::loop_begin);
      case Op::carried:
        expect(at_ > 0 && begins_loop(at_ - 1), "it does not open a loop");
        break;
      case Op::merge:
        expect(at_ > 0 && follows_end(at_ - 1), "it is not behind a region");
        break;
      case Op::warp_barrier:
      case Op::matrix_multiply:
        expect_flow(Agree::warp, "warp");
        break;
      case Op::block_barrier:
      case Op::all_of_block:
      case Op::wait_for_previous:
        expect_flow(Agree::block, "block");
        break;
      case Op::cluster_barrier:
        expect_flow(Agree::cluster, "cluster");
        break;
      default:
        break;
    }
    bool const has_parts = i.op == Op::load || i.op == Op::matrix_multiply || calls_user(i.op);
    if (i.type == Type::none && !has_parts) return;
    open_[std::size_t(at_)] = true;
    regions_.back().values.push_back(at_);
  }
  bool begins_loop(Value v) const { return kernel_[v].op == Op::carried || kernel_[v].op == Op::loop_begin; }
  bool follows_end(Value v) const { return kernel_[v].op == Op::merge || kernel_[v].op == Op::if_end; }
  void expect_flow(Agree most, std::string const& group) {
    if (regions_.back().agree > most) say("not all threads of a " + group + " reach it");
  }

  void close(Op begun_by) {
    if (regions_.size() == 1 || kernel_[regions_.back().begin].op != begun_by) {
      say("it closes no region");
      regions_.clear();
      return;
    }
    Open const ended = regions_.back();
    regions_.pop_back();
    if (begun_by == Op::loop_begin && !ended.has_test) say("the loop has no exit");
    for (Value v : ended.values) {
      bool const stays = kernel_[v].op == Op::carried && begun_by == Op::loop_begin;
      open_[std::size_t(v)] = stays;
      if (stays) regions_.back().values.push_back(v);
    }
  }

  Kernel const& kernel_;
  std::vector<Agree> agree_;
  std::vector<bool> open_;  // values that are known
  std::vector<Open> regions_;
  std::vector<std::string> faults_;
  Value at_ = 0;
};

}  // namespace

std::vector<std::string> faults(Kernel const& kernel) { return Check(kernel).run(); }

}  // namespace skipper::ir
