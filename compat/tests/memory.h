#pragma once
// Arrays of any layout inside guarded memory, filled with numbers, and a plan executed on them against the reference.
#include <functional>

#include "reference.h"

namespace skipper::fftw3::testing {

/// Lowest and highest offset that a side touches, from its first real part.
struct Extent {
  Index low = 0, high = 0;
};
inline Extent extent(Layout const& layout, bool out) {
  Extent result;
  Index const pair =
      out ? (layout.real_out() ? 0 : layout.out_pair) : (layout.real_in() ? 0 : layout.in_pair);
  for (Place const& place : places(layout, out))
    for (Index at : {place.offset, place.offset + pair}) {
      result.low = std::min(result.low, at);
      result.high = std::max(result.high, at);
    }
  return result;
}

struct Side {
  Real* real;
  Real* imag;
};

/// A plan for the given sides, by whatever call the test is about.
using Make = std::function<FftwPlan(Layout const&, Side in, Side out)>;
/// How it is executed; empty: by FFTW's plain execute.
using Execute = std::function<void(FftwPlan, Layout const&, Side in, Side out)>;

inline constexpr Real untouched = Real(-77.25);

class Memory {
 public:
  Memory(Layout const& layout, bool in_place, unsigned seed) : layout_(layout), random_(seed) {
    Extent const in = extent(layout, false), out = extent(layout, true);
    Index const low = in_place ? std::min(in.low, out.low) : in.low;
    Index const high = in_place ? std::max(in.high, out.high) : in.high;
    first_.assign(static_cast<std::size_t>(high - low + 1 + 2 * guard), untouched);
    in_.real = first_.data() + guard - low;
    if (!in_place) second_.assign(static_cast<std::size_t>(out.high - out.low + 1 + 2 * guard), untouched);
    out_.real = in_place ? in_.real : second_.data() + guard - out.low;
    in_.imag = layout.real_in() ? nullptr : in_.real + layout.in_pair;
    out_.imag = layout.real_out() ? nullptr : out_.real + layout.out_pair;
  }

  Side in() const { return in_; }
  Side out() const { return out_; }

  /// Fills the input; what lies between its elements stays untouched.
  void fill() {
    std::fill(first_.begin(), first_.end(), untouched);
    std::fill(second_.begin(), second_.end(), untouched);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Place> const all = places(layout_, false);
    std::vector<WideComplex> values;
    Index count = 1;
    for (auto const& dim : layout_.batch) count *= dim.n;
    Layout one = layout_;
    one.batch.clear();
    if (layout_.kind == Kind::c2r)
      for (Index b = 0; b < count; ++b)
        for (auto const& value : spectrum_of_reals(one, random_)) values.push_back(value);
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool const given = layout_.kind == Kind::c2r;
      in_.real[all[i].offset] =
          given ? static_cast<Real>(values[i].real()) : static_cast<Real>(uniform(random_));
      if (in_.imag)
        in_.imag[all[i].offset] =
            given ? static_cast<Real>(values[i].imag()) : static_cast<Real>(uniform(random_));
    }
    input_ = read(all, in_.real, in_.imag);
    before_ = first_;
  }

  /// Compares the output with the definition, and looks whether anything else was written.
  void check(std::string const& what) const {
    std::vector<Place> const all = places(layout_, true);
    Wide const off = error(read(all, out_.real, out_.imag), expected(layout_, input_));
    EXPECT_LT(off, tolerance) << what;
    std::vector<Real> rest = second_.empty() ? first_ : second_;
    Real* const base = rest.data() + (out_.real - (second_.empty() ? first_.data() : second_.data()));
    for (Place const& place : all) {
      base[place.offset] = untouched;
      if (out_.imag) base[place.offset + layout_.out_pair] = untouched;
    }
    if (second_.empty()) {  // in place, what only the input had may be anything
      for (Place const& place : places(layout_, false)) {
        base[place.offset] = untouched;
        if (in_.imag) base[place.offset + layout_.in_pair] = untouched;
      }
    } else {
      EXPECT_EQ(first_, before_) << what << ": input was changed";
    }
    for (Real const value : rest) ASSERT_EQ(value, untouched) << what << ": wrote beside the output";
  }

 private:
  static constexpr Index guard = 16;
  Layout layout_;
  std::mt19937 random_;
  std::vector<Real> first_, second_, before_;
  std::vector<WideComplex> input_;
  Side in_{}, out_{};
};

/// Plans, fills, executes and checks.
inline void verify(std::string const& what, Layout const& layout, bool in_place, Make const& make,
                   Execute const& execute = {}) {
  SCOPED_TRACE(what);
  Memory memory(layout, in_place, 1);
  FftwPlan const plan = make(layout, memory.in(), memory.out());
  ASSERT_NE(plan, nullptr);
  memory.fill();
  if (execute)
    execute(plan, layout, memory.in(), memory.out());
  else
    FFTW_NAME(execute)(plan);
  memory.check(what);
  FFTW_NAME(destroy_plan)(plan);
}

inline FftwComplex* complex(Real* pointer) { return reinterpret_cast<FftwComplex*>(pointer); }

/// By the interface that can say everything.
inline FftwPlan make_split(Layout const& l, Side in, Side out) {
  int const rank = static_cast<int>(l.axes.size()), many = static_cast<int>(l.batch.size());
  std::vector<FftwKind> kinds;
  for (int const kind : l.kinds) kinds.push_back(static_cast<FftwKind>(kind));
  auto const* axes = l.axes.data();
  auto const* batch = l.batch.data();
  unsigned const flags = FFTW_ESTIMATE;
  switch (l.kind) {
    case Kind::c2c:
      return l.sign == -1 ? FFTW_NAME(plan_guru64_split_dft)(rank, axes, many, batch, in.real, in.imag,
                                                             out.real, out.imag, flags)
                          : FFTW_NAME(plan_guru64_split_dft)(rank, axes, many, batch, in.imag, in.real,
                                                             out.imag, out.real, flags);
    case Kind::r2c:
      return FFTW_NAME(plan_guru64_split_dft_r2c)(rank, axes, many, batch, in.real, out.real, out.imag,
                                                  flags);
    case Kind::c2r:
      return FFTW_NAME(plan_guru64_split_dft_c2r)(rank, axes, many, batch, in.real, in.imag, out.real, flags);
    case Kind::r2r:
      return FFTW_NAME(plan_guru64_r2r)(rank, axes, many, batch, in.real, out.real, kinds.data(), flags);
  }
  return nullptr;
}

/// Dense, row-major, batch outermost; in place the reals of r2c and c2r are padded.
inline Layout dense(Kind kind, std::vector<Index> const& n, bool in_place = false, Index batch = 1,
                    std::vector<int> kinds = {}) {
  Layout layout;
  layout.kind = kind;
  layout.kinds = std::move(kinds);
  Index in = kind == Kind::c2c || kind == Kind::c2r ? 2 : 1,
        out = kind == Kind::c2c || kind == Kind::r2c ? 2 : 1;
  for (std::size_t i = n.size(); i-- > 0;) {
    layout.axes.insert(layout.axes.begin(), {n[i], in, out});
    bool const half = layout.halved() && i + 1 == n.size();
    Index const row = n[i] / 2 + 1, padded = in_place ? 2 * row : n[i];
    in *= !half ? n[i] : layout.real_in() ? padded : row;
    out *= !half ? n[i] : layout.real_out() ? padded : row;
  }
  if (batch != 1) layout.batch = {{batch, in, out}};
  return layout;
}

}  // namespace skipper::fftw3::testing
