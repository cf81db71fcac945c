// See real_processing.h.
#include "plan/lower/real_processing.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plan/lower/affine_maps.h"

namespace skipper {
namespace {

using kernel::Rotation;

/// Entries up to which a rotation is one table. Beyond, two short tables stay in L1 where one would not.
/// A choice, not measured.
constexpr Index longest_table = 1024;

/// Calls f(weight, digit) for the fine digits, then the grid digits, of one dimension. The weight is that of their digit's
/// own index: j where the axis is still to be transformed, k where it has been.
template <class FineDigits, class Grid>
void each_of_axis(Tile const& tile, Draft const& draft, int dim, bool output, FineDigits fine_digits,
                  Grid grid) {
  for (std::size_t a = 0; a < draft.fine_digits.digits.size(); ++a) {
    FineDigit const& fine_digit = draft.fine_digits.digits[a];
    bool const carried = fine_digit.radix_stage < 0;
    Transformed const* const t =
        carried ? nullptr : &tile.transformed[draft.fine_digits.radix_stages[fine_digit.radix_stage].sub];
    DigitKey const digit = carried ? tile.carried[fine_digit.carried].piece.digit : t->digit;
    bool const transformed = output && t && !t->transforms_twice();
    if (digit.dim == dim)
      fine_digits(a, digit, carried ? fine_digit.unit : transformed ? fine_digit.k : fine_digit.j);
  }
  for (std::size_t g = 0; g < draft.grid.size(); ++g) {
    Piece const& piece = tile.carried[draft.grid[g]].piece;
    if (piece.digit.dim == dim) grid(g, piece.digit, piece.unit);
  }
}

/// The stride of the stored index along a real axis, from the apparent one of its digits.
Index stored_stride(Program const& program, Tile const& tile, int dim, AxisProcessing const& end,
                    bool output) {
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim == dim) {
      Index const apparent = (output ? t.write : t.read).front().stride;
      return apparent / (axis_spacing(end) * index_weight(program, t.digit, output));
    }
  return 0;
}

/// What is stored of a partial axis goes through gather indices: they read zeros, and write nothing, beyond it. Only the last
/// sweep crops; what stands between sweeps is whole.
AxisProcessing partial(AxisProcessing end, Dimension const& dim, bool output, bool last) {
  Index const count = output ? (last ? dim.keep : 0) : dim.load;
  if (count == 0) return end;
  if (!end.by_gather_index) {
    end.by_gather_index = end.gather_index[0].used = true;
    end.limit = count;
  }
  Index const first = output ? dim.first : 0;
  for (kernel::GatherIndex& gather_index : end.gather_index)
    gather_index.shift -= first, gather_index.shift_after -= first;
  for (Index& edge : end.edge) edge = edge < first ? -1 : edge - first;
  end.limit = count;
  return end;
}

/// One side of a real axis.
void processing_of(Program const& program, int s, Tile const& tile, Draft& draft, int dim, bool output,
                   std::vector<RootTable>& tables) {
  RealTransform const real = *real_transform_of(program, dim);
  AxisProcessing const from =
      partial(output ? real.post : real.pre, program.dims[dim], output, s + 1 == int(program.sweeps.size()));
  Draft::PrePostProcessing& to = output ? draft.post : draft.pre;
  FineAffineMap& address = output ? draft.write : draft.read;
  bool const makhoul = output ? tile.write_makhoul : tile.read_makhoul;
  if (makhoul || !(output ? tile.write_pairs : tile.read_pairs))
    to.index = index_along(program, tile, draft, dim, output);
  if (makhoul) {
    to.side.makhoul = true;
    to.side.extent = real.core;
    to.side.gather_index[0].flip = from.gather_index[0].flip;
  }
  if (output ? tile.write_pairs : tile.read_pairs) return;  // a plain complex array
  Index const last = std::max(reach(tile, draft, to.index), real.core - (from.hermitian ? 0 : 1));
  to.side.extra = from.hermitian;
  to.side.extent = real.core;
  to.side.stride = stored_stride(program, tile, dim, from, output);
  if (from.order) to.side.rotation = rotation_of(from.order, from.scale, from.shift, last, tables);
  bool const plain = from.by_gather_index && to.side.real && !from.order && !from.gather_index[1].used &&
                     from.gather_index[0].bend < 0 && from.gather_index[0].scale == 1 &&
                     from.gather_index[0].shift == 0 && from.limit >= real.core && from.edge[0] < 0 &&
                     from.edge[1] < 0;
  to.side.real_axis = from.by_gather_index && !plain;
  to.side.widened = !to.side.real && !program.dims[dim].halved;
  if (!to.side.real_axis) {
    to.side.extra_offset = from.hermitian ? to.side.stride * real.core : 0;
    if (!from.hermitian) to.index = blank(draft);
    return;
  }
  to.side.limit = from.limit;
  if (auto const columns = columns_of(program, dim); columns && output && program.problem.kind != Kind::c2r) {
    Index const n = program.radices[dim][columns->half.part];
    to.side.conjugate = n % 2 == 0 ? n / 2 : n;
  }
  std::copy_n(from.gather_index, 2, to.side.gather_index);
  std::copy_n(from.edge, 2, to.side.edge);
  each_of_axis(
      tile, draft, dim, output, [&](std::size_t a, DigitKey, Index) { address.tile[a] = 0; },
      [&](std::size_t g, DigitKey, Index) { address.grid[g] = 0; });
}

}  // namespace

