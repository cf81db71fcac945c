// Decimation in time, for n = r m where passes cannot do m (which takes Rader, Bluestein or a symmetric prime DFT): the r
// strided lines x_(r j + i), i < r, are transformed one by one, and a last pass of radix r combines them:
//   X_(k1 + m k2) = sum_i w_r^(i k2) w_n^(i k1) Y_i,k1.
// Lanes run along k1, so nothing is transposed.
#include <algorithm>

#include "cpu/convolution.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

template <class T>
class DitLine final : public Line<T> {
 public:
  DitLine(LineSpec const& spec, TableMaker& tables)
      : spec_(spec), radix_(dit_radix(spec.n)), length_(spec.n / radix_) {
    Kernels const& kernels = tables.kernels;
    int i = 0;
    while (kernels.table[i].lanes > length_) ++i;
    table_ = &kernels.table[i];
    LineSpec inner = spec;
    inner.n = length_;
    line_ = make_line<T>(inner, tables);
    make_twiddles(tables);
  }

  Index buffer_size(Index, Index) const override {
    return cache_aligned<T>(2 * spec_.n) + cache_aligned<T>(pieces_ > 1 ? row() * piece : 0) +
           line_->buffer_size(1, 1);
  }
  std::string text() const override { return line_->text() + "x" + std::to_string(radix_); }

  void run(Tile<T> const& tile) const override {
    bool const forward = spec_.direction == Direction::forward;
    PassArgs a;
    T* const twiddle_buffer = tile.buffer + cache_aligned<T>(2 * spec_.n);
    a.in_step = forward ? 2 * length_ : -2 * length_;
    a.in_first = forward ? 0 : 2 * length_ * radix_;
    a.out_step = 2 * length_;
    Tile<T> inner;
    inner.in_step = radix_ * tile.in_step;
    inner.buffer = twiddle_buffer + cache_aligned<T>(pieces_ > 1 ? row() * piece : 0);
    for (Index line = 0; line < tile.lines; ++line) {
      for (Index i = 0; i < radix_; ++i) {
        inner.in = tile.in + line * tile.in_line + i * tile.in_step;
        inner.out = tile.buffer + 2 * i * length_;
        line_->run(inner);
      }
      T* const out = tile.out + line * tile.out_line;
      for (Index p = 0; p < pieces_; ++p) {
        a.columns = pieces_ == 1 ? length_ : blocks_of(p) * table_->lanes;
        a.twiddles = twiddles_of(p, twiddle_buffer);
        table_->unbuffered->dit[radix_](a, tile.buffer + 2 * first_of(p), out + 2 * first_of(p));
      }
    }
  }

 private:
  static constexpr Index piece = 16;  // blocks of lanes

  Index row() const { return 2 * (radix_ - 1) * table_->lanes; }  // twiddles of a block, in scalars
  Index blocks() const { return (length_ + table_->lanes - 1) / table_->lanes; }
  /// Of a piece of several. The last begins where it fills whole blocks: some columns are done twice.
  Index blocks_of(Index p) const { return std::min(piece, blocks() - p * piece); }
  Index first_of(Index p) const {
    if (pieces_ == 1) return 0;
    return std::min(p * piece * table_->lanes, length_ - blocks_of(p) * table_->lanes);
  }

  /// w^(k r), lanes running along k: a table of all, or, where that would be as long as the line, those of a piece
  /// against its first column, and for every piece those of that column.
  void make_twiddles(TableMaker& tables) {
    Index const lanes = table_->lanes;
    pieces_ = blocks() <= 64 * piece ? 1 : (blocks() + piece - 1) / piece;
    double const sign = spec_.direction == Direction::forward ? 1 : -1;
    std::optional<RootSource> const roots = tables.all_roots<T>(spec_.n);
    twiddles_ = tables.make<T>(pieces_ == 1 ? blocks() : piece, row(), [&](Index begin, Index end, T* at) {
      for (Index block = begin; block < end; ++block) {
        Index const k = std::min(block * lanes, length_ - lanes);
        for (Index r = 1; r < radix_; ++r, at += 2 * lanes)
          for (Index l = 0; l < lanes; ++l) {
            auto const w = roots->at<T>((k + l) * r);
            at[l] = static_cast<T>(w.real());
            at[lanes + l] = static_cast<T>(sign * w.imag());
          }
      }
    });
    if (pieces_ == 1) return;
    firsts_ = tables.make<T>(pieces_, 2 * (radix_ - 1), [&](Index begin, Index end, T* at) {
      for (Index p = begin; p < end; ++p, at += 2 * (radix_ - 1))
        fill_roots(*roots, spec_.n, first_of(p), first_of(p), radix_ - 1, sign < 0, at);
    });
  }

  T const* twiddles_of(Index p, T* twiddle_buffer) const {
    if (pieces_ == 1) return twiddles_.data();
    Index const lanes = table_->lanes, per_column = radix_ - 1;
    T const *fine = twiddles_.data(), *const firsts = firsts_.data() + 2 * p * per_column;
    T* to = twiddle_buffer;
    for (Index block = 0; block < blocks_of(p); ++block)
      for (Index r = 0; r < per_column; ++r, fine += 2 * lanes, to += 2 * lanes) {
        T const c = firsts[2 * r], s = firsts[2 * r + 1];
        for (Index l = 0; l < lanes; ++l) {
          to[l] = fine[l] * c - fine[lanes + l] * s;
          to[lanes + l] = fine[l] * s + fine[lanes + l] * c;
        }
      }
    return twiddle_buffer;
  }

  LineSpec spec_;
  Index radix_, length_;
  PassTable const* table_ = nullptr;
  std::unique_ptr<Line<T> const> line_;
  Index pieces_ = 1;
  Table<T> twiddles_, firsts_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_dit_line(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<DitLine<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_dit_line(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_dit_line(LineSpec const&, TableMaker&);

}  // namespace skipper::cpu
