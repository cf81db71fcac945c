// A cosine or sine axis in tiles of real lines side by side. Columns that are contiguous and fill their vectors go
// straight from and to the arrays; others by way of a buffer, transposed where it is the lines that are contiguous.
#include <algorithm>

#include "cpu/convolution.h"
#include "cpu/step.h"
#include "cpu/trig.h"

namespace skipper::cpu {
namespace {

template <class T>
class TrigStep final : public Step<T> {
 public:
  TrigStep(StepSpec const& spec, Kernels const& kernels)
      : kind_(spec.kind),
        n_(spec.n),
        in_step_(spec.in_step),
        out_step_(spec.out_step),
        outer_(spec.loops),
        kernels_(kernels) {
    inner_ = take_inner(outer_, 1, 1);
    TrigProgram const program = trig_program(spec.kind, n_, spec.scale, spec.ortho);
    folded_ = program.folded;
    points_ = program.points;
    choose_width(program, spec.cache_bytes / static_cast<Index>(sizeof(T)));
    for (TrigAction const& from : program.actions) {
      Action& to = actions_.emplace_back();
      to.op = from.op, to.from = from.from, to.to = from.to;
      if (from.n > 0) {
        to.line = make_line<T>({from.n, width_ == 1, from.direction, 1}, kernels);
        line_scratch_ = std::max(line_scratch_, rounded<T>(to.line->scratch(1, width_)));
      }
      for (auto const& m : from.moves) to.moves.push_back(rounded_move(m));
      for (auto const& m : from.quads) to.quads.push_back(rounded_quad(m));
    }
    tiles_inner_ = (inner_.size + width_ - 1) / width_;
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }

  Index scratch() const override {
    return rounded<T>(n_ * width_) + rounded<T>(folded_ * width_) + rounded<T>(2 * points_ * width_) +
           line_scratch_;
  }

  std::string text() const override {
    std::string lengths;
    for (Action const& action : actions_)
      if (action.line) lengths += (lengths.empty() ? "" : ", ") + action.line->text();
    return std::string(name(kind_)) + " " + std::to_string(n_) + " by " + lengths +
           (width_ == 1 ? " lines" : " columns " + std::to_string(width_));
  }

  void run(Index tile, T const* in, T* out, T*, T* scratch) const override {
    Index const first = tile % tiles_inner_ * width_;
    Offsets const at = offsets(outer_, tile / tiles_inner_);
    in += at.in + first * inner_.in;
    out += at.out + first * inner_.out;
    Index const valid = std::min(width_, inner_.size - first);
    bool const line = width_ == 1;
    bool const direct_in = line || (inner_.in == 1 && valid == width_),
               direct_out = line || (inner_.out == 1 && valid == width_);
    T* const buffer = scratch;
    if (!direct_in) gather(in, buffer, valid);
    T* const folded = buffer + rounded<T>(n_ * width_);
    T* const points = folded + rounded<T>(folded_ * width_);
    Area const areas[] = {{direct_in ? const_cast<T*>(in) : buffer, direct_in ? in_step_ : width_},
                          {direct_out ? out : buffer, direct_out ? out_step_ : width_},
                          {folded, width_},
                          {points, 2 * width_}};
    for (Action const& action : actions_) act(action, areas, points + rounded<T>(2 * points_ * width_));
    if (!direct_out) scatter(buffer, out, valid);
  }

 private:
  struct Action {
    RowOp op = RowOp::mix;
    Rows from = Rows::in, to = Rows::out;
    std::vector<RowMove<T>> moves;
    std::vector<RowQuad<T>> quads;
    std::unique_ptr<Line<T> const> line;  // instead of an op
  };
  /// Rows somewhere, by Rows.
  struct Area {
    T* at;
    Index row;
  };

