#pragma once
// One instruction of machine code as nvdisasm prints it, cut into its parts:
//   @!P0 IADD3.X R2, R3, -UR4, RZ, P1, !PT ;
// What decodes an instruction takes modifiers and operands one by one; whatever is left then is unknown.
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skipper::sass {

/// A listing that cannot be read, or machine code that does what it must not. The message names the instruction.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int zero_register = 255, zero_uniform = 63, true_predicate = 7;

struct Operand {
  enum class Sort {
    general,    // R5, RZ
    uniform,    // UR5, URZ: one for a warp
    predicate,  // P3, PT
    uniform_predicate,
    integer,  // 0x10; 32@lo((k + .L_x_3@srel)), where instruction .L_x_3 is
    number,   // 0.5
    constant,
    address,  // [R2.64+UR4+0x10]
    special,  // SR_TID.X; PR: all predicates
    barrier,  // B0: threads of a warp that wait for each other
    label     // `(.L_x_3)
  };
  Sort sort = Sort::general;
  int index = zero_register;     // of the register; of what is added to an address
  int uniform = zero_uniform;    // added to an address
  bool wide = false;             // the address's general register is a pair
  bool uniform_wide = false;     // its uniform one is
  bool negative = false;         // -R5
  bool inverted = false;         // ~R5, !P0
  bool absolute = false;         // |R5|
  std::optional<int> half = {};  // R5.H1_H1: 1
  std::uint64_t bits =
      0;  // of an integer; the offset of a constant and an address; the number of a label's instruction
  double number = 0;
  std::string name = {};  // of a special register, of a label
};
inline constexpr int instruction_bytes = 16;

/// PT and !PT.
inline Operand always() { return {.sort = Operand::Sort::predicate, .index = true_predicate}; }
inline Operand never() {
  return {.sort = Operand::Sort::predicate, .index = true_predicate, .inverted = true};
}

/// Throws Fault where it is none.
Operand parse_operand(std::string_view text);

class Form {
 public:
  /// `text` begins behind the address and ends before the semicolon. `labels` has the numbers of instructions.
  explicit Form(std::string_view text, std::map<std::string, int> const& labels = {});

  Operand const& guard() const { return guard_; }
  std::string const& root() const { return root_; }

  /// Whether the mnemonic has this modifier, which is then taken.
  bool take(std::string_view modifier);
  /// The first one that is left, which is taken; nothing where there is none.
  std::string take_next();
  /// The first of these that it has; nothing where it has none.
  std::optional<std::string> take_one(std::initializer_list<char const*> modifiers);

  // The next operand, which must be of a sort.
  Operand next();
  Operand result();  // a register, unmodified
  Operand u32();     // a register, a constant or an integer, maybe negative or inverted
  Operand u64();     // the same of a pair of registers
  Operand f32();     // the same as a floating-point number, whose bits it has
  Operand f64();
  Operand predicate();  // maybe inverted
  Operand address();
  Operand of(Operand::Sort sort);
  int integer();
  /// The next one where it is a predicate; else PT.
  Operand optional_predicate();

  /// Throws Fault where something was not taken.
  void demand_all_taken() const;

 private:
  Operand value(std::string const& what, bool of_floating_point);

  std::string text_, root_;
  Operand guard_ = always();
  std::vector<std::string> modifiers_;
  std::vector<Operand> operands_;
  std::size_t taken_ = 0;
};

}  // namespace skipper::sass
