// A cosine, sine or Hartley axis in tiles of real lines side by side. Contiguous columns that fill vectors are read and written
// directly; others go through a buffer, transposed where the lines are contiguous.
#include <algorithm>
#include <optional>

#include "base/kinds.h"
#include "cpu/convolution.h"
#include "cpu/step.h"
#include "cpu/planned_row_op.h"
#include "cpu/trig.h"

namespace skipper::cpu {
namespace {

template <class T>
class TrigStep final : public Step<T> {
 public:
  TrigStep(StepSpec const& spec, TableMaker& tables)
      : kind_(spec.kind),
        n_(spec.n),
        in_step_(spec.in_step),
        out_step_(spec.out_step),
        outer_(spec.loops),
        kernels_(tables.kernels) {
    inner_ = take_inner(outer_, 1, 1);
    TrigProgram const program = chosen(spec, tables);
    reals_ = program.reals;
    points_ = program.points;
    for (TrigOp const& from : program.ops) add(from, tables);
    for (std::size_t i = 0; width_ == 1 && i < ops_.size(); ++i)
      if (!bind_op(ops_[i])) calls_.clear(), i = ops_.size();
    tiles_inner_ = (inner_.size + width_ - 1) / width_;
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }

  Index buffer_size() const override { return buffer_of_lines() + line_buffer_; }

  bool bind(Index tile, bool, std::vector<BoundPass>& all) const override {
    if (calls_.empty()) return false;
    std::size_t const begin = all.size();
    all.insert(all.end(), calls_.begin(), calls_.end());
    Offsets at = offsets(outer_, tile / tiles_inner_);
    at.in += tile % tiles_inner_ * inner_.in;
    at.out += tile % tiles_inner_ * inner_.out;
    at.move(all, begin);
    return true;
  }

  std::string text() const override {
    std::string lengths;
    for (PlannedOp const& op : ops_)
      if (op.line || op.rows->product() > 0)
        lengths += (lengths.empty() ? "" : ", ") +
                   (op.line ? op.line->text() : "matrix of " + std::to_string(op.rows->product()));
    return std::string(name(kind_)) + " " + std::to_string(n_) + " by " + lengths +
           (width_ == 1 ? " lines" : " columns " + std::to_string(width_));
  }

  void run(Index tile, T const* in, T* out, T*, T* buffer) const override {
    Index const first = tile % tiles_inner_ * width_;
    Offsets const at = offsets(outer_, tile / tiles_inner_);
    in += at.in + first * inner_.in;
    out += at.out + first * inner_.out;
    Index const valid = std::min(width_, inner_.size - first);
    bool const line = width_ == 1;
    bool const direct_in = line || (inner_.in == 1 && valid == width_),
               direct_out = line || (inner_.out == 1 && valid == width_);
    if (!direct_in) gather(in, buffer, valid);
    Area const areas[] = {{direct_in ? const_cast<T*>(in) : buffer, direct_in ? in_step_ : width_},
                          {direct_out ? out : buffer, direct_out ? out_step_ : width_},
                          {buffer + real_axis_at(), width_},
                          {buffer + points_at(), 2 * width_}};
    for (PlannedOp const& op : ops_) act(op, areas, buffer + buffer_of_lines());
    if (!direct_out) scatter(buffer, out, valid);
  }

 private:
  /// A row op or a complex transform: exactly one is set.
  struct PlannedOp {
    std::optional<PlannedRowOp<T>> rows;
    std::unique_ptr<Line<T> const> line;  // of TrigArray::points
  };
  /// Where rows begin, by TrigArray.
  struct Area {
    T* at;
    Index row;
  };

  void add(TrigOp const& from, TableMaker& tables) {
    if (from.n > 0) {
      auto line = make_line<T>({from.n, width_ == 1, from.direction, 1}, tables);
      line_buffer_ = std::max(line_buffer_, cache_aligned<T>(line->buffer_size(1, width_)));
      ops_.push_back({std::nullopt, std::move(line)});
      return;
    }
    bool const neighbours = width_ == 1 && (from.from != TrigArray::in || in_step_ == 1) &&
                            (from.to != TrigArray::out || out_step_ == 1);
    auto const entries =
        stores_tables() ? PlannedRowOp<T>::Entries::stored : PlannedRowOp<T>::Entries::computed;
    for (auto& rows : PlannedRowOp<T>::of(from, neighbours, entries, tables))
      ops_.push_back({std::move(rows), nullptr});
  }
  /// Whether entries are stored. The tables have about 24 reals for each element of a line, so they pay only where many lines share
  /// them.
  bool stores_tables() const {
    constexpr Index cached = 1 << 20, many = 32;
    if (width_ == 1) return false;
    return n_ * static_cast<Index>(sizeof(T)) <= cached || inner_.size * iterations(outer_) >= many;
  }

  // The buffer holds the lines of a tile that are not read or written directly, then the program's two arrays, then the buffer of its
  // complex transforms.
  Index real_axis_at() const { return width_ == 1 ? 0 : cache_aligned<T>(n_ * width_); }
  Index points_at() const { return real_axis_at() + cache_aligned<T>(reals_ * width_); }
  Index buffer_of_lines() const { return points_at() + cache_aligned<T>(2 * points_ * width_); }