Rotation rotation_of(Index order, Index scale, Index shift, Index last, std::vector<RootTable>& tables) {
  Rotation r;
  r.used = true;
  r.order = order;
  r.scale = scale;
  r.shift = shift;
  Index const most = scale * last + shift;
  r.split = last >= longest_table;
  if (!r.split) {
    RootTable direct{order, 1, last + 1, scale, false};
    direct.start = shift;
    r.table = int(add_table(tables, direct));
    return r;
  }
  r.bits = int(std::bit_width(std::uint64_t(most))) / 2;
  r.table = int(add_table(tables, {order, 1, (most >> r.bits) + 1, Index(1) << r.bits, false}));
  r.table_low = int(add_table(tables, {order, 1, Index(1) << r.bits, 1, false}));
  return r;
}

void look_rotations_up(kernel::SweepSpec& spec) {
  for (Rotation* r : {&spec.pre.rotation, &spec.post.rotation, &spec.hermitian.rotation,
                      &spec.hermitian.crossed_axis.rotation})
    r->order = 0;
}

FineAffineMap index_along(Program const& program, Tile const& tile, Draft const& draft, int dim,
                          bool output) {
  FineAffineMap form = blank(draft);
  auto const weight = [&](DigitKey d) { return d.part < 0 ? 1 : index_weight(program, d, output); };
  each_of_axis(
      tile, draft, dim, output,
      [&](std::size_t a, DigitKey d, Index unit) { form.tile[a] = unit * weight(d); },
      [&](std::size_t g, DigitKey d, Index unit) { form.grid[g] = unit * weight(d); });
  return form;
}

namespace {
bool has(std::vector<int> const& list, int a) { return std::find(list.begin(), list.end(), a) != list.end(); }

/// Fine digits to at most so many threads; `in_order`: none behind one that goes to registers.
FineAssignment assigned_to(FineDigits const& fine_digits, std::vector<int> const& list,
                           std::vector<int> const& cluster_ranks, Index threads, bool in_order) {
  FineAssignment assignment{{}, {}, cluster_ranks};
  Index assigned = 1;
  for (int a : list) {
    Index const extent = fine_digits.digits[a].extent;
    bool const fits = (!in_order || assignment.registers.empty()) && assigned * extent <= threads;
    if (fits) assigned *= extent;
    (fits ? assignment.threads : assignment.registers).push_back(a);
  }
  return assignment;
}

}  // namespace

