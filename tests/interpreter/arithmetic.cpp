// What the interpreter computes: one loop over all threads an instruction.
#include <bit>
#include <cmath>

#include "interpreter/cluster.h"

namespace skipper::interpreter {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

template <class T, class F>
void each(std::size_t threads, T* to, F f) {
  for (std::size_t t = 0; t < threads; ++t) to[t] = f(t);
}

template <class T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}

}  // namespace

void Cluster::fixed_values() {
  ir::Kernel const& kernel = run_.kernel;
  for (Value v = 0; v < kernel.size(); ++v) {
    auto const& i = kernel[v];
    if (!is_fixed(i.op)) continue;
    std::int64_t const bits = i.op == Op::parameter  ? run_.launch.arguments.at(std::size_t(i.bits))
                              : i.op == Op::constant ? i.bits
                                                     : 0;
    bool const is_short = bytes_of(i.type) == 4;
    for (std::size_t t = 0; t < threads_; ++t) {
      std::int64_t const x = i.op == Op::thread ? thread_of(t) : i.op == Op::rank ? rank_of(t) : bits;
      if (i.type == Type::pred)
        as<char>(v)[t] = char(x);
      else if (is_short)
        as<std::int32_t>(v)[t] = std::int32_t(x);
      else
        as<std::int64_t>(v)[t] = x;
    }
  }
}

void Cluster::spread_unset(Value v) {
  auto& to = lanes(v);
  bool any = false;
  for (Value x : run_.kernel.operands_of(v)) any = any || lanes(x).any_unset;
  if (!any) return to.all_set();
  std::vector<char> unset(threads_);
  for (Value x : run_.kernel.operands_of(v))
    if (lanes(x).any_unset)
      for (std::size_t t = 0; t < threads_; ++t) unset[t] = char(unset[t] | lanes(x).unset()[t]);
  std::copy(unset.begin(), unset.end(), to.unset());
  to.any_unset = true;
}

void Cluster::pure(Value v) {
  auto const& i = run_.kernel[v];
  switch (i.op) {
    case Op::undefined:
      std::fill_n(as<std::int64_t>(v), threads_, -1);
      lanes(v).any_unset = true;
      std::fill_n(lanes(v).unset(), threads_, char(1));
      return;
    case Op::block:
    case Op::blocks: {
      Wide const number = i.op == Op::block ? tile_ : run_.launch.tiles;
      lanes(v).all_set();
      if (i.type == Type::i32)
        std::fill_n(as<std::int32_t>(v), threads_, std::int32_t(number));
      else
        std::fill_n(as<std::int64_t>(v), threads_, number);
      return;
    }
    case Op::select:
      return select(v);
    default:
      break;
  }
  spread_unset(v);
  if (i.op == Op::convert) return convert(v);
  switch (i.type) {
    case Type::pred:
      return predicate(v);
    case Type::i32:
      return integer<std::int32_t>(v);
    case Type::i64:
      return integer<std::int64_t>(v);
    case Type::f32:
      return floating<float>(v);
    case Type::f64:
      return floating<double>(v);
    default:
      fail(0, "nothing is computed in this type");
  }
}

template <class T>
void Cluster::floating(Value v) {
  auto const operands = run_.kernel.operands_of(v);
  T* const to = as<T>(v);
  T const* const a = as<T>(operands[0]);
  T const* const b = operands.size() > 1 ? as<T>(operands[1]) : nullptr;
  T const* const c = operands.size() > 2 ? as<T>(operands[2]) : nullptr;
  switch (run_.kernel[v].op) {
    case Op::negate:
      return each(threads_, to, [=](std::size_t t) { return -a[t]; });
    case Op::add:
      return each(threads_, to, [=](std::size_t t) { return a[t] + b[t]; });
    case Op::subtract:
      return each(threads_, to, [=](std::size_t t) { return a[t] - b[t]; });
    case Op::multiply:
      return each(threads_, to, [=](std::size_t t) { return a[t] * b[t]; });
    case Op::multiply_add:
      return each(threads_, to, [=](std::size_t t) { return fused(a[t], b[t], c[t]); });
    case Op::reciprocal:
      return each(threads_, to, [=](std::size_t t) { return 1 / a[t]; });
    default:
      fail(0, "no operation on floating-point numbers");
  }
}

