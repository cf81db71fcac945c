// Stockham passes (variant/passes.h) for smooth lengths, those whose primes are at most max_symmetric_prime. The first pass
// reads the input, the last one writes the output, and those between go to and fro between two places in a buffer: one sweep
// over memory as long as the buffer stays in cache. The scale is in the first twiddles; the direction is in the sign of the
// twiddles and in the order in which elements are read.
#include <skipper/error.h>

#include <algorithm>
#include <complex>

#include "cpu/line.h"
#include "cpu/symmetric_prime.h"
#include "cpu/radices.h"
#include "cpu/one_line.h"

namespace skipper::cpu {
namespace {

template <class T>
class Smooth final : public Line<T> {
 public:
  Smooth(LineSpec const& spec, TableMaker& tables) : spec_(spec), kernels_(tables.kernels) {
    if (spec.one_line) {
      OneLinePlan plan = plan_one_line<T>(spec.n, kernels_);
      first_ = plan.first;
      small_ = plan.small;
      blocked_ = plan.blocked;
      radices_ = std::move(plan.radices);
    } else {
      radices_ = line_radices(spec.n, 1, sizeof(T));
    }
    if (radices_.empty())
      throw Error("axes.size", "a line of " + std::to_string(spec.n) + " fills no vector");
    make_twiddles(tables);
    for (int r : radices_)
      weights_.push_back(r > max_radix ? symmetric_pass_weights<T>(r) : std::vector<T>{});
    Index product = 1;
    for (int r : radices_) before_.push_back(product), product *= r;
    if (spec.one_line)
      for (int i = 0; i < passes(); ++i) calls_.push_back(call_of(i, 1, 2, 2));
  }

  Index buffer_size(Index lines, Index columns) const override {
    Index const planes =
        spec_.one_line && blocked_ && passes() % 2 == 0 ? 1 : std::min<Index>(2, passes() - 1);
    return planes * lines * 2 * plane(columns);
  }

  // The last vector of a row overlaps the one before. That is safe where a pass does not write what it reads.
  bool any_columns() const override { return passes() > 1; }

  std::string text() const override {
    std::string all;
    for (int r : radices_) {
      if (!all.empty()) all += 'x';
      all += std::to_string(r);
    }
    return all;
  }

  void run(Tile<T> const& tile) const override {
    T* const place[] = {const_cast<T*>(tile.in), tile.out, tile.buffer};  // the input is only read
    TileLayout shape = tile;
    shape.in_place = tile.in == tile.out;
    each_pass(shape, [&](BoundPass const& b) {
      b.pass(b.args, place[int(b.from)] + b.from_at, place[int(b.to)] + b.to_at);
    });
  }

  bool is_ping_pong() const override { return spec_.one_line && blocked_; }
  // With an even number of passes the result is in a, by way of b; else it is in b, and a is free once it is read.
  T* run_ping_pong(T* a, T* b) const override {
    Tile<T> tile;
    tile.in = a;
    tile.out = passes() % 2 == 0 ? a : b;
    tile.buffer = passes() % 2 == 0 ? b : a;
    run(tile);
    return tile.out;
  }

  bool bind(TileLayout const& shape, std::vector<BoundPass>& all) const override {
    each_pass(shape, [&](BoundPass const& b) { all.push_back(b); });
    return true;
  }

 private:
  template <class F>
  void each_pass(TileLayout const& s, F const& f) const {
    if (!in_parts(s)) {
      for (int i = 0; i < passes(); ++i) f(bound(i, s));
      return;
    }
    f(part_bound(0, 0, s));
    for (Index part = 0; part < radices_[0]; ++part)
      for (int i = 1; i < passes(); ++i) f(part_bound(i, part, s));
  }

  // After the first pass the line is radices_[0] independent transforms. Where all of them together exceed L1, the other passes
  // are done for one after the other (a recursive instead of a breadth-first order).
  bool in_parts(TileLayout const& s) const {
    constexpr Index l1_bytes = 32 * 1024;
    bool const is_large = 4 * spec_.n * s.columns * static_cast<Index>(sizeof(T)) > l1_bytes;
    return !spec_.one_line && passes() > 2 && s.lines == 1 && is_large &&
           2 * part_plane(s.columns) <= plane(s.columns);
  }
  Index part_plane(Index columns) const { return plane(columns, spec_.n / radices_[0]); }

  // The buffer holds the output of the first pass, and behind it two places between which the passes of a part alternate.
  BoundPass part_bound(int i, Index part, TileLayout const& s) const {
    BoundPass b = call_of(i, s.columns, s.in_step, s.out_step, radices_[0]);
    Index const whole = 2 * plane(s.columns);
    auto const place = [&](int pass) { return whole + (pass % 2 ? 0 : 2 * part_plane(s.columns)); };
    b.from = i == 0 ? TileArray::in : TileArray::buffer;
    b.to = i + 1 == passes() ? TileArray::out : TileArray::buffer;
    if (i == 1) b.from_at = part * s.columns * (blocks_for(s.columns) ? 2 : 1);
    if (i > 1) b.from_at = place(i - 1), b.args.in_imag = part_plane(s.columns);
    if (i > 0 && b.to == TileArray::buffer) b.to_at = place(i), b.args.out_imag = part_plane(s.columns);
    if (b.to == TileArray::out) b.to_at = part * s.out_step;
    if (s.out_of_cache && i == 0) b.args.prefetch_in = ahead(s.in_line, s.columns);
    if (s.out_of_cache && b.to == TileArray::out && !s.in_place)
      b.args.prefetch_out = ahead(s.out_line, s.columns);
    return b;
  }

