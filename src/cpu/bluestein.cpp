// Any length as a convolution with a chirp (Bluestein 1970): jk = (j^2 + k^2 - (k-j)^2) / 2, so with
// c_j = exp(-pi i j^2 / n), exponents taken modulo 2n in integers,
//   X_k = c_k sum_j (x_j c_j) conj c_(k-j),
// done cyclically over m >= 2n-1 points where the passes are cheap.
#include <algorithm>
#include <cstring>

#include "cpu/convolution.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

template <class T>
class Bluestein final : public Line<T> {
 public:
  Bluestein(LineSpec const& spec, TableMaker& tables) : spec_(spec), kernels_(tables.kernels) {
    Index const n = spec.n;
    bool const forward = spec.direction == Direction::forward;
    m_ = convolution_length(2 * n - 1, spec.one_line ? least_lanes(kernels_) : 1, sizeof(T));
    forward_ = make_smooth<T>({m_, spec.one_line, Direction::forward, 1}, tables);
    inverse_ = make_smooth<T>({m_, spec.one_line, Direction::inverse, 1}, tables);
    std::optional<RootSource> const roots = tables.all_roots<T>(2 * n);
    chirp_ = tables.make<T>(n, 2, [&](Index begin, Index end, T* at) {
      fill_chirp<T>(*roots, n, begin, end - begin, !forward, at);
    });
    Sequence const sequence = roots ? chirp_sequence<T>(*roots, {n, m_, n, n, forward}) : Sequence();
    response_ = spectrum_table<T>(m_, sequence, spec.scale / static_cast<double>(m_), tables);
  }

  Index buffer_size(Index, Index columns) const override {
    Index const other =
        two() ? 2 * m_ : std::max(forward_->buffer_size(1, columns), inverse_->buffer_size(1, columns));
    return cache_aligned<T>(2 * m_ * columns) + other;
  }

  std::string text() const override {
    return "bluestein(" + std::to_string(spec_.n) + " in " + std::to_string(m_) + "=" + forward_->text() +
           ")";
  }

  void run(Tile<T> const& tile) const override {
    Index const c = tile.columns, n = spec_.n;
    Tile<T> inner;
    inner.columns = c;
    inner.in_step = inner.out_step = 2 * c;
    inner.in = inner.out = tile.buffer;
    inner.buffer = tile.buffer + cache_aligned<T>(2 * m_ * c);
    for (Index line = 0; line < tile.lines; ++line) {
      T* y = tile.buffer;
      kernels_.multiply({tile.in + line * tile.in_line, y, chirp_.data(), n, c, tile.in_step, 2 * c});
      std::memset(y + 2 * n * c, 0, sizeof(T) * 2 * (m_ - n) * c);
      if (two())
        y = forward_->run_ping_pong(y, inner.buffer);
      else
        forward_->run(inner);
      kernels_.multiply({y, y, response_.data(), m_, c, 2 * c, 2 * c});
      if (two())
        y = inverse_->run_ping_pong(y, y == tile.buffer ? inner.buffer : tile.buffer);
      else
        inverse_->run(inner);
      kernels_.multiply({y, tile.out + line * tile.out_line, chirp_.data(), n, c, 2 * c, tile.out_step});
    }
  }

 private:
  bool two() const { return spec_.one_line && forward_->is_ping_pong() && inverse_->is_ping_pong(); }

  LineSpec spec_;
  Kernels const& kernels_;
  Index m_ = 1;
  std::unique_ptr<Line<T> const> forward_, inverse_;
  Table<T> chirp_, response_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_bluestein(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<Bluestein<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_bluestein(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_bluestein(LineSpec const&, TableMaker&);

}  // namespace skipper::cpu
