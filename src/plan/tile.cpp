// Finds a tile's digits by refining the layouts a sweep reads and writes until each piece has one stride on either
// side and is wholly in the tile or wholly outside.
#include "plan/tile.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/numbers.h"

namespace skipper {
namespace {

/// Runs of one digit in a layout, fastest first.
std::vector<Run> runs_of(std::vector<Placed> const& layout, DigitKey digit) {
  std::vector<Run> runs;
  for (Placed const& p : layout)
    if (p.piece.digit == digit) runs.push_back({p.piece.unit, p.piece.extent, p.stride});
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.unit < b.unit; });
  return runs;
}

/// The units of a digit's runs on either side, and 1, in order.
std::vector<Index> cuts_of(std::vector<Placed> const& read, std::vector<Placed> const& write,
                           DigitKey digit) {
  std::vector<Index> cuts{1};
  for (auto const* layout : {&read, &write})
    for (Placed const& p : *layout)
      if (p.piece.digit == digit) cuts.push_back(p.piece.unit);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// Length of the chain of strides 1, e1, e1 e2, .. among the given runs.
Index chain(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.stride < b.stride; });
  Index run = 1;
  for (Run const& r : runs) {
    if (r.extent == 1) continue;
    if (r.stride != run) break;
    run *= r.extent;
  }
  return run;
}

/// Calls f(run) for all that a tile holds.
template <class F>
void each_run(Tile const& tile, Access access, F f) {
  for (Transformed const& t : tile.transformed) {
    Run const& span = access == Access::read ? t.read_span : t.write_span;
    if (span.extent > 1)
      f(span);
    else
      for (Run const& r : access == Access::read ? t.read : t.write) f(r);
  }
  for (Carried const& c : tile.carried)
    if (c.held) f(Run{1, c.piece.extent, access == Access::read ? c.read : c.write});
}

/// The chain of a tile's runs: the one with the least stride, then the next, without sorting them.
Index segment(Tile const& tile, Access access) {
  Index run = 1, done = std::numeric_limits<Index>::min();
  for (;;) {
    Run least{1, 1, std::numeric_limits<Index>::max()};
    int alike = 0;
    each_run(tile, access, [&](Run const& r) {
      if (r.extent == 1 || r.stride <= done || r.stride > least.stride) return;
      alike = r.stride < least.stride ? 1 : alike + 1;
      if (alike == 1) least = r;
    });
    if (alike == 0 || least.stride != run) return run;
    run *= least.extent;
    if (alike > 1) return run;
    done = least.stride;
  }
}

/// The address set of runs, in one form: sorted by stride and merged.
std::vector<Run> canonical(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](Run const& a, Run const& b) { return a.stride < b.stride; });
  std::vector<Run> merged;
  for (Run const& r : runs) {
    if (r.extent == 1) continue;
    if (!merged.empty() && merged.back().stride * merged.back().extent == r.stride)
      merged.back().extent *= r.extent;
    else
      merged.push_back({1, r.extent, r.stride});
  }
  return merged;
}

/// A real axis that lies in one tile covers its stored index, not the places of its digits.
void add_spans(Program const& program, std::optional<int> pre, std::optional<int> post,
               std::optional<int> crossed, Tile& tile) {
  for (Transformed& t : tile.transformed) {
    int const dim = t.digit.dim;
    bool const whole = dim == crossed || (pre == dim && post == dim && program.radices[dim].size() == 1);
    if (!whole) continue;
    RealTransform const real = *real_transform_of(program, dim);
    auto const span = [&](AxisProcessing const& side, int part, std::vector<Run> const& runs) {
      return Run{1, extent_of(program, {dim, part}), runs.front().stride / axis_spacing(side)};
    };
    bool const pairs = is_packed_real(program), forward = program.problem.kind == Kind::r2c;
    if (!pairs || !forward) t.read_span = span(real.pre, stored_before, t.read);
    if (!pairs || forward) t.write_span = span(real.post, stored_after, t.write);
  }
}

