#include "support/reference.h"

#include <algorithm>

#include "base/numbers.h"
#include "support/fine_transform.h"

namespace skipper::testing {
namespace {

/// Scalars to evaluate the definition in: double for f32, double-double for f64 (Fine).
struct Plain {
  double re = 0, im = 0;
};

/// Lines from here on are cheaper by primes in double-double than by the definition, and cost each point so much.
template <class S>
constexpr Index long_line = std::is_same_v<S, Plain> ? 512 : 32;

void add_product(Plain& sum, std::complex<double> x, Plain const& w) {
  sum.re += x.real() * w.re - x.imag() * w.im;
  sum.im += x.real() * w.im + x.imag() * w.re;
}
void add_product(Fine& sum, Fine const& x, Fine const& w) { sum = sum + x * w; }
void add_product(Plain& sum, Plain const& x, Plain const& w) {
  add_product(sum, std::complex<double>(x.re, x.im), w);
}

template <class S>
S root(Index k, Index n, bool inverse);
template <>
Plain root<Plain>(Index k, Index n, bool inverse) {
  auto const w = root64(inverse ? -k : k, n);
  return {w.real(), w.imag()};
}
template <>
Fine root<Fine>(Index k, Index n, bool inverse) {
  WideRoot const w = wide_root(inverse ? -k : k, n);
  return {w.re, w.im};
}

void assign(Plain& to, Fine const& from) { to = {from.re.high, from.im.high}; }
void assign(Fine& to, Fine const& from) { to = from; }

/// The transform of a long line whose elements are `step` apart.
template <class S>
void transform_line(S* base, Index n, Index step, bool inverse) {
  std::vector<Fine> line;
  for (Index j = 0; j < n; ++j) line.push_back({base[j * step].re, base[j * step].im});
  if (inverse)
    for (Fine& v : line) v = conjugate(v);
  line = fine_transform(line);
  for (Index k = 0; k < n; ++k) assign(base[k * step], inverse ? conjugate(line[k]) : line[k]);
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
      mirrored_.emplace_back(radices.rbegin(), radices.rend());
    }
  }

  Index input_place(std::vector<Index> const& i) const { return place(i, axes_.in, Order::from_reversed); }
  Index output_place(std::vector<Index> const& i) const { return place(i, axes_.out, Order::reversed); }

  template <class S, class T>
  S load(Array<T> const& x, Index at) const {
    S s{};
    s.re = decltype(s.re)(double(x[at].re));
    s.im = decltype(s.im)(double(x[at].im));
    return s;
  }

  /// All outputs of one transform (batch index given): the definition, axis after axis.
  template <class S, class T>
  std::vector<S> whole(Array<T> const& in, std::vector<Index> index) const {
    Index n = 1;
    for (std::size_t a = 0; a < axes_.rank; ++a) n *= axes_.size[a];
    std::vector<S> x(n);
    for (Index i = 0; i < n; ++i) {
      unravel(i, index);
      x[i] = load<S>(in, input_place(index));
    }
    Index inner = n;
    for (std::size_t a = 0; a < axes_.rank; ++a) {
      Index const m = axes_.size[a];
      inner /= m;
      std::vector<S> w(m), line(m);
      for (Index k = 0; k < m; ++k) w[k] = root<S>(k, m, inverse());
      for (Index outer = 0; outer < n / m / inner; ++outer)
        for (Index i = 0; i < inner; ++i) {
          S* const base = x.data() + outer * m * inner + i;
          if (m >= long_line<S>) {
            transform_line(base, m, inner, inverse());
            continue;
          }
          for (Index k = 0; k < m; ++k) {
            line[k] = S{};
            for (Index j = 0, e = 0; j < m; ++j) {
              add_product(line[k], base[j * inner], w[e]);
              e += k;
              if (e >= m) e -= m;
            }
          }
          for (Index k = 0; k < m; ++k) base[k * inner] = line[k];
        }
    }
    return x;
  }

  /// All roots of unity of each axis.
  template <class S>
  std::vector<std::vector<S>> roots() const {
    std::vector<std::vector<S>> w(axes_.rank);
    for (std::size_t a = 0; a < axes_.rank; ++a)
      for (Index j = 0; j < axes_.size[a]; ++j) w[a].push_back(root<S>(j, axes_.size[a], inverse()));
    return w;
  }
  /// One output by the definition.
  template <class S, class T>
  S single(Array<T> const& in, std::vector<Index> const& k, std::vector<std::vector<S>> const& roots) const {
    std::vector<std::vector<S>> w(axes_.rank);
    for (std::size_t a = 0; a < axes_.rank; ++a)
      for (Index j = 0; j < axes_.size[a]; ++j) w[a].push_back(roots[a][mulmod(j, k[a], axes_.size[a])]);
    std::vector<Index> index = k;
    return partial<S>(in, 0, index, w);
  }

  void unravel(Index i, std::vector<Index>& index) const {
    for (std::size_t a = axes_.rank; a-- > 0; i /= axes_.size[a]) index[a] = i % axes_.size[a];
  }