template <class T>
void Cluster::integer(Value v) {
  using U = std::make_unsigned_t<T>;
  auto const operands = run_.kernel.operands_of(v);
  Op const op = run_.kernel[v].op;
  T* const to = as<T>(v);
  if (op == Op::multiply_wide || op == Op::multiply_add_wide) {
    auto const *const x = as<std::int32_t>(operands[0]), *const y = as<std::int32_t>(operands[1]);
    auto const* const z = operands.size() > 2 ? as<T>(operands[2]) : nullptr;
    return each(threads_, to, [=](std::size_t t) { return T(std::int64_t(x[t]) * y[t] + (z ? z[t] : 0)); });
  }
  if (op == Op::shift_left || op == Op::shift_right) {
    U const* const x = as<U>(operands[0]);
    auto const* const by = as<std::int32_t>(operands[1]);
    if (op == Op::shift_left) return each(threads_, to, [=](std::size_t t) { return T(x[t] << by[t]); });
    return each(threads_, to, [=](std::size_t t) { return T(x[t] >> by[t]); });
  }
  U const* const a = as<U>(operands[0]);
  U const* const b = operands.size() > 1 ? as<U>(operands[1]) : nullptr;
  U const* const c = operands.size() > 2 ? as<U>(operands[2]) : nullptr;
  switch (op) {
    case Op::negate:
      return each(threads_, to, [=](std::size_t t) { return T(U(0) - a[t]); });
    case Op::add:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] + b[t]); });
    case Op::subtract:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] - b[t]); });
    case Op::multiply:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] * b[t]); });
    case Op::multiply_add:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] * b[t] + c[t]); });
    case Op::multiply_high:
      return each(threads_, to, [=](std::size_t t) { return T(std::uint64_t(a[t]) * b[t] >> 32); });
    case Op::divide:
      return each(threads_, to, [=](std::size_t t) { return T(b[t] ? a[t] / b[t] : 0); });
    case Op::remainder:
      return each(threads_, to, [=](std::size_t t) { return T(b[t] ? a[t] % b[t] : 0); });
    case Op::bit_and:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] & b[t]); });
    case Op::bit_or:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] | b[t]); });
    case Op::remote_shared:
      return each(threads_, to, [=](std::size_t t) { return T(a[t] + (b[t] << Shared::rank_shift)); });
    default:
      fail(0, "no operation on integers");
  }
}

void Cluster::predicate(Value v) {
  auto const operands = run_.kernel.operands_of(v);
  char* const to = as<char>(v);
  Op const op = run_.kernel[v].op;
  auto const compare = [&]<class T>(T const* a, T const* b) {
    if (op == Op::less) return each(threads_, to, [=](std::size_t t) { return char(a[t] < b[t]); });
    return each(threads_, to, [=](std::size_t t) { return char(a[t] == b[t]); });
  };
  if (op == Op::less || op == Op::equal) {
    Value const a = operands[0], b = operands[1];
    switch (run_.kernel[a].type) {
      case Type::i32:
        return compare(as<std::int32_t>(a), as<std::int32_t>(b));
      case Type::i64:
        return compare(as<std::int64_t>(a), as<std::int64_t>(b));
      case Type::f32:
        return compare(as<float>(a), as<float>(b));
      case Type::f64:
        return compare(as<double>(a), as<double>(b));
      default:
        fail(0, "no comparison of this type");
    }
  }
  char const* const a = as<char>(operands[0]);
  char const* const b = operands.size() > 1 ? as<char>(operands[1]) : nullptr;
  if (op == Op::both) return each(threads_, to, [=](std::size_t t) { return char(a[t] & b[t]); });
  if (op == Op::either) return each(threads_, to, [=](std::size_t t) { return char(a[t] | b[t]); });
  each(threads_, to, [=](std::size_t t) { return char(!a[t]); });
}

void Cluster::convert(Value v) {
  Value const x = operand(v, 0);
  Type const from = run_.kernel[x].type, to = run_.kernel[v].type;
  auto const with = [&]<class To, class From>(To* out, From const* in) {
    each(threads_, out, [=](std::size_t t) { return To(in[t]); });
  };
  if (from == Type::i32 && to == Type::i64) return with(as<std::int64_t>(v), as<std::int32_t>(x));
  if (from == Type::i64 && to == Type::i32) return with(as<std::int32_t>(v), as<std::int64_t>(x));
  if (from == Type::f32 && to == Type::f64) return with(as<double>(v), as<float>(x));
  if (from == Type::f64 && to == Type::f32) return with(as<float>(v), as<double>(x));
  fail(0, "no conversion from " + name_of(from) + " to " + name_of(to));
}

/// For the threads whose mask is `where`.
void Cluster::copy(Value from, Lanes& to, char const* mask, char where) {
  auto const move = [&]<class T>(T const* x, T* y) {
    for (std::size_t t = 0; t < threads_; ++t)
      if (mask[t] == where) y[t] = x[t];
  };
  int const bytes = bytes_of(run_.kernel[from].type);
  if (bytes == 1)
    move(as<char>(from), to.as<char>());
  else if (bytes == 4)
    move(as<std::int32_t>(from), to.as<std::int32_t>());
  else
    move(as<std::int64_t>(from), to.as<std::int64_t>());
  if (!lanes(from).any_unset && !to.any_unset) return;
  for (std::size_t t = 0; t < threads_; ++t) {
    if (mask[t] != where) continue;
    if (lanes(from).is_unset(t))
      to.mark_unset(t);
    else if (to.any_unset)
      to.unset()[t] = 0;
  }
}

/// What is not chosen may be unset.
void Cluster::select(Value v) {
  Value const p = operand(v, 0);
  Lanes to(threads_);
  copy(operand(v, 1), to, as<char>(p), 1);
  copy(operand(v, 2), to, as<char>(p), 0);
  if (lanes(p).any_unset)
    for (std::size_t t = 0; t < threads_; ++t)
      if (lanes(p).is_unset(t)) to.mark_unset(t);
  std::swap(lanes(v), to);
}

}  // namespace skipper::interpreter