/// Pairs of neighbouring reals are complex numbers where all other strides are even. All strides are halved then.
bool move_in_pairs(Program const& program, int s, std::optional<int> dim, std::vector<Run> Transformed::*side,
                   Tile& tile) {
  bool const reads = side == &Transformed::read;
  Index& bytes = reads ? tile.read_bytes : tile.write_bytes;
  bool const real_side = reads == (program.problem.kind != Kind::c2r);
  if (!dim || !(reads ? reads_reals : writes_reals)(tile, element_bytes(program.problem))) return false;
  Dimension const& d = program.dims[*dim];
  RealTransform const real = *real_transform_of(program, *dim);
  // In a block alone: where a cluster has the line, its parts are in several blocks' shared memory.
  bool const makhoul = (reads ? real.pre : real.post).makhoul && d.load == 0 && d.keep == 0 &&
                       program.sweeps[s].cluster_ranks == 1;
  bool const hermitian = has_hermitian_spectrum(program.problem.kind, d.kind);
  if (!makhoul && (!hermitian || !real_side || !real.pairs())) return false;
  bool const last = s + 1 == int(program.sweeps.size());
  bool even = reads ? d.load % 2 == 0 : !last || (d.first % 2 == 0 && d.keep % 2 == 0);
  if (program.radices[*dim].size() > 1) even = even && (reads ? d.in : d.out) == 1;  // no span will say it
  auto const each_stride = [&](auto f) {
    for (Transformed& t : tile.transformed)
      for (Run& r : t.*side)
        if (r.extent > 1) f(r.stride);
    for (Carried& c : tile.carried) f(reads ? c.read : c.write);
  };
  each_stride([&](Index& stride) { even = even && stride % 2 == 0; });
  for (Transformed const& t : tile.transformed)
    if (Run const& span = reads ? t.read_span : t.write_span; t.digit.dim == *dim || span.extent > 1)
      even = even && (t.digit.dim == *dim ? span.stride == 1 : span.stride % 2 == 0);
  if (!even) return false;
  each_stride([](Index& stride) { stride /= 2; });
  for (Transformed& t : tile.transformed)
    if (Run& span = reads ? t.read_span : t.write_span; span.extent > 1)
      (t.digit.dim == *dim ? span.extent : span.stride) /= 2;
  (reads ? tile.read_makhoul : tile.write_makhoul) = makhoul;
  bytes *= 2;
  return true;
}

/// A cosine or sine transform of complex data is one of reals, with the two parts as a batch of neighbours.
void split_parts(Tile& tile) {
  for (Transformed& t : tile.transformed) {
    for (auto* runs : {&t.read, &t.write})
      for (Run& r : *runs) r.stride *= 2;
    t.read_span.stride *= 2;
    t.write_span.stride *= 2;
  }
  for (Carried& c : tile.carried) c.read *= 2, c.write *= 2;
  tile.carried.push_back({{{complex_parts, 0}, 1, 2}, 1, 1, true, 0});
  tile.read_bytes /= 2;
  tile.write_bytes /= 2;
}

/// Runs of a tile's side in bytes, with the `place` of an element as the fastest; `span` bytes where that is given.
std::vector<Run> byte_runs(Tile const& tile, Access access, Index span, Index place) {
  Index const bytes = access == Access::read ? tile.read_bytes : tile.write_bytes;
  std::vector<Run> runs;
  if (span == 0) runs.push_back({1, place, 1});
  each_run(tile, access, [&](Run const& r) {
    if (span == 0 || r.stride != 1) runs.push_back({1, r.extent, r.stride * bytes});
  });
  if (span > 0) runs.push_back({1, span, 1});
  return runs;
}

/// In place, n reals and n/2+1 complex numbers are rows of the same length, the padding being the row's own.
Index common_row(Tile const& tile) {
  for (Transformed const& t : tile.transformed)
    if (t.read_span.extent > 1 && t.read_span.stride == 1 && t.write_span.stride == 1)
      return std::max(t.read_span.extent * tile.read_bytes, t.write_span.extent * tile.write_bytes);
  return 0;
}

/// In place, a real that is a row by itself has the place of a complex number.
bool has_rows_of_one(Program const& program) {
  bool const in_place = program.problem.placement == Placement::in_place;
  return in_place && std::any_of(program.dims.begin(), program.dims.end(),
                                 [](Dimension const& d) { return d.halved && d.size == 1; });
}

}  // namespace

Index stride_at(std::vector<Run> const& runs, Index unit) {
  for (Run const& r : runs)
    if (r.unit <= unit && unit < r.unit * r.extent) return r.stride * (unit / r.unit);
  return 0;
}

