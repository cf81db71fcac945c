// See planned_row_op.h.
#include "cpu/planned_row_op.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skipper::cpu {
namespace {

template <class T>
RowPair<T> in_precision(RowPair<double> const& m) {
  return {{m.from[0], m.from[1]}, {m.to[0], m.to[1]}, {T(m.c[0]), T(m.c[1])}, {T(m.s[0]), T(m.s[1])}};
}
template <class T>
RowQuad<T> in_precision(RowQuad<double> const& m) {
  RowQuad<T> q;
  std::copy_n(m.real, 4, q.real);
  std::copy_n(m.complex, 2, q.complex);
  auto const round = [](double x) { return T(x); };
  std::transform(m.w, m.w + 2, q.w, round);
  std::transform(m.t0, m.t0 + 2, q.t0, round);
  std::transform(m.t1, m.t1 + 2, q.t1, round);
  std::transform(m.f, m.f + 4, q.f, round);
  return q;
}

using ComplexDouble = std::complex<double>;
ComplexDouble rotation_of(RowPair<double> const& m) { return {m.c[0], m.s[0]}; }
ComplexDouble number(double const (&w)[2]) { return {w[0], w[1]}; }

/// The rows of an entry, which are single numbers, their steps from entry to entry, and factors.
template <class T>
struct Steps {
  T const *x, *y;
  T *u, *v;
  Index dx, dy, du, dv;
  T c1, s1;
};

/// The row ops (row_ops.h) on single numbers at constant steps. rotation(i) gives (c0, s0) of entry i.
template <RowOp op, class T, class Rotation>
void progression_rows(Steps<T> a, Index count, Rotation const& rotation) {
  for (Index i = 0; i < count; ++i, a.x += a.dx, a.y += a.dy, a.u += a.du, a.v += a.dv) {
    auto const [c, s] = rotation(i);
    if constexpr (op == RowOp::combine) {
      T const x = a.x[0], y = a.y[0];
      a.v[0] = x * a.c1 + y * a.s1;
      a.u[0] = x * c + y * s;
    } else if constexpr (op == RowOp::pack) {
      T const re = a.x[0] * a.c1, im = a.y[0] * a.s1;
      a.u[0] = re * c - im * s, a.u[1] = re * s + im * c;
    } else {
      T const re = a.x[0] * c - a.x[1] * s, im = a.x[0] * s + a.x[1] * c;
      a.v[0] = im * a.s1;
      a.u[0] = re * a.c1;
    }
  }
}

template <class T, class Rotation>
void progression_rows(RowOp op, Steps<T> const& a, Index count, Rotation const& rotation) {
  if (op == RowOp::combine)
    progression_rows<RowOp::combine>(a, count, rotation);
  else if (op == RowOp::pack)
    progression_rows<RowOp::pack>(a, count, rotation);
  else
    progression_rows<RowOp::unpack>(a, count, rotation);
}

template <class T>
void copy_points(PassArgs const& args, void const* in, void* out) {
  std::copy(static_cast<T const*>(in) + 2 * args.begin, static_cast<T const*>(in) + 2 * args.end,
            static_cast<T*>(out) + 2 * args.begin);
}

/// Returns the end of the range from `begin` on in which test(i) holds. Tests all of the first entries and a sample of the others.
template <class Test>
Index end_of(Index begin, Index end, Test const& test) {
  constexpr Index near = 32, samples = 37;
  Index known = begin + 1;
  while (known < end && known < begin + near && test(known)) ++known;
  if (known < begin + near) return known;
  Index last = known - 1, step = near;
  while (last + step < end && test(last + step)) last += step, step *= 2;
  for (Index beyond = std::min(last + step, end); beyond - last > 1;) {
    Index const middle = last + (beyond - last) / 2;
    (test(middle) ? last : beyond) = middle;
  }
  for (Index i = 1; i < samples; ++i)
    if (!test(known + (last - known) * i / samples)) return known;
  return last + 1;
}

}  // namespace

