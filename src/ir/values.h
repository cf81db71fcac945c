#pragma once
// The types that a kernel text computes with when it is recorded: Real for numbers, Index for integers that depend on the thread,
// the block or data, Bool for conditions on these. They do what numbers do; each operation is recorded by the builder that is
// current.
//
// A variable merges what was assigned to it within a region when the region ends, so that
//   if (auto const here = only(c)) x = f();
// means what it says.
#include <concepts>
#include <stdexcept>

#include "ir/builder.h"

namespace skipper::ir {

inline Builder& builder() { return Builder::current(); }

/// A variable of a kernel text. A copy is another variable, with the same value.
class Recorded {
 public:
  Recorded(Held kind, int held) : slot_{held, builder().depth(), 0, kind} {}
  Recorded(Recorded const& x) : Recorded(x.slot_.kind, x.slot_.held) {}
  Recorded& operator=(Recorded const& x) {
    builder().assign(slot_, x.slot_.held);
    return *this;
  }
  ~Recorded() {
    if (slot_.assigned_in > 0) builder().forget(slot_);
  }
  int held() const { return slot_.held; }

 private:
  Slot slot_;
};

class Bool : public Recorded {
 public:
  Bool(bool yes = false) : Recorded(Held::condition, builder().truth(yes)) {}
  static Bool of(Value v) { return Bool(Recorded(Held::condition, v)); }

 private:
  explicit Bool(Recorded const& x) : Recorded(x) {}
};
inline Bool operator&&(Bool const& a, Bool const& b) { return Bool::of(builder().both(a.held(), b.held())); }
inline Bool operator||(Bool const& a, Bool const& b) {
  return Bool::of(builder().either(a.held(), b.held()));
}
inline Bool operator!(Bool const& a) { return Bool::of(builder().invert(a.held())); }
inline Bool operator!=(Bool const& a, Bool const& b) { return (a && !b) || (!a && b); }

/// An integer of any type.
template <class N>
concept Integer = std::integral<N> ||(requires { N::value; } && std::convertible_to<N, std::int64_t>);

class Index : public Recorded {
 public:
  Index() : Index(0) {}
  template <Integer N>
  Index(N n) : Recorded(Held::index, builder().forms().constant(std::int64_t(n))) {}
  static Index of(int form) { return Index(Recorded(Held::index, form)); }
  Index& operator+=(Index const& b);
  Index& operator-=(Index const& b);
  Index& operator/=(Index const& b);

 private:
  explicit Index(Recorded const& x) : Recorded(x) {}
};
inline bool is_known(Index const& a) { return builder().forms().is_constant(a.held()); }
inline std::int64_t known(Index const& a) {
  if (!is_known(a)) throw std::logic_error("ir: an integer must be known when the kernel is recorded");
  return builder().forms()[a.held()].constant;
}
inline Index operator+(Index const& a, Index const& b) {
  return Index::of(builder().forms().plus(a.held(), b.held()));
}
inline Index operator-(Index const& a) { return Index::of(builder().forms().times(a.held(), -1)); }
inline Index operator-(Index const& a, Index const& b) { return a + -b; }
inline Index operator*(Index const& a, Index const& b) {
  return Index::of(builder().forms().product(a.held(), b.held()));
}
inline Index operator/(Index const& a, Index const& b) {
  return Index::of(builder().quotient(a.held(), b.held()));
}
inline Index operator%(Index const& a, Index const& b) {
  return Index::of(builder().remainder(a.held(), b.held()));
}
inline Index operator<<(Index const& a, Index const& b) { return a * Index(std::int64_t(1) << known(b)); }
inline Index operator>>(Index const& a, Index const& b) { return a / Index(std::int64_t(1) << known(b)); }
inline Index operator&(Index const& a, Index const& mask) { return a % (mask + Index(1)); }  // of low bits
inline Index& Index::operator+=(Index const& b) { return *this = *this + b; }
inline Index& Index::operator-=(Index const& b) { return *this = *this - b; }
inline Index& Index::operator/=(Index const& b) { return *this = *this / b; }
inline Bool operator<(Index const& a, Index const& b) {
  return Bool::of(builder().less_forms(a.held(), b.held()));
}
inline Bool operator>(Index const& a, Index const& b) { return b < a; }
inline Bool operator>=(Index const& a, Index const& b) { return !(a < b); }
inline Bool operator<=(Index const& a, Index const& b) { return !(b < a); }
inline Bool operator==(Index const& a, Index const& b) {
  return Bool::of(builder().equal_forms(a.held(), b.held()));
}
inline Bool operator!=(Index const& a, Index const& b) { return !(a == b); }

/// A number without a value is unset: whoever reads it is told.
class Real : public Recorded {
 public:
  Real() : Recorded(Held::number, no_value) {}
  template <class N>
  requires(std::floating_point<N> || Integer<N>) explicit Real(N x) : Real(double(x), builder().real()) {}
  Real(double x, Type type) : Recorded(Held::number, builder().number(x, type)) {}
  static Real of(Value v) { return Real(Recorded(Held::number, v)); }
  Real& operator+=(Real const& b);

 private:
  explicit Real(Recorded const& x) : Recorded(x) {}
};
inline Real operator+(Real const& a, Real const& b) { return Real::of(builder().add(a.held(), b.held())); }
inline Real operator-(Real const& a, Real const& b) {
  return Real::of(builder().subtract(a.held(), b.held()));
}
inline Real operator*(Real const& a, Real const& b) {
  return Real::of(builder().multiply(a.held(), b.held()));
}
inline Real operator-(Real const& a) { return Real::of(builder().negate(a.held())); }
inline Real& Real::operator+=(Real const& b) { return *this = *this + b; }
inline Bool operator==(Real const& a, Real const& b) { return Bool::of(builder().equal(a.held(), b.held())); }
inline Bool operator<(Real const& a, Real const& b) { return Bool::of(builder().less(a.held(), b.held())); }
inline Bool operator>(Real const& a, Real const& b) { return b < a; }
inline Real converted(Real const& a, Type to) { return Real::of(builder().convert(a.held(), to)); }

inline Real select(Bool const& yes, Real const& a, Real const& b) {
  return Real::of(builder().select(yes.held(), a.held(), b.held()));
}
inline Index select(Bool const& yes, Index const& a, Index const& b) {
  return Index::of(builder().select_form(yes.held(), a.held(), b.held()));
}
/// The same number, though its range does not say that it is not negative.
inline Index not_negative(Index const& x) {
  Range const range = builder().forms().range(x.held());
  if (range.least >= 0) return x;
  return Index::of(builder().form_of(builder().value_of(x.held()), {0, range.most}));
}
inline Bool select(Bool const& yes, Bool const& a, Bool const& b) {
  return Bool::of(builder().select(yes.held(), a.held(), b.held()));
}

/// What is done while one of these lives is done by the threads of a condition alone; where it is false, there are none.
class Region {
 public:
  explicit Region(Bool const& condition) : condition_(builder().known(condition.held())) {
    if (is_entered()) builder().begin_if(condition_);
  }
  Region(Region const&) = delete;
  Region& operator=(Region const&) = delete;
  ~Region() {
    if (is_entered()) builder().end_if();
  }
  /// Whether any thread may be inside.
  explicit operator bool() const { return !builder().is_certain(condition_, false); }

 private:
  bool is_entered() const {
    return !builder().is_certain(condition_, false) && !builder().is_certain(condition_, true);
  }
  Value condition_;
};

}  // namespace skipper::ir
