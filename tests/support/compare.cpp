#include "support/compare.h"

#include <algorithm>

#include "base/numbers.h"
#include "reference/transform.h"

namespace skipper::testing {
namespace {

using reference::Complex;
using reference::rounded;

/// Points from which on the reference takes a line by a transform (reference/axis.h), whose points cost so much.
template <class R>
constexpr Index long_line = std::is_same_v<R, double> ? 512 : 32;

template <class R>
Complex<R> root(Index k, Index n, bool inverse) {
  auto const w = root_in<R>(k, n);
  return inverse ? conjugate(w) : w;
}

struct Axes {
  std::vector<Index> size, in, out;  // axes first, then batch dimensions
  std::size_t rank = 0;
};

Axes axes_of(Problem const& p) {
  Axes a;
  for (Axis const& x : p.axes)
    a.size.push_back(x.size), a.in.push_back(x.in_stride), a.out.push_back(x.out_stride);
  a.rank = p.axes.size();
  for (Dim const& x : p.batch)
    a.size.push_back(x.size), a.in.push_back(x.in_stride), a.out.push_back(x.out_stride);
  return a;
}

/// Where index i of an axis stands when its digits, in the order of transforming, are reversed.
Index reversed_place(std::vector<Index> const& radices, Index i) {
  Index place = 0;
  for (Index r : radices) {
    place = place * r + i % r;
    i /= r;
  }
  return place;
}

class Comparison {
 public:
  explicit Comparison(Program const& program) : program_(program), axes_(axes_of(program.problem)) {
    for (std::size_t a = 0; a < axes_.rank; ++a) {
      std::vector<Index> radices;  // dims list the axes from the last to the first
      std::size_t seen = 0;
      for (std::size_t d = 0; d < program.dims.size(); ++d)
        if (program.dims[d].axis && seen++ == axes_.rank - 1 - a)  // a convolved axis is never reversed
          radices = program.convolved.count(int(d)) ? std::vector{program.dims[d].size} : program.radices[d];
      radices_.push_back(radices);
      // Reversed input is what a forward program with the mirrored radices leaves behind.
      hermitian_.emplace_back(radices.rbegin(), radices.rend());
    }
  }

  Index input_place(std::vector<Index> const& i) const { return place(i, axes_.in, Order::from_reversed); }
  Index output_place(std::vector<Index> const& i) const { return place(i, axes_.out, Order::reversed); }

  template <class T>
  Complex<Beyond<T>> load(Array<T> const& x, Index at) const {
    return {Beyond<T>(double(x[at].re)), Beyond<T>(double(x[at].im))};
  }

  /// All outputs of one transform (batch index given).
  template <class T>
  std::vector<Complex<Beyond<T>>> whole(Array<T> const& in, std::vector<Index> index) const {
    Index n = 1;
    for (std::size_t a = 0; a < axes_.rank; ++a) n *= axes_.size[a];
    std::vector<Complex<Beyond<T>>> x(n);
    for (Index i = 0; i < n; ++i) {
      unravel(i, index);
      x[i] = load(in, input_place(index));
    }
    return reference::transformed(program_.problem, std::move(x));
  }

  /// One output, of the transform whose batch index is the rest of k.
  template <class T>
  Complex<Beyond<T>> single(Array<T> const& in, std::vector<Index> const& k,
                            reference::Outputs<Beyond<T>> const& outputs) const {
    std::vector<Index> place = k;
    return outputs.at({k.begin(), k.begin() + std::ptrdiff_t(axes_.rank)},
                      [&](std::vector<Index> const& index) {
                        std::copy(index.begin(), index.end(), place.begin());
                        return load(in, input_place(place));
                      });
  }

  void unravel(Index i, std::vector<Index>& index) const {
    for (std::size_t a = axes_.rank; a-- > 0; i /= axes_.size[a]) index[a] = i % axes_.size[a];
  }