template <class T>
PlannedRowOp<T>::PlannedRowOp(TrigOp const& op, TableMaker& tables)
    : op_(op.kind), from_(op.from), to_(op.to), pass_(tables.kernels.rows.op[int(op.kind)]) {}

template <class T>
std::vector<PlannedRowOp<T>> PlannedRowOp<T>::of(TrigOp const& op, bool neighbours, Entries entries,
                                                 TableMaker& tables) {
  std::vector<PlannedRowOp> all;
  if (op.product.n > 0) {
    all.push_back(PlannedRowOp(op, tables));
    all.back().add_product(op.product, tables);
    return all;
  }
  if (auto const found = neighbours ? find_vector_run(op, max_lanes(tables.kernels)) : std::nullopt) {
    std::vector<Index> rest(op.count - (found->end - found->begin) * (found->dct4 ? 2 : 1));
    for (std::size_t i = 0; i < rest.size(); ++i)
      rest[i] = Index(i) < found->begin ? Index(i) : found->end + Index(i) - found->begin;
    if (!rest.empty()) {
      all.push_back(PlannedRowOp(op, tables));
      all.back().add_entries(op, std::move(rest), tables);
    }
    all.push_back(PlannedRowOp(op, tables));
    if (found->dct4)
      all.back().add_dct4(op, *found, tables);
    else
      all.back().add_run(op, *found, tables);
    return all;
  }
  all.push_back(PlannedRowOp(op, tables));
  if (entries == Entries::stored || op.count <= grain)
    all.back().add_table(op, tables);
  else
    all.back().make_entries(op);
  return all;
}

template <class T>
void PlannedRowOp<T>::add_product(TrigProduct const& product, TableMaker& tables) {
  Index const n = product.n, row = n + 64 / static_cast<Index>(sizeof(T));  // vectors read beyond
  matrix_ = tables.make<T>(n, row, [&](Index begin, Index end, T* at) {
    for (Index i = begin; i < end; ++i, at += row) {
      std::transform(&product.matrix[i * n], &product.matrix[i * n] + n, at, [](double x) { return T(x); });
      std::fill(at + n, at + row, T(0));
    }
  });
  product_ = product;
  product_.matrix.clear();
  pass_ = tables.kernels.rows.product;
  count_ = 1;
}

template <class T>
void PlannedRowOp<T>::add_entries(TrigOp const& op, std::vector<Index> numbers, TableMaker& tables) {
  count_ = static_cast<Index>(numbers.size());
  if (op.quad)
    quads_ = tables.make<RowQuad<T>>(count_, 1, [&](Index begin, Index end, RowQuad<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = in_precision<T>(op.quad(numbers[i]));
    });
  else
    pairs_ = tables.make<RowPair<T>>(count_, 1, [&](Index begin, Index end, RowPair<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = in_precision<T>(op.pair(numbers[i]));
    });
}

template <class T>
void PlannedRowOp<T>::add_table(TrigOp const& op, TableMaker& tables) {
  count_ = op.count;
  if (op.quad)
    quads_ = tables.make<RowQuad<T>>(count_, 1, [&](Index begin, Index end, RowQuad<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = in_precision<T>(op.quad(i));
    });
  else
    pairs_ = tables.make<RowPair<T>>(count_, 1, [&](Index begin, Index end, RowPair<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = in_precision<T>(op.pair(i));
    });
}

