// See fused_passes.h.
#include "plan/fused_passes.h"

#include <algorithm>

#include "plan/l2_block.h"
#include "plan/layouts.h"
#include "plan/lower/fused_passes.h"
#include "plan/memory_units.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
namespace {

Index tile_bytes(Program const& program, int s) {
  return tile_points(tile_of(program, s)) * element_bytes(program.problem);
}

/// One piece of what a sweep carries, as much of it as makes the tile so large; left as it was where that cannot be. The last
/// tile along a stored index, whose number is odd, has less.
void resize(Program& program, int s, std::size_t p, Index bytes) try {
  constexpr Index least = 4;  // of segments shorter than a sector nothing is gained
  Program other = program;
  Piece& piece = other.sweeps[s].with[p];
  Index const all = extent_of(program, piece.digit) / piece.unit;
  while (tile_bytes(other, s) > bytes && piece.extent % 2 == 0 && piece.extent > least) piece.extent /= 2;
  while (2 * tile_bytes(other, s) <= bytes && 2 * piece.extent <= all &&
         (all % (2 * piece.extent) == 0 || all % 2 == 1))
    piece.extent *= 2;
  tile_bytes(other, s);
  program = std::move(other);
} catch (Error const&) {  // a tile that no layout has
}

/// With pieces of other digits too, where those it has are whole.
void widen(Program& program, int s, Index bytes) try {
  if (2 * tile_bytes(program, s) > bytes) return;
  Program other = program;
  Index const fill = bytes / element_bytes(program.problem);
  extend_tile(other, s, {1, fill, fill});
  if (tile_bytes(other, s) <= bytes) program = std::move(other);
} catch (Error const&) {
}

}  // namespace

Program with_even_tiles(Program const& given, int s, Index bytes) try {
  Program program = given;
  Index const segment = std::max<Index>(1, 128 / element_bytes(program.problem));
  auto const gathered = layout_gathered(program, s + 1, segment);
  // What a sweep before has gathered for the first of the two is not to be torn.
  bool const gathers = s == 0 && gathered && *gathered == program.sweeps[s].layout;
  for (int i : {s + 1, s}) {
    for (std::size_t p = 0; p < program.sweeps[i].with.size(); ++p) resize(program, i, p, bytes);
    widen(program, i, bytes);
    if (i == s || !gathers) continue;
    Index const written = std::min(segment, write_segment(tile_of(program, i)));
    if (auto const layout = layout_gathered(program, i, written)) program.sweeps[s].layout = *layout;
  }
  for (int i : {s, s + 1}) tile_of(program, i);
  return program;
} catch (Error const&) {  // the tiles of one do not go with the layout that the other wants
  return given;
}