  /// Appends the passes of an op on one line; returns false where it is anything else.
  bool bind_op(PlannedOp const& op) {
    TileArray const places[] = {TileArray::in, TileArray::out, TileArray::buffer, TileArray::buffer};
    Index const rows[] = {in_step_, out_step_, 1, 2}, at[] = {0, 0, real_axis_at(), points_at()};
    if (op.line) {
      std::size_t const begin = calls_.size();
      TileLayout shape;
      shape.in_place = true;
      if (!op.line->bind(shape, calls_)) return false;
      for (std::size_t i = begin; i < calls_.size(); ++i) {
        BoundPass& b = calls_[i];
        b.from_at += b.from == TileArray::buffer ? buffer_of_lines() : points_at();
        b.to_at += b.to == TileArray::buffer ? buffer_of_lines() : points_at();
        b.from = b.to = TileArray::buffer;
      }
      return true;
    }
    int const from = int(op.rows->from()), to = int(op.rows->to());
    BoundPass b;
    if (!op.rows->bind({rows[from], rows[to], 1}, b)) return false;
    b.from = places[from], b.to = places[to];
    b.from_at += at[from], b.to_at += at[to];
    calls_.push_back(b);
    return true;
  }

  /// Whether an even length takes RowOp::split or RowOp::merge, which form vector runs along a line.
  static bool has_runs(AxisKind kind) {
    KindFacts const k = facts(kind);
    return k.basis == Basis::cas || (k.in == Shift::half) != (k.out == Shift::half);
  }

  /// Chooses between lines side by side and one line at a time. The latter needs points that fill the lanes, and is taken where there
  /// are too few lines, or too few of them fit in cache.
  TrigProgram chosen(StepSpec const& spec, TableMaker const& tables) {
    TrigRoots const roots = tables.counting() ? TrigRoots::none
                            : sizeof(T) == 4  ? TrigRoots::quick
                                              : TrigRoots::exact;
    Index const points = spec.cache_bytes / static_cast<Index>(sizeof(T));
    Index const least = least_lanes(kernels_), most = max_lanes(kernels_);
    bool const lines = in_step_ == 1 && out_step_ == 1, large = points / 4 / n_ < most;
    // With two lanes a vector, transposing a tile to columns costs more than vectors along a line.
    // The least length is fitted: bench/results/h200-choices.md.
    bool const along_line = most == 2 && n_ % 2 == 0 && n_ >= 64 && has_runs(spec.kind);
    if (inner_.size < least || (lines && (large || along_line))) {
      TrigProgram program = trig_program(spec.kind, n_, spec.scale, spec.ortho, true, roots);
      bool single = true;
      for (TrigOp const& op : program.ops)
        single = single && (op.n == 0 || one_line_applies<T>(op.n, kernels_));
      width_ = 1;
      if (single) return program;
    }
    Index const wide = 256 / static_cast<Index>(sizeof(T));
    width_ = std::clamp<Index>(points / 4 / n_ / most * most, most, std::max(most, wide));
    width_ = std::min(width_, (inner_.size + least - 1) / least * least);
    if (width_ > most) width_ = width_ / most * most;
    return trig_program(spec.kind, n_, spec.scale, spec.ortho, false, roots);
  }

  void act(PlannedOp const& op, Area const (&areas)[4], T* buffer) const {
    if (!op.line) {
      Area const &from = areas[int(op.rows->from())], &to = areas[int(op.rows->to())];
      return op.rows->run(0, op.rows->count(), {from.row, to.row, width_}, from.at, to.at);
    }
    Area const& points = areas[int(TrigArray::points)];
    Tile<T> tile;
    tile.in = tile.out = points.at;
    tile.columns = width_;
    tile.in_step = tile.out_step = points.row;
    tile.buffer = buffer;
    op.line->run(tile);
  }

  // The buffer is [n_][width_]; columns beyond `valid` are zero.
  void gather(T const* in, T* buffer, Index valid) const {
    if (valid < width_)
      for (Index j = 0; j < n_; ++j) std::fill(buffer + j * width_ + valid, buffer + (j + 1) * width_, T(0));
    if (in_step_ == 1) return kernels_.rows.transpose({in, buffer, n_, valid, inner_.in, width_});
    for (Index j = 0; j < n_; ++j)
      for (Index q = 0; q < valid; ++q) buffer[j * width_ + q] = in[j * in_step_ + q * inner_.in];
  }
  void scatter(T const* buffer, T* out, Index valid) const {
    if (out_step_ == 1) return kernels_.rows.transpose({buffer, out, valid, n_, width_, inner_.out});
    for (Index k = 0; k < n_; ++k)
      for (Index q = 0; q < valid; ++q) out[k * out_step_ + q * inner_.out] = buffer[k * width_ + q];
  }

  AxisKind kind_;
  Index n_, in_step_, out_step_;
  std::vector<Loop> outer_;
  Kernels const& kernels_;
  Loop inner_;
  Index width_ = 1, tiles_inner_ = 1, reals_ = 0, points_ = 0, line_buffer_ = 0;
  std::vector<PlannedOp> ops_;
  std::vector<BoundPass> calls_;  // all that is done for a single line, where it is passes
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_trig_step(StepSpec const& spec, TableMaker& tables) {
  return std::make_unique<TrigStep<T>>(spec, tables);
}
template std::unique_ptr<Step<float> const> make_trig_step(StepSpec const&, TableMaker&);
template std::unique_ptr<Step<double> const> make_trig_step(StepSpec const&, TableMaker&);

}  // namespace skipper::cpu