  // Passes alternate between two places, of which the last pass reads the first. The first place is the buffer. The second is
  // the output, where that is dense and the first pass does not write there what it still reads, since that touches less
  // cache; otherwise it follows in the buffer.
  BoundPass bound(int i, TileLayout const& s) const {
    int const count = passes();
    BoundPass b = spec_.one_line ? calls_[i] : call_of(i, s.columns, s.in_step, s.out_step);
    bool const through_out = spec_.one_line && blocked_ && (!s.in_place || count % 2 == 0);
    Index const line = 2 * plane(s.columns);
    auto second = [&](int pass) { return (count - pass) % 2 == 1; };  // where this pass writes
    b.args.lines = s.lines;
    if (i == 0) {
      b.from = TileArray::in;
      b.args.in_line = s.in_line;
      if (s.out_of_cache) b.args.prefetch_in = ahead(s.in_line, s.columns);
    } else {
      b.from = second(i - 1) && through_out ? TileArray::out : TileArray::buffer;
      b.args.in_line = b.from == TileArray::out ? s.out_line : line;
      if (second(i - 1) && !through_out) b.from_at = s.lines * line;
    }
    if (i == count - 1) {
      b.to = TileArray::out;
      b.args.out_line = s.out_line;
      if (s.out_of_cache && !s.in_place) b.args.prefetch_out = ahead(s.out_line, s.columns);
    } else {
      b.to = second(i) && through_out ? TileArray::out : TileArray::buffer;
      b.args.out_line = b.to == TileArray::out ? s.out_line : line;
      if (second(i) && !through_out) b.to_at = s.lines * line;
    }
    return b;
  }

  int passes() const { return small_ ? 1 : static_cast<int>(radices_.size()); }

  /// How far ahead to prefetch, in scalars: the neighbouring columns, or the line some 4 KB further on.
  Index ahead(Index line, Index columns) const {
    if (columns > 1) return 2 * columns;
    Index const bytes = 2 * sizeof(T) * spec_.n;
    return bytes > 65536 ? 0 : line * ((4095 + bytes) / bytes);
  }

  // From the real to the imaginary parts of a line in the buffer: the points and an odd number of cache lines, lest both parts of
  // a power of two fall into the same sets of the cache.
  Index plane(Index columns) const { return plane(columns, spec_.n); }
  static Index plane(Index columns, Index n) { return n * columns + 3 * 64 / sizeof(T); }

  /// Pass i without its arrays and lines. `parts`: after the first pass, only the i-th pass of one of so many parts.
  BoundPass call_of(int i, Index c, Index in_step, Index out_step, Index parts = 1) const {
    int const r = radices_[i], count = passes();
    Index const span = c * before_[i] / (i > 0 ? parts : 1), rows = spec_.n / before_[i] / r;
    BoundPass call;
    PassArgs& a = call.args;
    a.scale = spec_.scale;
    a.radix = r;
    a.weights = weights_[i].data();
    a.in_imag = a.out_imag = plane(c);
    if (small_) {
      a.twiddles = twiddles_[0].data();
      a.in_step = spec_.direction == Direction::forward ? 1 : -1;
      call.pass = small_;
      return call;
    }
    if (count == 1) {
      a.columns = c;
      a.out_step = out_step;
      read_order(a, r, in_step);
      PassTable const& table = *widest_dividing(c);
      call.pass = r > max_radix ? table.symmetric_prime.only : table.unbuffered->only[r];
      return call;
    }
    PassTable const* const block = spec_.one_line ? (blocked_ ? first_ : nullptr) : blocks_for(c);
    Index const width = block ? 2 : 1;  // scalars from point to point in the buffer
    if (i < count - 1) {
      PassTable const& table = block ? *block : widest(span);
      PassSet const& set = block ? *block->blocked : *table.planar;
      SymmetricPrimePasses const& odd = table.symmetric_prime;
      bool const is_symmetric_prime = r > max_radix;
      a.twiddles = twiddles_[i].data();
      a.rows = rows;
      a.columns = span;
      a.in_row = i == 0 ? in_step : (i == 1 ? c * before_[1] : span) * width;
      a.out_row = r * span * width;
      a.out_step = span * width;
      read_order(a, r, rows * a.in_row);
      if (i > 0)
        call.pass = is_symmetric_prime ? (block ? odd.blocked_inner : odd.inner) : set.inner[r];
      else if (spec_.one_line)
        call.pass = is_symmetric_prime ? first_->symmetric_prime.first_line
                                       : (block ? first_->blocked : first_->planar)->first_line[r];
      else
        call.pass = is_symmetric_prime ? (block ? odd.blocked_first : odd.first) : set.first[r];
    } else {
      bool const dense = out_step == 2 * c && parts == 1;
      a.rows = dense ? 1 : span / c;
      a.columns = dense ? span : c;
      a.in_row = c * width;
      a.out_row = parts * out_step;
      a.out_step = before_[i] * out_step;
      read_order(a, r, span * width);
      PassTable const& table = block ? *block : widest(a.columns);
      if (r > max_radix)
        call.pass = block ? table.symmetric_prime.blocked_last : table.symmetric_prime.last;
      else
        call.pass = (block ? table.blocked : table.planar)->last[r];
    }
    return call;
  }

