// Memory, barriers and the launch as the builder records them.
#include <numeric>
#include <stdexcept>

#include "ir/builder.h"

namespace skipper::ir {
namespace {

/// Bytes that an instruction may add to an address.
constexpr std::int64_t max_behind = 1 << 22;

bool is_on_chip(Space space) { return space == Space::shared || space == Space::remote; }

/// The multiple of `unit`, a power of two, that is the nearest.
std::int64_t nearest_multiple(std::int64_t x, std::int64_t unit) { return (x + unit / 2) & -unit; }

/// In a register: 16-bit storage is computed with as f32.
Type loaded_type(Type stored) { return bytes_of(stored) == 2 ? Type::f32 : stored; }

}  // namespace

/// The address without its constant, which goes `behind` it. In global memory what all threads share is summed first: it needs no
/// register of each. A table is short, so there one sum of 32 bits costs least.
Value Builder::address_value(int address, Space space, std::int64_t& behind) {
  Form f = forms_[address];
  Type const type = is_on_chip(space) ? Type::i32 : Type::i64;
  f.constant = nearest_multiple(f.constant, 2 * max_behind);  // all that are near share the sum with it
  behind = forms_[address].constant - f.constant;
  Form own{{}, 0};
  Value sum = no_value;
  bool const at_once = space != Space::global;
  for (auto const& t : f.terms) {
    Variable const v = forms_.variable(t.variable);
    bool const base = v.kind == Variable::Kind::value && t.weight == 1 && is_uniform(t.variable) &&
                      what(v.value).op != Op::block && what(v.value).op != Op::rank;
    if (base || (!at_once && is_uniform(t.variable)))
      sum = scaled_sum(sum, variable_value(t.variable), t.weight, type);
    else
      own.terms.push_back(t);
  }
  if (f.constant != 0)
    sum = sum < 0 ? constant(f.constant, type) : pure(Op::add, type, {sum, constant(f.constant, type)});
  if (own.terms.empty()) return sum < 0 ? constant(0, type) : sum;
  std::int64_t unit = 0;
  for (auto const& t : own.terms) unit = std::gcd(unit, t.weight);
  for (auto& t : own.terms) t.weight /= unit;
  int const units = forms_.number_of(own);
  if (fits_i32(forms_.range(units))) return scaled_sum(sum, value_of(units), unit, type);
  for (auto const& t : own.terms) sum = scaled_sum(sum, variable_value(t.variable), t.weight * unit, type);
  return sum;
}

Value Builder::load(Access access, int address) {
  std::int64_t behind = 0;
  Value const at = address_value(address, access.space, behind);
  Value const load = record({.op = Op::load, .type = Type::none, .access = access, .bits = behind}, {at});
  Value first = no_value;
  for (int k = 0; k < access.count; ++k) {
    Value const part = record({.op = Op::part, .type = loaded_type(access.type), .bits = k}, {load});
    if (k == 0) first = part;
  }
  return first;
}
void Builder::store(Access access, int address, std::vector<Value> const& numbers) {
  std::int64_t behind = 0;
  std::vector<Value> operands{address_value(address, access.space, behind)};
  for (Value x : numbers) {
    if (x < 0) throw std::logic_error("ir: a number is stored that was never set");
    operands.push_back(is_floating(what(x).type) ? convert(x, loaded_type(access.type)) : x);
  }
  record({.op = Op::store, .access = access, .bits = behind}, std::move(operands));
}
int Builder::load_index(Space space, int address, Range range) {
  Type const type = fits_i32(range) ? Type::i32 : Type::i64;
  return forms_.value(load({.space = space, .type = type, .count = 1}, address), range);
}
/// Where the block of a rank has what this one has at a place. What several places have in common is mapped once; but what another
/// block has is in a window of wider addresses, where a negative part of one does not wrap: then each place is mapped by itself.
int Builder::remote(int rank, int place) {
  int const base = shared_base();
  int const apart = forms_.plus(place, forms_.times(base, -1));
  Form varying = forms_[apart];
  varying.constant = 0;
  bool const together = forms_.range(forms_.number_of(std::move(varying))).least >= 0;
  Value const there =
      pure(Op::remote_shared, Type::i32, {value_of(together ? base : place), value_of(rank, Type::i32)});
  int const mapped = forms_.value(there, forms_.range(base));
  return together ? forms_.plus(mapped, apart) : mapped;
}

void Builder::at_address(Op op, int address) {
  std::int64_t behind = 0;
  Value const at = address_value(address, Space::global, behind);
  record({.op = op, .bits = behind}, {at});
}
Value Builder::atomic(Op op, int address, Value operand) {
  std::int64_t behind = 0;
  Value const at = address_value(address, Space::global, behind);
  return record({.op = op, .type = Type::i32, .bits = behind}, {at, operand});
}
Value Builder::load_acquire(int address) {
  std::int64_t behind = 0;
  Value const at = address_value(address, Space::global, behind);
  return record({.op = Op::load_acquire, .type = Type::i32, .bits = behind}, {at});
}
void Builder::add_release(int address) { at_address(Op::add_release, address); }
void Builder::effect(Op op) { record({.op = op}, {}); }
Value Builder::all_of_block(Value p) { return record({.op = Op::all_of_block, .type = Type::pred}, {p}); }

Value Builder::by_user(Op op, std::vector<Value> numbers, int place, int data) {
  std::size_t const count = numbers.size();
  for (Value& x : numbers) x = convert(x, real_);
  numbers.push_back(value_of(place, Type::i64));
  numbers.push_back(value_of(data, Type::i64));
  Value const call = record({.op = op}, std::move(numbers));
  Value first = no_value;
  for (std::size_t k = 0; k < count; ++k) {
    Value const part = record({.op = Op::part, .type = real_, .bits = std::int64_t(k)}, {call});
    if (k == 0) first = part;
  }
  return first;
}

Value Builder::matrix_multiply(std::vector<Value> const& operands) {
  Value const product = record({.op = Op::matrix_multiply}, operands);
  Value first = no_value;
  for (int k = 0; k < 4; ++k) {
    Value const part = record({.op = Op::part, .type = Type::f64, .bits = k}, {product});
    if (k == 0) first = part;
  }
  return first;
}

}  // namespace skipper::ir
