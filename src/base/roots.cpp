// Reduces k/n by symmetry, in integers and so exactly, to an angle (pi/2) part/n of the first octant; there
// the Taylor series in double-double. Long tables add angles instead: every root of the octant is the product
// of one of about sqrt(n) coarse and one of about sqrt(n) fine roots.
#include "base/roots.h"

#include <skipper/error.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/lazy.h"
#include "base/numbers.h"

namespace skipper {
namespace {

constexpr DoubleDouble half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// 1/k!. Up to 28 the rest of either series is below 2^-112 for angles up to pi/4.
constexpr int terms = 28;

std::array<DoubleDouble, terms + 1> const& inverse_factorials() {
  static constinit Lazy<std::array<DoubleDouble, terms + 1>> table;
  return table.get([] {
    std::array<DoubleDouble, terms + 1> values;
    values[0] = 1.0;
    for (int k = 1; k <= terms; ++k) values[k] = values[k - 1] / DoubleDouble(k);
    return values;
  });
}

// cos and sin of the angle (pi/2) part/n, 0 <= part <= n/2.
WideRoot octant_root(Index part, Index n) {
  DoubleDouble const angle = half_pi * (wide(part) / wide(n));
  DoubleDouble const minus_square = -(angle * angle);
  auto const& coefficient = inverse_factorials();
  DoubleDouble even = coefficient[terms], odd = coefficient[terms - 1];
  for (int k = terms - 2; k > 0; k -= 2) {
    even = even * minus_square + coefficient[k];
    odd = odd * minus_square + coefficient[k - 1];
  }
  return {even * minus_square + 1.0, odd * angle};
}

// The way back from the first octant.
struct Symmetry {
  Index part;  // of n quarter turns, 0 <= part <= n/2
  bool swap, negate_re, negate_im;
};

// 0 <= k < n.
Symmetry reduce(Index k, Index n) {
  Symmetry s = {0, false, false, true};  // exp(-i angle) = cos - i sin
  if (k > n - k) {
    k = n - k;
    s.negate_im = false;
  }
  // In quarter turns over n: half a turn, 2n, is at most 2^63 and needs the sign bit.
  auto const turn = static_cast<std::uint64_t>(n);
  std::uint64_t part = 4 * static_cast<std::uint64_t>(k);
  if (part > turn) {
    part = 2 * turn - part;
    s.negate_re = true;
  }
  if (2 * part > turn) {
    part = turn - part;
    s.swap = true;
  }
  s.part = static_cast<Index>(part);
  return s;
}

// Zero stays positive, so that equal roots are equal bits.
DoubleDouble negated_if(bool negate, DoubleDouble a) { return negate && a.high != 0 ? -a : a; }

WideRoot restore(Symmetry const& s, WideRoot const& root) {
  return {negated_if(s.negate_re, s.swap ? root.im : root.re),
          negated_if(s.negate_im, s.swap ? root.re : root.im)};
}

WideRoot product(WideRoot const& a, WideRoot const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

}  // namespace

// The first octant of all roots of n, as coarse x fine.
class RootSource::Octant {
 public:
  explicit Octant(Index n) : n_(n), unit_(gcd(n, 4)), unit_shift_(unit_ / 2) {
    while (block_ * block_ < parts()) block_ *= 2, ++shift_;
  }

  // How many roots it evaluates to begin with.
  Index cost() const { return block_ + parts() / block_ + 1; }

  void fill() {
    for (Index i = 0; i < block_; ++i) fine_.push_back(octant_root(i * unit_, n_));
    for (Index i = 0; i * block_ < parts(); ++i) coarse_.push_back(octant_root(i * block_ * unit_, n_));
  }

  WideRoot at(Index part) const {
    Index const i = part >> unit_shift_;
    return product(coarse_[static_cast<std::size_t>(i >> shift_)],
                   fine_[static_cast<std::size_t>(i & (block_ - 1))]);
  }
  // The same by doubles.
  std::complex<double> near(Index part) const {
    Index const i = part >> unit_shift_;
    WideRoot const &a = coarse_[static_cast<std::size_t>(i >> shift_)],
                   &b = fine_[static_cast<std::size_t>(i & (block_ - 1))];
    return {a.re.high * b.re.high - a.im.high * b.im.high, a.re.high * b.im.high + a.im.high * b.re.high};
  }
  Index order() const { return n_; }

 private:
  // Every part that reduce() yields is a multiple of unit_, up to n/2.
  Index parts() const { return n_ / 2 / unit_ + 1; }

  Index n_, unit_;
  int unit_shift_;  // unit_ is 1, 2 or 4
  Index block_ = 1;
  int shift_ = 0;  // block_ is 2^shift_
  std::vector<WideRoot> coarse_, fine_;
};

namespace {

void require_order(Index n) {
  if (n < 1 || n > Index(1) << 62) {
    throw Error("n", "is " + std::to_string(n) + " but roots of unity need 1 <= n <= 2^62");
  }
}

Index residue(Index k, Index n) { return k % n < 0 ? k % n + n : k % n; }

template <class T>
T rounded(DoubleDouble a) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return to_double(a);
  } else {
    return to_float(a);
  }
}

template <class T>
std::complex<T> rounded(WideRoot const& root) {
  return {rounded<T>(root.re), rounded<T>(root.im)};
}

}  // namespace

WideRoot wide_root(Index k, Index n) {
  require_order(n);
  Symmetry const symmetry = reduce(residue(k, n), n);
  return restore(symmetry, octant_root(symmetry.part, n));
}

std::complex<double> root64(Index k, Index n) { return rounded<double>(wide_root(k, n)); }

std::complex<float> root32(Index k, Index n) { return rounded<float>(wide_root(k, n)); }

RootSource::RootSource(Index n) {
  require_order(n);
  auto octant = std::make_unique<Octant>(n);
  octant->fill();
  octant_ = std::move(octant);
}
RootSource::~RootSource() = default;
RootSource::RootSource(RootSource&&) noexcept = default;
RootSource& RootSource::operator=(RootSource&&) noexcept = default;

template <class T>
std::complex<double> RootSource::at(Index k) const {
  Symmetry const s = reduce(k, octant_->order());
  if constexpr (sizeof(T) == sizeof(double)) return rounded<double>(restore(s, octant_->at(s.part)));
  std::complex<double> const root = octant_->near(s.part);
  double const re = s.swap ? root.imag() : root.real(), im = s.swap ? root.real() : root.imag();
  return {s.negate_re ? 0.0 - re : re, s.negate_im ? 0.0 - im : im};
}
template std::complex<double> RootSource::at<float>(Index) const;
template std::complex<double> RootSource::at<double>(Index) const;

template <class T>
std::vector<std::complex<T>> roots(Index n, Index count, Index step) {
  require_order(n);
  if (count < 0) throw Error("count", "is " + std::to_string(count) + " but must not be negative");
  RootSource::Octant octant(n);
  bool const tabled = octant.cost() < count / 2;
  if (tabled) octant.fill();
  std::vector<std::complex<T>> table;
  table.reserve(static_cast<std::size_t>(count));
  Index const stride = residue(step, n);
  Index k = 0;  // i * step modulo n
  for (Index i = 0; i < count; ++i) {
    Symmetry const s = reduce(k, n);
    table.push_back(rounded<T>(restore(s, tabled ? octant.at(s.part) : octant_root(s.part, n))));
    k = k < n - stride ? k + stride : k - (n - stride);
  }
  return table;
}

template std::vector<std::complex<float>> roots<float>(Index, Index, Index);
template std::vector<std::complex<double>> roots<double>(Index, Index, Index);

}  // namespace skipper
