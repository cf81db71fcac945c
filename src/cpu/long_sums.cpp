// See long_line.h: an odd number n of reals by Bluestein's algorithm, as two real sums over the even and the odd parts,
//   a_j = x_j + x_(n-j), b_j = x_j - x_(n-j):  Re X_k = sum_j a_j cos(2 pi j k / n), -Im X_k = sum_j b_j sin(2 pi j k / n)
// over 0 <= j, k <= n/2. Each sum is the real or the imaginary part of a transform of half the points and half the results:
// a convolution of m >= n points. Both share its response, which is half as long as that of a complex line, and one array,
// which they use in turn. Cosine and sine transforms (trig_program.cpp) hand over such parts already, as pairs.
#include <algorithm>

#include "cpu/long_columns.h"

namespace skipper::cpu {
namespace {

template <class T>
using Shared = std::shared_ptr<LongTables<T> const>;

/// A step that is used twice.
template <class T>
class SharedStep final : public Step<T> {
 public:
  explicit SharedStep(std::shared_ptr<Step<T> const> step) : step_(std::move(step)) {}
  Index tiles() const override { return step_->tiles(); }
  Index buffer_size() const override { return step_->buffer_size(); }
  std::string text() const override { return step_->text(); }
  void run(Index tile, T const* in, T* out, T* line, T* buffer) const override {
    step_->run(tile, in, out, line, buffer);
  }

 private:
  std::shared_ptr<Step<T> const> step_;
};

}  // namespace

/// The tables that the steps of both sums share.
template <class T>
struct SumTables {
  Shared<T> line;
  LongColumns<T> columns;
  std::shared_ptr<Step<T> const> rows;
  LineKind line_kind;  // complex: pairs on both sides
  Index in_step, out_step;

  SumTables(Shared<T> const& shared, StepSpec const& spec, TableMaker& tables)
      : line(shared),
        columns(shared, tables),
        rows(make_convolution_rows<T>(shared, tables)),
        line_kind(spec.line_kind),
        in_step(spec.in_step),
        out_step(spec.out_step) {}
};

namespace {

/// The columns that read the points of one sum: a_j or b_j times the chirp.
template <class T>
class SumPoints final : public Step<T> {
 public:
  SumPoints(std::shared_ptr<SumTables<T> const> shared, int part, TableMaker& tables)
      : t_(std::move(shared)), part_(part), kernels_(tables.kernels) {}

  Index tiles() const override { return t_->columns.tiles(); }
  Index buffer_size() const override { return t_->columns.buffer_size(); }
  std::string text() const override {
    return (part_ ? "odd half of " : "even half of ") + std::to_string(t_->line->n) + " in " +
           t_->columns.text();
  }
  void run(Index tile, T const* in, T* out, T* rest, T* buffer) const override {
    t_->columns.from_line(
        tile, out, rest, buffer, [&](Index j1, Index j2, Index count, T* row, T* row_buffer) {
          Index const j = j1 * t_->line->n2 + j2;
          T* const odd = row + t_->columns.odd_offset();
          count = std::clamp<Index>(t_->line->points - j, 0, count);
          for (T* half : {row, odd}) std::fill(half + 2 * count, half + 2 * t_->columns.width(), T(0));
          if (count == 0) return;
          auto const c = t_->line->chirp(j1, j2, false);
          ChirpArgs a = {row_buffer, nullptr, 0, c.stored, c.step, c.rotations, row, odd, count};
          if (t_->line_kind != LineKind::from_real)
            take_parts(in, j, count, row_buffer);
          else if (t_->in_step == 1 && j > 0)
            add_partner(in, j, a);
          else
            pre_process(in, j, count, row_buffer);
          kernels_.chirps.real_points(a);
        });
  }

 private:
  void add_partner(T const* in, Index j, ChirpArgs& a) const {
    Index const n = t_->line->n, later = j + t_->columns.prefetch_rows * t_->line->n2;
    if (later + a.count <= t_->line->points) {
      t_->columns.prefetch(in + later, a.count);
      t_->columns.prefetch(in + n - later - a.count, a.count);
    }
    a.x = in + j, a.partner = in + n - j;
    a.sign = part_ ? -1 : 1;
  }
  void pre_process(T const* in, Index j, Index count, T* x) const {
    Index const n = t_->line->n, step = t_->in_step;
    T const sign = part_ ? T(-1) : T(1);
    for (Index i = 0; i < count; ++i) x[i] = in[(j + i) * step] + sign * in[(n - j - i) % n * step];
    if (j == 0) x[0] = part_ ? T(0) : in[0];
  }
  /// From pairs, or from a half spectrum, whose numbers count twice, for themselves and for their conjugate partners.
  void take_parts(T const* in, Index j, Index count, T* x) const {
    Index const step = t_->in_step;
    bool const spectrum = t_->line_kind == LineKind::to_real;
    T const weight = spectrum ? T(2) : T(1);
    T const* const from = in + j * step + part_;
    for (Index i = 0; i < count; ++i) x[i] = weight * from[i * step];
    if (j == 0 && spectrum) x[0] = part_ ? T(0) : in[0];
  }