Tiling::Tiling(Program const& program, int s) : program_(program), s_(s) {
  Sweep const& sweep = program.sweeps[s];
  auto const read = read_layout(program, s), write = write_layout(program, s);
  for (DigitKey d : sweep.transforms) {
    auto const by = program.transformed_by.find(d);
    bare_.transformed.push_back({d,
                                 program.radices[d.dim][d.part],
                                 runs_of(read, d),
                                 runs_of(write, d),
                                 by == program.transformed_by.end() ? 0 : by->second,
                                 phase_of(program, s, d),
                                 {},
                                 {},
                                 by_real_rader(program, d.dim)});
  }
  for (Piece const& whole : sweep_digits(program, s))
    if (std::find(sweep.transforms.begin(), sweep.transforms.end(), whole.digit) == sweep.transforms.end())
      others_.push_back({whole, runs_of(read, whole.digit), runs_of(write, whole.digit),
                         cuts_of(read, write, whole.digit)});
  if (auto const columns = columns_in(program, s)) pair_columns(*columns);
  for (auto const& layout : {read, write})
    for (Placed const& p : layout)
      if (p.piece.unit > 1) cut_by_layouts_.insert(p.piece.digit);
  bare_.read_bytes = bytes_before(program, s);
  bare_.write_bytes = bytes_before(program, s + 1);
  bare_.fused_inverse = has_fused_inverse(program, s);
  bare_.read_narrow = narrow_before(program, s);
  bare_.write_narrow = narrow_before(program, s + 1);
  pre_ = pre_processed_axis(program, s);
  post_ = post_processed_axis(program, s);
  splits_ = takes_complex_as_reals(program, s);
  conjugate_rows_ = has_conjugate_rows(program, s);
  bool const forward = program.problem.kind == Kind::r2c, pairs = is_packed_real(program);
  reads_pairs_ = pairs && (forward || s > 0);
  writes_pairs_ = pairs && (!forward || s + 1 < int(program.sweeps.size()));
  add_spans(program, pre_, post_, crossed_axis(program, s), bare_);
}

/// On the side of complex numbers the half-kept digit has half its indices, and where the others would be stands the
/// other column of each pair; so of the digit that counts columns, pairs are left.
void Tiling::pair_columns(Columns const& columns) {
  bool const writes = program_.problem.kind != Kind::c2r;
  Other* const pair = &*std::find_if(others_.begin(), others_.end(),
                                     [&](Other const& o) { return o.whole.digit == columns.pair; });
  for (Transformed& t : bare_.transformed)
    if (t.digit == columns.half) {
      auto& runs = writes ? t.write : t.read;
      runs.front().extent = t.radix / 2;
      runs.push_back({t.radix / 2, 2, stride_at(writes ? pair->write : pair->read, 1)});
    }
  pair->cuts.front() = 2;
  pair->cuts.erase(std::unique(pair->cuts.begin(), pair->cuts.end()), pair->cuts.end());
}

/// The pieces of a digit, cut where a layout or what is held of it cuts it; those of one index are nothing.
void Tiling::add_pieces(Other const& other, std::vector<Piece> const& held, std::vector<Carried>& carried) {
  Piece const& whole = other.whole;
  Index const n = whole.extent;
  std::vector<Index> units = other.cuts;
  for (Piece const& p : held)
    for (Index u : {p.unit, p.unit * p.extent})
      if (p.digit == whole.digit && u < n) units.push_back(u);
  if (units.size() > other.cuts.size()) {
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
  }
  std::size_t const first = carried.size();
  for (std::size_t i = 0; i < units.size(); ++i) {
    bool const last = i + 1 == units.size();
    Index const next = last ? n : units[i + 1];
    bool const ragged = next % units[i] != 0;
    if (ragged && (!last || other.cuts.size() > 1))
      throw Error("program: tile", "cuts a digit of " + std::to_string(n) + " at " +
                                       std::to_string(units[i]) + ", which does not divide " +
                                       std::to_string(next) + "; cut it at a divisor");
    Carried c{{whole.digit, units[i], (next + units[i] - 1) / units[i]},
              stride_at(other.read, units[i]),
              stride_at(other.write, units[i])};
    for (Piece const& p : held)
      c.held = c.held || (p.digit == whole.digit && p.unit <= units[i] && units[i] < p.unit * p.extent);
    if (ragged)
      for (std::size_t low = first; low < carried.size(); ++low) carried[low].bound = n;
    if (ragged) c.bound = n;
    if (c.piece.extent > 1) carried.push_back(c);
  }
}