namespace {

// Most bytes of an L2 block where a block of threads has an SM to itself, which loses in smaller ones; and the least
// bytes of data that gain by fused passes, also of long lines. Fitted: bench/results/h200-choices.md.
constexpr Index max_single_l2_block = 8 * mb + 256 * kb, least_data = 64 * mb, least_long_lines = 256 * mb;
// Bytes of an L2 block as a rule, at the most, and of all L2 buffers together; and how many of these there are
// (docs/decisions/0038). Planes of reals are a row more than a power of two. Fitted: bench/results/h200-choices.md.
constexpr Index usual_l2_block = 2 * mb + 64 * kb, max_l2_block = 2 * usual_l2_block,
                all_l2_blocks = 12 * usual_l2_block;
constexpr int max_streams = 12, least_streams = 6;

/// The tiles in which such programs are fused, in bytes; 0: they are not.
struct FusedTiles {
  Index tile = 0;
  Index least_segment = l2_line_bytes;  // bytes that segments have where they are no whole lines
  Index l2_block = max_l2_block;        // at most
};

std::size_t transforms(Program const& program, int s) {
  return program.sweeps[std::size_t(s)].transforms.size();
}

/// Whether an axis that both sweeps transform is cut into no more than a thread holds.
bool cuts_small(Program const& program, Index most) {
  return std::all_of(program.radices.begin(), program.radices.end(), [&](std::vector<Index> const& radices) {
    return radices.size() < 2 || *std::max_element(radices.begin(), radices.end()) <= most;
  });
}

/// Of complex floats. Cubes are cut by 16 and 4, which takes a step less than 32 and 2. Fitted: bench/results/h200-choices.md.
FusedTiles tiles_of_floats(Program const& program, int axes, Index transform) {
  std::size_t const first = transforms(program, 0), last = transforms(program, 1);  // axes, or parts
  if (axes == 2 && transform > max_l2_block) {
    bool const quarter = std::any_of(program.radices.begin(), program.radices.end(), [](auto const& radices) {
      return radices.size() == 2 && radices[0] == 4;
    });
    return {.tile = quarter && first == 2 && last == 1 ? 64 * kb : 0, .l2_block = max_single_l2_block};
  }
  bool const known = axes == 1   ? first == 1 && last == 1
                     : axes == 2 ? first + last == 3
                                 : axes == 3 && first == 2 && last == 2;
  if (!known || (axes > 1 && !cuts_small(program, axes == 3 ? 16 : 32))) return {};
  if (transform > max_l2_block) return {.tile = axes == 1 ? 128 * kb : 0, .l2_block = max_single_l2_block};
  if (axes == 1 && transform > usual_l2_block) return {.tile = 64 * kb, .least_segment = l2_line_bytes / 2};
  return {.tile = axes == 3 ? 32 * kb : 64 * kb};
}

/// Of complex doubles: lines, which may write half lines, and planes whose first sweep has X and part of Y, but no cubes.
/// Fitted: bench/results/h200-choices.md.
FusedTiles tiles_of_doubles(Program const& program, int axes, Index transform) {
  if (transform > max_l2_block || transforms(program, 1) != 1) return {};
  if (axes == 1 && transforms(program, 0) == 1)
    return transform <= 2 * mb ? FusedTiles{.tile = 32 * kb, .least_segment = l2_line_bytes / 2}
                               : FusedTiles{.tile = 64 * kb};
  return {.tile = axes == 2 && transforms(program, 0) == 2 ? 32 * kb : 0};
}

/// Of lines of reals, of which the longest move half lines. Fitted: bench/results/h200-choices.md.
FusedTiles tiles_of_real_lines(Program const& program) {
  if (program.problem.precision == Precision::f64 || transforms(program, 0) + transforms(program, 1) != 2)
    return {};
  Index const points = program.problem.axes.back().size;
  return {.tile = points <= 1 << 16 ? 32 * kb : 64 * kb,
          .least_segment = points > 1 << 18 ? l2_line_bytes / 2 : l2_line_bytes};
}

/// Of planes and cubes of reals, in blocks of 128 threads: first those with rows of whole lines in the spectrum, where r2c
/// does rows and then columns, c2r part of Y and then the rest; then others, which do part of Y beside the rows. Large cubes
/// gain as r2c only. Fitted: bench/results/h200-choices.md.
FusedTiles tiles_of_reals(Program const& program, int axes) {
  bool const there = program.problem.kind == Kind::r2c, wide = program.problem.precision == Precision::f64;
  std::size_t const first = transforms(program, 0), last = transforms(program, 1);
  constexpr Index rows = 4 * l2_line_bytes;  // seldom begin where lines do
  if (axes == 1) return tiles_of_real_lines(program);
  if (axes == 2 && first == 1 && last == (there ? 1 : 2))
    return {.tile = there || wide ? 32 * kb : 16 * kb, .least_segment = 128 * l2_line_bytes};
  if (axes == 3 && first == 2 && last == 2 && (wide || there))
    return {.tile = 32 * kb,
            .least_segment = wide ? rows : l2_line_bytes / 2,
            .l2_block = wide ? max_l2_block : max_single_l2_block};
  if ((wide && axes == 3) || first != (there ? 1 : 2) || first + last != 3) return {};
  if (axes == 2 && there && !wide && program.dims[1].size <= 512)
    return {.tile = cuts_small(program, 32) ? 64 * kb : 0, .least_segment = rows};
  return {.tile = 32 * kb, .least_segment = rows};
}

FusedTiles fused_tiles(Program const& program, Machine const& machine) {
  bool const plain =
      program.convolved.empty() && program.transformed_by.empty() && program.sweeps.size() == 2;
  if (!plain || machine.kind != MachineKind::gpu || machine.cluster < 2 || !machine.l2_block) return {};
  for (Sweep const& s : program.sweeps)
    if (s.tier != Tier::block) return {};
  int axes = 0;
  Index transform = element_bytes(program.problem);
  for (Dimension const& d : program.dims) {
    if (d.axis && d.kind != AxisKind::fourier) return {};
    if (d.axis) transform *= d.size;
    axes += d.axis && d.size > 1;
  }
  if (program.problem.kind != Kind::c2c) return tiles_of_reals(program, axes);
  return program.problem.precision == Precision::f64 ? tiles_of_doubles(program, axes, transform)
                                                     : tiles_of_floats(program, axes, transform);
}

/// Segments of whole lines, or at least so long.
bool moves_lines(Program const& program, Index least) {
  auto const good = [&](Index segment) { return segment % l2_line_bytes == 0 || segment >= least; };
  for (int s : {0, 1}) {
    Tile const tile = tile_of(program, s);
    if (!good(read_segment(tile) * tile.read_bytes) || !good(write_segment(tile) * tile.write_bytes))
      return false;
  }
  return true;
}

/// Sweeps s and the next as one kernel, by so many transforms at a time as `most` bytes hold.
std::optional<Program> fused_at(Program program, int s, Index most) {
  auto const l2_block = l2_block_of(program, s, most);
  if (!l2_block || !l2_block->slowest || (s == 0 && !l2_block->around.empty())) return std::nullopt;
  Index const size = std::max<Index>(1, usual_l2_block / l2_block->unit) * l2_block->unit;
  int const streams = size > max_l2_block ? 4 : int(std::min<Index>(max_streams, all_l2_blocks / size));
  if (streams < (size > max_l2_block ? 4 : least_streams)) return std::nullopt;
  program.sweeps[s].l2_block = size;
  program.sweeps[s].streams = streams;
  program.sweeps[s].fused = true;
  if (!assign_buffers(program)) return std::nullopt;
  return program;
}

/// A long line, whose first sweep transforms X1: the other two are fused, X1%16 at a time. What stands before and
/// between them is [X1/16 X2 X3 X1%16], so that the first sweep writes 2 KB at once, and it is a fused one that reads
/// short segments. An SM holds four tiles, of 32 KB. Fitted: bench/results/h200-choices.md.
std::optional<Program> fused_long(Program const& program) {
  Index const together = l2_line_bytes / element_bytes(program.problem);
  Sweep const &first = program.sweeps[0], &middle = program.sweeps[1], &last = program.sweeps[2];
  for (Sweep const& s : program.sweeps)
    if (s.tier != Tier::block || s.transforms.size() != 1) return std::nullopt;
  DigitKey const x1 = first.transforms[0], x2 = middle.transforms[0], x3 = last.transforms[0];
  Index const n1 = extent_of(program, x1), n2 = extent_of(program, x2), n3 = extent_of(program, x3);
  Piece const gathered{x1, 1, together};
  if (first.layout.back() != gathered || middle.layout.back() != gathered) return std::nullopt;
  constexpr Index tile = 32 * kb, most = 256;
  if (n1 < 512 || n1 > 1024 || n2 > most || n3 > most || n2 * n3 * l2_line_bytes < 4 * mb)
    return std::nullopt;
  auto const pieces = [&](Index n, DigitKey digit) {
    Index const fitting = tile / (n * l2_line_bytes);
    return fitting > 1 ? std::vector{gathered, Piece{digit, 1, fitting}} : std::vector{gathered};
  };
  Program other = program;
  other.sweeps[0].layout = middle.layout;
  other.sweeps[0].with = {{x3, 1, together}};
  other.sweeps[1].with = pieces(n2, x3);
  other.sweeps[2].with = pieces(n3, x2);
  return fused_at(std::move(other), 1, max_single_l2_block);
}

bool is_long_line(Program const& program, Machine const& machine) {
  Problem const& p = program.problem;
  bool const suited = machine.kind == MachineKind::gpu && has_clusters(machine) && machine.l2_block;
  return suited && p.kind == Kind::c2c && p.precision == Precision::f32 && p.axes.size() == 1 &&
         program.sweeps.size() == 3 && program.convolved.empty() && program.transformed_by.empty();
}

}  // namespace

std::optional<Program> fused(Program const& program, Machine const& machine) {
  Index const data = points(program.problem) * element_bytes(program.problem);
  if (data < least_data) return std::nullopt;
  if (is_long_line(program, machine))
    return data < least_long_lines ? std::nullopt : std::optional(fused_long(program));
  FusedTiles const how = fused_tiles(program, machine);
  if (!how.tile) return std::nullopt;
  Program other = with_even_tiles(program, 0, how.tile);
  for (int s : {0, 1})
    if (Index const tile = tile_bytes(other, s); 4 * tile < 3 * how.tile || tile > how.tile)
      return std::nullopt;
  if (!moves_lines(other, how.least_segment)) return std::nullopt;
  return fused_at(std::move(other), 0, how.l2_block);
}

bool runs_fused(Program const& program, Machine const& machine) try {
  int s = 0;
  while (!program.sweeps[std::size_t(s)].fused) ++s;
  auto const both = lower_fused(program, s, machine);
  return both && both->first.spec.resident * tile_bytes(program, s) >= least_in_flight;
} catch (Error const&) {
  return false;
}

}  // namespace skipper