  bool inverse() const { return program_.problem.direction == Direction::inverse; }
  Axes const& axes() const { return axes_; }

 private:
  template <class S, class T>
  S partial(Array<T> const& in, std::size_t a, std::vector<Index>& index,
            std::vector<std::vector<S>> const& w) const {
    if (a == axes_.rank) return load<S>(in, input_place(index));
    S sum{};
    for (Index j = 0; j < axes_.size[a]; ++j) {
      index[a] = j;
      add_product(sum, partial<S>(in, a + 1, index, w), w[a][j]);
    }
    return sum;
  }

  Index place(std::vector<Index> const& i, std::vector<Index> const& stride, Order reversing) const {
    Index at = 0;
    for (std::size_t a = 0; a < i.size(); ++a) {
      bool const reverse = a < axes_.rank && program_.problem.order == reversing;
      at +=
          (reverse ? reversed_place(reversing == Order::reversed ? radices_[a] : mirrored_[a], i[a]) : i[a]) *
          stride[a];
    }
    return at;
  }

  Program const& program_;
  Axes axes_;
  std::vector<std::vector<Index>> radices_, mirrored_;
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

double rounded(double x) { return x; }
double rounded(DoubleDouble const& x) { return x.high; }

template <class S, class T>
Errors measure(Program const& program, Array<T> const& in, Array<T> const& out, std::mt19937_64& random) {
  Comparison const c(program);
  Axes const& axes = c.axes();
  double const scale = program.problem.scale;
  Index transform = 1, work = 0, batch = 1;
  for (std::size_t a = 0; a < axes.rank; ++a)
    transform *= axes.size[a], work += std::min(axes.size[a], long_line<S>);
  for (std::size_t a = axes.rank; a < axes.size.size(); ++a) batch *= axes.size[a];
  work *= transform;

  Tally tally;
  auto const note = [&](S const& expected, std::vector<Index> const& index) {
    auto const got = c.load<S>(out, c.output_place(index));
    auto const re = expected.re * decltype(expected.re)(scale),
               im = expected.im * decltype(expected.im)(scale);
    tally.add(rounded(got.re - re), rounded(got.im - im), rounded(re), rounded(im));
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
      auto const expected = c.whole<S>(in, index);
      for (Index i = 0; i < transform; ++i) {
        c.unravel(i, index);
        note(expected[i], index);
      }
    }
  } else {
    Index const samples = std::clamp<Index>((sizeof(T) == 4 ? 20'000'000 : 4'000'000) / transform, 3, 64);
    auto const roots = c.roots<S>();
    for (Index l = 0; l < samples; ++l) {
      pick_batch(Index(random() % std::uint64_t(batch)));
      c.unravel(Index(random() % std::uint64_t(transform)), index);
      note(c.single<S>(in, index, roots), index);
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
  return measure<Plain>(program, in, out, random);
}
Errors compare(Program const& program, Array<double> const& in, Array<double> const& out,
               std::mt19937_64& random) {
  return measure<Fine>(program, in, out, random);
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
  using S = std::conditional_t<sizeof(T) == 4, Plain, Fine>;
  Comparison const c(program);
  std::vector<std::vector<S>> shift(c.axes().rank), place(c.axes().rank);
  for (std::size_t a = 0; a < c.axes().rank; ++a)
    for (Index k = 0; k < c.axes().size[a]; ++k) {
      shift[a].push_back(
          root<S>(mulmod(disturbance.shift[a], k, c.axes().size[a]), c.axes().size[a], c.inverse()));
      place[a].push_back(
          root<S>(mulmod(disturbance.place[a], k, c.axes().size[a]), c.axes().size[a], c.inverse()));
    }
  double const height = program.problem.scale * double(T(disturbance.height));
  Tally tally;
  for_each_index(c.axes(), [&](std::vector<Index> const& index) {
    S turned = c.load<S>(out, c.output_place(index)), struck{};
    struck.re = height;
    for (std::size_t a = 0; a < c.axes().rank; ++a)
      for (auto [x, w] : {std::pair{&turned, &shift[a][index[a]]}, std::pair{&struck, &place[a][index[a]]}}) {
        S product{};
        add_product(product, *x, *w);
        *x = product;
      }
    S const got = c.load<S>(out_disturbed, c.output_place(index));
    auto const re = turned.re + struck.re, im = turned.im + struck.im;
    tally.add(rounded(got.re - re), rounded(got.im - im), rounded(re), rounded(im));
  });
  return tally.result();
}

template Array<float> disturbed(Program const&, Array<float> const&, Disturbance const&);
template Array<double> disturbed(Program const&, Array<double> const&, Disturbance const&);
template Errors oracle(Program const&, Array<float> const&, Array<float> const&, Disturbance const&);
template Errors oracle(Program const&, Array<double> const&, Array<double> const&, Disturbance const&);

}  // namespace skipper::testing
