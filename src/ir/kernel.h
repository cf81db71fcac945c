#pragma once
// A kernel as data: a flat list of instructions, each of which gives at most one value and names its operands by their numbers. It
// is what an ordinary C++ function writes down once (builder.h); printers print it (ptx.h), tests interpret it, check.h says
// whether it is valid. It knows nothing of transforms.
//
// Flow is structured. `if_begin c .. if_end` is done by the threads for which c holds; behind it stand `merge inside otherwise`
// instructions, by which alone values leave it. `loop_begin .. loop_end` opens with `carried initial next` instructions, which are
// `initial` in the first round and `next` of the round before in later ones; its only exit is `loop_while c`, which takes out the
// threads for which c does not hold. Behind the loop its carried values are those of the round that was left.
//
// i32 and i64 are signed and wrap. Addresses are in bytes: i64 in global memory, i32 in shared memory.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skipper::ir {

enum class Type : std::uint8_t { none, pred, i32, i64, f16, bf16, f32, f64 };

enum class Op : std::uint8_t {
  // Values that are there: `bits` is the constant's bit pattern, or the number of the parameter.
  constant,
  undefined,
  parameter,
  thread,         // index of the thread in its block
  rank,           // of the block in its cluster
  block,          // index of the cluster, or without clusters of the block
  blocks,         // how many of these there are
  shared_base,    // address of the block's shared memory
  remote_shared,  // where the block of rank b has what this one has at address a
  // Arithmetic. Integers also shift (logically) and divide, as numbers that are not negative.
  negate,
  add,
  subtract,
  multiply,
  multiply_add,   // a b + c, of floating-point numbers rounded once
  multiply_high,  // upper half of the product of two i32 as unsigned
  multiply_wide,  // i64 product of two i32
  multiply_add_wide,
  divide,
  remainder,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  reciprocal,  // to about the last bit, of numbers far from the ends of their range
  convert,     // between types; i32 to i64 with its sign
  select,      // a ? b : c
  // Predicates: `type` is pred, of the operands' types.
  less,
  equal,
  both,
  either,
  invert,
  // Memory: the first operand is the address, to which `bits` is added; `access` says what is moved.
  load,
  part,  // number `bits` of what the instruction before it loads, or adds up
  store,
  prefetch,   // a line of L2
  discard,    // a line of L2, without writing it back
  atomic_or,  // gives what was there
  atomic_and,
  add_release,   // adds to a counter, behind all that the block has written
  load_acquire,  // before all that is read later
  // All threads of a warp, a block or a cluster together.
  warp_barrier,
  block_barrier,
  cluster_barrier,
  all_of_block,  // a barrier that gives whether the operand holds for all threads
  // What a user's functions make of a number, or of the two parts of a complex one, that is read or written: the operands are these,
  // the place as i64 and the address of the user's data.
  user_load,
  user_store,
  matrix_multiply,  // adds the product of two small matrices of a warp to four sums; its operands are in matrix_operands()
  // The launch.
  trigger_dependents,
  wait_for_previous,
  // Structure.
  if_begin,
  if_end,
  merge,
  loop_begin,
  carried,
  loop_while,
  loop_end,
  last = loop_end
};

enum class Space : std::uint8_t {
  none,
  global,
  table,
  shared,
  remote
};  // table: global memory that nobody writes

/// What a load or a store moves: `count` numbers of a type, side by side.
struct Access {
  Space space = Space::none;
  Type type = Type::none;  // as it stands in memory: 16-bit storage is loaded to, and stored from, f32
  std::uint8_t count = 0;
  bool streaming = false;  // it is used once and need not stay in L2
  bool operator==(Access const&) const = default;
};

using Value = int;  // number of the instruction that gives it
inline constexpr Value no_value = -1;

struct Instruction {
  Op op = Op::undefined;
  Type type = Type::none;  // of the value that it gives
  Access access = {};
  std::int64_t bits = 0;
  int first = 0, count = 0;  // operands, in Kernel::operands
};

struct Parameter {
  std::string name;
  Type type = Type::i64;
  bool is_size = false;  // an i64 that is a number; else it is the address of an array
  bool operator==(Parameter const&) const = default;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  int threads = 1, cluster_ranks = 1;
  int resident = 0;  // blocks that a multiprocessor is to hold at once; 0: the compiler's choice
  int shared_bytes = 0;
  std::int64_t blocks = 1;  // that a launch has at most; with clusters, clusters
  std::vector<Instruction> code;
  std::vector<Value> operands;

  Instruction const& operator[](Value v) const { return code[std::size_t(v)]; }
  int size() const { return int(code.size()); }
  std::span<Value const> operands_of(Value v) const {
    auto const& i = (*this)[v];
    return {operands.data() + i.first, std::size_t(i.count)};
  }
};

/// Of a product of 16 x 4k by 4k x 8: four sums, 2 k numbers of the left matrix, k of the right one.
constexpr int matrix_operands(int k) { return 4 + 3 * k; }

int bytes_of(Type type);
bool is_floating(Type type);  // f32 and f64, which can be computed in
bool is_integer(Type type);
std::string name_of(Type type);
std::string name_of(Op op);

/// Whether it depends on its operands alone and does nothing else, so that equal ones are one.
bool is_pure(Op op);
/// Whether it calls a user's function.
constexpr bool calls_user(Op op) { return op == Op::user_load || op == Op::user_store; }
/// Whether it must stay though nobody uses what it gives.
bool has_effect(Op op);

/// The value of a floating-point constant, and its bit pattern.
double number_of(Instruction const& constant);
std::int64_t bits_of(double x, Type type);

/// One line an instruction. Equal kernels have equal texts.
std::string text(Kernel const& kernel);

}  // namespace skipper::ir