  static RowMove<T> rounded_move(RowMove<double> const& m) {
    return {{m.from[0], m.from[1]}, {m.to[0], m.to[1]}, {T(m.c[0]), T(m.c[1])}, {T(m.s[0]), T(m.s[1])}};
  }
  static RowQuad<T> rounded_quad(RowQuad<double> const& m) {
    RowQuad<T> q;
    std::copy_n(m.real, 4, q.real);
    std::copy_n(m.complex, 2, q.complex);
    std::transform(m.w, m.w + 2, q.w, [](double x) { return T(x); });
    std::transform(m.t0, m.t0 + 2, q.t0, [](double x) { return T(x); });
    std::transform(m.t1, m.t1 + 2, q.t1, [](double x) { return T(x); });
    std::transform(m.f, m.f + 4, q.f, [](double x) { return T(x); });
    return q;
  }

  /// Lines side by side, or one by one where there are too few of them, or too few fit the cache, and their points can
  /// fill the lanes.
  void choose_width(TrigProgram const& program, Index points) {
    Index const least = least_lanes(kernels_), most = most_lanes(kernels_);
    bool const large = in_step_ == 1 && out_step_ == 1 && points / 4 / n_ < most;
    if (inner_.size < least || large) {
      bool single = true;
      for (TrigAction const& action : program.actions)
        single = single && (action.n == 0 || takes_single<T>(action.n, kernels_));
      width_ = 1;
      if (single) return;
    }
    Index const wide = 256 / static_cast<Index>(sizeof(T));
    width_ = std::clamp<Index>(points / 4 / n_ / most * most, most, std::max(most, wide));
    width_ = std::min(width_, (inner_.size + least - 1) / least * least);
    if (width_ > most) width_ = width_ / most * most;
  }

  void act(Action const& action, Area const (&areas)[4], T* scratch) const {
    Area const& from = areas[int(action.from)];
    Area const& to = areas[int(action.to)];
    if (!action.line) {
      bool const quads = !action.quads.empty();
      void const* const table = quads ? static_cast<void const*>(action.quads.data()) : action.moves.data();
      std::size_t const count = quads ? action.quads.size() : action.moves.size();
      return kernels_.rows.op[int(action.op)](
          {from.at, to.at, from.row, to.row, width_, table, static_cast<Index>(count)});
    }
    Tile<T> tile;
    tile.in = tile.out = to.at;
    tile.columns = width_;
    tile.in_step = tile.out_step = to.row;
    tile.scratch = scratch;
    action.line->run(tile);
  }

  // The buffer is [n_][width_]; columns beyond `valid` are zero.
  void gather(T const* in, T* buffer, Index valid) const {
    if (valid < width_)
      for (Index j = 0; j < n_; ++j) std::fill(buffer + j * width_ + valid, buffer + (j + 1) * width_, T(0));
    if (in_step_ == 1) return kernels_.rows.turn({in, buffer, n_, valid, inner_.in, width_});
    for (Index j = 0; j < n_; ++j)
      for (Index q = 0; q < valid; ++q) buffer[j * width_ + q] = in[j * in_step_ + q * inner_.in];
  }
  void scatter(T const* buffer, T* out, Index valid) const {
    if (out_step_ == 1) return kernels_.rows.turn({buffer, out, valid, n_, width_, inner_.out});
    for (Index k = 0; k < n_; ++k)
      for (Index q = 0; q < valid; ++q) out[k * out_step_ + q * inner_.out] = buffer[k * width_ + q];
  }

  AxisKind kind_;
  Index n_, in_step_, out_step_;
  std::vector<Loop> outer_;
  Kernels const& kernels_;
  Loop inner_;
  Index width_ = 1, tiles_inner_ = 1, folded_ = 0, points_ = 0, line_scratch_ = 0;
  std::vector<Action> actions_;
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_trig_step(StepSpec const& spec, Kernels const& kernels) {
  return std::make_unique<TrigStep<T>>(spec, kernels);
}
template std::unique_ptr<Step<float> const> make_trig_step(StepSpec const&, Kernels const&);
template std::unique_ptr<Step<double> const> make_trig_step(StepSpec const&, Kernels const&);

}  // namespace skipper::cpu
