// A prime length p as a cyclic convolution of p-1 points (Rader 1968): with a generator g of 1..p-1 modulo p,
//   X at g^-r = x_0 + sum_q x at g^q  w^(g^(q-r)),   X_0 = sum of all.
// For p-1 with small primes only.
#include <algorithm>

#include "cpu/convolution.h"

namespace skipper::cpu {
namespace {

template <class T>
class Rader final : public Line<T> {
 public:
  Rader(LineSpec const& spec, TableMaker& tables)
      : spec_(spec), kernels_(tables.kernels), m_(spec.n - 1), powers_(spec.n, tables) {
    bool const forward = spec.direction == Direction::forward;
    forward_ = make_smooth<T>({m_, spec.one_line, Direction::forward, 1}, tables);
    inverse_ = make_smooth<T>({m_, spec.one_line, Direction::inverse, 1}, tables);
    std::optional<RootSource> const roots = tables.all_roots<T>(spec.n);
    Sequence const sequence = roots ? rader_sequence<T>(*roots, powers_, forward) : Sequence();
    response_ = spectrum_table<T>(m_, sequence, spec.scale / static_cast<double>(m_), tables);
  }

  Index buffer_size(Index, Index columns) const override {
    return cache_aligned<T>(2 * m_ * columns) + 2 * cache_aligned<T>(2 * columns) +
           (two() && columns == 1
                ? 0
                : std::max(forward_->buffer_size(1, columns), inverse_->buffer_size(1, columns)));
  }

  std::string text() const override {
    return "rader(" + std::to_string(spec_.n) + " by " + std::to_string(m_) + "=" + forward_->text() + ")";
  }

  void run(Tile<T> const& tile) const override {
    for (Index line = 0; line < tile.lines; ++line) {
      T const* const in = tile.in + line * tile.in_line;
      T* const out = tile.out + line * tile.out_line;
      if (tile.columns == 1)
        one(in, tile.in_step, out, tile.out_step, Single{}, tile.buffer);
      else
        one(in, tile.in_step, out, tile.out_step, tile.columns, tile.buffer);
    }
  }

 private:
  struct Single {  // a column count of 1 that the compiler sees
    operator Index() const { return 1; }
  };

  bool two() const { return spec_.one_line && forward_->is_ping_pong() && inverse_->is_ping_pong(); }

  template <class Columns>
  void one(T const* in, Index in_step, T* out, Index out_step, Columns columns, T* buffer) const {
    Index const c = columns;
    T* y = buffer;
    T* const first = y + cache_aligned<T>(2 * m_ * c);
    Tile<T> inner;
    inner.columns = c;
    inner.in_step = inner.out_step = 2 * c;
    inner.in = inner.out = y;
    T* const sum = first + cache_aligned<T>(2 * c);
    inner.buffer = sum + cache_aligned<T>(2 * c);
    T const scale = static_cast<T>(spec_.scale);
    std::copy_n(in, 2 * c, first);
    for (Index q = 0; q < m_; ++q) std::copy_n(in + powers_[q] * in_step, 2 * c, y + 2 * q * c);
    // From here on nothing is read from `in`, and `out` is the second array of a single line.
    bool const two_arrays = c == 1 && two();
    if (two_arrays)
      y = forward_->run_ping_pong(y, out);
    else
      forward_->run(inner);
    for (Index i = 0; i < 2 * c; ++i) sum[i] = scale * (first[i] + y[i]);
    kernels_.multiply({y, y, response_.data(), m_, c, 2 * c, 2 * c});
    for (Index i = 0; i < 2 * c; ++i) y[i] += scale * first[i];
    if (two_arrays)
      y = inverse_->run_ping_pong(y, y == buffer ? out : buffer);
    else
      inverse_->run(inner);
    std::copy_n(sum, 2 * c, out);
    for (Index r = 0; r < m_; ++r) std::copy_n(y + 2 * r * c, 2 * c, out + powers_.inverse(r) * out_step);
  }

  LineSpec spec_;
  Kernels const& kernels_;
  Index m_;
  GeneratorPowers powers_;
  std::unique_ptr<Line<T> const> forward_, inverse_;
  Table<T> response_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_rader(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<Rader<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_rader(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_rader(LineSpec const&, TableMaker&);

}  // namespace skipper::cpu