Tile Tiling::holding(std::vector<Piece> const& held) const {
  Tile tile = bare_;
  tile.carried.reserve(2 * others_.size() + 2);
  hold(held, tile);
  return tile;
}

void Tiling::hold(std::vector<Piece> const& held, Tile& tile) const {
  if (pre_ || post_ || splits_) {  // these change all strides
    tile.transformed = bare_.transformed;
    tile.read_bytes = bare_.read_bytes;
    tile.write_bytes = bare_.write_bytes;
    tile.read_makhoul = tile.write_makhoul = false;
  }
  tile.carried.clear();
  for (Other const& other : others_) add_pieces(other, held, tile.carried);
  if (splits_) split_parts(tile);
  if (conjugate_rows_) add_conjugate_rows(tile);
  tile.read_pairs = reads_pairs_ || move_in_pairs(program_, s_, pre_, &Transformed::read, tile);
  tile.write_pairs = writes_pairs_ || move_in_pairs(program_, s_, post_, &Transformed::write, tile);
}

/// Each row of the grid with the one at the negated index of every axis. Of one digit, the longest, half is counted: beyond
/// are the conjugate rows. Their places are no affine map, so they stand as far away as can be.
void Tiling::add_conjugate_rows(Tile& tile) const {
  constexpr Index far = Index(1) << 40;
  Carried* longest = nullptr;
  for (Carried& c : tile.carried) {
    c.negated = !c.held && program_.dims[c.piece.digit.dim].axis;
    if (c.negated && (!longest || c.piece.extent > longest->piece.extent)) longest = &c;
  }
  if (!longest) return;
  longest->whole = longest->piece.extent;
  longest->piece.extent = longest->whole / 2 + 1;
  tile.carried.push_back({{{conjugate_row_pair, 0}, 1, 2}, far, far, true, 0});
}

Tile tile_of(Program const& program, int s) { return Tiling(program, s).holding(program.sweeps[s].with); }

Index tile_points(Tile const& tile) {
  Index n = 1;
  for (Transformed const& t : tile.transformed) n *= t.points();
  for (Carried const& c : tile.carried)
    if (c.held) n *= c.piece.extent;
  return n;
}

Index tile_count(Tile const& tile) {
  Index n = 1;
  for (Carried const& c : tile.carried)
    if (!c.held) n *= c.piece.extent;
  return n;
}

Index read_segment(Tile const& tile) { return segment(tile, Access::read); }
Index write_segment(Tile const& tile) { return segment(tile, Access::write); }

bool writes_where_it_reads(Program const& program, int s) {
  Tile const tile = tile_of(program, s);
  if (has_conjugate_rows(program, s)) return false;
  // Threads of the thread tier do not wait for each other, so each has to write what it has read itself.
  bool const apart = program.sweeps[s].tier == Tier::thread;
  for (Carried const& c : tile.carried)
    if ((!c.held || apart) && c.read * tile.read_bytes != c.write * tile.write_bytes) return false;
  Index const row = common_row(tile), place = std::max(tile.read_bytes, tile.write_bytes);
  if (row == 0 && tile.read_bytes != tile.write_bytes && !has_rows_of_one(program)) return false;
  return canonical(byte_runs(tile, Access::read, row, place)) ==
         canonical(byte_runs(tile, Access::write, row, place));
}

bool keeps_within_output(Program const& program, int s) {
  int const end = int(program.sweeps.size());
  // What stands between the sweeps of these is longer.
  if (!program.convolved.empty() || is_partial(program.problem)) return false;
  std::vector<Run> runs;
  Index all = bytes_before(program, end), here = bytes_before(program, s + 1);
  for (Placed const& p : stored_output(program)) {
    runs.push_back({1, p.piece.extent, p.stride});
    all *= p.piece.extent;
  }
  here *= places_between(program, s + 1);
  return chain(runs) * bytes_before(program, end) == all && here <= all;
}

}  // namespace skipper
