#pragma once
// Records a kernel while the C++ function that describes it runs (values.h has the types that such a function computes with).
// Operations on constants are done at once, and equal pure instructions shared where one dominates the other. Integers are affine forms (forms.h),
// and become instructions where they are used, in the outermost region that knows their operands.
//
// Values leave a region by merges: those that variables hold (end_if, end_loop), and any other where it is first used outside,
// where threads that were not inside have it undefined.
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "ir/forms.h"

namespace skipper::ir {

/// What a C++ variable of a kernel text stands for.
enum class Held : std::uint8_t { number, index, condition };

/// A variable that regions deeper than its own assign to; Slot is part of the types of values.h.
struct Slot {
  int held = -1;        // a value, or of an index a form; -1: never set
  int depth = 0;        // regions that were open where the variable began
  int assigned_in = 0;  // open regions that will merge it
  Held kind = Held::number;
};

class Builder {
 public:
  /// `kernel` has the name, parameters and sizes, and no code. `real`: what numbers are computed in.
  Builder(Kernel kernel, Type real, std::int64_t blocks);
  Builder(Builder const&) = delete;
  ~Builder();
  static Builder& current();

  Type real() const { return real_; }
  Kernel const& header() const { return header_; }
  Forms& forms() { return forms_; }

  // Numbers (numbers.cpp). Signs of zeros are kept.
  Value number(double x, Type type);
  Value undefined(Type type);
  Value parameter(int number);
  Value negate(Value a);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value multiply(Value a, Value b);
  Value reciprocal(Value a);
  Value convert(Value a, Type to);
  Value equal(Value a, Value b);
  Value less(Value a, Value b);

  // Predicates.
  Value truth(bool yes);
  bool is_certain(Value p, bool yes) const;
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value invert(Value a);
  Value select(Value p, Value a, Value b);

  // Integers (integers.cpp), as forms.
  int thread();
  int rank();
  int block();
  int blocks();
  int shared_base();
  int index_parameter(int number, Range range);
  /// A form that stands for a value of which only the range is known.
  int form_of(Value v, Range range);
  Value value_of(int form);
  Value value_of(int form, Type type);
  Value less_forms(int a, int b);
  Value equal_forms(int a, int b);
  /// By any form, where neither is negative. It is worked out where it is asked for, which may be behind a test for zero.
  int quotient(int a, int by);
  int remainder(int a, int by);
  int select_form(Value p, int a, int b);
  /// A word with one bit, whose number is a form from 0 to 31.
  Value one_bit(int form);
  Value common_bits(Value a, Value b);
  /// The form as one variable, so that what is added to it later is added to it alone.
  int opaque(int form);

  // Memory (memory.cpp). Addresses are forms, in bytes.
  Value load(Access access, int address);  // the first number; the others follow
  Value loaded_part(Value first, int number) const { return first + number; }
  void store(Access access, int address, std::vector<Value> const& numbers);
  int load_index(Space space, int address, Range range);
  int remote(int rank, int place);  // the address of a place in the shared memory of a rank
  void at_address(Op op, int address);
  Value atomic(Op op, int address, Value operand);
  Value load_acquire(int address);
  void add_release(int address);
  void effect(Op op);
  Value all_of_block(Value p);
  /// What a user's function makes of a number or of the two parts of a complex one; the first of them.
  Value by_user(Op op, std::vector<Value> numbers, int place, int data);
  /// Sums of four after the product.
  Value matrix_multiply(std::vector<Value> const& operands);

  // Regions (regions.cpp).
  int depth() const { return int(open_.size()) - 1; }
  void begin_if(Value condition);
  void end_if();
  /// Whether a predicate is certain for the threads that are here: then a constant.
  Value known(Value p);
  /// Runs body(i) for i = from, from + step, .. below a bound, as a loop. The function runs again until all the variables that
  /// it assigns are carried.
  void loop(int from, int below, std::int64_t step, std::function<void(int)> const& body);
  /// The same by steps that are a form, which is positive.
  void loop_by(int from, int below, int step, std::function<void(int)> const& body);
  /// Repeats body() while test() holds.
  void loop_while(std::function<Value()> const& test, std::function<void()> const& body);
  void assign(Slot& slot, int held);
  void forget(Slot& slot);  // a variable that ends before the regions that assigned to it

  /// Only what has an effect, in order.
  Kernel finish();

 private:
  struct Node {
    Instruction what;
    std::vector<Value> operands;
    int region = 0;
  };
  struct Assigned {
    Slot* slot;
    int before;
  };
  using Key = std::tuple<Op, Type, std::int64_t, std::vector<Value>>;
  struct Region {
    int parent = -1, depth = 0;
    Value begin = no_value;  // its if_begin or loop_begin
    int narrows = 0;         // values of which its condition says something
    bool is_loop = false;
    std::vector<Value> body;    // in order; of regions inside their begin
    std::vector<Value> merges;  // behind its end
    std::map<Key, Value> seen;
    std::vector<Assigned> assigned;
    std::unordered_map<Value, Value> left;  // what merges have made of its values
  };
  struct Carried {
    Slot* slot;
    int before;
    Range range;  // of an index
  };

  Instruction const& what(Value v) const { return nodes_[std::size_t(v)].what; }
  Value operand(Value v, int i) const { return nodes_[std::size_t(v)].operands[std::size_t(i)]; }
  bool is_constant(Value v) const { return what(v).op == Op::constant; }
  Region& region(int number) { return regions_[std::size_t(number)]; }
  Region& here() { return regions_[std::size_t(open_.back())]; }
  bool is_open(int region) const;

  Value constant(std::int64_t bits, Type type);
  Value visible(Value v);
  Value node_in(int region, Instruction what, std::vector<Value> operands);
  Value record(Instruction what, std::vector<Value> operands);
  Value pure(Op op, Type type, std::vector<Value> operands, std::int64_t bits = 0);
  Value merge_behind(int region, Value inside, Value otherwise);
  Value value_inside(Slot const& slot, int before);
  int held_behind(Held kind, int region, Value inside, int held, int before);
  Type common_type(Value& a, Value& b);
  std::vector<Value> all_visible(std::vector<Value> const& values);

  Value variable_value(int variable);
  Value quotient_value(Value x, std::int64_t most, std::int64_t by, Type type);
  Value scaled_sum(Value sum, Value x, std::int64_t weight, Type type);
  Value address_value(int address, Space space, std::int64_t& behind);
  bool is_uniform(int variable);

  bool reopen(Value condition);
  void open_region(Value begin, bool is_loop);
  int held_in_round(Slot const& slot, Value carried, Range range);
  bool record_loop(std::vector<Carried>& all, std::function<Value()> const& test,
                   std::function<void()> const& body);
  void emit(int region, std::vector<bool> const& live, std::vector<Value>& renamed, Kernel& out);
  std::vector<bool> live() const;

  Kernel header_;
  Type real_;
  std::int64_t last_block_;
  std::vector<Node> nodes_;
  std::vector<Region> regions_;
  std::vector<int> open_;
  Forms forms_;
  std::map<std::pair<int, Type>, Value> values_of_forms_;
  Builder* outer_;
};

}  // namespace skipper::ir
