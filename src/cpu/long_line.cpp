// See long_line.h: with j = j1 n2 + j2 and k = k1 + n1 k2,
//   X_k = sum_j2 w_n2^(j2 k2) w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x_j,
// first over j1 as columns, then over j2. In between the array is transposed and twiddled: as the columns are written to the
// output, or, where that is the input too or its points lie apart, by way of a buffer. An even real line is a complex one
// of half the length and a Hermitian split sweep.
#include "cpu/long_line.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "cpu/long_tables.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

/// The Hermitian split (variant/hermitian_split.h) as a sweep of its own.
template <class T>
class HermitianSplit final : public Step<T> {
 public:
  HermitianSplit(Index n, bool forward, TableMaker& tables)
      : half_(n / 2), forward_(forward), kernels_(tables.kernels) {
    auto const roots = tables.roots(n);
    fine_ = tables.make<T>(std::min(piece, half_ / 2 + 1), 2, [&](Index begin, Index end, T* at) {
      fill_roots(*roots, n, begin, 1, end - begin, !forward, at);
    });
    coarse_ = tables.make<T>(tiles(), 2, [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2)
        fill_split_factor(*roots, tile * piece, forward, at);
    });
  }
  Index tiles() const override { return half_ / 2 / piece + 1; }
  Index buffer_size() const override { return 2 * piece; }
  std::string text() const override { return "Hermitian split " + std::to_string(half_); }
  void run(Index tile, T const* in, T* out, T*, T* buffer) const override {
    PassArgs a;
    a.begin = tile * piece;
    a.end = std::min(a.begin + piece, half_ / 2 + 1);
    a.columns = half_;
    Index const count = a.end - a.begin;
    kernels_.multiply({fine_.data(), buffer, coarse_.data() + 2 * tile, 1, count, 2 * count, 2 * count});
    a.twiddles = buffer;
    a.first_twiddle = a.begin;
    (forward_ ? kernels_.to_real_spectrum : kernels_.from_real_spectrum)(a, in, out);
  }

 private:
  static constexpr Index piece = 2048;
  Index half_;
  bool forward_;
  Kernels const& kernels_;
  Table<T> fine_, coarse_;  // u_k = coarse[k / piece] fine[k % piece]
};

/// The part of n whose primes have no codelets: what Rader or Bluestein would transform.
Index hard_part(Index n) {
  for (Index p : {2, 3, 5, 7, 11, 13})
    while (n % p == 0) n /= p;
  return n;
}

/// Whether two sweeps do a line with large primes, with tables for a digit instead of for the line. Both digits must be long, so that
/// a tile of columns by Bluestein, for which each thread has a buffer, is small against the line.
bool cuts_evenly(Index n) {
  constexpr Index least = 512, most = 1 << 15;
  TwoFactors const factors = factor_long_line(n);
  return factors.first >= least && factors.second > 1 && factors.second <= most;
}

/// The factors where a thread does whole lines: a short first digit, so that wide tiles of both digits fit in cache.
TwoFactors cut_for_one_thread(Index n) {
  constexpr Index best = 64;
  auto const distance = [](Index d) {
    return d < best ? double(best) / double(d) : double(d) / double(best);
  };
  TwoFactors factors = factor_long_line(n);
  for (Index d : divisors(n))
    if (distance(d) <= 2 && distance(d) < distance(factors.first)) factors = {d, n / d};
  return factors;
}

/// Transposes and twiddles the columns as they are written; the second digit is then done in place in the output.
template <class T>
void add_sweeps_in_output(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables) {
  auto const [n1, n2] =
      spec.shared || !has_passes(spec.n) ? factor_long_line(spec.n) : cut_for_one_thread(spec.n);
  StepSpec columns = spec;
  columns.n = n1;
  columns.in_step = n2 * spec.in_step;
  columns.out_step = 2;
  columns.loops = {{n2, spec.in_step, n1 * 2}};
  columns.twiddles = {spec.n, Twiddles::When::writing};
  group.steps.push_back({make_step<T>(columns, tables), from, to});
  StepSpec last = spec;
  last.n = n2;
  last.scale = 1;
  last.in_step = last.out_step = n1 * 2;
  last.loops = {{n1, 2, 2}};
  last.out_of_cache = false;  // the columns have just been written
  group.steps.push_back({make_step<T>(last, tables), to, to});
}