FineAssignment extra_lines(Draft const& draft, FineAssignment const& elements, FineAffineMap const& places,
                           Index threads_block) {
  std::vector<int> across;
  bool const alone = draft.hermitian.conjugate_rows.unit > 1;  // one line, and one extra element
  for (int a = 0; a < int(draft.fine_digits.digits.size()) && !alone; ++a)
    if (draft.conjugate_index.front().tile[a] == 0 && !has(elements.cluster_ranks, a)) across.push_back(a);
  std::stable_sort(across.begin(), across.end(),
                   [&](int a, int b) { return places.tile[a] < places.tile[b]; });
  Index const threads = count(draft.fine_digits, elements.threads);
  FineAssignment assignment = assigned_to(draft.fine_digits, across, elements.cluster_ranks, threads, true);
  for (Index more = threads;
       count(draft.fine_digits, assignment.registers) > kernel::max_registers && more < 2 * threads_block;
       more *= 2)
    assignment =
        assigned_to(draft.fine_digits, across, elements.cluster_ranks, std::min(more, threads_block), false);
  return assignment;
}

Index add_table(std::vector<RootTable>& tables, RootTable const& table) {
  Index offset = 0;
  for (RootTable const& t : tables) {
    if (t == table) return offset;
    offset += entries(t);
  }
  tables.push_back(table);
  return offset;
}

void note_hermitian_split(Program const& program, int s, Tile const& tile, FineDigits& fine_digits) {
  if (!has_hermitian_split(program, s)) return;
  auto const pre = pre_processed_axis(program, s);
  if (!pre) return;
  fine_digits.splits_first = real_transform_of(program, *pre)->pre.hermitian;
  for (int t = 0; t < int(tile.transformed.size()); ++t)
    if (tile.transformed[t].digit.dim == *pre) fine_digits.real_axis = t;
}

void add_hermitian_steps(Program const& program, int s, Tile const& tile, std::vector<AssignedStep>& steps,
                         std::vector<int>& late) {
  late.assign(steps.size(), -1);
  if (!has_hermitian_split(program, s)) return;
  auto const pre = pre_processed_axis(program, s);
  bool const columns = columns_in(program, s) && program.problem.kind == Kind::c2r;
  if (columns || (pre && real_transform_of(program, *pre)->pre.hermitian)) {
    if (steps.front().radix_stage >= 0) steps.insert(steps.begin(), {steps.front().assignment, -1});
    late.assign(steps.size(), -1);
    return;
  }
  if (steps.back().radix_stage >= 0) steps.push_back({steps.back().assignment, -1});
  late.assign(steps.size(), -1);
  std::vector<int> waiting;
  for (int t = 0; t < int(tile.transformed.size()); ++t) {
    DigitKey const digit = tile.transformed[t].digit;
    if (digit.part + 1 < int(program.radices[digit.dim].size())) waiting.push_back(t);
  }
  for (std::size_t w = 0; w < waiting.size(); ++w) {
    if (w > 0) steps.push_back({steps.back().assignment, -1}), late.push_back(-1);
    late.back() = waiting[w];
  }
}

