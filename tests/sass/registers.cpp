// See registers.h.
#include "sass/registers.h"

#include <cmath>

namespace skipper::sass {
namespace {

using Sort = Operand::Sort;

constexpr Mask all = ~Mask(0);
constexpr Mask poisoned_predicate = 0xa5c3965a;  // true for some

template <class T>
Lanes<T> same(T value) {
  Lanes<T> out;
  out.fill(value);
  return out;
}

std::size_t first_of(Mask mask) { return std::size_t(std::countr_zero(mask)); }

}  // namespace

Registers::Registers(Constants const& constants)
    : constants_(&constants), general_(zero_register + 2, same(poison)) {
  general_[zero_register] = general_[zero_register + 1] = same(0u);
  uniform_.fill(poison);
  uniform_[zero_uniform] = uniform_[zero_uniform + 1] = 0;
  predicate_.fill(poisoned_predicate);
  uniform_predicate_.fill(poisoned_predicate & 1 ? all : 0);
  predicate_[true_predicate] = uniform_predicate_[true_predicate] = all;
}

U32 const& Registers::raw(Operand const& operand, int next) const {
  return general_[std::size_t(operand.index == zero_register ? zero_register : operand.index + next)];
}

U32 Registers::plain(Operand const& operand, int next) const {
  switch (operand.sort) {
    case Sort::general:
      return raw(operand, next);
    case Sort::uniform:
      return same(uniform_[std::size_t(operand.index == zero_uniform ? zero_uniform : operand.index + next)]);
    case Sort::integer:
      return same(std::uint32_t(operand.bits >> 32 * next));
    case Sort::constant: {
      std::uint32_t word = 0;
      constants_->load(operand.bits + 4 * std::uint64_t(next), &word, 4);
      return same(word);
    }
    default:
      throw Fault("reads an operand that is no number");
  }
}

U64 Registers::plain_pair(Operand const& operand) const {
  return each(joined, plain(operand, 0), plain(operand, 1));
}

U32 Registers::u32(Operand const& operand) const {
  U32 value = plain(operand, 0);
  if (operand.inverted)
    for (auto& v : value) v = ~v;
  if (operand.negative)
    for (auto& v : value) v = ~v + 1;
  return value;
}

U64 Registers::u64(Operand const& operand) const {
  U64 value = plain_pair(operand);
  if (operand.negative)
    for (auto& v : value) v = ~v + 1;
  return value;
}

F32 Registers::f32(Operand const& operand) const {
  F32 value = each([](std::uint32_t bits) { return std::bit_cast<float>(bits); }, plain(operand, 0));
  if (operand.absolute)
    for (auto& v : value) v = std::abs(v);
  if (operand.negative)
    for (auto& v : value) v = -v;
  return value;
}

F64 Registers::f64(Operand const& operand) const {
  F64 value = each([](std::uint64_t bits) { return std::bit_cast<double>(bits); }, plain_pair(operand));
  if (operand.absolute)
    for (auto& v : value) v = std::abs(v);
  if (operand.negative)
    for (auto& v : value) v = -v;
  return value;
}

Mask Registers::truth(Operand const& operand) const {
  auto const& file = operand.sort == Sort::uniform_predicate ? uniform_predicate_ : predicate_;
  Mask const mask = file[std::size_t(operand.index)];
  return operand.inverted ? ~mask : mask;
}

U32 Registers::carry(Operand const& operand) const {
  Mask const mask = truth(operand);
  U32 out;
  for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = has(mask, lane);
  return out;
}

U64 Registers::address(Operand const& operand) const {
  Operand const general{.sort = Sort::general, .index = operand.index};
  Operand const uniform{.sort = Sort::uniform, .index = operand.uniform};
  bool const wide = operand.wide || operand.uniform_wide;
  U64 const a = operand.wide ? plain_pair(general)
                             : each([](std::uint32_t v) { return std::uint64_t(v); }, plain(general, 0));
  U64 const b = operand.uniform_wide
                    ? plain_pair(uniform)
                    : each([](std::uint32_t v) { return std::uint64_t(v); }, plain(uniform, 0));
  std::uint64_t const kept = wide ? ~std::uint64_t(0) : 0xffffffff;
  return each([&](std::uint64_t x, std::uint64_t y) { return (x + y + operand.bits) & kept; }, a, b);
}

void Registers::set(Operand const& to, Mask mask, U32 const& value, int next) {
  if (!mask) return;
  if (to.sort == Sort::uniform) {
    if (to.index != zero_uniform) uniform_[std::size_t(to.index + next)] = value[first_of(mask)];
    return;
  }
  if (to.index == zero_register) return;
  if (to.index + next >= zero_register) throw Fault("writes beyond the last register");
  U32& row = general_[std::size_t(to.index + next)];
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (has(mask, lane)) row[lane] = value[lane];
}

void Registers::set(Operand const& to, Mask mask, U64 const& value) {
  set(to, mask, each([](std::uint64_t v) { return std::uint32_t(v); }, value));
  set(to, mask, each([](std::uint64_t v) { return std::uint32_t(v >> 32); }, value), 1);
}

void Registers::set(Operand const& to, Mask mask, F32 const& value) {
  set(to, mask, each([](float v) { return std::bit_cast<std::uint32_t>(v); }, value));
}

void Registers::set(Operand const& to, Mask mask, F64 const& value) {
  set(to, mask, each([](double v) { return std::bit_cast<std::uint64_t>(v); }, value));
}

void Registers::set_truth(Operand const& to, Mask mask, Mask truth) {
  if (to.index == true_predicate) return;
  if (to.sort == Sort::uniform_predicate)
    uniform_predicate_[std::size_t(to.index)] = mask && has(truth, first_of(mask)) ? all : 0;
  else
    predicate_[std::size_t(to.index)] = (predicate_[std::size_t(to.index)] & ~mask) | (truth & mask);
}

}  // namespace skipper::sass
