#include "cpu/oracle.h"

#include <algorithm>
#include <deque>

namespace skipper::cpu::testing {
namespace {

using reference::rounded;

/// reference::transformed, which remembers the last few: the same problem is run by every instruction set, in place and out of
/// place, and with other strides.
template <class R>
std::vector<reference::Complex<R>> reference_of(Problem p, std::vector<reference::Complex<R>> const& x) {
  struct Known {
    std::string problem;
    std::vector<reference::Complex<R>> x, result;
  };
  static thread_local std::deque<Known> known;
  p.placement = Placement::out_of_place;
  std::string const key = text(dense_layout(p));
  auto const same = [](reference::Complex<R> const& a, reference::Complex<R> const& b) {
    return a.re == b.re && a.im == b.im;
  };
  for (Known const& k : known)
    if (k.problem == key && std::ranges::equal(k.x, x, same)) return k.result;
  known.push_front({key, x, reference::transformed(p, x)});
  if (known.size() > 4) known.pop_back();
  return known.front().result;
}

/// Random numbers at the points of the input, the same whatever the strides, and nothing that was written between them.
template <class T>
std::vector<T> random_points(Problem const& p, unsigned seed) {
  std::mt19937 random(seed);
  skipper::testing::Uniform<T> uniform;
  bool const real = facts(p.kind).real_in;
  std::vector<T> x = unset<T>(in_bytes(p) / static_cast<Index>(sizeof(T)));
  Layout const from = layout(p, false);
  each_point(from.sizes, from.strides, [&](Index, Index at) {
    for (int part = 0; part < (real ? 1 : 2); ++part) x[real ? at : 2 * at + part] = uniform(random);
  });
  return x;
}

template <class T>
double error_of_plan(Problem const& p, Options const& options, unsigned seed) {
  Transform const transform(p, host_machine(), options);
  return error_by<T>(
      p, [&](T const* in, T* out) { execute_unset(transform, in, out); }, seed);
}

}  // namespace

Layout layout(Problem const& p, bool output) {
  Layout all;
  for (Dim const& d : p.batch) {
    all.sizes.push_back(d.size);
    all.strides.push_back(output ? d.out_stride : d.in_stride);
  }
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    all.sizes.push_back(output ? out_size(p, i) : in_size(p, i));
    all.strides.push_back(output ? p.axes[i].out_stride : p.axes[i].in_stride);
  }
  return all;
}

template <class T>
std::vector<T> random_scalars(Index count, unsigned seed) {
  std::mt19937 random(seed);
  skipper::testing::Uniform<T> uniform;
  std::vector<T> x(count);
  for (T& v : x) v = uniform(random);
  return x;
}

template std::vector<float> random_scalars(Index, unsigned);
template std::vector<double> random_scalars(Index, unsigned);

double allowed(Problem const& p) {
  double points = 1;
  bool smooth = true;
  for (Axis const& a : p.axes)
    points *= static_cast<double>(a.size),
        smooth = smooth && is_smooth(core_length(a.kind, a.size), max_radix_prime);
  double const root = std::sqrt(std::log2(std::max(2.0, points)));
  double const limit =
      p.precision == Precision::f32 ? std::max(2e-7, 1.5e-7 * root) : std::max(4e-16, 3e-16 * root);
  return smooth ? limit : 3 * limit;
}

template <class T>
double error_by(Problem const& p, std::function<void(T const*, T*)> const& run, unsigned seed) {
  using R = Beyond<T>;
  constexpr Index guard = 16;
  bool const real_in = facts(p.kind).real_in, real_out = facts(p.kind).real_out,
             inside = p.placement == Placement::in_place;
  Index const in_count = in_bytes(p) / static_cast<Index>(sizeof(T));
  Index const out_count = out_bytes(p) / static_cast<Index>(sizeof(T));
  std::vector<T> const data = random_points<T>(p, seed);
  std::vector<T> in = data, out = unset<T>(std::max(in_count, out_count) + guard);
  if (inside) std::copy(in.begin(), in.end(), out.begin());
  std::vector<T> const before = out;

  run(inside ? out.data() : in.data(), out.data());
  if (!inside) {
    EXPECT_EQ(std::memcmp(in.data(), data.data(), sizeof(T) * in_count), 0) << "input changed: " << text(p);
  }

  Layout const from = layout(p, false), to = layout(p, true);
  std::vector<reference::Complex<R>> x;
  each_point(from.sizes, from.strides, [&](Index, Index at) {
    if (real_in)
      x.push_back({R(double(data[at])), R(0.0)});
    else
      x.push_back({R(double(data[2 * at])), R(double(data[2 * at + 1]))});
  });
  x = reference_of(p, x);

  double wrong = 0, norm = 0;
  std::vector<char> written(out.size(), 0);
  each_point(to.sizes, to.strides, [&](Index i, Index at) {
    for (int part = 0; part < (real_out ? 1 : 2); ++part) {
      Index const place = real_out ? at : 2 * at + part;
      R const expected = part ? x[i].im : x[i].re;
      double const difference = rounded(expected - R(double(out[place])));
      wrong += difference * difference;
      norm += rounded(expected) * rounded(expected);
      written[place] = 1;
    }
  });
  Index touched = 0;
  bool const padded = inside && halved_axis(p);  // rows of reals end in padding that is free to use
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!written[i] && !(padded && i < std::size_t(std::max(in_count, out_count))))
      touched += std::memcmp(&out[i], &before[i], sizeof(T)) != 0;
  EXPECT_EQ(touched, 0) << "touched beyond the output: " << text(p);
  return norm > 0 ? std::sqrt(wrong / norm) : std::sqrt(wrong);
}

template double error_by(Problem const&, std::function<void(float const*, float*)> const&, unsigned);
template double error_by(Problem const&, std::function<void(double const*, double*)> const&, unsigned);

double error_of(Problem const& p, Options const& options, unsigned seed) {
  return p.precision == Precision::f32 ? error_of_plan<float>(p, options, seed)
                                       : error_of_plan<double>(p, options, seed);
}

void expect_right(Problem const& p, Options const& options, unsigned seed) {
  double const error = error_of(p, options, seed);
  EXPECT_LE(error, allowed(p)) << text(p) << "\n" << Transform(p, host_machine(), options).describe();
}

void expect_right_by_all(Problem const& p, int threads) {
  for (std::string const& set : instruction_sets()) expect_right(p, {threads, set});
}

void lay_out_at_random(Problem& p, std::mt19937& random) {
  for (bool output : {false, true}) {
    std::vector<std::pair<Index, Index*>> dims;
    for (Dim& d : p.batch) dims.push_back({d.size, output ? &d.out_stride : &d.in_stride});
    for (std::size_t i = 0; i < p.axes.size(); ++i)
      dims.push_back(
          {output ? out_size(p, i) : in_size(p, i), output ? &p.axes[i].out_stride : &p.axes[i].in_stride});
    std::shuffle(dims.begin(), dims.end(), random);
    Index stride = 1 + static_cast<Index>(random() % 3 == 0) * 2;
    for (auto& [size, place] : dims) {
      *place = stride;
      stride = stride * size + static_cast<Index>(random() % 3);
    }
  }
}

}  // namespace skipper::cpu::testing