/// The rotations of a long run are products from a two-level table: that of the block, and that of the entry within a block.
template <class T>
void PlannedRowOp<T>::add_run(TrigOp const& op, FoundRun const& found, TableMaker& tables) {
  VectorRun<double> const& run = found.run;
  bool const shuffled = op_ == RowOp::pack || op_ == RowOp::unpack;
  run_ = std::make_unique<VectorRun<T>>();
  VectorRun<T>& r = *run_;
  r.count = run.count;
  std::copy_n(run.real, 4, r.real);
  std::copy_n(run.complex, 2, r.complex);
  std::transform(run.factor, run.factor + 4, r.factor, [](double x) { return T(x); });
  r.up = run.up;
  count_ = shuffled ? run.count / 2 : run.count;
  pass_ = found.copies ? copy_points<T> : tables.kernels.rows.run[int(op_)];
  if (!op.quad) return;
  Index const first = found.begin;
  constexpr Index long_block = 256;
  bool const two = run.count > grain;
  Index const lanes = max_lanes(tables.kernels), length = two ? long_block : run.count;
  auto const base = op.quad(first);
  using Part = double(RowQuad<double>::*)[2];
  Part const parts[] = {&RowQuad<double>::w, &RowQuad<double>::t0, &RowQuad<double>::t1};
  matrix_ = tables.make<T>(length / lanes, 6 * lanes, [&](Index begin, Index end, T* at) {
    for (Index k = begin * lanes; k < end * lanes; ++k) {
      auto const q = op.quad(first + k);
      for (Index p = 0; p < 3; ++p) {
        ComplexDouble const rotation =
            two ? number(q.*parts[p]) * std::conj(number(base.*parts[p])) : number(q.*parts[p]);
        T* const to = at + (k / lanes - begin) * 6 * lanes + 2 * p * lanes + k % lanes;
        to[0] = T(rotation.real()), to[lanes] = T(rotation.imag());
      }
    }
  });
  r.table = matrix_.data();
  if (!two) return;
  coarse_ = tables.make<T>((run.count + long_block - 1) / long_block, 6, [&](Index begin, Index end, T* at) {
    for (Index b = begin; b < end; ++b) {
      auto const q = op.quad(first + b * long_block);
      for (Part const part : parts) *at++ = T((q.*part)[0]), *at++ = T((q.*part)[1]);
    }
  });
  r.coarse = coarse_.data();
  r.block = long_block;
}

template <class T>
void PlannedRowOp<T>::add_dct4(TrigOp const& op, FoundRun const& found, TableMaker& tables) {
  VectorRun<double> const& run = found.run;
  run_ = std::make_unique<VectorRun<T>>();
  VectorRun<T>& r = *run_;
  r.count = run.count;
  r.up = run.up;
  std::transform(run.factor, run.factor + 4, r.factor, [](double x) { return T(x); });
  count_ = found.end;
  pass_ = tables.kernels.rows.rotated[int(op_)];
  bool const two = count_ > grain;
  r.block = two ? 256 : grain;
  ComplexDouble const first = rotation_of(op.pair(0));
  matrix_ = tables.make<T>(std::min(r.block, count_), 2, [&](Index begin, Index end, T* at) {
    for (Index k = begin; k < end; ++k) {
      ComplexDouble const rotation = rotation_of(op.pair(k)) * (two ? std::conj(first) : 1);
      *at++ = T(rotation.real()), *at++ = T(rotation.imag());
    }
  });
  coarse_ = tables.make<T>((count_ + r.block - 1) / r.block, 2, [&](Index begin, Index end, T* at) {
    for (Index b = begin; b < end; ++b) {
      ComplexDouble const rotation = two ? rotation_of(op.pair(b * r.block)) : 1;
      *at++ = T(rotation.real()), *at++ = T(rotation.imag());
    }
  });
  r.table = matrix_.data(), r.coarse = coarse_.data();
  r.last[0] = T(run.last[0]), r.last[1] = T(run.last[1]);
}

template <class T>
PlannedRowOp<T>::Progression::Progression(TrigOp const& op, Index at)
    : begin(at), end(at + 1), first(op.pair(at)) {
  RowPair<double> const second = at + 1 < op.count ? op.pair(at + 1) : first;
  for (int r : {0, 1}) from[r] = second.from[r] - first.from[r], to[r] = second.to[r] - first.to[r];
  rotation = rotation_of(second) * std::conj(rotation_of(first)) / std::norm(rotation_of(first));
  end = end_of(at, op.count, [&](Index i) { return holds(i, op.pair(i)); });
}