  bool inverse() const { return program_.problem.direction == Direction::inverse; }
  Axes const& axes() const { return axes_; }

 private:
  Index place(std::vector<Index> const& i, std::vector<Index> const& stride, Order reversing) const {
    Index at = 0;
    for (std::size_t a = 0; a < i.size(); ++a) {
      bool const reverse = a < axes_.rank && program_.problem.order == reversing;
      at += (reverse ? reversed_place(reversing == Order::reversed ? radices_[a] : hermitian_[a], i[a])
                     : i[a]) *
            stride[a];
    }
    return at;
  }

  Program const& program_;
  Axes axes_;
  std::vector<std::vector<Index>> radices_, hermitian_;
};

struct Tally {
  double error = 0, norm = 0, worst = 0;
  Index count = 0;
  void add(double e_re, double e_im, double re, double im) {
    double const e = e_re * e_re + e_im * e_im;
    error += e;
    worst = std::max(worst, e);
    norm += re * re + im * im;
    ++count;
  }
  Errors result() const {
    double const mean = norm / double(std::max<Index>(count, 1));
    if (norm == 0) return {std::sqrt(error), std::sqrt(worst)};
    return {std::sqrt(error / norm), std::sqrt(worst / mean)};
  }
};

template <class T>
Errors measure(Program const& program, Array<T> const& in, Array<T> const& out, std::mt19937_64& random) {
  Comparison const c(program);
  Axes const& axes = c.axes();
  Index transform = 1, work = 0, batch = 1;
  for (std::size_t a = 0; a < axes.rank; ++a)
    transform *= axes.size[a], work += std::min(axes.size[a], long_line<Beyond<T>>);
  for (std::size_t a = axes.rank; a < axes.size.size(); ++a) batch *= axes.size[a];
  work *= transform;

  Tally tally;
  auto const note = [&](Complex<Beyond<T>> const& expected, std::vector<Index> const& index) {
    auto const error = c.load(out, c.output_place(index)) - expected;
    tally.add(rounded(error.re), rounded(error.im), rounded(expected.re), rounded(expected.im));
  };
  std::vector<Index> index(axes.size.size(), 0);
  auto const pick_batch = [&](Index b) {
    for (std::size_t a = axes.size.size(); a-- > axes.rank; b /= axes.size[a]) index[a] = b % axes.size[a];
  };
  constexpr Index affordable = sizeof(T) == 4 ? 30'000'000 : 3'000'000;
  if (work <= affordable) {
    Index const lines = std::min<Index>(batch, std::max<Index>(3, affordable / work / 4));
    for (Index l = 0; l < std::min<Index>(lines, 64); ++l) {
      pick_batch(l == 0 ? 0 : l == 1 ? batch - 1 : Index(random() % std::uint64_t(batch)));
      auto const expected = c.whole(in, index);
      for (Index i = 0; i < transform; ++i) {
        c.unravel(i, index);
        note(expected[i], index);
      }
    }
  } else {
    Index const samples = std::clamp<Index>((sizeof(T) == 4 ? 20'000'000 : 4'000'000) / transform, 3, 64);
    reference::Outputs<Beyond<T>> const outputs(program.problem);
    for (Index l = 0; l < samples; ++l) {
      pick_batch(Index(random() % std::uint64_t(batch)));
      c.unravel(Index(random() % std::uint64_t(transform)), index);
      note(c.single(in, index, outputs), index);
    }
  }
  return tally.result();
}

}  // namespace

double allowed_error(Problem const& problem) {
  double n = 1;
  for (Axis const& a : problem.axes) n *= double(a.size);
  double const root = std::sqrt(std::max(1.0, std::log2(n)));
  return problem.precision == Precision::f32 ? std::max(2e-7, 1.5e-7 * root) : std::max(4e-16, 3e-16 * root);
}

Index array_size(Problem const& problem, bool output) {
  Index last = 0;
  for (Axis const& a : problem.axes) last += (a.size - 1) * (output ? a.out_stride : a.in_stride);
  for (Dim const& b : problem.batch) last += (b.size - 1) * (output ? b.out_stride : b.in_stride);
  return last + 1;
}

Errors compare(Program const& program, Array<float> const& in, Array<float> const& out,
               std::mt19937_64& random) {
  return measure(program, in, out, random);
}
Errors compare(Program const& program, Array<double> const& in, Array<double> const& out,
               std::mt19937_64& random) {
  return measure(program, in, out, random);
}

namespace {

template <class F>
void for_each_index(Axes const& axes, F f) {
  std::vector<Index> index(axes.size.size(), 0);
  for (;;) {
    f(index);
    std::size_t a = index.size();
    while (a-- > 0 && ++index[a] == axes.size[a]) index[a] = 0;
    if (a == std::size_t(-1)) return;
  }
}

}  // namespace

Disturbance random_disturbance(Problem const& problem, std::mt19937_64& random) {
  Disturbance d;
  for (Axis const& a : problem.axes) {
    d.shift.push_back(Index(random() % std::uint64_t(a.size)));
    d.place.push_back(Index(random() % std::uint64_t(a.size)));
  }
  Index n = 1;
  for (Axis const& a : problem.axes) n *= a.size;
  d.height = std::sqrt(double(n));  // as loud in every output as the noise
  return d;
}

template <class T>
Array<T> disturbed(Program const& program, Array<T> const& in, Disturbance const& disturbance) {
  Comparison const c(program);
  Array<T> out = in;
  for_each_index(c.axes(), [&](std::vector<Index> const& index) {
    std::vector<Index> from = index;
    bool struck = true;
    for (std::size_t a = 0; a < c.axes().rank; ++a) {
      from[a] = (index[a] + c.axes().size[a] - disturbance.shift[a]) % c.axes().size[a];
      struck = struck && index[a] == disturbance.place[a];
    }
    auto& x = out[c.input_place(index)];
    x = in[c.input_place(from)];
    if (struck) x.re += T(disturbance.height);
  });
  return out;
}

template <class T>
Errors oracle(Program const& program, Array<T> const& out, Array<T> const& out_disturbed,
              Disturbance const& disturbance) {
  using R = Beyond<T>;
  Comparison const c(program);
  std::vector<std::vector<Complex<R>>> shift(c.axes().rank), place(c.axes().rank);
  for (std::size_t a = 0; a < c.axes().rank; ++a)
    for (Index k = 0; k < c.axes().size[a]; ++k) {
      Index const n = c.axes().size[a];
      shift[a].push_back(root<R>(mulmod(disturbance.shift[a], k, n), n, c.inverse()));
      place[a].push_back(root<R>(mulmod(disturbance.place[a], k, n), n, c.inverse()));
    }
  double const height = program.problem.scale * double(T(disturbance.height));
  Tally tally;
  for_each_index(c.axes(), [&](std::vector<Index> const& index) {
    Complex<R> rotated = c.load(out, c.output_place(index)), struck{R(height), R(0.0)};
    for (std::size_t a = 0; a < c.axes().rank; ++a) {
      rotated = rotated * shift[a][index[a]];
      struck = struck * place[a][index[a]];
    }
    Complex<R> const expected = rotated + struck,
                     error = c.load(out_disturbed, c.output_place(index)) - expected;
    tally.add(rounded(error.re), rounded(error.im), rounded(expected.re), rounded(expected.im));
  });
  return tally.result();
}

template Array<float> disturbed(Program const&, Array<float> const&, Disturbance const&);
template Array<double> disturbed(Program const&, Array<double> const&, Disturbance const&);
template Errors oracle(Program const&, Array<float> const&, Array<float> const&, Disturbance const&);
template Errors oracle(Program const&, Array<double> const&, Array<double> const&, Disturbance const&);

}  // namespace skipper::testing
