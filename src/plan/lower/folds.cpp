#include "plan/lower/folds.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plan/lower/forms.h"

namespace skipper {
namespace {

using kernel::Rotation;

/// Entries up to which a rotation is one table. Beyond, two short tables stay in L1 where one would not.
constexpr Index longest_table = 1024;

/// Calls f(weight, digit) for the atoms, then the grid digits, of one dimension. The weight is that of their digit's
/// own index: j where the axis is still to be transformed, k where it has been.
template <class Atoms, class Grid>
void each_of_axis(Tile const& tile, Draft const& draft, int dim, bool output, Atoms atoms, Grid grid) {
  for (std::size_t a = 0; a < draft.atoms.atoms.size(); ++a) {
    Atom const& atom = draft.atoms.atoms[a];
    bool const carried = atom.stage < 0;
    Transformed const* const t = carried ? nullptr : &tile.transformed[draft.atoms.stages[atom.stage].sub];
    DigitKey const digit = carried ? tile.carried[atom.carried].piece.digit : t->digit;
    bool const turned = output && t && !t->twice();
    if (digit.dim == dim) atoms(a, digit, carried ? atom.unit : turned ? atom.k : atom.j);
  }
  for (std::size_t g = 0; g < draft.grid.size(); ++g) {
    Piece const& piece = tile.carried[draft.grid[g]].piece;
    if (piece.digit.dim == dim) grid(g, piece.digit, piece.unit);
  }
}

/// The stride of the stored index along a folded axis, from the apparent one of its digits.
Index stored_stride(Program const& program, Tile const& tile, int dim, FoldEnd const& end, bool output) {
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim == dim) {
      Index const apparent = (output ? t.write : t.read).front().stride;
      return apparent / (stretch(end) * index_weight(program, t.digit, output));
    }
  return 0;
}

/// What is stored of a partial axis goes through taps: they read zeros, and write nothing, beyond it. Only the last sweep
/// crops; what stands between sweeps is whole.
FoldEnd partial(FoldEnd end, Dimension const& dim, bool output, bool last) {
  Index const count = output ? (last ? dim.keep : 0) : dim.load;
  if (count == 0) return end;
  if (!end.tapped) {
    end.tapped = end.tap[0].used = true;
    end.limit = count;
  }
  Index const first = output ? dim.first : 0;
  for (kernel::Tap& tap : end.tap) tap.shift -= first, tap.shift_after -= first;
  for (Index& edge : end.edge) edge = edge < first ? -1 : edge - first;
  end.limit = count;
  return end;
}

/// One side of a folded axis.
void fold_end(Program const& program, int s, Tile const& tile, Draft& draft, int dim, bool output,
              std::vector<RootTable>& tables) {
  Fold const fold = *fold_of(program, dim);
  FoldEnd const from =
      partial(output ? fold.tail : fold.head, program.dims[dim], output, s + 1 == int(program.sweeps.size()));
  Draft::Fold& to = output ? draft.tail : draft.head;
  AtomForm& address = output ? draft.write : draft.read;
  bool const zigzag = output ? tile.write_zigzag : tile.read_zigzag;
  if (zigzag || !(output ? tile.write_pairs : tile.read_pairs))
    to.index = index_along(program, tile, draft, dim, output);
  if (zigzag) {
    to.end.zigzag = true;
    to.end.extent = fold.core;
    to.end.tap[0].flip = from.tap[0].flip;
  }
  if (output ? tile.write_pairs : tile.read_pairs) return;  // a plain complex array
  Index const last = std::max(reach(tile, draft, to.index), fold.core - (from.mirror ? 0 : 1));
  to.end.extra = from.mirror;
  to.end.extent = fold.core;
  to.end.stride = stored_stride(program, tile, dim, from, output);
  if (from.order) to.end.rotation = rotation_of(from.order, from.scale, from.shift, last, tables);
  bool const plain = from.tapped && to.end.real && !from.order && !from.tap[1].used && from.tap[0].bend < 0 &&
                     from.tap[0].scale == 1 && from.tap[0].shift == 0 && from.limit >= fold.core &&
                     from.edge[0] < 0 && from.edge[1] < 0;
  to.end.folded = from.tapped && !plain;
  to.end.widened = !to.end.real && !program.dims[dim].halved;
  if (!to.end.folded) {
    to.end.extra_offset = from.mirror ? to.end.stride * fold.core : 0;
    if (!from.mirror) to.index = blank(draft);
    return;
  }
  to.end.limit = from.limit;
  if (auto const columns = columns_of(program, dim); columns && output && program.problem.kind != Kind::c2r) {
    Index const n = program.radices[dim][columns->half.part];
    to.end.twin = n % 2 == 0 ? n / 2 : n;
  }
  std::copy_n(from.tap, 2, to.end.tap);
  std::copy_n(from.edge, 2, to.end.edge);
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
  for (Rotation* r :
       {&spec.head.rotation, &spec.tail.rotation, &spec.mirror.rotation, &spec.mirror.crossing.rotation})
    r->order = 0;
}

AtomForm index_along(Program const& program, Tile const& tile, Draft const& draft, int dim, bool output) {
  AtomForm form = blank(draft);
  auto const weight = [&](DigitKey d) { return d.part < 0 ? 1 : index_weight(program, d, output); };
  each_of_axis(
      tile, draft, dim, output,
      [&](std::size_t a, DigitKey d, Index unit) { form.tile[a] = unit * weight(d); },
      [&](std::size_t g, DigitKey d, Index unit) { form.grid[g] = unit * weight(d); });
  return form;
}

namespace {
bool has(std::vector<int> const& list, int a) { return std::find(list.begin(), list.end(), a) != list.end(); }
}  // namespace

AtomMap extra_lines(Draft const& draft, AtomMap const& elements, AtomForm const& places) {
  Index const threads = count(draft.atoms, elements.threads);
  Index dealt = 1;
  std::vector<int> across;
  bool const alone = draft.mirror.twins.unit > 1;  // one line, and one extra element
  for (int a = 0; a < int(draft.atoms.atoms.size()) && !alone; ++a)
    if (draft.mirror_index.front().tile[a] == 0 && !has(elements.ranks, a)) across.push_back(a);
  std::stable_sort(across.begin(), across.end(),
                   [&](int a, int b) { return places.tile[a] < places.tile[b]; });
  AtomMap map{{}, {}, elements.ranks};
  for (int a : across) {
    Index const extent = draft.atoms.atoms[a].extent;
    bool const fits = map.registers.empty() && dealt * extent <= threads;
    if (fits) dealt *= extent;
    (fits ? map.threads : map.registers).push_back(a);
  }
  return map;
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

void note_mirror(Program const& program, int s, Tile const& tile, Atoms& atoms) {
  if (!mirrored(program, s)) return;
  auto const head = folded_head(program, s);
  if (!head) return;
  atoms.mirrors_head = fold_of(program, *head)->head.mirror;
  for (int t = 0; t < int(tile.transformed.size()); ++t)
    if (tile.transformed[t].digit.dim == *head) atoms.folded = t;
}

void add_mirror_steps(Program const& program, int s, Tile const& tile, std::vector<MapStep>& steps,
                      std::vector<int>& late) {
  late.assign(steps.size(), -1);
  if (!mirrored(program, s)) return;
  auto const head = folded_head(program, s);
  bool const columns = columns_in(program, s) && program.problem.kind == Kind::c2r;
  if (columns || (head && fold_of(program, *head)->head.mirror)) {
    if (steps.front().stage >= 0) steps.insert(steps.begin(), {steps.front().map, -1});
    late.assign(steps.size(), -1);
    return;
  }
  if (steps.back().stage >= 0) steps.push_back({steps.back().map, -1});
  late.assign(steps.size(), -1);
  std::vector<int> waiting;
  for (int t = 0; t < int(tile.transformed.size()); ++t) {
    DigitKey const digit = tile.transformed[t].digit;
    if (digit.part + 1 < int(program.radices[digit.dim].size())) waiting.push_back(t);
  }
  for (std::size_t w = 0; w < waiting.size(); ++w) {
    if (w > 0) steps.push_back({steps.back().map, -1}), late.push_back(-1);
    late.back() = waiting[w];
  }
}

namespace {

/// The mirror of two columns: its digit without the highest atom, which on the side of complex numbers tells the columns
/// of a pair apart; and the row that is kept beyond half of the digit.
void mirror_columns(Program const& program, Tile const& tile, DigitKey half, Draft& draft) {
  kernel::Mirror& mirror = draft.mirror;
  mirror.used = mirror.columns = true;
  mirror.head = program.problem.kind == Kind::c2r;
  mirror.negate = program.problem.direction == Direction::inverse;
  mirror.digits = 1;
  Index const n = program.radices[half.dim][half.part];
  mirror.extent[0] = int(n);
  AtomForm index = blank(draft);
  draft.parity = blank(draft);
  each_of_axis(
      tile, draft, half.dim, !mirror.head,
      [&](std::size_t a, DigitKey d, Index unit) {
        if (d == half) (2 * unit == n ? draft.parity : index).tile[a] = 2 * unit == n ? 1 : unit;
      },
      [](std::size_t, DigitKey, Index) {});
  draft.mirror_index = {index};
  Draft::Fold& end = mirror.head ? draft.head : draft.tail;
  end.index = index;
  end.end.extra = true;
  end.end.extent = n / 2;
  for (Transformed const& t : tile.transformed)
    if (t.digit == half) end.end.extra_offset = n / 2 * (mirror.head ? t.read : t.write).front().stride;
}

/// The digits of the grid along the axes that other sweeps transform, from the lowest, and which mirrored digits are
/// above them.
void add_twins(Program const& program, Tile const& tile, std::vector<int> const& mirrored, Draft& draft) {
  kernel::Twins& twins = draft.mirror.twins;
  twins.used = true;
  draft.twin = blank(draft);
  for (std::size_t a = 0; a < draft.atoms.atoms.size(); ++a)
    if (is_twin(tile, draft.atoms.atoms[a])) draft.twin.tile[a] = 1;
  auto const at = [&](int g) -> Carried const& { return tile.carried[draft.grid[g]]; };
  std::vector<int> digits;
  for (int g = 0; g < int(draft.grid.size()); ++g)
    if (at(g).negated) digits.push_back(g);
  auto const order = [&](int g) {
    DigitKey const digit = at(g).piece.digit;
    return std::pair(digit.dim, index_weight(program, digit, !draft.mirror.head));
  };
  std::sort(digits.begin(), digits.end(), [&](int a, int b) { return order(a) < order(b); });
  for (int g : digits) {
    int const i = twins.negated++;
    twins.grid[i] = g;
    twins.axis[i] = at(g).piece.digit.dim + 1;
    twins.extent[i] = std::max(at(g).piece.extent, at(g).whole);
    if (at(g).whole > 0) twins.half = i;
    for (std::size_t m = 0; m < mirrored.size(); ++m)
      if (mirrored[m] + 1 == twins.axis[i]) twins.above[m] = twins.axis[i];
  }
}

/// Rows that the ranks of a cluster count by the lowest part of the last mirrored digit, and their twins by the atom above it.
/// Of a line that is mirrored by itself ranks count a part higher up, and what is below and above are two digits.
void add_rank_twins(Draft& draft) {
  kernel::Mirror& mirror = draft.mirror;
  int const m = mirror.digits - 1;
  AtomForm& low = draft.mirror_index.back();
  Index ranks = 1, unit = 0;
  for (int a : (mirror.head ? draft.steps.front() : draft.steps.back()).map.ranks)
    if (low.tile[a] != 0) {
      ranks *= draft.atoms.atoms[a].extent;
      unit = unit ? std::min(unit, low.tile[a]) : low.tile[a];
      low.tile[a] = 0;
    }
  if (ranks == 1) return;
  Index const below = 2 * ranks * unit;
  AtomForm high = low;
  draft.twin = blank(draft);
  for (std::size_t a = 0; a < low.tile.size(); ++a) {
    if (low.tile[a] == ranks * unit) draft.twin.tile[a] = 1;
    high.tile[a] = low.tile[a] / below;
    if (low.tile[a] >= unit) low.tile[a] = 0;
  }
  mirror.twins.used = true;
  mirror.twins.ranks = int(ranks);
  mirror.twins.unit = int(unit);
  int const all = mirror.extent[m], above = unit > 1 ? mirror.digits++ : m;
  mirror.extent[m] = int(unit);
  mirror.extent[above] = int(all / below);
  mirror.twins.above[above] = 1;
  if (above == m)
    low = high;
  else
    draft.mirror_index.push_back(high);
}

/// Rows in zigzag along the second of two cosine axes.
void add_crossing(Program const& program, Tile const& tile, int dim, Draft& draft,
                  std::vector<RootTable>& tables) {
  kernel::Crossing& crossing = draft.mirror.crossing;
  bool const back = draft.mirror.head;
  Fold const fold = *fold_of(program, dim);
  FoldEnd const& end = back ? fold.tail : fold.head;
  Index const n = program.dims[dim].size;
  crossing.used = true;
  crossing.tap = end.tap[0];
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

bool is_twin(Tile const& tile, Atom const& atom) {
  return atom.carried >= 0 && tile.carried[atom.carried].piece.digit.dim == twin_rows;
}

void fold_ends(Program const& program, int s, Tile const& tile, Draft& draft,
               std::vector<RootTable>& tables) {
  Index const element = element_bytes(program.problem);
  draft.head.end.real = reads_reals(tile, element);
  draft.tail.end.real = writes_reals(tile, element);
  if (tile.read_narrow) draft.head.end.storage = storage_of(program.problem.precision);
  if (tile.write_narrow) draft.tail.end.storage = storage_of(program.problem.precision);
  draft.head.index = draft.tail.index = blank(draft);
  auto const head = folded_head(program, s), tail = folded_tail(program, s);
  if (head) fold_end(program, s, tile, draft, *head, false, tables);
  if (tail) fold_end(program, s, tile, draft, *tail, true, tables);
  if (auto const columns = columns_in(program, s)) return mirror_columns(program, tile, columns->half, draft);
  if (!mirrored(program, s)) return;
  kernel::Mirror& mirror = draft.mirror;
  Fold const fold = *fold_of(program, *head);  // a mirrored axis begins and ends in one sweep
  mirror.used = true;
  mirror.head = fold.head.mirror;
  mirror.negate = program.problem.direction == Direction::inverse && program.dims[*head].halved;
  std::vector<int> dims;
  auto const add = [&](int dim, Transformed const& t) {
    int const m = mirror.digits++;
    dims.push_back(dim);
    AtomForm form = blank(draft);
    each_of_axis(
        tile, draft, dim, !mirror.head,
        [&](std::size_t a, DigitKey d, Index unit) { form.tile[a] = d == t.digit ? unit : 0; },
        [](std::size_t, DigitKey, Index) {});
    mirror.extent[m] = int(t.radix);
    draft.mirror_index.push_back(form);
    add_rank_twins(draft);
  };
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim == *head) add(*head, t);
  auto const crossed = crossed_axis(program, s);
  for (Transformed const& t : tile.transformed)
    if (t.digit.dim != *head && t.digit.dim != crossed) add(t.digit.dim, t);
  if (crossed) add_crossing(program, tile, *crossed, draft, tables);
  mirror.rotation = rotation_of(fold.mirror_order, 1, 0, fold.core, tables);
  if (has_twins(program, s)) add_twins(program, tile, dims, draft);
}

}  // namespace skipper