template <class T>
bool PlannedRowOp<T>::Progression::holds(Index i, RowPair<double> const& m) const {
  i -= begin;
  bool same = m.c[1] == first.c[1] && m.s[1] == first.s[1];
  for (int r : {0, 1})
    same = same && m.from[r] == first.from[r] + i * from[r] && m.to[r] == first.to[r] + i * to[r];
  ComplexDouble const rotated = std::polar(1.0, static_cast<double>(i) * std::arg(rotation));
  return same && std::abs(rotation_of(m) - rotation_of(first) * rotated) < 1e-6;
}

template <class T>
void PlannedRowOp<T>::make_entries(TrigOp const& op) {
  count_ = op.count;
  computed_ = op;
  if (!op.pair) return;
  Progression const* longest = nullptr;
  for (Index at = 0; at < count_ && progressions_.size() < max_progressions; at = progressions_.back().end)
    progressions_.emplace_back(op, at);
  for (Progression const& progression : progressions_)
    if (progression.rotation != 1.0 &&
        (!longest || progression.end - progression.begin > longest->end - longest->begin))
      longest = &progression;
  for (Progression& progression : progressions_)  // one table of rotations does for all
    progression.alike =
        progression.end - progression.begin >= 4 &&
        (progression.rotation == 1.0 || std::abs(progression.rotation - longest->rotation) < 1e-12);
  for (Index i = 0; i < block; ++i) {
    Index const at = longest ? longest->begin + i : count_;
    ComplexDouble const rotation = longest && at < longest->end
                                       ? rotation_of(op.pair(at)) * std::conj(rotation_of(longest->first))
                                       : ComplexDouble(1);
    rotations_.insert(rotations_.end(), {T(rotation.real()), T(rotation.imag())});
  }
}

template <class T>
void PlannedRowOp<T>::run_progression(Progression const& progression, Index begin, Index end,
                                      RowStrides const& p, T const* in, T* out) const {
  RowPair<double> const& m = progression.first;
  Index const at = begin - progression.begin;
  static constexpr T zero = 0;  // stands for rows from -1, which may be in memory that nobody wrote
  Steps<T> steps = {m.from[0] < 0 ? &zero : in + (m.from[0] + at * progression.from[0]) * p.in_row,
                    m.from[1] < 0 ? &zero : in + (m.from[1] + at * progression.from[1]) * p.in_row,
                    out + (m.to[0] + at * progression.to[0]) * p.out_row,
                    out + (m.to[1] + at * progression.to[1]) * p.out_row,
                    m.from[0] < 0 ? 0 : progression.from[0] * p.in_row,
                    m.from[1] < 0 ? 0 : progression.from[1] * p.in_row,
                    progression.to[0] * p.out_row,
                    progression.to[1] * p.out_row,
                    T(m.c[1]),
                    T(m.s[1])};
  struct Rotation {
    T c, s;
  };
  if (progression.rotation == 1.0) {
    Rotation const same = {T(m.c[0]), T(m.s[0])};
    return progression_rows(op_, steps, end - begin, [&](Index) { return same; });
  }
  for (Index i = begin; i < end; i += block) {
    Index const count = std::min(block, end - i);
    auto const w = computed_.pair(i);
    T const c = T(w.c[0]), s = T(w.s[0]);
    T const* const rotations = rotations_.data();
    progression_rows(op_, steps, count, [&](Index k) {
      return Rotation{c * rotations[2 * k] - s * rotations[2 * k + 1],
                      c * rotations[2 * k + 1] + s * rotations[2 * k]};
    });
    steps.x += count * steps.dx, steps.y += count * steps.dy;
    steps.u += count * steps.du, steps.v += count * steps.dv;
  }
}

