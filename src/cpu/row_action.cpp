// See row_action.h.
#include "cpu/row_action.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpu/trig_runs.h"

namespace skipper::cpu {
namespace {

template <class T>
RowMove<T> rounded(RowMove<double> const& m) {
  return {{m.from[0], m.from[1]}, {m.to[0], m.to[1]}, {T(m.c[0]), T(m.c[1])}, {T(m.s[0]), T(m.s[1])}};
}
template <class T>
RowQuad<T> rounded(RowQuad<double> const& m) {
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

using Number = std::complex<double>;
Number turn_of(RowMove<double> const& m) { return {m.c[0], m.s[0]}; }
Number number(double const (&w)[2]) { return {w[0], w[1]}; }

/// Entries of a block whose rows go on evenly from the first, with the same factors.
struct Even {
  RowMove<double> first;
  Index from[2], to[2];  // from entry to entry

  Even(RowMove<double> const& a, RowMove<double> const& b) : first(a) {
    for (int r : {0, 1}) from[r] = b.from[r] - a.from[r], to[r] = b.to[r] - a.to[r];
  }
  bool holds(Index i, RowMove<double> const& m, Number turn) const {
    bool same = m.c[1] == first.c[1] && m.s[1] == first.s[1];
    for (int r : {0, 1})
      same = same && m.from[r] == first.from[r] + i * from[r] && m.to[r] == first.to[r] + i * to[r];
    return same && std::abs(turn_of(m) - turn_of(first) * turn) < 1e-12;
  }
};

/// What the kernels do with entries (rows.h), for single numbers whose places are counted on.
template <RowOp op, class T>
void even_rows(Even const& even, T const* turns, Index count, RowPlaces const& p, T const* in, T* out) {
  RowMove<double> const& m = even.first;
  Index const out_row = p.out_row, in_row = p.in_row;
  T const* x = in + std::max<Index>(0, m.from[0]) * in_row;
  T const* y = in + std::max<Index>(0, m.from[1]) * in_row;
  T *u = out + m.to[0] * out_row, *v = out + m.to[1] * out_row;
  Index const dx = even.from[0] * in_row, dy = even.from[1] * in_row, du = even.to[0] * out_row,
              dv = even.to[1] * out_row;
  T const c1 = T(m.from[0] < 0 ? 0 : m.c[1]), s1 = T(m.from[1] < 0 ? 0 : m.s[1]);
  T const fc = T(m.c[0]), fs = T(m.s[0]);
  for (Index i = 0; i < count; ++i, x += dx, y += dy, u += du, v += dv) {
    T const c = fc * turns[2 * i] - fs * turns[2 * i + 1], s = fc * turns[2 * i + 1] + fs * turns[2 * i];
    if constexpr (op == RowOp::mix) {
      T const a = x[0], b = y[0];
      v[0] = a * c1 + b * s1;
      u[0] = a * c + b * s;
    } else if constexpr (op == RowOp::zip) {
      T const re = x[0] * c1, im = y[0] * s1;
      u[0] = re * c - im * s, u[1] = re * s + im * c;
    } else {
      T const re = x[0] * c - x[1] * s, im = x[0] * s + x[1] * c;
      v[0] = im * s1;
      u[0] = re * c1;
    }
  }
}

}  // namespace

template <class T>
RowAction<T>::RowAction(TrigAction const& action, TableMaker& tables)
    : op_(action.op), from_(action.from), to_(action.to), pass_(tables.kernels.rows.op[int(action.op)]) {}

template <class T>
std::vector<RowAction<T>> RowAction<T>::of(TrigAction const& action, bool neighbours, Entries entries,
                                           TableMaker& tables) {
  std::vector<RowAction> all;
  if (action.product.n > 0) {
    all.push_back(RowAction(action, tables));
    all.back().add_product(action.product, tables);
    return all;
  }
  if (auto const found = neighbours ? find_run(action, most_lanes(tables.kernels)) : std::nullopt) {
    std::vector<Index> rest(action.count - (found->end - found->begin));
    for (std::size_t i = 0; i < rest.size(); ++i)
      rest[i] = Index(i) < found->begin ? Index(i) : found->end + Index(i) - found->begin;
    if (!rest.empty()) {
      all.push_back(RowAction(action, tables));
      all.back().add_entries(action, std::move(rest), tables);
    }
    all.push_back(RowAction(action, tables));
    all.back().add_run(action, found->run, found->begin, tables);
    return all;
  }
  all.push_back(RowAction(action, tables));
  if (entries == Entries::stored || action.count <= grain)
    all.back().add_table(action, tables);
  else
    all.back().make_entries(action);
  return all;
}

template <class T>
void RowAction<T>::add_product(TrigProduct const& product, TableMaker& tables) {
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
void RowAction<T>::add_entries(TrigAction const& action, std::vector<Index> numbers, TableMaker& tables) {
  count_ = static_cast<Index>(numbers.size());
  if (action.quad)
    quads_ = tables.make<RowQuad<T>>(count_, 1, [&](Index begin, Index end, RowQuad<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = rounded<T>(action.quad(numbers[i]));
    });
  else
    moves_ = tables.make<RowMove<T>>(count_, 1, [&](Index begin, Index end, RowMove<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = rounded<T>(action.move(numbers[i]));
    });
}

template <class T>
void RowAction<T>::add_table(TrigAction const& action, TableMaker& tables) {
  count_ = action.count;
  if (action.quad)
    quads_ = tables.make<RowQuad<T>>(count_, 1, [&](Index begin, Index end, RowQuad<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = rounded<T>(action.quad(i));
    });
  else
    moves_ = tables.make<RowMove<T>>(count_, 1, [&](Index begin, Index end, RowMove<T>* at) {
      for (Index i = begin; i < end; ++i) *at++ = rounded<T>(action.move(i));
    });
}

/// The turns of a long run are products: one of its block's, and one of the entry's within a block.
template <class T>
void RowAction<T>::add_run(TrigAction const& action, RowRun<double> const& run, Index first,
                           TableMaker& tables) {
  bool const shuffled = op_ == RowOp::zip || op_ == RowOp::unzip;
  run_ = std::make_unique<RowRun<T>>();
  RowRun<T>& r = *run_;
  r.count = run.count;
  std::copy_n(run.real, 4, r.real);
  std::copy_n(run.complex, 2, r.complex);
  std::transform(run.factor, run.factor + 4, r.factor, [](double x) { return T(x); });
  r.up = run.up;
  count_ = shuffled ? run.count / 2 : run.count;
  pass_ = tables.kernels.rows.run[int(op_)];
  if (!action.quad) return;
  constexpr Index long_block = 256;
  bool const two = run.count > grain;
  Index const lanes = most_lanes(tables.kernels), length = two ? long_block : run.count;
  auto const base = action.quad(first);
  using Part = double(RowQuad<double>::*)[2];
  Part const parts[] = {&RowQuad<double>::w, &RowQuad<double>::t0, &RowQuad<double>::t1};
  matrix_ = tables.make<T>(length / lanes, 6 * lanes, [&](Index begin, Index end, T* at) {
    for (Index k = begin * lanes; k < end * lanes; ++k) {
      auto const q = action.quad(first + k);
      for (Index p = 0; p < 3; ++p) {
        Number const turn =
            two ? number(q.*parts[p]) * std::conj(number(base.*parts[p])) : number(q.*parts[p]);
        T* const to = at + (k / lanes - begin) * 6 * lanes + 2 * p * lanes + k % lanes;
        to[0] = T(turn.real()), to[lanes] = T(turn.imag());
      }
    }
  });
  r.table = matrix_.data();
  if (!two) return;
  coarse_ = tables.make<T>((run.count + long_block - 1) / long_block, 6, [&](Index begin, Index end, T* at) {
    for (Index b = begin; b < end; ++b) {
      auto const q = action.quad(first + b * long_block);
      for (Part const part : parts) *at++ = T((q.*part)[0]), *at++ = T((q.*part)[1]);
    }
  });
  r.coarse = coarse_.data();
  r.block = long_block;
}

template <class T>
void RowAction<T>::make_entries(TrigAction const& action) {
  count_ = action.count;
  made_ = action;
  if (!action.move) return;
  Index const base = count_ / 4;  // away from the ends, where entries are as the others are
  Number const first = turn_of(action.move(base));
  for (Index i = 0; i < block; ++i) turns_.push_back(turn_of(action.move(base + i)) / first);
  for (Number const& turn : turns_)
    rounded_turns_.insert(rounded_turns_.end(), {T(turn.real()), T(turn.imag())});
}

/// Whether entries of a block go on evenly from the first: some of them are asked.
template <class T>
bool RowAction<T>::run_even(Index begin, Index count, RowPlaces const& places, T const* in, T* out) const {
  if (count < 4 || places.columns > 1 || !made_.move) return false;
  auto const second = made_.move(begin + 1);
  Even const even(made_.move(begin), second);
  if (!even.holds(1, second, turns_[1])) return false;
  for (Index i : {Index(2), count / 2, count - 2, count - 1})
    if (!even.holds(i, made_.move(begin + i), turns_[i])) return false;
  T const* const turns = rounded_turns_.data();
  if (op_ == RowOp::mix)
    even_rows<RowOp::mix>(even, turns, count, places, in, out);
  else if (op_ == RowOp::zip)
    even_rows<RowOp::zip>(even, turns, count, places, in, out);
  else
    even_rows<RowOp::unzip>(even, turns, count, places, in, out);
  return true;
}

template <class T>
void RowAction<T>::run_made(Index begin, Index end, RowPlaces const& places, Bound bound, T const* in,
                            T* out) const {
  constexpr Index some = 32;
  RowMove<T> moves[some];
  RowQuad<T> quads[some];
  for (Index i = begin; i < end; i += block) {
    Index const stop = std::min(i + block, end);
    if (run_even(i, stop - i, places, in, out)) continue;
    for (Index first = i; first < stop; first += some) {
      Index const count = std::min(some, stop - first);
      for (Index k = 0; k < count; ++k)
        if (made_.quad)
          quads[k] = rounded<T>(made_.quad(first + k));
        else
          moves[k] = rounded<T>(made_.move(first + k));
      bound.args.rows = count;
      bound.args.weights = made_.quad ? static_cast<void const*>(quads) : moves;
      bound.pass(bound.args, in, out);
    }
  }
}

template <class T>
bool RowAction<T>::bind(RowPlaces const& places, Bound& bound) const {
  bound = {};
  bound.pass = pass_;
  PassArgs& a = bound.args;
  a.columns = places.columns;
  a.rows = count_;
  a.in_row = places.in_row, a.out_row = places.out_row;
  if (TrigProduct const& p = product_; p.n > 0) {
    a.radix = p.n;
    a.in_row = p.n + 64 / static_cast<Index>(sizeof(T));  // of the matrix
    bound.from_at = p.in_first * places.in_row, bound.to_at = p.out_first * places.out_row;
    a.in_step = p.in_step * places.in_row, a.out_step = p.out_step * places.out_row;
    a.weights = matrix_.data();
  } else if (run_) {
    a.weights = run_.get();
    a.end = count_;
  } else {
    a.weights = quads_.empty() ? static_cast<void const*>(moves_.data()) : quads_.data();
  }
  return !made_.move && !made_.quad;
}

template <class T>
void RowAction<T>::run(Index begin, Index end, RowPlaces const& places, T const* in, T* out) const {
  Bound b;
  if (!bind(places, b)) return run_made(begin, end, places, b, in, out);
  bool const shuffled = op_ == RowOp::zip || op_ == RowOp::unzip;
  RowRun<T> part;
  if (run_ && shuffled) {
    b.args.begin = begin, b.args.end = end;
  } else if (run_) {
    part = *run_;
    Index const step = part.up ? begin : -begin;
    bool const quads = op_ == RowOp::split || op_ == RowOp::join;
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
    b.args.weights = quads_.empty() ? static_cast<void const*>(moves_.data() + begin) : quads_.data() + begin;
  }
  b.pass(b.args, in + b.from_at, out + b.to_at);
}

template class RowAction<float>;
template class RowAction<double>;

}  // namespace skipper::cpu