  PassTable const& widest(Index columns) const {
    for (int i = 0; i + 1 < kernels_.tables; ++i)
      if (kernels_.table[i].lanes <= columns) return kernels_.table[i];
    return kernels_.table[kernels_.tables - 1];
  }
  /// The widest vectors of which `columns` is a multiple; null where there are none.
  PassTable const* widest_dividing(Index columns) const {
    for (int i = 0; i < kernels_.tables; ++i)
      if (columns % kernels_.table[i].lanes == 0) return &kernels_.table[i];
    return nullptr;
  }

  /// The vectors of a blocked buffer, which must divide the columns; null for a planar buffer, where wide vectors that overlap are
  /// clearly fewer.
  PassTable const* blocks_for(Index columns) const {
    PassTable const* const whole = widest_dividing(columns);
    Index const wide = widest(columns).lanes;
    return whole && 4 * (columns / whole->lanes) <= 5 * ((columns + wide - 1) / wide) ? whole : nullptr;
  }

  void read_order(PassArgs& a, int r, Index step) const {
    bool const forward = spec_.direction == Direction::forward;
    a.in_step = forward ? step : -step;
    a.in_first = forward ? 0 : r * step;
  }

  std::complex<T> rotated(std::complex<double> const& w, double scale) const {
    double const sign = spec_.direction == Direction::forward ? 1 : -1;
    return {static_cast<T>(w.real() * scale), static_cast<T>(sign * w.imag() * scale)};
  }

  /// For every pass but the last, of radix r: w^(p k) for p < rows and 0 < k < r, w of order r rows.
  void make_twiddles(TableMaker& tables) {
    if (radices_.size() < 2) return;
    std::optional<RootSource> const roots = tables.all_roots<T>(spec_.n);
    Index before = 1;
    for (std::size_t i = 0; i + 1 < radices_.size(); ++i) {
      Index const r = radices_[i], rows = spec_.n / before / r;
      double const scale = i == 0 ? spec_.scale : 1;
      auto root = [this, &roots, before, scale](Index k) { return rotated(roots->at<T>(k * before), scale); };
      twiddles_.push_back(i == 0 && spec_.one_line ? blocked_twiddles(tables, r, rows, root)
                                                   : plain_twiddles(tables, r, rows, root));
      before *= r;
    }
  }

  template <class Root>
  Table<T> plain_twiddles(TableMaker& tables, Index r, Index rows, Root const& root) const {
    auto const fill = [&](Index begin, Index end, T* at) {
      for (Index p = begin; p < end; ++p)
        for (Index k = 1; k < r; ++k) {
          auto const value = root(p * k);
          *at++ = value.real();
          *at++ = value.imag();
        }
    };
    return tables.make<T>(rows, 2 * (r - 1), fill, max_radix);  // passes may read a vector beyond the end
  }

  /// The same by blocks of rows, as many as lanes; the last block may overlap the one before.
  template <class Root>
  Table<T> blocked_twiddles(TableMaker& tables, Index r, Index rows, Root const& root) const {
    Index const lanes = first_->lanes;
    auto const fill = [&](Index begin, Index end, T* at) {
      for (Index block = begin; block < end; ++block) {
        Index const p = std::min(block * lanes, rows - lanes);
        for (Index k = 1; k < r; ++k, at += 2 * lanes)
          for (Index l = 0; l < lanes; ++l) {
            auto const value = root((p + l) * k);
            at[l] = value.real();
            at[lanes + l] = value.imag();
          }
      }
    };
    return tables.make<T>((rows + lanes - 1) / lanes, 2 * (r - 1) * lanes, fill);
  }

  LineSpec spec_;
  Kernels const& kernels_;
  PassTable const* first_ = nullptr;  // of a single line
  Pass small_ = nullptr;              // does it all
  bool blocked_ = false;              // whether the first radix allows the faster layout of the buffer
  std::vector<int> radices_;
  std::vector<Index> before_;  // the product of the radices before each
  std::vector<Table<T>> twiddles_;
  std::vector<std::vector<T>> weights_;  // of odd radices
  std::vector<BoundPass> calls_;         // of a single line
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_smooth(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<Smooth<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_smooth(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_smooth(LineSpec const&, TableMaker&);

}  // namespace skipper::cpu