namespace {

/// The Hermitian split of two columns: its digit without the highest fine digit, which on the side of complex numbers tells
/// the columns of a pair apart; and the row that is kept beyond half of the digit.
void hermitian_columns(Program const& program, Tile const& tile, DigitKey half, Draft& draft) {
  kernel::HermitianSplit& hermitian = draft.hermitian;
  hermitian.used = hermitian.columns = true;
  hermitian.before_butterflies = program.problem.kind == Kind::c2r;
  hermitian.negate = program.problem.direction == Direction::inverse;
  hermitian.digits = 1;
  Index const n = program.radices[half.dim][half.part];
  hermitian.extent[0] = int(n);
  FineAffineMap index = blank(draft);
  draft.parity = blank(draft);
  each_of_axis(
      tile, draft, half.dim, !hermitian.before_butterflies,
      [&](std::size_t a, DigitKey d, Index unit) {
        if (d == half) (2 * unit == n ? draft.parity : index).tile[a] = 2 * unit == n ? 1 : unit;
      },
      [](std::size_t, DigitKey, Index) {});
  draft.conjugate_index = {index};
  Draft::PrePostProcessing& end = hermitian.before_butterflies ? draft.pre : draft.post;
  end.index = index;
  end.side.extra = true;
  end.side.extent = n / 2;
  for (Transformed const& t : tile.transformed)
    if (t.digit == half)
      end.side.extra_offset = n / 2 * (hermitian.before_butterflies ? t.read : t.write).front().stride;
}

/// The digits of the grid along the axes that other sweeps transform, from the lowest, and which Hermitian digits are
/// above them.
void add_conjugate_rows(Program const& program, Tile const& tile, std::vector<int> const& hermitian,
                        Draft& draft) {
  kernel::ConjugateRows& conjugate_rows = draft.hermitian.conjugate_rows;
  conjugate_rows.used = true;
  draft.conjugate = blank(draft);
  for (std::size_t a = 0; a < draft.fine_digits.digits.size(); ++a)
    if (is_conjugate(tile, draft.fine_digits.digits[a])) draft.conjugate.tile[a] = 1;
  auto const at = [&](int g) -> Carried const& { return tile.carried[draft.grid[g]]; };
  std::vector<int> digits;
  for (int g = 0; g < int(draft.grid.size()); ++g)
    if (at(g).negated) digits.push_back(g);
  auto const order = [&](int g) {
    DigitKey const digit = at(g).piece.digit;
    return std::pair(digit.dim, index_weight(program, digit, !draft.hermitian.before_butterflies));
  };
  std::sort(digits.begin(), digits.end(), [&](int a, int b) { return order(a) < order(b); });
  for (int g : digits) {
    int const i = conjugate_rows.negated++;
    conjugate_rows.grid[i] = g;
    conjugate_rows.axis[i] = at(g).piece.digit.dim + 1;
    conjugate_rows.extent[i] = std::max(at(g).piece.extent, at(g).whole);
    if (at(g).whole > 0) conjugate_rows.half = i;
    for (std::size_t m = 0; m < hermitian.size(); ++m)
      if (hermitian[m] + 1 == conjugate_rows.axis[i]) conjugate_rows.above[m] = conjugate_rows.axis[i];
  }
}

/// Rows that the ranks of a cluster count by the lowest part of the last Hermitian digit, and their conjugate rows by the
/// fine digit above it. Of a line that is Hermitian by itself ranks count a part higher up, and what is below and above are
/// two digits.
void add_rank_conjugates(Draft& draft) {
  kernel::HermitianSplit& hermitian = draft.hermitian;
  int const m = hermitian.digits - 1;
  FineAffineMap& low = draft.conjugate_index.back();
  Index cluster_ranks = 1, unit = 0;
  for (int a :
       (hermitian.before_butterflies ? draft.steps.front() : draft.steps.back()).assignment.cluster_ranks)
    if (low.tile[a] != 0) {
      cluster_ranks *= draft.fine_digits.digits[a].extent;
      unit = unit ? std::min(unit, low.tile[a]) : low.tile[a];
      low.tile[a] = 0;
    }
  if (cluster_ranks == 1) return;
  Index const below = 2 * cluster_ranks * unit;
  FineAffineMap high = low;
  draft.conjugate = blank(draft);
  for (std::size_t a = 0; a < low.tile.size(); ++a) {
    if (low.tile[a] == cluster_ranks * unit) draft.conjugate.tile[a] = 1;
    high.tile[a] = low.tile[a] / below;
    if (low.tile[a] >= unit) low.tile[a] = 0;
  }
  hermitian.conjugate_rows.used = true;
  hermitian.conjugate_rows.cluster_ranks = int(cluster_ranks);
  hermitian.conjugate_rows.unit = int(unit);
  int const all = hermitian.extent[m], above = unit > 1 ? hermitian.digits++ : m;
  hermitian.extent[m] = int(unit);
  hermitian.extent[above] = int(all / below);
  hermitian.conjugate_rows.above[above] = 1;
  if (above == m)
    low = high;
  else
    draft.conjugate_index.push_back(high);
}

/// Rows in Makhoul's order along the second of two cosine axes.
void add_crossing(Program const& program, Tile const& tile, int dim, Draft& draft,
                  std::vector<RootTable>& tables) {
  kernel::CrossedAxis& crossing = draft.hermitian.crossed_axis;
  bool const back = draft.hermitian.before_butterflies;
  RealTransform const real = *real_transform_of(program, dim);
  AxisProcessing const& end = back ? real.post : real.pre;
  Index const n = program.dims[dim].size;
  crossing.used = true;
  crossing.gather_index = end.gather_index[0];
  crossing.stride = stored_stride(program, tile, dim, end, back);
  crossing.extent = int(n);
  crossing.rotation = rotation_of(4 * n, 1, 0, n - 1, tables);
  draft.row = index_along(program, tile, draft, dim, back);
  draft.cross = index_along(program, tile, draft, dim, !back);
  for (std::size_t a = 0; a < draft.row.tile.size(); ++a)
    if (draft.row.tile[a] != 0) (back ? draft.write : draft.read).tile[a] = 0;
}

kernel::Storage storage_of(Precision precision) {
  return precision == Precision::f16    ? kernel::Storage::f16
         : precision == Precision::bf16 ? kernel::Storage::bf16
                                        : kernel::Storage::full;
}

}  // namespace

