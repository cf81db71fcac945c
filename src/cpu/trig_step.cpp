// A cosine or sine axis in tiles of real lines side by side. Columns that are contiguous and fill their vectors go
// straight from and to the arrays; others by way of a buffer, transposed where it is the lines that are contiguous.
#include <algorithm>

#include "cpu/convolution.h"
#include "cpu/step.h"
#include "cpu/trig.h"
#include "cpu/trig_runs.h"

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
    TrigProgram const program = chosen(spec);
    folded_ = program.folded;
    points_ = program.points;
    for (TrigAction const& from : program.actions)
      if (width_ != 1 || !add_run(from)) add(from);
    for (std::size_t i = 0; width_ == 1 && i < actions_.size(); ++i)
      if (!bind_action(actions_[i])) calls_.clear(), i = actions_.size();
    tiles_inner_ = (inner_.size + width_ - 1) / width_;
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }

  Index scratch() const override { return scratch_of_lines() + line_scratch_; }

  bool bind(Index tile, bool, std::vector<Bound>& all) const override {
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
    for (Action const& action : actions_)
      if (action.line || action.product.n > 0)
        lengths += (lengths.empty() ? "" : ", ") +
                   (action.line ? action.line->text() : "matrix of " + std::to_string(action.product.n));
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
    Area const areas[] = {{direct_in ? const_cast<T*>(in) : buffer, direct_in ? in_step_ : width_},
                          {direct_out ? out : buffer, direct_out ? out_step_ : width_},
                          {scratch + folded_at(), width_},
                          {scratch + points_at(), 2 * width_}};
    for (Action const& action : actions_) act(action, areas, scratch + scratch_of_lines());
    if (!direct_out) scatter(buffer, out, valid);
  }

 private:
  struct Action {
    Rows from = Rows::in, to = Rows::out;
    RowPass pass = nullptr;  // a row op or a product; how far apart rows are is the areas'
    PassArgs args;
    TrigProduct product;  // without its matrix
    std::vector<RowMove<T>> moves;
    std::vector<RowQuad<T>> quads;
    std::vector<T> matrix;  // or the table of a run
    std::unique_ptr<RowRun<T>> run;
    std::unique_ptr<Line<T> const> line;  // instead of a pass
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

  void add(TrigAction const& from) {
    Action& to = actions_.emplace_back();
    to.from = from.from, to.to = from.to;
    if (from.n > 0) {
      to.line = make_line<T>({from.n, width_ == 1, from.direction, 1}, kernels_);
      line_scratch_ = std::max(line_scratch_, rounded<T>(to.line->scratch(1, width_)));
    } else if (from.product.n > 0) {
      add_product(from.product, to);
    } else {
      for (auto const& m : from.moves) to.moves.push_back(rounded_move(m));
      for (auto const& m : from.quads) to.quads.push_back(rounded_quad(m));
      to.pass = kernels_.rows.op[int(from.op)];
      to.args.columns = width_;
      to.args.rows = static_cast<Index>(std::max(to.moves.size(), to.quads.size()));
      to.args.weights = to.quads.empty() ? static_cast<void const*>(to.moves.data()) : to.quads.data();
    }
  }
  /// A run, and what it leaves; false where there is none.
  bool add_run(TrigAction const& from) {
    bool const next_to_each_other =
        (from.from != Rows::in || in_step_ == 1) && (from.to != Rows::out || out_step_ == 1);
    auto const found = next_to_each_other ? find_run(from, most_lanes(kernels_)) : std::nullopt;
    if (!found) return false;
    TrigAction rest = from;
    if (from.quads.empty())
      rest.moves.erase(rest.moves.begin() + Index(found->begin), rest.moves.begin() + Index(found->end));
    else
      rest.quads.erase(rest.quads.begin() + Index(found->begin), rest.quads.begin() + Index(found->end));
    if (!rest.moves.empty() || !rest.quads.empty()) add(rest);
    Action& to = actions_.emplace_back();
    to.from = from.from, to.to = from.to;
    to.matrix.assign(found->table.begin(), found->table.end());
    RowRun<double> const& r = found->run;
    to.run = std::make_unique<RowRun<T>>(
        RowRun<T>{r.count,
                  {r.real[0], r.real[1], r.real[2], r.real[3]},
                  {r.complex[0], r.complex[1]},
                  r.up,
                  {T(r.factor[0]), T(r.factor[1]), T(r.factor[2]), T(r.factor[3])},
                  to.matrix.data()});
    to.pass = kernels_.rows.run[int(from.op)];
    to.args.weights = to.run.get();
    return true;
  }
  void add_product(TrigProduct const& product, Action& to) const {
    Index const n = product.n, row = n + 64 / static_cast<Index>(sizeof(T));  // vectors read beyond
    to.matrix.assign(static_cast<std::size_t>(n * row), T(0));
    for (Index i = 0; i < n * n; ++i) to.matrix[i / n * row + i % n] = T(product.matrix[i]);
    to.product = product;
    to.product.matrix.clear();
    to.pass = kernels_.rows.product;
    to.args.radix = n;
    to.args.in_row = row;
    to.args.weights = to.matrix.data();
  }

  // Scratch: a tile's lines where they do not go straight from or to the arrays, rows of the program, that of its lines.
  Index folded_at() const { return width_ == 1 ? 0 : rounded<T>(n_ * width_); }
  Index points_at() const { return folded_at() + rounded<T>(folded_ * width_); }
  Index scratch_of_lines() const { return points_at() + rounded<T>(2 * points_ * width_); }

  /// Args, and how far the pass begins behind its areas, for rows that are so far apart.
  Bound placed(Action const& action, Index in_row, Index out_row) const {
    Bound b{action.pass, action.args, {}, {}, 0, 0};
    if (TrigProduct const& p = action.product; p.n > 0) {
      b.from_at = p.in_first * in_row, b.to_at = p.out_first * out_row;
      b.args.in_step = p.in_step * in_row, b.args.out_step = p.out_step * out_row;
    } else {
      b.args.in_row = in_row, b.args.out_row = out_row;
    }
    return b;
  }

  /// Appends to the calls of a single line; false where a line is more than passes.
  bool bind_action(Action const& action) {
    Place const places[] = {Place::in, Place::out, Place::scratch, Place::scratch};
    Index const rows[] = {in_step_, out_step_, 1, 2}, at[] = {0, 0, folded_at(), points_at()};
    if (action.line) {
      std::size_t const begin = calls_.size();
      Shape shape;
      shape.in_place = true;
      if (!action.line->bind(shape, calls_)) return false;
      for (std::size_t i = begin; i < calls_.size(); ++i) {
        Bound& b = calls_[i];
        b.from_at += b.from == Place::scratch ? scratch_of_lines() : points_at();
        b.to_at += b.to == Place::scratch ? scratch_of_lines() : points_at();
        b.from = b.to = Place::scratch;
      }
      return true;
    }
    int const from = int(action.from), to = int(action.to);
    Bound b = placed(action, rows[from], rows[to]);
    b.from = places[from], b.to = places[to];
    b.from_at += at[from], b.to_at += at[to];
    calls_.push_back(b);
    return true;
  }

  static bool has_runs(AxisKind kind) {
    return kind == AxisKind::dct2 || kind == AxisKind::dct3 || kind == AxisKind::dst2 ||
           kind == AxisKind::dst3;
  }

  /// Lines side by side, or one by one where there are too few of them, or too few fit the cache, and their points can
  /// fill the lanes.
  TrigProgram chosen(StepSpec const& spec) {
    Index const points = spec.cache_bytes / static_cast<Index>(sizeof(T));
    Index const least = least_lanes(kernels_), most = most_lanes(kernels_);
    bool const lines = in_step_ == 1 && out_step_ == 1, large = points / 4 / n_ < most;
    // Where two numbers fill a vector, turning a tile around costs more than lines by runs: 1000 lines of 64 in f64 by dct2
    // took 207 us side by side and 167 one by one (Neoverse V1, November 2026).
    bool const turned = most == 2 && n_ % 2 == 0 && n_ >= 64 && has_runs(spec.kind);
    if (inner_.size < least || (lines && (large || turned))) {
      TrigProgram program = trig_program(spec.kind, n_, spec.scale, spec.ortho, true);
      bool single = true;
      for (TrigAction const& action : program.actions)
        single = single && (action.n == 0 || takes_single<T>(action.n, kernels_));
      width_ = 1;
      if (single) return program;
    }
    Index const wide = 256 / static_cast<Index>(sizeof(T));
    width_ = std::clamp<Index>(points / 4 / n_ / most * most, most, std::max(most, wide));
    width_ = std::min(width_, (inner_.size + least - 1) / least * least);
    if (width_ > most) width_ = width_ / most * most;
    return trig_program(spec.kind, n_, spec.scale, spec.ortho, false);
  }

  void act(Action const& action, Area const (&areas)[4], T* scratch) const {
    Area const& from = areas[int(action.from)];
    Area const& to = areas[int(action.to)];
    if (!action.line) {
      Bound const b = placed(action, from.row, to.row);
      return b.pass(b.args, from.at + b.from_at, to.at + b.to_at);
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
  std::vector<Bound> calls_;  // all that is done for a single line, where it is passes
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_trig_step(StepSpec const& spec, Kernels const& kernels) {
  return std::make_unique<TrigStep<T>>(spec, kernels);
}
template std::unique_ptr<Step<float> const> make_trig_step(StepSpec const&, Kernels const&);
template std::unique_ptr<Step<double> const> make_trig_step(StepSpec const&, Kernels const&);

}  // namespace skipper::cpu
