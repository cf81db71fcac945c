// n = r m where only m's own algorithm is hard (Rader, Bluestein, a short prime): the r lines x_(r j + i), i < r, are
// transformed one by one where they stand, strided, and a last pass joins them (decimation in time):
//   X_(k1 + m k2) = sum_i w_r^(i k2) w_n^(i k1) Y_i,k1.
// Lanes run along k1, so nothing is transposed.
#include <algorithm>

#include "base/roots.h"
#include "cpu/convolution.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

template <class T>
class Joined final : public Line<T> {
 public:
  Joined(LineSpec const& spec, Kernels const& kernels)
      : spec_(spec), radix_(join_radix(spec.n)), length_(spec.n / radix_) {
    int i = 0;
    while (kernels.table[i].lanes > length_) ++i;
    table_ = &kernels.table[i];
    LineSpec inner = spec;
    inner.n = length_;
    line_ = make_line<T>(inner, kernels);
    Index const lanes = table_->lanes;
    double const sign = spec.direction == Direction::forward ? 1 : -1;
    auto const w = roots<double>(spec.n, spec.n);
    for (Index next = 0; next < length_; next += lanes) {
      Index const k = std::min(next, length_ - lanes);
      for (Index r = 1; r < radix_; ++r) {
        for (Index l = 0; l < lanes; ++l) twiddles_.push_back(static_cast<T>(w[(k + l) * r].real()));
        for (Index l = 0; l < lanes; ++l) twiddles_.push_back(static_cast<T>(sign * w[(k + l) * r].imag()));
      }
    }
  }

  Index scratch(Index, Index) const override { return rounded<T>(2 * spec_.n) + line_->scratch(1, 1); }
  std::string text() const override { return line_->text() + "x" + std::to_string(radix_); }

  void run(Tile<T> const& tile) const override {
    bool const forward = spec_.direction == Direction::forward;
    PassArgs a;
    a.twiddles = twiddles_.data();
    a.columns = length_;
    a.in_step = forward ? 2 * length_ : -2 * length_;
    a.in_first = forward ? 0 : 2 * length_ * radix_;
    a.out_step = 2 * length_;
    Tile<T> inner;
    inner.in_step = radix_ * tile.in_step;
    inner.scratch = tile.scratch + rounded<T>(2 * spec_.n);
    for (Index line = 0; line < tile.lines; ++line) {
      for (Index i = 0; i < radix_; ++i) {
        inner.in = tile.in + line * tile.in_line + i * tile.in_step;
        inner.out = tile.scratch + 2 * i * length_;
        line_->run(inner);
      }
      table_->whole->join[radix_](a, tile.scratch, tile.out + line * tile.out_line);
    }
  }

 private:
  LineSpec spec_;
  Index radix_, length_;
  PassTable const* table_ = nullptr;
  std::unique_ptr<Line<T> const> line_;
  std::vector<T> twiddles_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_joined(LineSpec const& spec, Kernels const& kernels) {
  return std::make_unique<Joined<T>>(spec, kernels);
}
template std::unique_ptr<Line<float> const> make_joined(LineSpec const&, Kernels const&);
template std::unique_ptr<Line<double> const> make_joined(LineSpec const&, Kernels const&);

}  // namespace skipper::cpu