void demand_room_for_split(Program const& program, int s, Tile const& tile, Machine const& machine) {
  if (!has_hermitian_split(program, s) || program.sweeps[s].cluster_ranks > 1 || tile.fused_inverse) return;
  auto const pre = pre_processed_axis(program, s);
  auto const columns = columns_in(program, s);
  bool const first =
      columns ? program.problem.kind == Kind::c2r : pre && real_transform_of(program, *pre)->pre.hermitian;
  Index places = tile_points(tile);
  for (Transformed const& t : tile.transformed)
    if (first && (columns ? t.digit == columns->half : t.digit.dim == *pre))
      places = places / t.points() * (t.points() + (columns ? 2 : 1));
  if (places * element_bytes(program.problem) > machine.shared_block)
    throw Error("program: tile", "has lines whose Hermitian split does not fit " +
                                     std::to_string(machine.shared_block) +
                                     " bytes of shared memory; use a smaller tile");
}

bool is_conjugate(Tile const& tile, FineDigit const& fine_digit) {
  return fine_digit.carried >= 0 && tile.carried[fine_digit.carried].piece.digit.dim == conjugate_row_pair;
}

void add_real_processing(Program const& program, int s, Tile const& tile, Draft& draft,
                         std::vector<RootTable>& tables) {
  Index const element = element_bytes(program.problem);
  draft.pre.side.real = reads_reals(tile, element);
  draft.post.side.real = writes_reals(tile, element);
  if (tile.read_narrow) draft.pre.side.storage = storage_of(program.problem.precision);
  if (tile.write_narrow) draft.post.side.storage = storage_of(program.problem.precision);
  draft.pre.index = draft.post.index = blank(draft);
  auto const pre = pre_processed_axis(program, s), post = post_processed_axis(program, s);
  if (pre) processing_of(program, s, tile, draft, *pre, false, tables);
  if (post) processing_of(program, s, tile, draft, *post, true, tables);
  if (auto const columns = columns_in(program, s))
    return hermitian_columns(program, tile, columns->half, draft);
  if (!has_hermitian_split(program, s)) return;
  kernel::HermitianSplit& hermitian = draft.hermitian;
  RealTransform const real =
      *real_transform_of(program, *pre);  // a Hermitian axis begins and ends in one sweep
  hermitian.used = true;
  hermitian.before_butterflies = real.pre.hermitian;
  hermitian.negate = program.problem.direction == Direction::inverse && program.dims[*pre].halved;
  std::vector<int> dims;
  auto const add = [&](int dim, Transformed const& t) {
    int const m = hermitian.digits++;
    dims.push_back(dim);
    FineAffineMap form = blank(draft);
    each_of_axis(
        tile, draft, dim, !hermitian.before_butterflies,
        [&](std::size_t a, DigitKey d, Index unit) { form.tile[a] = d == t.digit ? unit : 0; },
        [](std::size_t, DigitKey, Index) {});
    hermitian.extent[m] = int(t.radix);
    draft.conjugate_index.push_back(form);
    add_rank_conjugates(draft);
  };
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim == *pre) add(*pre, t);
  auto const crossed = crossed_axis(program, s);
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim != *pre && t.digit.dim != crossed) add(t.digit.dim, t);
  if (crossed) add_crossing(program, tile, *crossed, draft, tables);
  hermitian.rotation = rotation_of(real.hermitian_order, 1, 0, real.core, tables);
  if (has_conjugate_rows(program, s)) add_conjugate_rows(program, tile, dims, draft);
}

}  // namespace skipper