/// Goes through Array::line: the lines of the second digit are transposed and twiddled as they are read, and written as columns.
template <class T>
void add_sweeps_by_buffer(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables) {
  auto const [n1, n2] = factor_long_line(spec.n);
  StepSpec columns = spec;
  columns.n = n1;
  columns.in_step = n2 * spec.in_step;
  columns.out_step = n2 * 2;
  columns.loops = {{n2, spec.in_step, 2}};
  group.steps.push_back({make_step<T>(columns, tables), from, Array::line});
  StepSpec lines = columns;
  lines.n = n2;
  lines.scale = 1;
  lines.in_step = 2;
  lines.out_step = n1 * spec.out_step;
  lines.loops = {{n1, n2 * 2, spec.out_step}};
  lines.twiddles = {spec.n, Twiddles::When::reading};
  group.steps.push_back({make_step<T>(lines, tables), Array::line, to});
}

/// Returns the scalars that they need of Array::line.
template <class T>
Index add_two_sweeps(Group<T>& group, StepSpec const& spec, Array from, Array to, bool out_of_place,
                     TableMaker& tables) {
  if (out_of_place && spec.out_step == 2) {
    add_sweeps_in_output(group, spec, from, to, tables);
    return 0;
  }
  add_sweeps_by_buffer(group, spec, from, to, tables);
  return 2 * spec.n;
}

}  // namespace

bool two_sweeps_apply(Index n) { return (has_passes(n) || cuts_evenly(n)) && factor_long_line(n).second > 1; }

TwoFactors factor_long_line(Index n) {
  TwoFactors best = {n, 1};
  for (Index d : divisors(n))
    if (d * d <= n && d * d * d >= n) best = {d, n / d};
  return best;
}

template <class T>
bool long_reals_apply(Index n, LineKind line_kind, Kernels const& kernels) {
  Index const hard = hard_part(n);
  if (n > hard && rader_applies<T>({hard, true}, kernels)) return false;  // lines of these, joined, are good
  return factor_long_convolution<T>(n, line_kind, kernels).second > 1;
}

template <class T>
bool long_line_applies(Index n, Kernels const& kernels) {
  if (has_passes(n) || cuts_evenly(n)) return factor_long_line(n).second > 1;
  if (n > 4 * hard_part(n)) return false;  // lines of the hard part, joined, are good
  return long_reals_apply<T>(n, LineKind::complex, kernels);
}

template <class T>
Index add_long_line(Group<T>& group, StepSpec const& spec, Array from, Array to, bool out_of_place,
                    TableMaker& tables) {
  bool const from_real = spec.line_kind == LineKind::from_real, to_real = spec.line_kind == LineKind::to_real;
  Index const n = from_real || to_real ? spec.n / 2 : spec.n;
  if ((from_real || to_real) && spec.n % 2)
    return has_passes(spec.n) ? add_long_reals(group, spec, from, to, tables)
                              : add_long_convolution(group, spec, from, to, out_of_place, tables);
  Index in_step = from_real ? 2 : spec.in_step, out_step = to_real ? 2 : spec.out_step;
  if (to_real) {
    group.steps.push_back({std::make_unique<HermitianSplit<T>>(spec.n, false, tables), from, to});
    from = to;
    out_of_place = false;
    in_step = out_step;
  }
  StepSpec whole = spec;
  whole.line_kind = LineKind::complex;
  whole.n = n;
  whole.in_step = in_step, whole.out_step = out_step;
  Index const scalars = has_passes(n) || cuts_evenly(n)
                            ? add_two_sweeps(group, whole, from, to, out_of_place, tables)
                            : add_long_convolution(group, whole, from, to, out_of_place, tables);
  if (from_real) group.steps.push_back({std::make_unique<HermitianSplit<T>>(spec.n, true, tables), to, to});
  return scalars;
}
template bool long_line_applies<float>(Index, Kernels const&);
template bool long_line_applies<double>(Index, Kernels const&);
template bool long_reals_apply<float>(Index, LineKind, Kernels const&);
template bool long_reals_apply<double>(Index, LineKind, Kernels const&);
template Index add_long_line(Group<float>&, StepSpec const&, Array, Array, bool, TableMaker&);
template Index add_long_line(Group<double>&, StepSpec const&, Array, Array, bool, TableMaker&);

}  // namespace skipper::cpu