  std::shared_ptr<SumTables<T> const> t_;
  int part_;
  Kernels const& kernels_;
};

/// The columns that write the results of one sum. The first sum is kept behind the rows until the second one writes both.
template <class T>
class SumResults final : public Step<T> {
 public:
  SumResults(std::shared_ptr<SumTables<T> const> shared, int part, Sum sum, TableMaker& tables)
      : t_(std::move(shared)), part_(part), sum_(sum), kernels_(tables.kernels) {
    rows_ = (t_->line->results + t_->line->n2 - 1) / t_->line->n2;
  }

  Index tiles() const override { return t_->columns.tiles(); }
  Index buffer_size() const override { return t_->columns.buffer_size(); }
  std::string text() const override { return "from " + t_->columns.text(); }
  void run(Index tile, T const*, T* out, T* rest, T* buffer) const override {
    T* const waiting = t_->line->after_rows(rest);
    t_->columns.to_line(
        tile, rows_, out, rest, buffer, [&](T const* row, Index k1, Index k2, Index count, T* row_buffer) {
          Index const k = k1 * t_->line->n2 + k2;
          count = std::clamp<Index>(t_->line->results - k, 0, count);
          if (count == 0) return;
          auto const c = t_->line->chirp(k1, k2, true);
          T* const sums = part_ ? row_buffer : waiting + k;
          auto const dechirp =
              sum_ == Sum::cosine ? kernels_.chirps.real_part : kernels_.chirps.imaginary_part;
          dechirp({row, row + t_->columns.odd_offset(), c.stored, c.step, c.rotations, sums, count});
          if (part_) write(waiting + k, sums, k, count, out);
        });
  }

 private:
  void write(T const* re, T const* im, Index k, Index count, T* out) const {
    Index const step = t_->out_step;
    if (t_->line_kind == LineKind::to_real) {
      T* const up = out + k * step;
      T* const down = out + (t_->line->n - k) * step;
      Index i = 0;
      if (k == 0) up[0] = re[0], ++i;
      for (; i < count; ++i) up[i * step] = re[i] + im[i], down[-i * step] = re[i] - im[i];
      return;
    }
    T* const y = out + k * step;
    for (Index i = 0; i < count; ++i) y[i * step] = re[i], y[i * step + 1] = im[i];
    if (k == 0 && t_->line_kind == LineKind::from_real) y[1] = 0;
  }

  std::shared_ptr<SumTables<T> const> t_;
  int part_;
  Sum sum_;
  Index rows_ = 1;
  Kernels const& kernels_;
};

}  // namespace

template <class T>
Index add_sum_sweeps(Group<T>& group, SharedSums<T> const& shared, PairSums sums, Array from, Array to,
                     TableMaker& tables) {
  for (int const part : {0, 1}) {
    Sum const sum = part ? sums.im : sums.re;
    group.steps.push_back({std::make_unique<SumPoints<T>>(shared, part, tables), from, to});
    group.steps.push_back({std::make_unique<SharedStep<T>>(shared->rows), to, to});
    group.steps.push_back({std::make_unique<SumResults<T>>(shared, part, sum, tables), to, to});
  }
  return cache_aligned<T>(shared->line->line()) + shared->line->results;
}

template <class T>
Index add_real_convolution(Group<T>& group, Shared<T> const& line, StepSpec const& spec, Array from, Array to,
                           TableMaker& tables) {
  auto const shared = std::make_shared<SumTables<T> const>(line, spec, tables);
  return add_sum_sweeps<T>(group, shared, {}, from, to, tables);
}

template <class T>
bool long_sums_apply(Index n, Kernels const& kernels) {
  if (n % 2 == 0) return false;
  TwoFactors const factors = factor_long_convolution<T>(n, LineKind::from_real, kernels);
  return factors.second > 1 && factors.first * factors.second >= n;
}

template <class T>
SharedSums<T> make_long_sums(Index n, TableMaker& tables) {
  StepSpec half;
  half.n = n;
  half.line_kind = LineKind::from_real;
  auto const line = std::make_shared<LongTables<T> const>(half, false, tables);
  half.line_kind = LineKind::complex;
  return std::make_shared<SumTables<T> const>(line, half, tables);
}

template <class T>
Index add_long_sums(Group<T>& group, SharedSums<T> const& pairs, PairSums sums, Array at,
                    TableMaker& tables) {
  return add_sum_sweeps(group, pairs, sums, at, at, tables);
}

template Index add_real_convolution(Group<float>&, Shared<float> const&, StepSpec const&, Array, Array,
                                    TableMaker&);
template Index add_real_convolution(Group<double>&, Shared<double> const&, StepSpec const&, Array, Array,
                                    TableMaker&);
template bool long_sums_apply<float>(Index, Kernels const&);
template bool long_sums_apply<double>(Index, Kernels const&);
template SharedSums<float> make_long_sums(Index, TableMaker&);
template SharedSums<double> make_long_sums(Index, TableMaker&);
template Index add_long_sums(Group<float>&, SharedSums<float> const&, PairSums, Array, TableMaker&);
template Index add_long_sums(Group<double>&, SharedSums<double> const&, PairSums, Array, TableMaker&);

}  // namespace skipper::cpu