/// Computes entries one by one.
template <class T>
void PlannedRowOp<T>::run_few(Index begin, Index end, BoundPass bound, T const* in, T* out) const {
  constexpr Index some = 32;
  RowPair<T> pairs[some];
  RowQuad<T> quads[some];
  for (Index first = begin; first < end; first += some) {
    Index const count = std::min(some, end - first);
    for (Index k = 0; k < count; ++k)
      if (computed_.quad)
        quads[k] = in_precision<T>(computed_.quad(first + k));
      else
        pairs[k] = in_precision<T>(computed_.pair(first + k));
    bound.args.rows = count;
    bound.args.weights = computed_.quad ? static_cast<void const*>(quads) : pairs;
    bound.pass(bound.args, in, out);
  }
}

template <class T>
void PlannedRowOp<T>::run_computed(Index begin, Index end, RowStrides const& strides, BoundPass bound,
                                   T const* in, T* out) const {
  auto progression = std::upper_bound(progressions_.begin(), progressions_.end(), begin,
                                      [](Index i, Progression const& e) { return i < e.end; });
  while (begin < end) {
    bool const some = strides.columns == 1 && progression != progressions_.end() && progression->alike;
    Index const stop = progression == progressions_.end() ? end : std::min(end, progression->end);
    if (some)
      run_progression(*progression, begin, stop, strides, in, out);
    else
      run_few(begin, stop, bound, in, out);
    begin = stop;
    if (progression != progressions_.end()) ++progression;
  }
}

template <class T>
bool PlannedRowOp<T>::bind(RowStrides const& strides, BoundPass& bound) const {
  bound = {};
  bound.pass = pass_;
  PassArgs& a = bound.args;
  a.columns = strides.columns;
  a.rows = count_;
  a.in_row = strides.in_row, a.out_row = strides.out_row;
  if (TrigProduct const& p = product_; p.n > 0) {
    a.radix = p.n;
    a.in_row = p.n + 64 / static_cast<Index>(sizeof(T));  // of the matrix
    bound.from_at = p.in_first * strides.in_row, bound.to_at = p.out_first * strides.out_row;
    a.in_step = p.in_step * strides.in_row, a.out_step = p.out_step * strides.out_row;
    a.weights = matrix_.data();
  } else if (run_) {
    a.weights = run_.get();
    a.end = count_;
  } else {
    a.weights = quads_.empty() ? static_cast<void const*>(pairs_.data()) : quads_.data();
  }
  return !computed_.pair && !computed_.quad;
}

template <class T>
void PlannedRowOp<T>::run(Index begin, Index end, RowStrides const& strides, T const* in, T* out) const {
  BoundPass b;
  if (!bind(strides, b)) return run_computed(begin, end, strides, b, in, out);
  bool const shuffled = op_ == RowOp::pack || op_ == RowOp::unpack;
  VectorRun<T> part;
  if (run_ && shuffled) {
    b.args.begin = begin, b.args.end = end;
  } else if (run_) {
    part = *run_;
    Index const step = part.up ? begin : -begin;
    bool const quads = op_ == RowOp::split || op_ == RowOp::merge;
    for (int r = 0; r < 4; ++r) part.real[r] += (quads ? r == 0 || r == 3 : r % 2 == 0) ? step : -step;
    part.complex[0] += begin, part.complex[1] -= begin;
    part.count = end - begin;
    if (part.coarse)
      part.coarse += 6 * (begin / part.block);
    else if (part.table)
      part.table += 6 * begin;
    b.args.weights = &part;
  } else if (product_.n == 0) {
    b.args.rows = end - begin;
    b.args.weights = quads_.empty() ? static_cast<void const*>(pairs_.data() + begin) : quads_.data() + begin;
  }
  b.pass(b.args, in + b.from_at, out + b.to_at);
}

template class PlannedRowOp<float>;
template class PlannedRowOp<double>;

}  // namespace skipper::cpu
