#pragma once
// What kernels are as C, whatever the dialect: a statement a line, expressions where a value is used once. Dialects say how they
// declare a kernel, reach memory and wait (cuda.h, opencl.h). An i64 parameter is the address of an array,
// unless it says that it is a size.
//
// Integers are printed as signed ones: what a builder records fits them. Sums and products are rounded one by one, as they stand;
// a compiler that joins them must be told not to.
#include <string>

#include "ir/printer.h"

namespace skipper::ir {

class CPrinter : protected Printer {
 public:
  explicit CPrinter(Kernel const& kernel);
  virtual ~CPrinter() = default;
  std::string run();

 protected:
  // What dialects differ in.
  virtual std::string type_name(Type type) const = 0;
  virtual std::string head() const = 0;                    // the kernel up to the brace that opens its body
  virtual std::string place_in_launch(Value v) const = 0;  // thread, rank, block, blocks
  virtual std::string remote(std::string const& address, std::string const& rank) const = 0;
  virtual std::string multiplied_high(std::string const& a, std::string const& b) const = 0;
  virtual std::string fused(Type type, std::string const& operands) const = 0;
  virtual std::string reciprocal(Type type, std::string const& x) const = 0;
  /// What is loaded from a place, `count` numbers of a type as one value; and the statement that stores one.
  virtual std::string loaded(Access access, std::string const& address) const = 0;
  virtual std::string stored(Access access, std::string const& address, std::string const& x) const = 0;
  /// Numbers side by side as one value, as it is stored.
  virtual std::string joined(Access access, std::vector<std::string> const& numbers) const = 0;
  /// A statement of what else has an effect; nothing where the dialect has no need of it. `result` is what it gives.
  virtual std::string effect(Value v, std::string const& result) = 0;

  std::string address(Value v);  // of what a load, a store or another access is of
  std::string expression(Value v);
  std::string operand_text(Value v, int i) { return expression(operand(v, i)); }
  std::string name(Value v);
  /// A statement.
  void line(std::string const& text);
  /// Whether the body calls the function.
  bool calls(std::string const& function) const { return text_.find(function + "(") != std::string::npos; }

 private:
  void print(Value v);
  void print_flow(Value v);
  void print_load(Value v);
  void print_store(Value v);
  std::string pure(Value v);
  void give(Value v, std::string const& x);
  bool is_inlined(Value v) const;
  bool is_zero(Value v) const;  // of an integer; addresses in shared memory count from its beginning
  std::string initial(Value v, Type type);
  std::string wide_type(Access access) const;

  std::vector<Value> region_,
      user_;                    // of each value: the region that it is in, and the only one that uses it
  std::vector<Value> part_of_;  // of parts the instruction before them
  int depth_ = 1;
  std::string text_;
};

/// Whether a parameter is the address of an array.
inline bool is_array(Parameter const& p) { return p.type == Type::i64 && !p.is_size; }

/// The type that a value of 16-bit storage is computed as; of others the same.
constexpr Type computed(Type type) { return type == Type::f16 || type == Type::bf16 ? Type::f32 : type; }

}  // namespace skipper::ir
